# boathook completion zsh: put `source <(boathook completion zsh)` into ~/.zshrc, after compinit
_boathook() {
    local -a found
    found=("${(@f)$(boathook --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "$found[1]" ]]; then compadd -a found; else _files; fi
}
compdef _boathook boathook bh
