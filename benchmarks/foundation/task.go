package main

import (
	"context"
	"io/fs"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

var background = context.Background()

// task is records to learn from and to be tested by.
type task struct {
	name  string            // of the folder and the files
	parts map[string]string // by file: train, dev or test; "" of a file that has them all
}

// file is what files of tasks are called: a name, if the folder is not the name, a part, and a format.
var file = regexp.MustCompile(
	`^(?:(.*?)[._/-])??(?:(train|dev|valid|validation|val|test)\.)?(?:csv|tsv|fa|fasta)(?:\.gz|\.zst)?$`)

// findTasks returns the tasks of a folder, by name.
func findTasks(folder string) []task {
	found := map[string]task{}
	must(0, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		below, _ := filepath.Rel(folder, path)
		if m := file.FindStringSubmatch(filepath.ToSlash(below)); err == nil && !entry.IsDir() && m != nil {
			if found[m[1]].parts == nil {
				found[m[1]] = task{m[1], map[string]string{}}
			}
			found[m[1]].parts[path] = m[2]
		}
		return err
	}))
	return slices.SortedFunc(maps.Values(found), func(a, b task) int { return strings.Compare(a.name, b.name) })
}

// read returns all records of a task, and which of them are for training and for the test.
func (t task) read() (all *dataset.Dataset, train, test []int) {
	var inputs []seqio.Input
	options := seqio.Options{RepeatedIDs: true}
	for _, path := range slices.Sorted(maps.Keys(t.parts)) {
		inputs = append(inputs, seqio.Input{Path: path})
		if t.parts[path] == "" {
			options.Fields = []string{"split"}
		}
	}
	records, err := seqio.ReadAll(background, inputs, options)
	if err != nil {
		options.Columns.Text = "sequence"
		records = must(seqio.ReadAll(background, inputs, options))
	}
	for _, set := range records.Sets {
		for i := range set.Len() {
			list := &train
			if part := t.parts[set.Source]; part == "test" || part == "" && set.Fields[0][i] == "test" {
				list = &test
			}
			*list = append(*list, len(train)+len(test))
		}
	}
	if len(train) == 0 || len(test) == 0 {
		log.Fatalf("task %s has %d records of train and dev and %d of test, want some", t.name, len(train), len(test))
	}
	return must(dataset.New(records.Corpus, records.Labels(), nil)), train, test
}

// result is a look at a test.
type result struct {
	Task, Setting, Kernel string
	Train, Test           int // records
	MCC, AUROC, Accuracy  float64
	CPU                   float64 // seconds of training, with all that is before it
	Bytes                 int64   // of the model
	Near                  int     // records of the test in a group of near-duplicates with one of training
	Apart                 float64 // MCC without these
}

// measure trains in the way of a setting, and tests.
func (t task) measure(setting string) result {
	all, train, test := t.read()
	folder := must(os.MkdirTemp("", "foundation"))
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model")
	cpu := learn(setting, all.Subset(train), path).Seconds()
	m := must(seqsvm.Open(path))
	if !slices.Equal(m.Classifier.Classes, all.Classes) {
		log.Fatalf("task %s: training has classes %q, all records %q", t.name, m.Classifier.Classes, all.Classes)
	}
	truth := all.Subset(test)
	predictions := must(m.Classifier.Predict(background, truth.Corpus))
	figure := func(records []int, name string) float64 { // 0 if undefined, as GENEB counts an MCC of one class
		if len(records) > 0 {
			if x := must(measure.Predictions(truth, records, predictions)).Value(name); !math.IsNaN(x) {
				return x
			}
		}
		return 0
	}
	finder := duplicates.Finder{Alphabet: seqio.DetectAlphabet(all.Corpus), Similarity: duplicates.DefaultSimilarity}
	group, known := must(finder.Find(background, all.Corpus)).Of, map[int]bool{}
	for _, i := range train {
		known[group[i]] = true
	}
	var whole, apart []int
	for i, record := range test {
		if whole = append(whole, i); !known[group[record]] {
			apart = append(apart, i)
		}
	}
	return result{
		Task: t.name, Setting: setting, Kernel: m.File.Kernel.String(), Train: len(train), Test: len(test),
		MCC: figure(whole, "mcc"), AUROC: figure(whole, "auroc"), Accuracy: figure(whole, "accuracy"), CPU: cpu,
		Bytes: must(os.Stat(path)).Size(), Near: len(whole) - len(apart), Apart: figure(apart, "mcc"),
	}
}
