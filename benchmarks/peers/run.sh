#!/usr/bin/env bash
# Times seqsvm and other programs on the same data, in one run:
#
#   [SEQSVM_DATA=FOLDER] benchmarks/peers/run.sh [REPEATS [N [SMALL]]]
#
# REPEATS runs of each program (3), N training sequences of 300 letters (2000), SMALL for LS-GKM and kernlab, whose time
# grows with the square (600). Per task and program it prints the medians of wall-clock time and of user and system CPU
# seconds, the maximum memory, the accuracy on test records where the program predicts, and the ratio of its time to
# that of the task's first program, which is seqsvm. Sequences are compared on one thread by CPU seconds; documents with
# all processors by wall-clock time, including reading.
#
# Programs that are not installed are skipped. Debian has liblinear-tools, libsvm-tools, r-cran-kernlab, python3-sklearn
# and time; LS-GKM is built from source. Reuters R8 is read from $SEQSVM_DATA/text-reuters-r8.
set -euo pipefail
repeats=${1:-3} n=${2:-2000} small=${3:-600}
scripts=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3 # Debian's, which finds Debian's scikit-learn
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$scripts/../.."
go build -o "$work" ./cmd/seqsvm ./benchmarks/generate ./benchmarks/articles
cd "$work"
TIMEFORMAT='%3R %3U %3S'
PATH=$work:$PATH

# The sequences of one motif: NAME.fa, its classes NAME.pos.fa and NAME.neg.fa, and NAME.svm with LIBSVM's sparse
# vectors: counts of 6-mers of Euclidean norm 1, as the normalised spectrum kernel has them.
while read -r name size seed; do
  generate -n "$size" -len 300 -motif TGACTCAGCA -mutations 1 -seed "$seed" -o "$name.fa" 2>messages
  awk -v name="$name" '/^>/ { file = name (/label=\+1/ ? ".pos.fa" : ".neg.fa") } { print > file }' "$name.fa"
  awk '/^>/ { sub(/.*label=/, ""); label = $0; next }
    { split("", count); norm = 0
      for (i = 1; i + 5 <= length($0); i++) {
        word = 1
        for (j = 0; j < 6; j++) word += 4 ^ (5 - j) * (index("ACGT", substr($0, i + j, 1)) - 1)
        norm += 2 * count[word]++ + 1
      }
      printf "%s", label
      for (word = 1; word <= 4096; word++) if (word in count) printf " %d:%.17g", word, count[word] / sqrt(norm)
      print "" }' "$name.fa" >"$name.svm"
done <<END
train $n 1
small $small 1
test 1000 2
END

# task TITLE BY begins a task whose times are compared by cpu or clock. The labels of its test records are in truth.
task() {
  echo "$1"
  by=$2 first=
}

# installed NAME reports whether a program or a library is there.
installed() {
  case $1 in
    scikit-learn) "$python" -c 'import sklearn' ;;
    kernlab) Rscript -e 'library(kernlab)' ;;
    *) command -v "$1" ;;
  esac >messages 2>&1
}

# run COMMAND… runs a command that is timed; its output goes to printed.
run() {
  if ! { time /usr/bin/time -o memory -f %M "$@" >printed 2>messages; } 2>seconds; then
    cat messages >&2
    exit 1
  fi
  paste -d' ' seconds memory >>spent
}

# program NAME NEEDED LABELS COMMAND… prints a row. COMMAND calls run; LABELS, if not -, prints the predictions.
program() {
  local name=$1 needed=$2 labels=$3 accuracy="" clock cpu memory
  shift 3
  if ! installed "$needed"; then
    printf '  %-56s skipped: %s is not there\n' "$name" "$needed"
    return
  fi
  : >runs
  for ((i = 0; i < repeats; i++)); do
    : >spent
    "$@"
    awk '{ clock += $1; cpu += $2 + $3; if ($4 > most) most = $4 } END { print clock, cpu, most / 1024 }' spent >>runs
  done
  if [ "$labels" != - ]; then
    accuracy=$("$labels" | paste - truth | awk -F'\t' '{ gsub(/\+/, ""); right += $1 == $2; bad += NF != 2 || $1 == "" }
      END { if (bad) exit 1; printf "%.4f", right / NR }') || { echo "$name: not a label per record" >&2; exit 1; }
  fi
  clock=$(median 1) cpu=$(median 2) memory=$(cut -d' ' -f3 runs | sort -g | tail -n 1)
  first=${first:-${!by}}
  awk -v name="$name" -v clock="$clock" -v cpu="$cpu" -v memory="$memory" -v accuracy="$accuracy" -v own="${!by}" \
    -v first="$first" 'BEGIN { printf "  %-56s %9.2f %9.2f %9.0f %9s %7.1f\n", name, clock, cpu, memory, accuracy,
      own / first }'
}
median() { cut -d' ' -f"$1" runs | sort -g | sed -n "$((repeats / 2 + 1))p"; }

