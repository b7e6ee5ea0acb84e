#compdef limn
# Completion of limn for zsh: source <(limn completion zsh)
_limn() {
    local line files
    local -a found plain
    for line in "${(@f)$("${words[1]/#\~/$HOME}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
        :files) files=yes ;;
        *$'\t'?*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        ?*) plain+=("${line%%$'\t'*}") ;;
        esac
    done
    (( $#found )) && _describe limn found
    (( $#plain )) && compadd -a plain
    if [[ -n $files ]]; then
        compset -P '--*='
        _files
    fi
}
if [[ $funcstack[1] == _limn ]]; then
    _limn "$@"
else
    compdef _limn limn
fi
