# Completion of pingce for bash 4.4 or later.  Now: source <(pingce completion bash)
# Always: pingce completion bash > ~/.local/share/bash-completion/completions/pingce
_pingce_completion() {
    local kind value help
    COMPREPLY=()
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            file) compopt -o default 2>/dev/null ;;
            folder) compopt -o dirnames 2>/dev/null ;;
            open) COMPREPLY+=("$value"); compopt -o nospace 2>/dev/null ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(_PINGCE_COMPLETE=bash _PINGCE_LINE="${COMP_LINE:0:COMP_POINT}" _PINGCE_BREAKS="$COMP_WORDBREAKS" "$1" 2>/dev/null)
}
complete -o nosort -F _pingce_completion pingce 2>/dev/null || complete -o default -F _pingce_completion pingce
