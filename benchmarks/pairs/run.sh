#!/usr/bin/env bash
# Proteins of yeast that interact, both of a tested pair unseen, as rows of a Markdown table:
#
#   git clone https://github.com/biomedbigdata/data-leakage-ppi-prediction
#   benchmarks/pairs/run.sh data-leakage-ppi-prediction [SET…]
#
# SET is guo or du; both by default. Bernett, Blumenthal and List (2024, doi:10.1093/bib/bbae076) divided the proteins
# into two halves of little similarity: pairs within half 0 are for training, those within half 1 for the test. Kernel
# and C are chosen by folds of the training pairs, which keep relatives together and leave both sides unseen.
set -euo pipefail
repository=$(cd "${1:?want the folder of the clone}" && pwd)
shift
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/seqsvm" ../../cmd/seqsvm

# pairs SET HALF writes label, left and right sequence of each pair.
pairs() {
  printf 'label\tleft\tright\n'
  for label in pos neg; do
    awk -v label=$label -v OFS='\t' '
      FNR == NR { if (/^>/) id = substr($1, 2); else sequence[id] = $1; next }
      $1 in sequence && $2 in sequence { print label, sequence[$1], sequence[$2] }' \
      "$repository/Datasets_PPIs/SwissProt/yeast_swissprot_oneliner.fasta" \
      "$repository/algorithms/SPRINT/data/partitions/$1_partition_$2_$label.txt"
  done
}

kernels=()
for k in spectrum:k={1,2,3} mismatch:k={3,4},m=1; do
  kernels+=(--kernel "($k):pair=symmetric,normalize")
done
echo '| set | chosen by folds | AUROC of folds | test AUROC | accuracy | CPU s |'
echo '| --- | --- | --- | --- | --- | --- |'
for set in ${*:-guo du}; do
  pairs "$set" 0 >"$work/train.tsv"
  pairs "$set" 1 >"$work/test.tsv"
  TIMEFORMAT=%U
  cpu=$({ time "$work/seqsvm" tune --quiet --threads 1 --input tsv:text=left:right --group left,right --similarity 0.05 \
    "${kernels[@]}" -C 0.01,0.1,1,10 --threshold 0 "$work/train.tsv" -o "$work/model" >"$work/search"; } 2>&1)
  "$work/seqsvm" evaluate --quiet -m "$work/model" "$work/test.tsv" >"$work/test"
  awk -F'\t' -v set="$set" -v cpu="$cpu" '
    NR == FNR { if ($1 == 1) { kernel = $2 " -C " $3; folds = $4 } next }
    { value[$1] = $2 }
    END { printf "| %s | `%s` | %.3f | %.3f | %.3f | %.0f |\n", set, kernel, folds, value["auroc"], value["accuracy"], cpu }
  ' "$work/search" "$work/test"
done
