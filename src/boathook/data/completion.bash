# boathook completion bash: put `source <(boathook completion bash)` into ~/.bashrc
_boathook() {
    local IFS=$'\n'
    COMPREPLY=($(boathook --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _boathook boathook bh
