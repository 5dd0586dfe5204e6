# bash completion for binnaclectl; needs no package bash-completion

_binnaclectl() {
  local rest=${COMP_LINE:0:COMP_POINT} after word value reply count directive=0
  local -a words=() found=()

  # bash splits words at = and :, the program does not: parts without a space between them are one word, up to the cursor
  local index
  for ((index = 0; index <= COMP_CWORD; index++)); do
    after=${rest#"${rest%%[![:space:]]*}"}
    word=${COMP_WORDS[index]}
    if ((index == COMP_CWORD)); then word=$after; fi
    count=${#words[@]}
    if ((index > 0)) && [[ -n $rest && $after == "$rest" ]]; then
      words[count - 1]+=$word
    else
      words[count]=$word
    fi
    rest=${after#"$word"}
  done
  count=${#words[@]}

  # a program that is named by a path in quotes or with a tilde is looked for in PATH
  local program=${words[0]}
  if ! type -t -- "$program" >/dev/null; then program=binnaclectl; fi
  while IFS= read -r reply; do
    case $reply in
      :*) directive=${reply#:} ;;
      ?*) found+=("$reply") ;;
    esac
  done < <("$program" __completeNoDesc "${words[@]:1}" 2>/dev/null)

  # of a flag with its value the value alone is completed, and of it what stands after the last = or :
  value=${words[count - 1]}
  if [[ $value == -*=* ]]; then value=${value#*=}; fi
  local written=
  if [[ $COMP_WORDBREAKS == *:* && $value == *:* ]]; then written=${value%"${value##*:}"}; fi
  if [[ $COMP_WORDBREAKS == *=* && ${value#"$written"} == *=* ]]; then written=${value%"${value##*=}"}; fi
  COMPREPLY=()
  for reply in ${found[@]+"${found[@]}"}; do
    if [[ $reply == "$value"* ]]; then COMPREPLY+=("${reply#"$written"}"); fi
  done

  if ((directive & 2)); then compopt -o nospace 2>/dev/null; fi
  if ((directive & 4)); then compopt +o default 2>/dev/null; fi
}

complete -o default -F _binnaclectl binnaclectl
