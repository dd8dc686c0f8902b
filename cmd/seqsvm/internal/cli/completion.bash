_{{name}}() {
  local line="${COMP_LINE:0:$COMP_POINT}" current before command words="" rest word offered breaks="" cut=""
  current="${line##*[[:space:]]}"
  before="${line%"$current"}"
  while [[ "$before" == *[[:space:]] ]]; do before="${before%?}"; done
  rest="${before#*[[:space:]]}"
  [[ "$before" == *[[:space:]]* ]] || rest=""
  # the command is one word, or a group and a word
  command=""
  for word in 1 2; do
    while [[ "$rest" == [[:space:]]* ]]; do rest="${rest#?}"; done
    word="${rest%%[[:space:]]*}"
    rest="${rest#"$word"}"
    command="${command:+$command }$word"
    case "$command" in
      {{groups}}) ;;
      *) break ;;
    esac
  done
  before="${before##*[[:space:]]}"
  offered="$current"
  if [[ "$current" == --*=* ]]; then
    before="${current%%=*}"
    offered="${current#*=}"
  fi
  case "$command $before" in
    " "*) words="{{commands}}" ;;
{{values}}  esac
  if [[ -z "$words" && "$current" == -* ]]; then
    case "$command" in
{{options}}    esac
  fi
  # HEAD:ONE,TWO is completed by the parts of HEAD, which the list has as HEAD:PART
  local head="$offered" list=""
  if [[ "$offered" == *:*,* ]]; then
    head="${offered%%:*}:${offered##*,}"
    list="${offered%"${offered##*,}"}"
  fi
  # bash replaces what follows the last of these characters in a word
  for word in : =; do
    [[ "${COMP_WORDBREAKS-}" == *"$word"* ]] && breaks="$breaks$word"
  done
  if [[ -n "$breaks" ]]; then
    cut="${offered%"${offered##*[$breaks]}"}"
  fi
  COMPREPLY=()
  for word in $(compgen -W "$words" -- "$head"); do
    case "$head" in
      *:*) ;;
      *) case "$word" in *:?*) continue ;; esac ;; # parts are offered after the head
    esac
    [[ -n "$list" ]] && word="$list${word#*:}"
    COMPREPLY+=("${word#"$cut"}")
    case "$word" in
      *[:=]) type compopt >/dev/null 2>&1 && compopt -o nospace ;;
    esac
  done
}
complete -o default -o bashdefault -F _{{name}} {{name}}
