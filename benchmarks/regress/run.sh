#!/usr/bin/env bash
# Compares the speed and memory of two versions of seqsvm:
#
#   [SEQSVM_DATA=FOLDER] benchmarks/regress/run.sh [-n PAIRS] [-only REGEXP] [-rows FILE] [-most RATIO] OLD [NEW]
#
# OLD and NEW are commits, which it builds, or binaries; without NEW it takes the working tree. Both run the commands of
# rows.txt in turn, PAIRS times each (5), after a pair that is not counted; with -only those that match, others run once
# for their files. A line per command says the ratio of NEW to OLD of CPU time (user and system), wall-clock time and
# peak memory, least of the runs, and what OLD took. A cost whose least and median both grew beyond RATIO, 1.05, is
# measured again with three times as many pairs. What is then still beyond it is marked, and the exit status is 1. Run
# it on an idle machine; it needs GNU time.
#
# floors.txt has the commands whose speed a new engine must keep within 1.3, at full size: -rows
# benchmarks/regress/floors.txt -most 1.3 -n 3 takes hours, 6 GB of disk and 16 GB of memory.
set -euo pipefail
usage() {
  echo "usage: run.sh [-n PAIRS] [-only REGEXP] [-rows FILE] [-most RATIO] OLD [NEW]" >&2
  exit 2
}
REPOSITORY=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
pairs=5 only=. rows=$REPOSITORY/benchmarks/regress/rows.txt most=1.05
while [[ ${1-} == -* && $# -gt 1 ]]; do
  case $1 in
    -n) pairs=$2 ;;
    -only) only=$2 ;;
    -rows) rows=$2 ;;
    -most) most=$2 ;;
    *) usage ;;
  esac
  shift 2
done
[[ $# == 1 || $# == 2 ]] || usage
data=${SEQSVM_DATA:+$(realpath "$SEQSVM_DATA")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build SIDE VERSION makes the folder of a side with its program.
build() {
  local to=$work/$1/seqsvm
  mkdir "$work/$1"
  if [[ -z $2 ]]; then
    go build -C "$REPOSITORY" -o "$to" ./cmd/seqsvm
  elif [[ -f $2 ]]; then
    cp "$2" "$to"
  else
    git -C "$REPOSITORY" worktree add --quiet --detach "$work/tree" "$2"
    go build -C "$work/tree" -o "$to" ./cmd/seqsvm
    git -C "$REPOSITORY" worktree remove --force "$work/tree"
  fi
}
build old "$1"
build new "${2-}"
for program in generate articles; do # write the files that commands read
  go build -C "$REPOSITORY" -o "$work/$program" "./benchmarks/$program"
done

# once SIDE COMMAND… runs a command with one version and prints the side, CPU and wall seconds and peak memory in KiB.
once() {
  local side=$1 program=$work/$1/seqsvm
  shift
  if [[ $1 == generate || $1 == articles ]]; then
    program=$work/$1
    shift
  fi
  if ! (cd "$work/$side" && command time -f '%U %S %e %M' -o "$work/cost" "$program" "$@" \
    </dev/null >/dev/null 2>"$work/said"); then
    echo "regress: $side $*: $(cat "$work/said")" >&2
    return 1
  fi
  awk -v side="$side" '{ print side, $1 + $2, $3, $4 }' "$work/cost"
}

# measure PAIRS COMMAND… adds the costs of pairs of runs, the version that goes first changing each time.
measure() {
  local i n=$1
  shift
  for ((i = 0; i <= n; i++)); do
    local sides=(old new)
    ((i % 2 == 0)) || sides=(new old)
    for side in "${sides[@]}"; do
      once "$side" "$@" >"$work/run" || return 1
      ((i == 0)) || cat "$work/run" >>"$work/costs"
    done
  done
}

# ranked SIDE COLUMN prints the least and the median of a cost.
ranked() {
  awk -v side="$1" -v column="$2" '$1 == side { print $column }' "$work/costs" | sort -g |
    awk '{ v[NR] = $1 } END { print v[1], v[int(NR / 2) + 1] }'
}

# summary COMMAND prints the line of a command, in its last column but one the costs that grew.
summary() {
  local column grew='' ratios='' took=''
  for column in 2 3 4; do
    read -r ratio least bad < <(echo "$(ranked old "$column") $(ranked new "$column")" | awk -v most="$most" '{
      print ($1 > 0 ? sprintf("%.3f", $3 / $1) : "-"), $1, ($3 > most * $1 && $4 > most * $2) }')
    ratios+=$ratio$'\t'
    took+=$least$'\t'
    [[ $bad == 0 ]] || grew+=,$(cut -d' ' -f$((column - 1)) <<<'cpu wall memory')
  done
  printf '%s%s%s\t%s\n' "$ratios" "$took" "${grew:+${grew#,}}" "$1"
}

status=0
printf 'cpu\twall\tmemory\told_cpu_s\told_wall_s\told_kib\tgrew\tcommand\n'
while read -r line; do
  line=${line%%#*}
  if [[ $line == *'$SEQSVM_DATA'* && -z $data ]]; then
    echo "regress: $line: skipped: \$SEQSVM_DATA is not set" >&2
    continue
  fi
  text=${line//'$REPOSITORY'/$REPOSITORY}
  read -ra row <<<"${text//'$SEQSVM_DATA'/$data}"
  ((${#row[@]})) || continue
  read -ra words <<<"$line"
  if [[ ${row[0]} == generate || ${row[0]} == articles || ! $line =~ $only ]]; then
    { once old "${row[@]}" && once new "${row[@]}"; } >/dev/null || true
    continue
  fi
  : >"$work/costs"
  measure "$pairs" "${row[@]}" || continue
  result=$(summary "${words[*]}")
  if [[ -n $(cut -f7 <<<"$result") ]]; then
    measure $((3 * pairs)) "${row[@]}" || continue
    result=$(summary "${words[*]}")
    [[ -z $(cut -f7 <<<"$result") ]] || status=1
  fi
  echo "$result"
done <"$rows"
exit $status
