# boathook completion fish: put `boathook completion fish | source` into ~/.config/fish/config.fish
function __boathook_found
    set -l words (commandline -opc)
    set -g __boathook_words (boathook --complete $words[2..-1] (commandline -ct) 2>/dev/null)
    test -n "$__boathook_words"
end
complete -c boathook -n __boathook_found -f -a '$__boathook_words'
complete -c bh -w boathook
