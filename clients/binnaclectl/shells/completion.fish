# fish completion for binnaclectl

function __binnaclectl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # of a flag with its value fish completes the whole word
    set -l flag (string match -r -- '^-[^=]*=' "$current")
    set -l directive 0
    for reply in (command $words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        if string match -q -r '^:[0-9]+$' -- "$reply"
            set directive (string sub -s 2 -- "$reply")
        else
            printf '%s%s\n' "$flag" "$reply"
        end
    end
    # 4 says that a file does not stand here
    if test "$directive" -lt 4
        for path in (__fish_complete_path (string replace -r -- '^-[^=]*=' '' "$current"))
            printf '%s%s\n' "$flag" "$path"
        end
    end
end

complete -c binnaclectl -e
complete -c binnaclectl -f -a '(__binnaclectl_complete)'
