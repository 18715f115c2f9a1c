# The public headers' comments as doxygen wants to see them; it runs this as a filter. The headers
# keep their plain comments, and lines keep their numbers.
#
#   the first comment of a file        documents the file
#   a comment before a declaration     documents it: its labels become headings, and a line that
#                                      begins with "name  what it is" tells of a parameter
#   a comment behind a declaration     documents that
#   a declaration right below another  has the same comment
#   one in a section with the title    is the one without the suffix: as it, but TEXT
#     "...: as above, but TEXT"
#
# A declaration that none of this fits stays without a comment, which doxygen reports.

# A section's title is a heading for all declarations up to the next one.
/^ *\/\* ---- .*- \*\/$/ {
    sub(/^ *\/\* ---- /, "")
    sub(/ -+ \*\/$/, "")
    instead = ""
    if (match($0, /: as above, but /)) {
        instead = substr($0, RSTART + RLENGTH)
        $0 = substr($0, 1, RSTART - 1)
    }
    print (in_section ? "/** @} */ " : "") "/** @name " $0 " */ /** @{ */"
    in_section = 1
    next
}

# Where a comment begins: before a declaration, or behind one.
/^ *\/\*/ {
    sub(/\/\*/, NR == 1 ? "/** @file" : "/**")
    in_comment = 1
    behind = 0
}
!in_comment && /\/\*/ {
    sub(/\/\*/, "/**<")
    in_comment = behind = 1
}

in_comment {
    if (/^ \*   [A-Z][A-Za-z_]+(  |,)/) { # a word and what it means, in a list
        match($0, /[A-Z][A-Za-z_]+/)
        word = substr($0, RSTART, RLENGTH)
        $0 = " * - " (word ~ /_/ ? word : "**" word "**") substr($0, RSTART + RLENGTH)
    } else if (match($0, /^ *\* [a-z_]+  +/)) {
        match($0, /[a-z]/)
        $0 = substr($0, 1, RSTART - 1) "@param " substr($0, RSTART)
    }
    sub(/\* Returns /, "* @return ")
    sub(/\* Progress, Guarantee: /, "* @progress ")
    sub(/\* Threads: /, "* @threads ")
    sub(/\* Order: /, "* @order ")
    sub(/\* Progress: /, "* @progress ")
    sub(/\* Guarantee: /, "* @guarantee ")
    if (match($0, /^ \* [0-9]+\./)) { # the end of a sentence, not a number in a list
        $0 = substr($0, 1, RLENGTH - 1) "\\" substr($0, RLENGTH)
    }
    if (!/\*     /) { # which is code
        $0 = with_references($0)
    }
}

# Whether the line ends a comment, and which declarations have it.
/\*\/$/ {
    print
    in_comment = 0
    commented = !behind
    shared = ""
    next
}
in_comment {
    print
    next
}

!in_body && /^ *$|^#if|^#e|^#inc|^ *}|^extern "C"/ {
    commented = 0
    shared = ""
    print
    next
}

# The bodies of functions.
in_body {
    in_body = !/^}/
    print $0 (hidden && !in_body ? " /** @endcond */" : "")
    hidden = hidden && in_body
    next
}

{
    code = $0
}

# The first line of a declaration that has no comment of its own, if there is one to take.
!declared && !commented {
    if (/^static inline/ && shared == "") {
        hidden = 1
        $0 = "/** @cond */ " $0
    } else if (shared != "") {
        $0 = shared ~ /^guira/ ? "/** @copydoc " shared " */ " $0 : $0 " /**< See " shared ". */"
    } else if (instead != "" && match($0, /guira_[a-z0-9_]+\(/)) {
        name = substr($0, RSTART, RLENGTH - 1)
        sub(/_(u64|uniform)$/, "", name)
        $0 = "/** As " name "(), but " instead ". */ " $0
    }
}
{
    declared = declared " " code
    if (code ~ /[;{]$|^#define/) {
        if (commented && match(declared, / guira_[a-z0-9_]+\(|[a-z0-9_]+;$|define [A-Z0-9_]+/)) {
            shared = substr(declared, RSTART, RLENGTH)
            gsub(/define|[ (;]/, "", shared)
        }
        in_body = declared ~ /\(.*{$/
        declared = ""
        commented = 0
    }
    print
}

# Names of the library become links, which doxygen finds to be wrong if there is no such name.
function with_references(text,   done, rest, linked) {
    while (match(text, /(guira|GUIRA)_[A-Za-z0-9_]*[A-Za-z0-9]/)) {
        done = done substr(text, 1, RSTART - 1)
        rest = substr(text, RSTART + RLENGTH)
        linked = done !~ /[A-Za-z_.`]$/ && rest !~ /^[(:]/
        done = done (linked ? "@ref " : "") substr(text, RSTART, RLENGTH)
        text = rest
    }
    return done text
}

END {
    if (in_section) {
        print "/** @} */"
    }
}
