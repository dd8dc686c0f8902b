package input

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Records is what all input files of a command hold together.
type Records struct {
	*seqio.Collection
	Asked   reading.Spec // by --input
	Labels  []string     // "" for a record without one; nil if labels were not read
	table   bool         // labels come from --labels
	pairs   bool         // labels come from --pos and --neg
	several bool         // a record may have several
	kind    LabelKind
	read    int64 // bytes of the operands that had been read when these records were complete
}

func (r Reader) newRecords(all *seqio.Collection) *Records {
	records := &Records{Collection: all, Asked: r.asked, several: r.Options.LabelLists}
	if !r.Options.IDsOnly {
		records.Labels = all.Labels()
	}
	return records
}

// CheckMemory returns an error about the first record of which what is to be made would take too much memory, given the
// bytes for each letter.
func (r *Records) CheckMemory(what string, perLetter float64) error {
	for i := range r.Corpus.Len() {
		n := len(r.Corpus.Seq(i))
		if err := memory.Check(perLetter * float64(n)); err != nil {
			return r.Errorf(i, "%s of %d letters need %w; cut the record", what, n, err)
		}
	}
	return nil
}

// Placed adds file and line to an error about one record, the files to one about all of them, and the files and the
// place of labels to one about too many classes; any other error is unchanged.
func (r *Records) Placed(err error) error {
	var index *stringkernel.IndexError
	var merge *stringkernel.MergeError
	if errors.Is(err, stringkernel.ErrNoFeatures) || errors.Is(err, stringkernel.ErrNoClasses) ||
		errors.As(err, &index) || errors.As(err, &merge) {
		return cli.InFile(r.Source(), err)
	}
	var large *memory.Error
	var record *stringkernel.RecordError
	var placed *seqio.Error
	if errors.As(err, &large) && !errors.As(err, &record) && !errors.As(err, &placed) {
		return cli.InFile(r.Source(), fmt.Errorf("%w; %s", err, r.doubtLabels()))
	}
	return r.Collection.Placed(err)
}

// Located returns the error as Placed does, and with the files if it is not about a record.
func (r *Records) Located(err error) error { return cli.InFile(r.Source(), r.Placed(err)) }

// WantLabels returns an error unless every record has a label that a model file can hold, or none where it may have any
// number of labels.
func (r *Records) WantLabels(sets bool) error {
	for i, label := range r.Labels {
		if label == "" && !sets {
			set, j := r.Locate(i)
			place := placesOfLabels[set.Format]
			if set.Format == seqio.Lines && bytes.Contains(set.Corpus.Seq(j), []byte("__label__")) {
				place = "the words __label__X read with --input fasttext"
			}
			columns := ""
			if set.ColumnNames != nil && !slices.Contains(set.ColumnNames, "label") {
				columns = "; the columns are: " + cli.ListNames(set.ColumnNames)
			}
			return r.Errorf(i, "no label: want %s, or use --labels or --pos and --neg%s",
				cmp.Or(place, "label=X or a first word in the description, or --input label=id, "+
					"label=NAME or label=regex:PATTERN to take it from the header"), columns)
		}
		if !utf8.ValidString(label) {
			return r.Errorf(i, "label %.80q is not UTF-8; convert the file", label)
		}
	}
	return nil
}

// CheckTraining returns an error unless the records can be learned from, with their own labels or others: see
// [seqio.Collection.CheckTraining].
func (r *Records) CheckTraining() error {
	if r.kind != ClassLabels {
		return r.CheckSequences()
	}
	return r.withWays(r.Collection.CheckTraining())
}

// withWays adds to a [seqio.ProseError] the options that give labels. It is no error where labels are from elsewhere,
// nor where a record may have several and the columns are not in the wrong order.
func (r *Records) withWays(err error) error {
	var prose *seqio.ProseError
	switch {
	case !errors.As(err, &prose):
		return err
	case prose.Columns && (r.table || r.several) && !prose.Swapped(), !prose.Columns && r.table:
		return nil
	}
	ways, hint := "--labels FILE; --pos FILE --neg FILE", ""
	if prose.Columns {
		ways = "--input tsv:text=1,label=2, with header=yes if the first line has names; label=1 if it is the label; " +
			"id=1 if it is the id, and --labels FILE to train"
	}
	if _, err := strconv.ParseFloat(prose.Example, 64); err == nil {
		hint = "; numbers are labels of --task regress and rank"
	}
	return fmt.Errorf("%w (%s)%s", err, ways, hint)
}

// KnownLabels returns the labels, nil if no record has one or if first words of descriptions are prose.
func (r *Records) KnownLabels() []string {
	prose := new(seqio.ProseError)
	switch {
	case !slices.ContainsFunc(r.Labels, func(label string) bool { return label != "" }):
		return nil
	case !r.table && errors.As(r.Collection.CheckTraining(), &prose):
		return nil
	}
	return r.Labels
}

