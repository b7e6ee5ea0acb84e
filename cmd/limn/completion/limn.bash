# Completion of limn for bash: source <(limn completion bash)
_limn() {
    local word file cur=${COMP_WORDS[COMP_CWORD]}
    [[ $cur == "=" ]] && cur=
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        if [[ $word != :files ]]; then
            COMPREPLY+=("$word")
            continue
        fi
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do
            COMPREPLY+=("$file")
        done < <(compgen -f -- "$cur")
    done < <("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _limn limn
