package main

import (
	"fmt"
	"os"

	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
)

// trainAndPredict is seqsvm's part of a task.
func trainAndPredict(title, train, test, options string) program {
	return program{name: "seqsvm train and predict, " + title, predicted: answers{"predicted", seqsvmClasses},
		steps: []string{"./seqsvm train --quiet -o m " + train + " " + options,
			"./seqsvm predict -m m -o predicted " + test}}
}

// sequenceTasks lists what is compared on sequences. Commands run in the folder of the data.
func sequenceTasks() []task {
	const kernel = "./seqsvm kernel --quiet --kernel spectrum:k=6 --format libsvm -o "
	truth := answers{"test.fa", fastaLabels}
	return []task{
		{title: "C-SVM on the normalised 6-spectrum", truth: truth, programs: []program{
			trainAndPredict("auto", "train.fa", "test.fa", "--kernel spectrum:k=6"),
			trainAndPredict("smo", "train.fa", "test.fa", "--kernel spectrum:k=6 --solver smo"),
			{name: "svm-train -t 4 on the matrix, svm-predict", predicted: answers{"predicted", plainLines},
				before: []string{kernel + "gram train.fa", kernel + "cross test.fa train.fa"},
				steps:  []string{"svm-train -q -t 4 -c 1 gram svm", "svm-predict cross svm predicted"}},
			{name: "LIBLINEAR -s 3 on sparse vectors made beforehand", predicted: answers{"predicted", plainLines},
				steps: []string{"liblinear-train -q -s 3 -B 1 train.svm linear",
					"liblinear-predict test.svm linear predicted"}},
			{name: "scikit-learn 6-grams, LinearSVC", predicted: answers{printed, plainLines},
				steps: []string{beside.Python + " scripts/ngrams.py train.fa test.fa 6"}},
			{name: "of which starting Python and importing it", steps: []string{beside.Python + " scripts/ngrams.py"}},
		}},
		{title: "gapped k-mers, l = 11, k = 7, d = 3, both strands", truth: truth, programs: []program{
			trainAndPredict("gapped:rc", "small.fa", "test.fa", "--kernel gapped:rc"),
			{name: "LS-GKM gkmtrain and gkmpredict, defaults", predicted: answers{"predicted", signs},
				steps: []string{"gkmtrain -m 4000 small.pos.fa small.neg.fa gkm",
					"gkmpredict test.fa gkm.model.txt predicted"}},
		}},
		{title: "Gram matrix of the normalised 5-spectrum", programs: []program{
			{name: "seqsvm kernel --format npy",
				steps: []string{"./seqsvm kernel --quiet --kernel spectrum:k=5 --format npy -o gram small.fa"}},
			{name: "kernlab stringdot", steps: []string{"Rscript scripts/stringdot.R small.fa 5"}},
			{name: "of which starting R and loading kernlab", steps: []string{"Rscript scripts/stringdot.R"}},
		}},
	}
}

// documentTasks lists what is compared on documents, by the clock: words and word pairs, tf-idf, the linear machines
// that each program makes by default (Crammer and Singer's of seqsvm, one against the rest with the squared hinge of
// LinearSVC).
func documentTasks() (list []task) {
	for _, set := range []struct{ name, title string }{
		{"r8", "Reuters R8, 5,485 and 2,189 documents, words and pairs"},
		{"articles", "generated, 11,314 and 7,532 documents, words and pairs"},
	} {
		train, test := set.name+".train.tsv", set.name+".test.tsv"
		if _, err := os.Stat(train); err != nil {
			fmt.Printf("%s: skipped, $SEQSVM_DATA has no such set\n", set.title)
			continue
		}
		script := beside.Python + " scripts/documents.py "
		truth := answers{test, documentLabels}
		list = append(list, task{title: set.title, wall: true, truth: truth, programs: []program{
			trainAndPredict("words:ngram=1-2,tfidf", train, test, "--kernel words:ngram=1-2,tfidf"),
			{name: "scikit-learn TfidfVectorizer, LinearSVC", predicted: answers{printed, plainLines},
				steps: []string{script + train + " " + test}},
			{name: "of which starting Python and importing it", steps: []string{script}},
		}})
	}
	return list
}
