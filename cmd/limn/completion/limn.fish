# Completion of limn for fish: limn completion fish | source
function __limn_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l flag (string match -r -- '^--[^=]*=' $words[-1]; or echo)
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            for file in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $words[-1]))
                echo $flag$file
            end
        else
            echo $line
        end
    end
end
complete -c limn -f -a '(__limn_complete)'
