#!/usr/bin/env bash
# Proves that two builds of seqsvm do the same: runs the commands of commands.sh with each and compares exit statuses,
# standard output and every file written, byte by byte.
#
#	run.sh [--stderr] OLD NEW              compare two binaries; models written by OLD are also read by NEW
#	run.sh --record BINARY DIR             store what a binary does
#	run.sh [--stderr] --against DIR BINARY compare a binary with what was stored
#
# A line per difference and, last, "N passed, M failed", N and M being commands; exit status 1 if any failed, 2 for
# wrong usage. Times are not compared, nor the version and options that a model records. Wording is compared with
# --stderr only: standard error, help, the descriptions of kernels and the reason for a solver in a model.
# With $SEQSVM_DATA set, commands on real data run as well.
set -euo pipefail
export LC_ALL=C
unset GOMEMLIMIT GOMAXPROCS GODEBUG

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
# shellcheck source=benchmarks/samebytes/inputs.sh
. "$here/inputs.sh"
# shellcheck source=benchmarks/samebytes/commands.sh
. "$here/commands.sh"

usage() {
  sed -n 's/^#	//p' "$0" >&2
  exit 2
}

abort() {
  echo "run.sh: $1" >&2
  exit 2
}

# record BINARY DIR [MODELS] runs all commands in DIR; with MODELS, the results of another binary, only those that read
# a model, which is taken from there.
record() {
  binary=$1 results=$2 models=${3:-}
  mkdir -p "$results/in"
  cd "$results/in"
  inputs "$here" "$repository"
  commands </dev/null
}

run() { execute 0 "$@"; }

fails() { execute 1 "$@"; }

model() {
  if [ -n "$models" ]; then
    mkdir "$results/$1"
    cp "$models/$1/m.seqsvm" "$results/$1/" 2>/dev/null || true
  else
    execute 0 "$@" -o m.seqsvm
  fi
}

use() {
  local name=$1 model=../$2/m.seqsvm
  shift 2
  if [ "$1 ${2-}" != "model info" ]; then set -- "$@" -m; fi
  reader=yes execute 0 "$name" "$@" "$model"
}

# execute FAILS NAME ARGUMENT… runs seqsvm ARGUMENT… in a new folder NAME. FAILS is 1 if it must fail, else 0.
execute() {
  local fails=$1 name=$2 status=0
  shift 2
  if [ -n "$models" ] && [ -z "${reader:-}" ]; then return; fi
  mkdir "$results/$name"
  cd "$results/$name"
  printf '%s\n' "$*" >arguments
  "$binary" "$@" >stdout 2>stderr || status=$?
  echo "$status" >status
  if [ $((status != 0)) != "$fails" ]; then
    printf 'exit status %d: %s\n' "$status" "$(tail -n 1 stderr)" >unexpected
  fi
}

# compare OLD NEW LABEL prints the differences of the results in two folders and counts commands in $passed and $failed.
# LABEL goes with the names; if it is not empty, commands that NEW has not run do not count.
compare() {
  local old=$1 new=$2 label=$3 name
  while read -r name; do
    if [ -n "$label" ] && [ ! -f "$new/$name/arguments" ]; then continue; fi # not run, or a model that was only copied
    if same "$old/$name" "$new/$name" "$name$label"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  done < <(names "$old" "$new" -mindepth 1 -maxdepth 1)
}

# same OLD NEW NAME compares two folders.
same() {
  local file result=0
  while read -r file; do
    if [ "${file##*/}" = stderr ] && [ -z "$wording" ]; then
      continue
    elif [ "$file" = unexpected ]; then
      echo "$3: $(cat "$1/$file" "$2/$file" 2>/dev/null | sort -u | tr '\n' ' ')"
    elif [ ! -f "$1/$file" ]; then
      echo "$3: $file is new"
    elif [ ! -f "$2/$file" ]; then
      echo "$3: $file is missing"
    elif cmp -s "$1/$file" "$2/$file" || [ "$file" = arguments ]; then
      continue
    elif cmp -s <(comparable "$1" "$file") <(comparable "$2" "$file"); then
      continue
    else
      echo "$3: $file differs"
    fi
    result=1
  done < <(names "$1" "$2" -type f)
  return $result
}

# names lists what find finds in either of two folders.
names() {
  find "$1" "$2" "${@:3}" -printf '%P\n' 2>/dev/null | sort -u
}

