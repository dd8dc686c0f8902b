package seqio

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Beside is numbers of records in a file of their own, such as embeddings of a language model: columns that
// [Options].Numbers may name.
type Beside struct {
	source string
	names  []string
	places map[string]int // of columns in a row
	rows   []float64      // one after another
	ids    map[string]int // of rows; nil where rows are in the order of the records
	count  int
}

// ReadBeside reads a table of TSV, CSV or Parquet, all columns but text, label and id, whose rows are found by id if it
// has that column, or a matrix of NumPy's .npy, whose columns are x1, x2, …. Without ids, rows are in the order of the
// records.
func ReadBeside(ctx context.Context, in Input) (*Beside, error) {
	b := &Beside{source: in.Path, places: map[string]int{}}
	read := b.table
	if strings.HasSuffix(in.Path, ".npy") {
		read = b.array
	}
	if err := read(ctx, in); err != nil {
		return nil, err
	}
	for j, name := range b.names {
		b.places[name] = j
	}
	return b, nil
}

// array reads a matrix.
func (b *Beside) array(_ context.Context, in Input) error {
	file, err := Decompress(in.Reader, in.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	var width int
	if b.rows, width, err = matrix.ReadNPY(file); err != nil {
		return &Error{File: in.Path, Err: err}
	}
	for j := range width {
		b.names = append(b.names, "x"+strconv.Itoa(j+1))
	}
	b.count = len(b.rows) / width
	return nil
}

// table reads the numbers that records of a table have.
func (b *Beside) table(ctx context.Context, in Input) error {
	all, err := ReadAll(ctx, []Input{in}, Options{Numbers: []string{"*"}, OptionalText: true, OptionalLabels: true})
	if err != nil {
		return err
	}
	set, byID := all.Sets[0], false
	b.names, b.count, b.ids = all.Numbers, set.Len(), make(map[string]int, set.Len())
	for i := range b.count {
		b.ids[set.Corpus.Name(i)] = i
		byID = byID || set.Corpus.Name(i) != strconv.Itoa(set.Lines[i])
		x := set.Corpus.Seq(i)
		for number := range slices.Chunk(x[len(x)-len(b.names)*stringkernel.NumberLetters:], stringkernel.NumberLetters) {
			value, _ := stringkernel.NumberOf(number) // as it was written
			b.rows = append(b.rows, value)
		}
	}
	if !byID {
		b.ids = nil
	}
	return nil
}

// The places of columns that a matrix has not: those of NAME=WORD are of a word that no row has.
const notBeside, wordOfNone = -1, -2

func (b *Beside) place(name string) int {
	if b == nil {
		return notBeside
	}
	if at, is := b.places[name]; is {
		return at
	}
	column, _, is := strings.Cut(name, "=")
	if is && slices.ContainsFunc(b.names, func(other string) bool { return strings.HasPrefix(other, column+"=") }) {
		return wordOfNone
	}
	return notBeside
}

// rowOf returns the row of the record that begins.
func (c *collector) rowOf(line int) ([]float64, error) {
	b, at := c.opt.Beside, c.rows
	if c.rows++; b.ids != nil {
		var is bool
		if at, is = b.ids[c.id]; !is {
			return nil, c.Errorf(line, "%s has no row with the id %s", b.source, lines.Quote(c.id))
		}
	} else if at >= b.count {
		return nil, c.Errorf(line, "no row of %s is left, which has %d, in the order of the records", b.source, b.count)
	}
	return b.rows[at*len(b.names):][:len(b.names)], nil
}

// checkRows returns an error if columns or rows are left that nobody reads.
func (c *collector) checkRows() error {
	b := c.opt.Beside
	switch {
	case b == nil:
	case len(c.opt.own) == len(c.opt.Numbers):
		return &Error{File: b.source, Err: errors.New("no kernel compares these columns, want table:columns=* or their " +
			"names, as a term")}
	case b.ids == nil && c.rows != b.count:
		return &Error{File: b.source, Err: fmt.Errorf("%d rows of %d records, want one each, in their order, or a column id",
			b.count, c.rows)}
	}
	return nil
}

// takeNumbers takes the values of Options.Numbers; value returns those of Options.own.
func (c *collector) takeNumbers(line int, value func(k int, name string) (string, error)) (err error) {
	c.numbers = c.numbers[:0]
	if err := c.Fits(3*stringkernel.NumberLetters*len(c.places), line); err != nil {
		return err
	}
	var row []float64
	if len(c.opt.own) < len(c.places) {
		if row, err = c.rowOf(line); err != nil {
			return err
		}
	}
	own := 0
	for k, at := range c.places {
		name, x, text := c.opt.Numbers[k], 0.0, "NaN"
		if at >= 0 {
			x = row[at]
		} else if at == notBeside {
			if text, err = value(own, name); err != nil {
				return err
			}
			if x, err = strconv.ParseFloat(text, 64); err != nil {
				x = math.NaN()
			}
			own++
		}
		if !(math.Abs(x) <= stringkernel.MostNumber) {
			return c.Errorf(line, "%s is %s, want a number of at most %g", name, lines.Quote(text), stringkernel.MostNumber)
		}
		c.numbers = stringkernel.AppendNumber(c.numbers, x)
	}
	return nil
}
