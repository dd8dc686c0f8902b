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