# comparable DIR FILE prints a file without what may differ between two runs, or two versions, that do the same.
comparable() {
  local path=$1/$2 command
  command=$(head -n 1 "$1/arguments" 2>/dev/null || true)
  if [ "$(head -c 6 "$path")" = SEQSVM ]; then
    header "$path"
    return
  fi
  case "$2:$command" in
    stdout:*--help) options <"$path" ;;
    std*:train* | std*:model\ convert*) sed -E 's/^seconds\t.*/seconds/; s/^( *"seconds": ).*/\1/' "$path" ;;
    stdout:model\ info*) information <"$path" ;;
    stdout:about\ bench*json) sed -E 's/("[a-z_]*_s":)[^,}]*/\1/g' "$path" ;;
    stdout:about\ bench*) cut -f 1-3,7,8 "$path" ;;
    stdout:about\ kernels*json) descriptions json <"$path" ;;
    stdout:about\ kernels*) descriptions tsv <"$path" ;;
    stdout:about\ completion*) completions <"$path" ;;
    stdout:--version) echo ;;
    *) cat "$path" ;;
  esac
}

# header prints a model without the version and options in its header and, unless wording counts, the reason for the
# solver; lengths and checksum of the header go with them.
header() {
  local length reason='s/,"reason":"([^"\\]|\\.)*"//g'
  if [ -n "$wording" ]; then reason=; fi
  head -c 12 "$1"
  length=$(od -An -tu4 -j 12 -N 4 "$1" | tr -d ' ')
  tail -c +21 "$1" | head -c "$length" |
    sed -E "s/\"generator\":\{\"version\":\"[^\"]*\"(,\"options\":\"([^\"\\\\]|\\\\.)*\")?\}/\"generator\":{}/; $reason"
  tail -c +$(((20 + length + 63) / 64 * 64 + 1)) "$1"
}

information() {
  local reason='/^ *"reason": /d'
  if [ -n "$wording" ]; then reason=; fi
  sed -E "/^(made by|options)\t/d; /^ *\"(version|options)\": /d; $reason"
}

descriptions() {
  if [ -n "$wording" ]; then
    cat
  elif [ "$1" = json ]; then
    grep -E '^ *"(name|type)":'
  else
    cut -f 1-3
  fi
}

# completions prints the words of a completion script, descriptions left out, sorted.
completions() {
  if [ -n "$wording" ]; then cat; else sed "s/ -d '.*//" | tr -s ' "' '\n' | sort -u; fi
}

# options prints the names of the commands or options that a help text lists, sorted.
options() {
  if [ -n "$wording" ]; then
    cat
  else
    sed -n '/^\(COMMANDS\|OPTIONS\):/,$p' | sed 's/^   //; s/  .*//' |
      grep -oE '(^|[ ,])--?[A-Za-z][a-z-]*|^[a-z]+' | sort -u
  fi
}

wording=
mode=pair
while [ $# -gt 0 ]; do
  case $1 in
    --stderr) wording=yes ;;
    --record | --against) mode=${1#--} ;;
    -*) usage ;;
    *) break ;;
  esac
  shift
done
if [ $# != 2 ]; then usage; fi
program=$2
if [ "$mode" = record ]; then program=$1; fi
if [ ! -x "$program" ]; then abort "$program: no such program"; fi
if [ "$mode" = pair ] && [ ! -x "$1" ]; then abort "$1: no such program"; fi
new=$(realpath "$program")

if [ "$mode" = record ]; then
  mkdir -p "$2"
  if [ -n "$(ls -A "$2")" ]; then abort "$2 is not empty"; fi
  (record "$new" "$(realpath "$2")")
  find "$2" -name unexpected -exec grep -H . {} +
  exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ "$mode" = pair ]; then
  old=$scratch/old
  (record "$(realpath "$1")" "$old") &
  (record "$new" "$scratch/new")
  wait $!
else
  old=$(realpath "$1")
  if [ ! -d "$old/in" ]; then abort "$1: no results"; fi
  if [ ! -d "$old/data-reuters" ]; then
    SEQSVM_DATA=
  elif [ -z "${SEQSVM_DATA:-}" ]; then
    abort "$1 was recorded with SEQSVM_DATA, which is not set"
  fi
  (record "$new" "$scratch/new")
fi
(record "$new" "$scratch/readers" "$old")

passed=0 failed=0
compare "$old" "$scratch/new" ""
compare "$old" "$scratch/readers" " with the old model"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
