package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
)

// bench is where files and programs are.
type bench struct{ dir, tool, script string }

// measure prints the lines of a set.
func (b bench) measure(data string, s set) error {
	names := []string{"all"}
	if s.test {
		names = []string{"train", "test"}
	}
	var files []string
	for _, name := range names {
		path := filepath.Join(b.dir, s.name+"."+name+".tsv")
		if err := unpack(path, filepath.Join(data, s.folder, name+".tsv.gz"), s.coarse); err != nil {
			return err
		}
		files = append(files, path)
	}
	folds := filepath.Join(b.dir, s.name+".folds")
	kernels := [][]string{s.chosen}
	if s.words {
		kernels = [][]string{{"--kernel", "words"}, s.chosen}
	}
	for _, options := range kernels {
		value, seconds, err := b.seqsvm(s, files, folds, options)
		if err != nil {
			return err
		}
		s.print("`"+strings.Join(options, " ")+"`", value, seconds)
	}
	if !beside.HasLearn() {
		fmt.Printf("%s: scikit-learn is not there\n", s.name)
		return nil
	}
	value, seconds, err := b.linearSVC(s, files, folds)
	if err != nil {
		return err
	}
	s.print("LinearSVC, tf-idf, "+s.peer, value, seconds)
	return nil
}

func (s set) print(classifier string, value, seconds float64) {
	figure := "test " + s.metric
	if !s.test {
		figure = s.metric + ", " + s.folds + " folds"
	}
	fmt.Printf("| %s | %s | %s | %.4f | %.1f |\n", s.title, figure, strings.ReplaceAll(classifier, "--kernel ", "-k "), value, seconds)
}

// seqsvm trains and evaluates, or cross-validates and leaves the folds in a file.
func (b bench) seqsvm(s set, files []string, folds string, options []string) (value, seconds float64, err error) {
	start := time.Now()
	var out []byte
	if s.test {
		model := filepath.Join(b.dir, "m")
		if _, err = beside.Output(b.tool, append([]string{"train", "--quiet", "--input", "tsv", "-o", model, files[0]}, options...)...); err != nil {
			return 0, 0, err
		}
		out, err = beside.Output(b.tool, "evaluate", "--quiet", "--input", "tsv", "--format", "json", "-m", model, files[1])
	} else {
		out, err = beside.Output(b.tool, append([]string{"cv", "--quiet", "--input", "tsv", "--similarity", "0", "--format", "json", "--folds", s.folds, "--predictions", folds, files[0]}, options...)...)
	}
	if err != nil {
		return 0, 0, err
	}
	seconds = time.Since(start).Seconds()
	var report struct {
		Accuracy, MCC float64
		Mean          *struct{ Accuracy, MCC float64 }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, 0, err
	}
	if report.Mean != nil {
		report.Accuracy, report.MCC = report.Mean.Accuracy, report.Mean.MCC
	}
	if s.metric == "mcc" {
		return report.MCC, seconds, nil
	}
	return report.Accuracy, seconds, nil
}

// linearSVC does the same with scikit-learn.
func (b bench) linearSVC(s set, files []string, folds string) (value, seconds float64, err error) {
	args := append([]string{b.script, s.metric}, strings.Fields(s.peer)...)
	if s.test {
		args = append(args, files...)
	} else {
		args = append(args, files[0], folds)
	}
	start := time.Now()
	out, err := beside.Output(beside.Python, args...)
	if err != nil {
		return 0, 0, err
	}
	value, err = strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return value, time.Since(start).Seconds(), err
}

// unpack writes the lines of a gzip file, with labels cut before their colons if they are to be coarse.
func unpack(path, packed string, coarse bool) error {
	text, err := beside.ReadGzip(packed)
	if err != nil {
		return err
	}
	if coarse {
		text = fineLabel.ReplaceAll(text, []byte("$1\t"))
	}
	return os.WriteFile(path, text, 0o644)
}

// fineLabel is the label of a line, in two parts.
var fineLabel = regexp.MustCompile(`(?m)^([^:\t\n]*):[^\t\n]*\t`)
