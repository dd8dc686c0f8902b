package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

// The sets: train and test of one motif, each also split by class as LS-GKM wants it.
const testSize = 1000

// writeData writes large and small training sets and a test set: NAME.fa, NAME.pos.fa, NAME.neg.fa, and NAME.svm with
// sparse vectors.
func writeData(dir string, n, small int) error {
	for _, s := range []struct {
		name string
		n    int
		seed uint64
	}{{"train", n, 1}, {"small", small, 1}, {"test", testSize, 2}} {
		set, err := planted.Generate(planted.Options{N: s.n, Length: 300, Motif: "TGACTCAGCA", Mutations: 1, Seed: s.seed})
		if err != nil {
			return err
		}
		var all, pos, neg strings.Builder
		for i, seq := range set.Seqs {
			record := fmt.Sprintf(">%s label=%s\n%s\n", set.Names[i], set.Labels[i], seq)
			all.WriteString(record)
			if set.Labels[i] == "+1" {
				pos.WriteString(record)
			} else {
				neg.WriteString(record)
			}
		}
		if err := writeSparse(filepath.Join(dir, s.name+".svm"), set); err != nil {
			return err
		}
		for suffix, text := range map[string]string{".fa": all.String(), ".pos.fa": pos.String(), ".neg.fa": neg.String()} {
			if err := os.WriteFile(filepath.Join(dir, s.name+suffix), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// tasks lists what is compared on sequences. in names a file of the folder.
func tasks(dir, scripts string) []task {
	in := func(name string) string { return filepath.Join(dir, name) }
	seqsvm, truth := in("seqsvm"), fastaLabels(in("test.fa"))
	train := func(name, set string, options ...string) program {
		return program{name: "seqsvm train and predict, " + name, steps: []step{
			{timed: true, args: append([]string{seqsvm, "train", "--quiet", "-o", in("m"), in(set)}, options...), stdout: in("summary")},
			{timed: true, args: []string{seqsvm, "predict", "-m", in("m"), "-o", in("predicted"), in("test.fa")}},
		}, accuracy: compare(seqsvmClasses(in("predicted")), truth)}
	}
	return []task{
		{title: "C-SVM on the normalised 6-spectrum", programs: []program{
			train("auto", "train.fa", "--kernel", "spectrum:k=6"),
			train("smo", "train.fa", "--kernel", "spectrum:k=6", "--solver", "smo"),
			{name: "svm-train -t 4 on the matrix, svm-predict", steps: []step{
				{args: []string{seqsvm, "kernel", "--quiet", "--kernel", "spectrum:k=6", "--format", "libsvm", "-o", in("gram"), in("train.fa")}},
				{args: []string{seqsvm, "kernel", "--quiet", "--kernel", "spectrum:k=6", "--format", "libsvm", "-o", in("cross"), in("test.fa"), in("train.fa")}},
				{timed: true, args: []string{"svm-train", "-q", "-t", "4", "-c", "1", in("gram"), in("svm")}},
				{timed: true, args: []string{"svm-predict", in("cross"), in("svm"), in("predicted")}, stdout: in("summary")},
			}, accuracy: compare(plainLines(in("predicted")), truth)},
			{name: "LIBLINEAR -s 3 on sparse vectors made beforehand", steps: []step{
				{timed: true, args: []string{"liblinear-train", "-q", "-s", "3", "-B", "1", in("train.svm"), in("linear")}},
				{timed: true, args: []string{"liblinear-predict", in("test.svm"), in("linear"), in("predicted")}, stdout: in("summary")},
			}, accuracy: compare(plainLines(in("predicted")), truth)},
			{name: "scikit-learn 6-grams, LinearSVC", steps: []step{
				{timed: true, args: []string{beside.Python, filepath.Join(scripts, "ngrams.py"), in("train.fa"), in("test.fa"), "6"}, stdout: in("predicted")},
			}, accuracy: compare(plainLines(in("predicted")), truth)},
			{name: "of which starting Python and importing it", steps: []step{{timed: true, args: []string{beside.Python, filepath.Join(scripts, "ngrams.py")}}}},
		}},
		{title: "gapped k-mers, l = 11, k = 7, d = 3, both strands", programs: []program{
			train("gapped:rc", "small.fa", "--kernel", "gapped:rc"),
			{name: "LS-GKM gkmtrain and gkmpredict, defaults", steps: []step{
				{timed: true, args: []string{"gkmtrain", "-m", "4000", in("small.pos.fa"), in("small.neg.fa"), in("gkm")}, stdout: in("summary")},
				{timed: true, args: []string{"gkmpredict", in("test.fa"), in("gkm.model.txt"), in("predicted")}, stdout: in("summary")},
			}, accuracy: compare(signs(in("predicted")), truth)},
		}},
		{title: "Gram matrix of the normalised 5-spectrum", programs: []program{
			{name: "seqsvm kernel --format npy", steps: []step{
				{timed: true, args: []string{seqsvm, "kernel", "--quiet", "--kernel", "spectrum:k=5", "--format", "npy", "-o", in("gram"), in("small.fa")}},
			}},
			{name: "kernlab stringdot", steps: []step{
				{timed: true, args: []string{"Rscript", filepath.Join(scripts, "stringdot.R"), in("small.fa"), "5"}, stdout: in("summary")},
			}},
			{name: "of which starting R and loading kernlab", steps: []step{{timed: true, args: []string{"Rscript", filepath.Join(scripts, "stringdot.R")}}}},
		}},
	}
}
