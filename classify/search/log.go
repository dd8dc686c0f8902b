package search

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// Log is a table of results in a file that grows as a search goes on: a row per candidate and fold, tab-separated below
// a header, and only complete rows at every moment, so that a search that was interrupted can go on from it. It begins
// with lines “# NAME VALUE” that identify the search.
type Log struct {
	file    *os.File
	names   []string // of the candidates
	metrics []string // columns of the header; nil until it is written
	known   map[logged][]metrics.Report
	gaps    map[logged]float64
}

// logged is a candidate of a search: 0 is that of Run, others are those of the outer folds of Nested.
type logged struct{ search, candidate int }

// Identity says what the results of a log are of: names of parts, such as data and folds, and their checksums. Results
// of a search with another value of any are of no use to this one.
type Identity []struct{ Name, Value string }

// OtherSearchError says that a log is of another search.
type OtherSearchError struct{ Part, Has, Want string }

// Error names the part that differs.
func (e *OtherSearchError) Error() string {
	return fmt.Sprintf("the table is of a search with other %s: %s, not %s", e.Part, e.Has, e.Want)
}

// ErrLogExists says that there is a log that CreateLog would replace.
var ErrLogExists = errors.New("the table exists")

// logColumns are before the metrics.
var logColumns = []string{"search", "candidate", "options", "fold", "gap", "n"}

// CreateLog begins a log of a search. The candidates have names, which must not contain tabs or line ends. A file that
// exists and is not empty is ErrLogExists.
func CreateLog(path string, of Identity, names []string) (*Log, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil, ErrLogExists
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	l := newLog(file, names)
	return l, l.write(of.lines())
}

// ResumeLog opens a log that CreateLog has begun, whose results [Search.Run] and [Search.Nested] then do not compute
// again. A row that is not complete is dropped. A log of another search is an [*OtherSearchError]; a missing one is
// begun.
func ResumeLog(path string, of Identity, names []string) (*Log, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return CreateLog(path, of, names)
	}
	if err != nil {
		return nil, err
	}
	l := newLog(nil, names)
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	if err := l.parse(string(text), of); err != nil {
		return nil, err
	}
	if l.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return nil, err
	}
	return l, l.file.Truncate(int64(len(text)))
}

func newLog(file *os.File, names []string) *Log {
	return &Log{file: file, names: names, known: map[logged][]metrics.Report{}, gaps: map[logged]float64{}}
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// Len returns the number of results of candidates.
func (l *Log) Len() int { return len(l.known) }

func (of Identity) lines() string {
	var b strings.Builder
	for _, part := range of {
		fmt.Fprintf(&b, "# %s %s\n", part.Name, part.Value)
	}
	return b.String()
}

// parse reads the rows.
func (l *Log) parse(text string, of Identity) error {
	for _, part := range of {
		line, rest, _ := strings.Cut(text, "\n")
		has, found := strings.CutPrefix(line, "# "+part.Name+" ")
		switch {
		case !found:
			return fmt.Errorf("not a table of results: no line %q", "# "+part.Name+" …")
		case has != part.Value:
			return &OtherSearchError{part.Name, has, part.Value}
		}
		text = rest
	}
	number := len(of)
	for line := range strings.Lines(text) {
		number++
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if l.metrics == nil {
			if len(cells) < len(logColumns) || !slices.Equal(cells[:len(logColumns)], logColumns) {
				return fmt.Errorf("line %d: not the header of a table of results", number)
			}
			l.metrics = cells[len(logColumns):]
			continue
		}
		if err := l.row(cells); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

// row takes a row. Its folds come in order; fold 1 begins a candidate again.
func (l *Log) row(cells []string) error {
	if len(cells) != len(logColumns)+len(l.metrics) {
		return fmt.Errorf("%d cells, want %d", len(cells), len(logColumns)+len(l.metrics))
	}
	var numbers [4]int // search, candidate, fold, n
	for i, column := range []int{0, 1, 3, 5} {
		n, err := strconv.Atoi(cells[column])
		if err != nil || n < 0 {
			return fmt.Errorf("%s is %q, want a whole number", logColumns[column], cells[column])
		}
		numbers[i] = n
	}
	key := logged{numbers[0], numbers[1] - 1}
	if key.candidate < 0 || key.candidate >= len(l.names) || l.names[key.candidate] != cells[2] {
		return fmt.Errorf("candidate %d is not %q in this search", numbers[1], cells[2])
	}
	values := make([]metrics.Float, len(l.metrics))
	for m, cell := range append(slices.Clone(cells[len(logColumns):]), cells[4]) {
		x := math.NaN()
		var err error
		if cell != "NA" {
			x, err = strconv.ParseFloat(cell, 64)
		}
		if err != nil {
			return fmt.Errorf("%q is not a number", cell)
		}
		if m < len(values) {
			values[m] = metrics.Float(x)
		} else {
			l.gaps[key] = x
		}
	}
	if numbers[2] == 1 {
		l.known[key] = nil
	}
	if len(l.known[key]) != numbers[2]-1 {
		return fmt.Errorf("fold %d of candidate %d, want fold %d", numbers[2], numbers[1], len(l.known[key])+1)
	}
	l.known[key] = append(l.known[key], metrics.Report{N: numbers[3], Scalars: metrics.NewScalars(l.metrics, values)})
	return nil
}

// load fills in the results of a group of candidates, if all of them are known.
func (l *Log) load(search int, group []int, folds int, results []Result) bool {
	if l == nil || slices.ContainsFunc(group, func(i int) bool { return len(l.known[logged{search, i}]) != folds }) {
		return false
	}
	for _, candidate := range group {
		key := logged{search, candidate}
		r := Result{Measured: Measured{Folds: l.known[key]}, Gap: l.gaps[key]}
		r.Mean, r.SD = metrics.MeanSD(r.Folds)
		results[candidate] = r
	}
	return true
}

// save appends the rows of a group, all at once.
func (l *Log) save(search int, group []int, results []Result) error {
	if l == nil {
		return nil
	}
	var b strings.Builder
	if l.metrics == nil {
		l.metrics = results[group[0]].Folds[0].Names
		b.WriteString(strings.Join(append(slices.Clone(logColumns), l.metrics...), "\t") + "\n")
	}
	for _, candidate := range group {
		r := results[candidate]
		for f, report := range r.Folds {
			fmt.Fprintf(&b, "%d\t%d\t%s\t%d\t%s\t%d", search, candidate+1, l.names[candidate], f+1, exact(r.Gap),
				report.N)
			for _, value := range report.Values {
				b.WriteString("\t" + exact(float64(value)))
			}
			b.WriteByte('\n')
		}
	}
	return l.write(b.String())
}

// exact writes the shortest decimal that reads back as the same number.
func exact(x float64) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// write appends complete rows: after an error, none of them.
func (l *Log) write(rows string) error {
	before, err := l.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(l.file, rows); err != nil {
		return errors.Join(err, l.file.Truncate(before))
	}
	return nil
}