// placesOfLabels say where a label is expected, by format.
var placesOfLabels = map[seqio.Format]string{
	seqio.TSV: "one in the column label, or in that of --input label=NAME, and tabs between columns, or " +
		"delimiter=NAME",
	seqio.CSV:       "one in the column label, or in another by --input label=NAME",
	seqio.JSONL:     "one in the field label, or in another by --input label=NAME",
	seqio.Parquet:   "one in the column label, or in another by --input label=NAME",
	seqio.Reuters:   "a topic, or --multilabel",
	seqio.FastText:  "a word __label__X on its line",
	seqio.Documents: "a folder with a sub-folder for each label",
	seqio.KeLP:      "one before the first representation",
	seqio.BED:       "one in column 4, the name",
	seqio.Lines:     "lines label<TAB>text read with --input tsv",
}

// doubtLabels asks whether the labels are really labels.
func (r *Records) doubtLabels() string {
	columns := map[seqio.Format]string{seqio.TSV: "column", seqio.CSV: "column", seqio.Parquet: "column", seqio.JSONL: "field"}
	if column := columns[r.Sets[0].Format]; column != "" && !r.table {
		return "are these labels? --input label=NAME names another " + column
	}
	return "are these labels?"
}

// relabel replaces the labels by those of a table.
func (r *Records) relabel(c *cli.Call, path string) error {
	table, err := cli.Read(c, path, seqio.ReadLabels)
	if err != nil {
		return err
	}
	r.table = true
	r.Labels, err = r.LookUp(c, table)
	return err
}

// LookUp returns the table's entry for each record, whose ids must be distinct in all files together. Rows of other
// records are counted in a remark if they are fewer than half.
func (r *Records) LookUp(c *cli.Call, table *seqio.LabelTable) ([]string, error) {
	if err := r.WantDistinctIDs(table.Source); err != nil {
		return nil, err
	}
	whole := &seqio.Set{Source: r.Source(), Corpus: r.Corpus}
	if len(r.Sets) == 1 {
		whole.Lines = r.Sets[0].Lines
	}
	if err := table.Apply(whole); err != nil {
		return nil, err
	}
	if table.Others > 0 {
		have := "have"
		if table.Others == 1 {
			have = "has"
		}
		c.Note("%d of %d rows of %s %s no record in %s", table.Others, len(table.IDs), table.Source, have, whole.Source)
	}
	return whole.Labels, nil
}

// WantDistinctIDs returns an error if an id is in two files; within a file they are distinct.
func (r *Records) WantDistinctIDs(table string) error {
	if len(r.Sets) < 2 {
		return nil
	}
	first := make(map[string]int, r.Corpus.Len())
	for i := range r.Corpus.Len() {
		id := r.Corpus.Name(i)
		if j, twice := first[id]; twice {
			other, _ := r.Locate(j)
			return r.Errorf(i, "the id is in %s too, so %s cannot distinguish them", other.Source, table)
		}
		first[id] = i
	}
	return nil
}

// Source names the files.
func (r *Records) Source() string {
	names := make([]string, len(r.Sets))
	for i, s := range r.Sets {
		names[i] = s.Source
	}
	return strings.Join(names, ", ")
}

// WarnShareOutside warns if a share of letters outside an alphabet is large.
func WarnShareOutside(c *cli.Call, share float64, source string, a stringkernel.Alphabet) {
	const tolerated = 0.1
	if share > tolerated {
		c.Warn("%.0f %% of the letters of %s are outside the kernel's alphabet, %s, and match nothing", 100*share,
			source, a)
	}
}

// GroupsByHeader finds the group of each record in its header: the id, a blank and the description.
func (r *Records) GroupsByHeader(group func(header string) (string, error)) ([]string, error) {
	groups := make([]string, 0, r.Corpus.Len())
	for _, set := range r.Sets {
		for i := range set.Len() {
			name, err := group(set.Header(i))
			if err != nil {
				return nil, set.Errorf(i, "no group: %w", err)
			}
			groups = append(groups, name)
		}
	}
	return groups, nil
}

// Describe names record i and its place.
func (r *Records) Describe(i int) string {
	set, j := r.Locate(i)
	if set.Lines == nil || set.Format == seqio.Documents { // records of documents are files
		return fmt.Sprintf("%.60q of %s", r.Corpus.Name(i), set.Source)
	}
	return fmt.Sprintf("%.60q, %s:%d", r.Corpus.Name(i), set.Source, set.Lines[j])
}

// ClassesOf finds each label among the model's classes.
func (r *Records) ClassesOf(d *decide.Rule) ([]int, error) {
	number, classes := numbers(d.Classes), make([]int, len(r.Labels))
	for i, label := range r.Labels {
		c, known := number[label]
		if !known {
			hint := ""
			if class, other, what := seqio.SameName(append(slices.Clone(d.Classes), label)); what != "" && other == label {
				hint = fmt.Sprintf("; it is the same %s as class %+.80q: write it like that", what, class)
			}
			return nil, r.Errorf(i, "label %.80q is not a class of the model, which has: %s%s", label,
				cli.ListNames(d.Classes), hint)
		}
		classes[i] = c
	}
	return classes, nil
}

