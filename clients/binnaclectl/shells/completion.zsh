#compdef binnaclectl
compdef _binnaclectl binnaclectl

# zsh completion for binnaclectl

_binnaclectl() {
  local reply directive=0 tab=$'\t'
  local -a found options
  local current=${words[CURRENT]}

  while IFS= read -r reply; do
    case $reply in
      :*) directive=${reply#:} ;;
      ?*)
        # _describe separates a value and its description by a colon
        reply=${reply//:/\\:}
        found+=("${reply/$tab/:}")
        ;;
    esac
  done < <("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)

  # of a flag with its value the value alone is completed
  if [[ $current == -*=* ]]; then compset -P '*='; fi
  if (( directive & 2 )); then options=(-S ''); fi
  _describe binnaclectl found $options && return 0
  (( directive & 4 )) && return 1
  _files
}

# when it is loaded from fpath, the first call completes
if [ "$funcstack[1]" = "_binnaclectl" ]; then
  _binnaclectl
fi
