package seqio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	places map[string]int // of columns in a row
	names  []string
	rows   []float64      // one after another
	ids    map[string]int // of rows; nil where rows are in the order of the records
	count  int
}

// ReadBeside reads a table of TSV or CSV, all columns but text, label and id, whose rows are found by id if it has that
// column, or a matrix of NumPy's .npy, whose columns are x1, x2, …. Without ids, rows are in the order of the records.
func ReadBeside(ctx context.Context, in Input) (*Beside, error) {
	text, err := Decompress(in.Reader, in.Path)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	content, err := io.ReadAll(text)
	if err != nil {
		return nil, err
	}
	b := &Beside{source: in.Path, places: map[string]int{}}
	if bytes.HasPrefix(content, []byte(matrix.NPYMagic)) {
		var width int
		if b.rows, width, err = matrix.ReadNPY(content); err != nil {
			return nil, &Error{File: in.Path, Err: err}
		}
		for j := range width {
			b.names = append(b.names, "x"+strconv.Itoa(j+1))
		}
		b.count = len(b.rows) / max(1, width)
	} else if err = b.table(ctx, Input{Path: in.Path, Reader: bytes.NewReader(content)}); err != nil {
		return nil, err
	}
	for j, name := range b.names {
		b.places[name] = j
	}
	return b, nil
}

// table reads the numbers that records of a table have.
func (b *Beside) table(ctx context.Context, in Input) error {
	const all = "*"
	read, err := ReadAll(ctx, []Input{in}, Options{Numbers: []string{all}, OptionalText: true, OptionalLabels: true})
	if err != nil {
		return err
	}
	set := read.Sets[0]
	b.names, b.count = read.Columns[all], set.Len()
	ids, byID := make(map[string]int, b.count), false
	for i := range b.count {
		ids[set.Corpus.Name(i)] = i
		byID = byID || set.Corpus.Name(i) != strconv.Itoa(set.Lines[i])
		x := set.Corpus.Seq(i)
		for each := range slices.Chunk(x[len(x)-len(b.names)*stringkernel.NumberLetters:], stringkernel.NumberLetters) {
			number, _ := stringkernel.NumberOf(each) // as it was written
			b.rows = append(b.rows, number)
		}
	}
	if byID {
		b.ids = ids
	}
	return nil
}

// The places of columns that a matrix has not: those of NAME=LEVEL are of a level that no row has.
const notBeside, levelOfNone = -1, -2

func (b *Beside) place(name string) int {
	if b == nil {
		return notBeside
	}
	if at, is := b.places[name]; is {
		return at
	}
	column, _, is := strings.Cut(name, "=")
	if is && slices.ContainsFunc(b.names, func(other string) bool { return strings.HasPrefix(other, column+"=") }) {
		return levelOfNone
	}
	return notBeside
}

// ownNumbers are the columns of numbers that the inputs have themselves.
func (o Options) ownNumbers() []string {
	return slices.DeleteFunc(slices.Clone(o.Numbers), func(name string) bool { return o.Beside.place(name) != notBeside })
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
	return b.rows[at*len(b.names) : (at+1)*len(b.names)], nil
}

// checkRows returns an error if rows in the order of the records are left.
func (c *collector) checkRows() error {
	b := c.opt.Beside
	switch {
	case b == nil:
	case len(c.own) == len(c.opt.Numbers):
		return &Error{File: b.source, Err: errors.New("no kernel compares these columns, want table:columns=* or their " +
			"names, as a term")}
	case b.ids == nil && c.rows != b.count:
		return &Error{File: b.source, Err: fmt.Errorf("%d rows of %d records, want one each, in their order, or a column id",
			b.count, c.rows)}
	}
	return nil
}

// takeNumbers takes the values of Options.Numbers; value returns those of c.own.
func (c *collector) takeNumbers(line int, value func(k int, name string) (string, error)) (err error) {
	c.numbers = c.numbers[:0]
	if err := c.Fits(3*stringkernel.NumberLetters*len(c.places), line); err != nil {
		return err
	}
	var row []float64
	if len(c.own) < len(c.places) {
		if row, err = c.rowOf(line); err != nil {
			return err
		}
	}
	own := 0
	for k, at := range c.places {
		name, x, text := c.opt.Numbers[k], 0.0, ""
		if at >= 0 {
			if x = row[at]; !(math.Abs(x) <= stringkernel.MostNumber) {
				text = fmt.Sprint(x)
			}
		} else if at == notBeside {
			if text, err = value(own, name); err != nil {
				return err
			}
			own++
			if x, err = strconv.ParseFloat(text, 64); err != nil {
				x = math.NaN()
			}
		}
		if !(math.Abs(x) <= stringkernel.MostNumber) {
			want := fmt.Sprintf("a number of at most %g", stringkernel.MostNumber)
			column, _, words := strings.Cut(name, "=")
			if words {
				want = "a word"
			}
			return c.Errorf(line, "%s is %s, want %s", column, lines.Quote(text), want)
		}
		c.numbers = stringkernel.AppendNumber(c.numbers, x)
	}
	return nil
}
