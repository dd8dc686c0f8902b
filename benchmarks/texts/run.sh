#!/usr/bin/env bash
# Figures of seqsvm and of scikit-learn's LinearSVC on public sets of documents, as rows of a Markdown table:
#
#   SEQSVM_DATA=FOLDER benchmarks/texts/run.sh [SET…]
#
# SET is r8, trec-coarse, trec-fine, subjectivity, sms, names or languages; all by default.
# The kernels chosen are the best of searches by cross-validation with seqsvm tune: see ../README.md. Sets that are not
# in the folder are skipped, and LinearSVC without scikit-learn (Debian has python3-sklearn).
set -euo pipefail
: "${SEQSVM_DATA:?is not set, want the folder of data sets}"
cd "$(dirname "$0")"
python=/usr/bin/python3 # Debian's, which finds Debian's scikit-learn
sets=" r8 trec-coarse trec-fine subjectivity sms names languages "
wanted=" ${*:-$sets} "
for name in $wanted; do
  [[ $sets == *" $name "* ]] || {
    echo "no set is called $name, want some of:$sets" >&2
    exit 2
  }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/seqsvm" ../../cmd/seqsvm

# row FIGURE CLASSIFIER COMMAND… times a command that prints a value.
row() {
  local figure=$1 classifier=$2 value start=$EPOCHREALTIME
  shift 2
  value=$("$@")
  awk -v a="$start" -v b="$EPOCHREALTIME" -v title="$title" -v figure="$figure" -v classifier="$classifier" \
    -v value="$value" 'BEGIN { printf "| %s | %s | %s | %.4f | %.1f |\n", title, figure, classifier, value, b - a }'
}

# tested METRIC OPTION… trains and evaluates; validated METRIC FOLDS OPTION… cross-validates and leaves the folds.
tested() {
  "$work/seqsvm" train --quiet -o "$work/model" "$work/train.tsv" "${@:2}" >"$work/log"
  "$work/seqsvm" evaluate --quiet -m "$work/model" "$work/test.tsv" | awk -v m="$1" '$1 == m { print $2 }'
}
validated() {
  "$work/seqsvm" cv --quiet --similarity 0 --folds "$2" --predictions "$work/folds" "$work/all.tsv" "${@:3}" |
    awk -F'\t' -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == m) c = i } /^mean/ { print $c }'
}

# compare NAME TITLE FOLDER METRIC FOLDS PEER KERNELS… prints the rows of a set, one per list of options and one of
# LinearSVC; FOLDS is 0 for a set with a test set. PEER says how texts are cut and weighed: see linearsvc.py.
compare() {
  local name=$1 title=$2 folder=$SEQSVM_DATA/$3 metric=$4 folds=$5 peer=$6 figure="test $4" options part
  shift 6
  [[ $wanted == *" $name "* ]] || return 0
  local parts=(train test) run=(tested "$metric")
  [ "$folds" = 0 ] || parts=(all) run=(validated "$metric" "$folds") figure="$metric, $folds folds"
  for part in "${parts[@]}"; do
    if [ ! -f "$folder/$part.tsv.gz" ]; then
      echo "$name: skipped: there is no $folder/$part.tsv.gz"
      return
    fi
    gzip -dc "$folder/$part.tsv.gz" >"$work/$part.tsv"
    # the coarse class of a TREC question is the part before the colon
    [ "$name" != trec-coarse ] || sed -i 's/^\([^:\t]*\):[^\t]*/\1/' "$work/$part.tsv"
  done
  for options; do
    # options have no spaces inside
    row "$figure" "\`$options\`" "${run[@]}" $options
  done
  if ! "$python" -c 'import sklearn' 2>"$work/log"; then
    echo "$name: scikit-learn is not there"
    return
  fi
  parts=("$work/train.tsv" "$work/test.tsv")
  [ "$folds" = 0 ] || parts=("$work/all.tsv" "$work/folds")
  row "$figure" "LinearSVC, tf-idf, $peer" "$python" linearsvc.py "$metric" $peer "${parts[@]}"
}

echo "| set | figure | classifier | value | seconds |"
echo "| --- | --- | --- | --- | --- |"
stemmed="-k words:ngram=1-2,tfidf,stem=english"
sequences="-k substring:unit=word,ends,weight=bounded,k=3"
compare r8 "Reuters R8" text-reuters-r8 accuracy 0 "word 1 2 sublinear" \
  "-k words" "-k words:ngram=1,sublinear,tfidf"
compare trec-coarse "TREC questions, 6 classes" text-trec-qc accuracy 0 "word 1 2 sublinear" \
  "-k words" "$stemmed $sequences,stem=english $sequences,case -k substring:ends,weight=decay,lambda=0.8 -C 5"
compare trec-fine "TREC questions, 50 classes" text-trec-qc accuracy 0 "word 1 2 sublinear" \
  "-k words" "$stemmed $sequences -C 3"
compare subjectivity "subjectivity" text-subjectivity accuracy 10 "word 1 2 sublinear" \
  "-k words" "-k words:ngram=1-2,binary,tfidf -k spectrum:k=6,bounded -C 3"
compare sms "SMS spam" text-sms-spam mcc 5 "word 1 2 sublinear" \
  "-k words" "-k words:ngram=1-2,binary,tfidf -k spectrum:k=5,bounded -C 3"
compare names "names" text-names accuracy 5 "char_wb 1 4 plain" "-k substring:weight=tfidf,k=4,ends"
compare languages "languages (UDHR)" text-udhr-langid accuracy 5 "char 1 3 plain" \
  "-k words:letters,ngram=1-3,sublinear,tfidf --multiclass ovr"