// setsOf finds each record's labels among classes, and adds to these the labels that they lack.
func setsOf(classes []string, lists [][]string) (sets [][]int, all []string) {
	number := numbers(classes)
	sets, all = make([][]int, len(lists)), slices.Clip(classes)
	for i, list := range lists {
		for _, label := range list {
			c, known := number[label]
			if !known {
				c = len(all)
				number[label], all = c, append(all, label)
			}
			sets[i] = append(sets[i], c)
		}
	}
	return sets, all
}

// numbers returns the number of each class. There may be as many classes as records.
func numbers(classes []string) map[string]int {
	number := make(map[string]int, len(classes))
	for c, name := range classes {
		number[name] = c
	}
	return number
}

// Unprintable reports whether a character cannot be in a separator.
func Unprintable(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }

// LabelSets returns all labels of each record: the lists of the format, unless --labels replaces them, otherwise the
// parts between separators; none of an empty label or list. A label that a record has more than once counts once. It
// sets the records' labels to these, joined.
func (r *Records) LabelSets(separator string) ([][]string, error) {
	lists := make([][]string, 0, len(r.Labels))
	for _, set := range r.Sets {
		if set.LabelSets != nil && !r.table {
			lists = append(lists, set.LabelSets...)
		} else {
			lists = append(lists, make([][]string, set.Len())...)
		}
	}
	r.Labels = slices.Clone(r.Labels)
	for i, label := range r.Labels {
		switch {
		case lists[i] != nil || strings.TrimSpace(label) == "":
		case separator != "":
			lists[i] = strings.Split(label, separator)
		default: // of a model that another program wrote
			lists[i] = []string{label}
		}
		var kept []string
		for k, name := range lists[i] {
			name = strings.TrimSpace(name)
			switch {
			case name == "":
				return nil, r.Errorf(i, "label %d of %.80q is empty, want labels separated by %q", k+1, label,
					separator)
			case separator != "" && strings.Contains(name, separator):
				return nil, r.Errorf(i, "label %.80q contains the separator %.80q; choose another for --multilabel",
					name,
					separator)
			case !slices.Contains(kept, name):
				kept = append(kept, name)
			}
		}
		lists[i], r.Labels[i] = kept, strings.Join(kept, separator)
	}
	return lists, nil
}

// Truth finds the labels of records among the model's classes, for evaluate to compare predictions with. Where records
// have several labels, those that the model does not know are classes too, which it never predicts: a warning counts
// them.
func (a *Application) Truth(c *cli.Call, data *Records) (*dataset.Dataset, error) {
	rule := &a.Classifier.Rule
	d := &dataset.Dataset{Classes: rule.Classes, Positive: rule.Positive, Hierarchy: rule.Separator}
	switch rule.Labelling() {
	case dataset.LabelSets:
		return a.truthOfSets(c, d, data)
	case dataset.Numbers:
		d, err := dataset.NewTargets(data.Corpus, data.Labels, nil)
		if err == nil {
			d.Quantile = rule.Quantile
		}
		return d, data.Located(err)
	case dataset.Grades:
		var queries []string
		if len(a.Reader.Options.Fields) > 0 {
			queries = data.Field(0)
		}
		d, err := dataset.NewGrades(data.Corpus, data.Labels, queries)
		return d, data.Located(err)
	case dataset.KnownOrNovel:
		return a.truthOfNovelty(c, d, data), nil
	case dataset.OrderedClasses:
		d.Task = dataset.Ordinal
	}
	var err error
	d.Y, err = data.ClassesOf(rule)
	return d, err
}

// truthOfNovelty takes every label that training had not as novel, and says what it takes for what.
func (a *Application) truthOfNovelty(c *cli.Call, d *dataset.Dataset, data *Records) *dataset.Dataset {
	d.Task, d.Known, d.Y = dataset.Novelty, a.Classifier.Known, make([]int, len(data.Labels))
	var labels [2][]string
	for i, label := range data.Labels {
		d.Y[i] = dataset.NoveltyOf(d.Known, label)
		name := cmp.Or(label, "(no label)")
		if list := &labels[d.Y[i]]; !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	c.Say("seqsvm: known labels: %s; novel: %s", cmp.Or(cli.ListNames(labels[0]), "none"),
		cmp.Or(cli.ListNames(labels[1]), "none"))
	return d
}

func (a *Application) truthOfSets(c *cli.Call, d *dataset.Dataset, data *Records) (*dataset.Dataset, error) {
	rule := &a.Classifier.Rule
	lists, err := data.LabelSets(a.Separator)
	if err != nil {
		return nil, err
	}
	d.LabelSets, d.Classes = setsOf(rule.Classes, lists)
	d.Y = make([]int, len(lists))
	if unknown := d.Classes[len(rule.Classes):]; len(unknown) > 0 {
		c.Warn("labels that are not classes of the model count as missed (%d): %s", len(unknown),
			cli.ListNames(unknown))
	}
	return d, nil
}
