package main

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// records is what all input files of a command hold together.
type records struct {
	corpus *stringkernel.Corpus
	labels []string // "" for none
	sets   []*seqio.Set
	table  bool // labels are those of a table, not of the files

	collection *seqio.Collection
}

func newRecords(all *seqio.Collection) *records {
	return &records{corpus: all.Corpus, labels: all.Labels(), sets: all.Sets, collection: all}
}

// errorf is an error about record i that names its file and line.
func (r *records) errorf(i int, format string, args ...any) error {
	return r.collection.Errorf(i, format, args...)
}

// placed returns the error of a kernel with file and line if it is about one record, one about too many classes with the files and the place of labels, else the error as it is.
func (r *records) placed(err error) error {
	var large *memory.Error
	if errors.As(err, &large) {
		return fmt.Errorf("%s: %w; %s", r.source(), err, r.doubtLabels())
	}
	return r.collection.Placed(err)
}

// wantLabels returns an error unless every record has a label that a model file can hold.
func (r *records) wantLabels() error {
	for i, label := range r.labels {
		if label == "" {
			return r.errorf(i, "no label: want %s, or use --labels or --pos and --neg", r.placeOfLabel(i))
		}
		if !utf8.ValidString(label) {
			return r.errorf(i, "label %.80q is not UTF-8; convert the file", label)
		}
	}
	return nil
}

// placeOfLabel says where the label of record i is expected.
func (r *records) placeOfLabel(i int) string {
	switch set, _ := r.collection.Locate(i); set.Format {
	case seqio.TSV, seqio.CSV:
		return "it in the column label, or another named by --label"
	case seqio.JSONL:
		return "it in the field label, or another named by --label"
	case seqio.Reuters:
		return "a topic, which --split train or test asks for"
	case seqio.Documents:
		return "a folder with a sub-folder for each label"
	case seqio.KeLP:
		return "it before the first representation"
	case seqio.Lines:
		return "lines label<TAB>text read with --input tsv"
	default:
		return "label=X or a first word in the description"
	}
}

// doubtLabels asks whether the labels are labels.
func (r *records) doubtLabels() string {
	switch r.sets[0].Format {
	case seqio.TSV, seqio.CSV:
		if !r.table {
			return "are these labels? --label names another column"
		}
	case seqio.JSONL:
		if !r.table {
			return "are these labels? --label names another field"
		}
	}
	return "are these labels?"
}

// wantLength returns an error unless every record has that many letters; 0 is any number.
func (r *records) wantLength(length int) error {
	for i := range r.corpus.Len() {
		if n := len(r.corpus.Seq(i)); length > 0 && n != length {
			return r.errorf(i, "%d letters, want %d, the window length of the model", n, length)
		}
	}
	return nil
}

// wantKernelsRecords returns an error unless every record is one that the kernels take: trees, if one of them compares
// trees.
func (r *records) wantKernelsRecords(spec catalog.Spec) error {
	for i := range r.corpus.Len() {
		if err := spec.CheckRecord(r.corpus.Seq(i)); err != nil {
			return r.errorf(i, "%w", err)
		}
	}
	return nil
}

// relabel replaces the labels by those of a table.
func (r *records) relabel(c *cli.Call, path string) error {
	table, err := cli.Read(c, path, seqio.ReadLabels, seqio.ReadLabelsFile)
	if err != nil {
		return err
	}
	r.table = true
	r.labels, err = r.lookUp(table)
	return err
}

// lookUp returns the table's entry for each record. All files together must hold exactly the ids of the table, each once.
func (r *records) lookUp(table *seqio.LabelTable) ([]string, error) {
	if err := r.wantDistinctIDs(table.Source); err != nil {
		return nil, err
	}
	whole := &seqio.Set{Source: r.source(), Corpus: r.corpus}
	if len(r.sets) == 1 {
		whole.Lines = r.sets[0].Lines
	}
	if err := table.Apply(whole); err != nil {
		return nil, err
	}
	return whole.Labels, nil
}

// wantDistinctIDs returns an error if an id is in two files; within a file they are distinct.
func (r *records) wantDistinctIDs(table string) error {
	if len(r.sets) < 2 {
		return nil
	}
	first := make(map[string]int, r.corpus.Len())
	for i := range r.corpus.Len() {
		id := r.corpus.Name(i)
		if j, twice := first[id]; twice {
			other, _ := r.collection.Locate(j)
			return r.errorf(i, "the id is in %s too, so %s cannot distinguish them", other.Source, table)
		}
		first[id] = i
	}
	return nil
}

func (r *records) source() string {
	names := make([]string, len(r.sets))
	for i, s := range r.sets {
		names[i] = s.Source
	}
	return strings.Join(names, ", ")
}

// warnOutside warns if many letters are outside an alphabet.
func (r *records) warnOutside(c *cli.Call, a stringkernel.Alphabet) {
	warnShareOutside(c, seqio.ShareOutside(r.corpus, a), r.source(), a)
}

func warnShareOutside(c *cli.Call, share float64, source string, a stringkernel.Alphabet) {
	const tolerated = 0.1
	if share > tolerated {
		c.Warn("%.0f %% of the letters of %s are outside the kernel's alphabet, %s, and match nothing", 100*share, source, a)
	}
}
