# Write the fragments of C and C++ in Markdown files to files of their own in FOLDER, ready to be
# compiled, and print their names. Errors are reported at the line of the document.
#
# Lines that are in a file of examples/ as they are have been compiled with it, and are left out. A
# fragment that includes a header is a whole file. Any other is put into a function that has a
# `struct guira *filter`. A comment in the line above its fence may say otherwise:
#
#     <!-- given: DECLARATIONS -->                 these come before the fragment, in the function
#     <!-- given at file scope: DECLARATIONS -->   there is no function

BEGIN {
    headers = "#include <guira/guira.h>\n#include <pthread.h>\n#include <stdio.h>\n" \
        "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    while ("find examples -name '*.c' -exec cat {} +" | getline line > 0) {
        examples = examples line "\n"
    }
}

FNR == 1 {
    mark = language = ""
}

/^```/ && language != "" {
    close_fragment()
    language = mark = ""
    next
}
/^```(c|cpp)$/ {
    language = substr($0, 4)
    first = FNR + 1
    text = ""
    next
}
/^```/ {
    language = "other"
    next
}
language != "" {
    text = text $0 "\n"
    next
}
{
    mark = $0
}

function close_fragment(   file, given, line) {
    if (language == "other" || index(examples, text)) {
        return
    }
    file = sprintf("%s/%03d.%s", FOLDER, ++count, language)
    line = "#line " first " \"" FILENAME "\"\n"
    given = mark
    sub(/^<!-- given[^:]*: */, "", given)
    sub(/ *-->$/, "", given)
    if (text ~ /#include/) {
        text = line text
    } else if (mark ~ /^<!-- given at file scope:.*-->$/) {
        text = headers given "\n" line text
    } else {
        given = mark ~ /^<!-- given:.*-->$/ ? given : ""
        text = headers "void fragment(struct guira *filter);\nvoid fragment(struct guira *filter) {\n" \
            given "\n(void)filter;\n" line text "}\n"
    }
    printf "%s", text >file
    close(file)
    print file
}
