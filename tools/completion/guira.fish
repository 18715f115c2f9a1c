# Completion for fish: commands, then options, as --help lists them, and files.
function __guira_commands
    guira --help 2>/dev/null | string match -rg '^  ([a-z]+  .*)' | string replace -r '  +' \t
end

function __guira_options
    set -l words (commandline -opc)
    guira $words[2] --help 2>/dev/null | string match -rg '^  -., (--[a-z-]+.*)' |
        string replace -r '^(--[a-z-]+)\S*  +' '$1'\t
end

complete -c guira -n __fish_is_first_token -f -a '(__guira_commands)'
complete -c guira -n 'not __fish_is_first_token; and string match -q -- "-*" (commandline -ct)' \
    -f -a '(__guira_options)'
