#!/usr/bin/env bash
# Figures of seqsvm on tasks that foundation models of DNA are measured by, as rows of a Markdown table:
#
#   SEQSVM_DATA=FOLDER benchmarks/foundation/run.sh fixed|searched [SET]
#
# SET is a folder of $SEQSVM_DATA with files NAME.train.fa.gz, perhaps NAME.dev.fa.gz, and NAME.test.fa.gz: gue by
# default, or methylation-a. With fixed a task has the recipe of its kind; with searched, seqsvm tune chooses kernels
# and C on the records of train and dev. Either way the machine is then trained on train and dev, and tested once. The
# CPU seconds are those of the search and of training. Published figures are in ../../docs/foundation-models.md.
set -euo pipefail
: "${SEQSVM_DATA:?is not set, want the folder of data sets}"
setting=${1:?want fixed or searched} folder=$SEQSVM_DATA/${2:-gue}
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/seqsvm" ../../cmd/seqsvm

# recipe prints the kernels for windows of a length. They were chosen on dev parts, or by cross-validation where there
# are none, and written down before a test part was looked at.
recipe() {
  if (($1 <= 50)); then # modified bases
    echo -k wd:d=6,shift=1 -k gapped:l=8,k=5,d=3
  elif (($1 <= 80)); then # core promoters
    echo -k wd:d=8,shift=8 -k gapped:l=8,k=5,d=3 -k spectrum:k=6,bounded
  elif (($1 <= 150)); then # binding sites
    echo -k gapped:l=10,k=6,rc -k spectrum:k=6,bounded,rc
  else # promoters and other windows
    echo -k wd:d=8,shift=8 -k gapped:l=8,k=5,d=3
  fi
}

# learn trains on train.fa in the way of the setting.
learn() {
  if [ "$setting" = searched ]; then
    "$work/seqsvm" tune --budget 60s --similarity 0 -q -o "$work/model" "$work/train.fa"
  else
    # shellcheck disable=SC2046 # options are words
    "$work/seqsvm" train --no-sketch -q -C 1 $(recipe "$length") -o "$work/model" "$work/train.fa"
  fi
}

TIMEFORMAT='%U %S'
echo '| task | MCC | AUROC | accuracy | CPU s | model bytes |'
echo '| --- | --- | --- | --- | --- | --- |'
for train in "$folder"/*.train.fa.gz; do
  task=${train%.train.fa.gz}
  gzip -dc "$train" $(ls "$task.dev.fa.gz" 2>/dev/null) >"$work/train.fa"
  length=$(awk 'NR > 1 && /^>/ { exit } !/^>/ { n += length($0) } END { print n }' "$work/train.fa") # of the first
  { time learn >"$work/log" 2>&1; } 2>"$work/time" || {
    cat "$work/log" >&2
    exit 1
  }
  "$work/seqsvm" evaluate --quiet -m "$work/model" "$task.test.fa.gz" >"$work/figures"
  awk -v name="${task##*/}" -v size="$(wc -c <"$work/model")" -v cpu="$(awk '{ printf "%.1f", $1 + $2 }' "$work/time")" '
    { value[$1] = $2 }
    END {
      printf "| %s | %.3f | %.3f | %.3f | %s | %d |\n", name, value["mcc"], value["auroc"], value["accuracy"], cpu, size
    }' "$work/figures"
done
