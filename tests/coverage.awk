# Sums up what gcov prints (--stdout --branch-counts --branch-probabilities) for many objects: for each
# file of a folder how many lines and branches at least one object reached, and which none did. Fails
# if there are no lines at all.
#
#     awk -v folder=/path/lib/ -f coverage.awk GCOV_OUTPUT
#
# Not gcovr, which gives up on a header that defines a function in one of two ways.

/^ *-: *0:Source:/ {
    file = substr($0, index($0, "Source:") + 7)
    inside = index(file, folder) == 1
    file = substr(file, length(folder) + 1)
    next
}
!inside { next }
/^ *([0-9]+\*?|#####|=====): *[1-9][0-9]*:/ {
    split($0, part, ":")
    place = file SUBSEP (part[2] + 0)
    line[place] = line[place] || part[1] + 0 > 0
    last[file] = part[2] + 0 > last[file] ? part[2] + 0 : last[file]
    next
}
/^ *-: *[0-9]+:/ { place = "" }
# Numbered together with the calls of the line.
/^branch/ && place != "" {
    ends[place] = $2 + 1 > ends[place] ? $2 + 1 : ends[place]
    branch[place, $2] = branch[place, $2] || ($3 == "taken" && $4 > 0)
}

function share(part, whole) {
    return sprintf("%5d of %5d", part, whole)
}
function report(name, lines, hit, branches, taken, missing) {
    return sprintf("%-20s %s lines   %s branches   %s", name, share(hit, lines), \
                   share(taken, branches), missing)
}
END {
    for (file in last) {
        lines = hit = branches = taken = 0
        missing = ""
        for (i = 1; i <= last[file]; i++) {
            if (!((file, i) in line)) {
                continue
            }
            lines++
            hit += line[file, i]
            partly = 0
            for (j = 0; j < ends[file, i]; j++) {
                if ((file, i, j) in branch) {
                    branches++
                    taken += branch[file, i, j]
                    partly += !branch[file, i, j]
                }
            }
            missing = missing (line[file, i] ? (partly > 0 ? " " i : "") : " line-" i)
        }
        print report(file, lines, hit, branches, taken, missing) | "sort"
        sum_lines += lines
        sum_hit += hit
        sum_branches += branches
        sum_taken += taken
    }
    close("sort")
    print report("all", sum_lines, sum_hit, sum_branches, sum_taken, "")
    exit sum_lines == 0
}
