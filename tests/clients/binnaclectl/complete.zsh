# Completes command lines in an interactive zsh, each as a Tab at its end does: zsh -f complete.zsh LINE...
# Prints HIT<candidate> for each candidate and END<line> for the line as it is then. binnaclectl must be on PATH.
zmodload zsh/zpty
zpty -b child 'PS1= PS2= exec zsh -f -i'
zpty -w child 'PS1= PS2=; bindkey -e; LISTMAX=10000; autoload -Uz compinit; compinit -u -D; source <(binnaclectl completion zsh)'
# Candidates are shown as they are added; calls that fill arrays are passed on alone.
zpty -w child 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits; builtin compadd -A hits "$@"
  local hit; for hit in "$hits[@]"; do print -r -- "HIT<$hit>"; done
  builtin compadd "$@"
}
show-line() { print -r -- "END<$BUFFER>"; zle kill-buffer }
zle -N show-line; bindkey "^X" show-line; print READY'
local text
zpty -r -m child text '*READY*'
for line in "$@"; do
  zpty -w -n child "$line"$'\t\x18'
  zpty -r -m child text '*END<*>*'
  print -r -- "$text"
done
