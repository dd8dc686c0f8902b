package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

// The sets: train and test of one motif, each also split by class as LS-GKM wants it.
const testSize = 1000

// writeData writes large and small training sets and a test set: NAME.fa, NAME.pos.fa, NAME.neg.fa, and NAME.svm with sparse vectors.
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

// python is Debian's, which finds Debian's scikit-learn.
const python = "/usr/bin/python3"

// tasks lists what is compared on sequences. in names a file of the folder.
func tasks(dir, scripts string) []task {
	in := func(name string) string { return filepath.Join(dir, name) }
	seqsvm := in("seqsvm")
	train := func(name, set string, options ...string) program {
		return program{name: "seqsvm train and predict, " + name, steps: []step{
			{timed: true, args: append([]string{seqsvm, "train", "--quiet", "-o", in("m"), in(set)}, options...), stdout: in("summary")},
			{timed: true, args: []string{seqsvm, "predict", "-m", in("m"), "-o", in("predicted"), in("test.fa")}},
		}, accuracy: func() (float64, error) { return accuracyOf(in("predicted"), in("test.fa"), 1, true) }}
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
			}, accuracy: func() (float64, error) { return accuracyOf(in("predicted"), in("test.fa"), 0, false) }},
			{name: "LIBLINEAR -s 3 on sparse vectors made beforehand", steps: []step{
				{timed: true, args: []string{"liblinear-train", "-q", "-s", "3", "-B", "1", in("train.svm"), in("linear")}},
				{timed: true, args: []string{"liblinear-predict", in("test.svm"), in("linear"), in("predicted")}, stdout: in("summary")},
			}, accuracy: func() (float64, error) { return accuracyOf(in("predicted"), in("test.fa"), 0, false) }},
			{name: "scikit-learn 6-grams, LinearSVC", steps: []step{
				{timed: true, args: []string{python, filepath.Join(scripts, "ngrams.py"), in("train.fa"), in("test.fa"), "6"}, stdout: in("predicted")},
			}, accuracy: func() (float64, error) { return accuracyOf(in("predicted"), in("test.fa"), 0, false) }},
		}},
		{title: "gapped k-mers, l = 11, k = 7, d = 3, both strands", programs: []program{
			train("gapped:rc", "small.fa", "--kernel", "gapped:rc"),
			{name: "LS-GKM gkmtrain and gkmpredict, defaults", steps: []step{
				{timed: true, args: []string{"gkmtrain", "-m", "4000", in("small.pos.fa"), in("small.neg.fa"), in("gkm")}, stdout: in("summary")},
				{timed: true, args: []string{"gkmpredict", in("test.fa"), in("gkm.model.txt"), in("predicted")}, stdout: in("summary")},
			}, accuracy: func() (float64, error) { return accuracyOfScores(in("predicted"), in("test.fa")) }},
		}},
		{title: "Gram matrix of the normalised 5-spectrum", programs: []program{
			{name: "seqsvm kernel --format npy", steps: []step{
				{timed: true, args: []string{seqsvm, "kernel", "--quiet", "--kernel", "spectrum:k=5", "--format", "npy", "-o", in("gram"), in("small.fa")}},
			}},
			{name: "kernlab stringdot (starting R included)", steps: []step{
				{timed: true, args: []string{"Rscript", filepath.Join(scripts, "stringdot.R"), in("small.fa"), "5"}, stdout: in("summary")},
			}},
		}},
	}
}

// truth reads the labels of a FASTA file in order.
func truth(path string) ([]string, error) {
	lines, err := readLines(path)
	var labels []string
	for _, line := range lines {
		if _, label, found := strings.Cut(line, " label="); found {
			labels = append(labels, label)
		}
	}
	return labels, err
}

func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []string
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24) // documents are long lines
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines, s.Err()
}

// accuracyOf compares a column of a prediction file, whose labels are numbers or the names of the set, with the truth.
func accuracyOf(path, test string, column int, header bool) (float64, error) {
	lines, err := readLines(path)
	if err != nil {
		return 0, err
	}
	if header && len(lines) > 0 {
		lines = lines[1:]
	}
	return share(lines, test, func(fields []string) string { return fields[column] })
}

// accuracyOfScores does so for lines of id and score.
func accuracyOfScores(path, test string) (float64, error) {
	lines, err := readLines(path)
	if err != nil {
		return 0, err
	}
	return share(lines, test, func(fields []string) string {
		if strings.HasPrefix(fields[1], "-") {
			return "-1"
		}
		return "+1"
	})
}

// share returns the share of lines whose label is the record's. "1" is "+1".
func share(lines []string, test string, label func(fields []string) string) (float64, error) {
	labels, err := truth(test)
	if err != nil {
		return 0, err
	}
	if len(lines) != len(labels) {
		return 0, fmt.Errorf("%d predictions for %d records", len(lines), len(labels))
	}
	right := 0
	for i, line := range lines {
		if strings.TrimPrefix(label(strings.Fields(line)), "+") == strings.TrimPrefix(labels[i], "+") {
			right++
		}
	}
	return float64(right) / float64(len(labels)), nil
}