# The ways in which programs write predictions.
lines() { cat predicted; }
output() { cat printed; }
classes() { tail -n +2 predicted | cut -f2; }
signs() { awk -F'\t' '{ print($2 ~ /^-/ ? "-1" : "1") }' predicted; }

# seqsvm_on TRAIN TEST OPTION… trains and predicts.
seqsvm_on() {
  run seqsvm train --quiet -o m "${@:3}" "$1"
  run seqsvm predict -m m -o predicted "$2"
}
libsvm() {
  seqsvm matrix gram --quiet --kernel spectrum:k=6 --format libsvm -o gram train.fa
  seqsvm matrix gram --quiet --kernel spectrum:k=6 --format libsvm -o cross test.fa train.fa
  run svm-train -q -t 4 -c 1 gram svm
  run svm-predict cross svm predicted
}
liblinear() {
  run liblinear-train -q -s 3 -B 1 train.svm linear
  run liblinear-predict test.svm linear predicted
}
lsgkm() {
  run gkmtrain -m 4000 small.pos.fa small.neg.fa gkm
  run gkmpredict test.fa gkm.model.txt predicted
}

printf '%-58s %9s %9s %9s %9s %7s\n' "task and program" "clock s" "CPU s" MB accuracy ratio
export GOMAXPROCS=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
sed -n 's/^>.* label=//p' test.fa >truth
task "C-SVM on the normalised 6-spectrum" cpu
program "seqsvm train and predict, auto" seqsvm classes seqsvm_on train.fa test.fa --kernel spectrum:k=6
program "seqsvm train and predict, smo" seqsvm classes seqsvm_on train.fa test.fa --kernel spectrum:k=6 --solver smo
program "svm-train -t 4 on the matrix, svm-predict" svm-train lines libsvm
program "LIBLINEAR -s 3 on precomputed sparse vectors" liblinear-train lines liblinear
program "scikit-learn 6-grams, LinearSVC" scikit-learn output run "$python" "$scripts/ngrams.py" train.fa test.fa 6
program "of which starting Python and importing it" scikit-learn - run "$python" "$scripts/ngrams.py"
task "gapped k-mers, l = 11, k = 7, d = 3, both strands" cpu
program "seqsvm train and predict, gapped:rc" seqsvm classes seqsvm_on small.fa test.fa --kernel gapped:rc
program "LS-GKM gkmtrain and gkmpredict, defaults" gkmtrain signs lsgkm
task "Gram matrix of the normalised 5-spectrum" cpu
program "seqsvm matrix gram --format npy" seqsvm - \
  run seqsvm matrix gram --quiet --kernel spectrum:k=5 --format npy -o gram small.fa
program "kernlab stringdot" kernlab - run Rscript "$scripts/stringdot.R" small.fa 5
program "of which starting R and loading kernlab" kernlab - run Rscript "$scripts/stringdot.R"

# Documents: words and word pairs, tf-idf, and the linear machines that each program trains by default: Crammer and
# Singer's of seqsvm, one against the rest with the squared hinge of LinearSVC. The generated corpus has the size of 20
# newsgroups: Rennie's division by date trains on 11,314 of 18,846 documents.
unset GOMAXPROCS OMP_NUM_THREADS OPENBLAS_NUM_THREADS
articles -n 18846 -classes 20 -seed 1 -o articles.tsv
head -n 11314 articles.tsv >articles.train.tsv
tail -n +11315 articles.tsv >articles.test.tsv
documents() {
  local train=$1.train.tsv test=$1.test.tsv
  cut -f1 "$test" >truth
  task "$2 documents, words and pairs" clock
  program "seqsvm train and predict, words:ngram=1-2,tfidf" seqsvm classes \
    seqsvm_on "$train" "$test" --kernel words:ngram=1-2,tfidf
  program "scikit-learn TfidfVectorizer, LinearSVC" scikit-learn output \
    run "$python" "$scripts/documents.py" "$train" "$test"
  program "of which starting Python and importing it" scikit-learn - run "$python" "$scripts/documents.py"
}
r8=${SEQSVM_DATA:-}/text-reuters-r8
if [ -f "$r8/train.tsv.gz" ]; then
  gzip -dc "$r8/train.tsv.gz" >r8.train.tsv
  gzip -dc "$r8/test.tsv.gz" >r8.test.tsv
  documents r8 "Reuters R8, 5,485 and 2,189"
else
  echo "Reuters R8: skipped, \$SEQSVM_DATA has no such set"
fi
documents articles "generated, 11,314 and 7,532"
