# values that are not HEAD:PART, and after HEAD: its parts, also when others precede
function __{{name}}_values
    set -l token (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    set -l head (string match -r '^[^:]*:' -- $token)
    if test -z "$head"
        string match -r '^[^:]*:?$' -- $argv
        return
    end
    set -l before (string replace -r '[^:,]*$' '' -- $token)
    for word in (string match -- "$head?*" $argv)
        echo $before(string replace -- $head '' $word)
    end
end
# whether the words before that of the cursor, without the tool, match a pattern
function __{{name}}_after
    set -l words (commandline -opc)
    set -e words[1]
    string match -q -- $argv[1] "$words"
end
