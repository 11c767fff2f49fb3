#compdef pingce
# Completion of pingce for zsh.  Now: source <(pingce completion zsh)
# Always: pingce completion zsh > ~/.zfunc/_pingce, with fpath+=(~/.zfunc) before compinit in ~/.zshrc
_pingce() {
    local -a closed open
    local kind value help
    while IFS=$'\t' read -r kind value help; do
        value=${value//:/\\:}
        case $kind in
            file) _files; return ;;
            folder) _files -/; return ;;
            open) open+=("$value${help:+:$help}") ;;
            plain) closed+=("$value${help:+:$help}") ;;
        esac
    done < <(_PINGCE_COMPLETE=zsh _PINGCE_LINE="${(j: :)words[1,CURRENT-1]} $PREFIX" "${words[1]}" 2>/dev/null)
    (( $#closed )) && _describe -V pingce closed
    (( $#open )) && _describe -V pingce open -S ''
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _pingce "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _pingce pingce
fi
