package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// task is a set in parts.
type task struct {
	name             string
	train, dev, test string // paths; dev is "" if there is none
}

// parts are what files of a task are called.
var parts = map[string]func(*task) *string{
	"train": func(t *task) *string { return &t.train },
	"dev":   func(t *task) *string { return &t.dev },
	"valid": func(t *task) *string { return &t.dev },
	"test":  func(t *task) *string { return &t.test },
}

// tasksIn finds the tasks in a folder, by name.
func tasksIn(folder string) ([]task, error) {
	found := map[string]*task{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, part := nameAndPart(folder, path)
		field, known := parts[part]
		if !known {
			return nil
		}
		t := found[name]
		if t == nil {
			t = &task{name: name}
			found[name] = t
		}
		if at := field(t); *at != "" {
			return fmt.Errorf("%s and %s are both the %s part of %s", *at, path, part, name)
		} else {
			*at = path
		}
		return checkSum(path)
	})
	if err != nil {
		return nil, err
	}
	var list []task
	for _, t := range found {
		if t.train == "" || t.test == "" {
			return nil, fmt.Errorf("%s: %s has no file of train or of test", folder, t.name)
		}
		list = append(list, *t)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no files NAME.train and NAME.test of FASTA or CSV", folder)
	}
	slices.SortFunc(list, func(a, b task) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// nameAndPart returns the name of the task of a file, and which part it is, "" for other files.
func nameAndPart(folder, path string) (name, part string) {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".zst")
	ending := filepath.Ext(base)
	if !slices.Contains([]string{".fa", ".fasta", ".csv"}, ending) {
		return "", ""
	}
	base = strings.TrimSuffix(base, ending)
	if _, whole := parts[base]; whole { // NAME/train.csv
		name, err := filepath.Rel(folder, filepath.Dir(path))
		if err != nil || name == "." {
			name = filepath.Base(folder)
		}
		return filepath.ToSlash(name), base
	}
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 {
		return "", ""
	}
	return base[:dot], base[dot+1:]
}

// checkSum returns an error if a file has the name of one of a known task, and other bytes.
func checkSum(path string) error {
	want, known := sums[filepath.Base(path)]
	if !known {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil))[:len(want)]; got != want {
		return fmt.Errorf("%s has the SHA-256 %s…, want %s…: these are not the records that the figures are of", path, got,
			want)
	}
	return nil
}

// columns are those of CSV files.
var columns = seqio.Columns{Text: "sequence", Label: "label"}

// read reads a part.
func read(path string) (*seqio.Set, error) {
	return seqio.ReadFile(path, seqio.Options{Columns: columns, RepeatedIDs: true, Case: seqio.CaseUpper})
}

// writePart writes records as FASTA, for the tool.
func writePart(path string, keep func(i int) bool, sets ...*seqio.Set) error {
	var text strings.Builder
	n := 0
	for _, s := range sets {
		for i := range s.Len() {
			if keep == nil || keep(n) {
				fmt.Fprintf(&text, ">%d label=%s\n%s\n", n, s.Label(i), s.Corpus.Seq(i))
			}
			n++
		}
	}
	return os.WriteFile(path, []byte(text.String()), 0o600)
}

// corpusOf returns the letters of several sets.
func corpusOf(sets ...*seqio.Set) (*stringkernel.Corpus, error) {
	var letters [][]byte
	var names []string
	for _, s := range sets {
		for i := range s.Len() {
			letters, names = append(letters, s.Corpus.Seq(i)), append(names, strconv.Itoa(len(names)))
		}
	}
	return stringkernel.NewCorpus(letters, names)
}
