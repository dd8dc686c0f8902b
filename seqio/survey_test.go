package seqio_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// numbersOf returns the numbers at the end of each record.
func numbersOf(all *seqio.Collection) (rows []string) {
	for i := range all.Corpus.Len() {
		var row []float64
		x := all.Corpus.Seq(i)
		for each := range slices.Chunk(x[len(x)-len(all.Numbers)*stringkernel.NumberLetters:], stringkernel.NumberLetters) {
			number, _ := stringkernel.NumberOf(each)
			row = append(row, number)
		}
		rows = append(rows, fmt.Sprint(row))
	}
	return rows
}

func input(name, text string) seqio.Input {
	return seqio.Input{Path: name, Reader: strings.NewReader(text)}
}

// TestPatterns: patterns are columns of the first table, words a column each, in all tables that are read together.
func TestPatterns(t *testing.T) {
	first, second := "id\tlabel\tg_2\tsite\tg_1\tage\nr\tp\t1\tleft\t2\t3\n", "age,site,label,g_1,g_2\n6, right ,q,5,4\n"
	for _, c := range []struct{ asked, columns, rows string }{
		{"*", "g_2 site=left site=right g_1 age", "[1 1 0 2 3] [4 0 1 5 6]"},
		{"g_*", "g_2 g_1", "[1 2] [4 5]"},
		{"*_1", "g_1", "[2] [5]"},
		{"g_2..g_1", "g_2 site=left site=right g_1", "[1 1 0 2] [4 0 1 5]"},
		{"age,g_*,*", "age g_2 g_1 site=left site=right", "[3 1 2 1 0] [6 4 5 0 1]"},
		{"site=right,g_1", "site=right g_1", "[0 2] [1 5]"},
	} {
		all := must.Get(seqio.ReadAll(t.Context(), []seqio.Input{input("a.tsv", first), input("b.csv", second)},
			seqio.Options{Numbers: strings.Split(c.asked, ","), OptionalText: true}))(t)
		if got := strings.Join(all.Numbers, " "); got != c.columns {
			t.Errorf("%s: columns %s, want %s", c.asked, got, c.columns)
		}
		if got := strings.Join(numbersOf(all), " "); got != c.rows {
			t.Errorf("%s: rows %s, want %s", c.asked, got, c.rows)
		}
		if got := strings.Join(all.Labels(), ""); got != "pq" {
			t.Errorf("%s: labels %s", c.asked, got)
		}
	}
	many := "x\n"
	for i := range 51 {
		many += fmt.Sprintf("w%d\n", i)
	}
	for want, text := range map[string]string{
		`a.csv: no column is *; tables have: ; name those of headers and JSON`:             "text,label\nA,p\n",
		`a.csv:3: x is "NA", want a number`:                                                "x,label\n1,p\nNA,q\n",
		`a.csv:2: x is "", want a number`:                                                  "x,label\n,p\n2,q\n",
		`a.csv:3: x=u is "?", want a number`:                                               "x,label\nu,p\n?,q\n",
		`a.csv: column "x" has neither numbers nor 1 to 50 different words; choose others`: many,
	} {
		_, err := seqio.ReadAll(t.Context(), []seqio.Input{input("a.csv", text)},
			seqio.Options{Numbers: []string{"*"}, OptionalText: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %s", text, err, want)
		}
	}
}

// TestBeside: rows of a table are found by id, those of an array in the order of the records.
func TestBeside(t *testing.T) {
	fasta := ">r p w=7\nAC\n>s q w=8\nGT\n"
	array := new(strings.Builder)
	w := must.Get(matrix.NewNPY(array, 2, 3))(t)
	must.Succeed(t, cmp.Or(w.WriteRow(0, []float64{1, -2.5, 1e-3}), w.WriteRow(1, []float64{4, 5, 6}), w.Close()))
	read := func(beside seqio.Input, numbers ...string) (*seqio.Collection, error) {
		b, err := seqio.ReadBeside(context.Background(), beside)
		if err != nil {
			return nil, err
		}
		return seqio.ReadAll(t.Context(), []seqio.Input{input("a.fa", fasta)}, seqio.Options{Numbers: numbers, Beside: b})
	}
	for _, c := range []struct {
		beside        seqio.Input
		numbers, rows string
	}{
		{input("e.npy", array.String()), "*", "[1 -2.5 0.001] [4 5 6]"},
		{input("e.npy", array.String()), "x2..x3,w,x1", "[-2.5 0.001 7 1] [5 6 8 4]"},
		{input("e.tsv", "id\tu\tv\nother\tz\t0\ns\ty\t2\nr\tx\t1\n"), "*", "[1 0 0 1] [0 1 0 2]"},
		{input("e.tsv", "id\tu\tv\ns\ty\t2\nr\tx\t1\n"), "v,u=x,u=z", "[1 1 0] [2 0 0]"},
		{input("e.csv", "u,v\n3,1\n4,2\n"), "v,u", "[1 3] [2 4]"},
	} {
		all := must.Get(read(c.beside, strings.Split(c.numbers, ",")...))(t)
		if got := strings.Join(numbersOf(all), " "); got != c.rows {
			t.Errorf("%s %s: rows %s, want %s", c.beside.Path, c.numbers, got, c.rows)
		}
	}
	for want, beside := range map[string]seqio.Input{
		`a.fa:3: record "s": e.tsv has no row with the id "s"`:        input("e.tsv", "id\tv\nr\t1\n"),
		`a.fa:3: record "s": no row of e.csv is left, which has 1`:    input("e.csv", "v\n1\n"),
		`e.csv: 3 rows of 2 records, want one each`:                   input("e.csv", "v\n1\n2\n3\n"),
		`e.npy: the header "", want that of NumPy's format`:           input("e.npy", "nothing"),
		`e.npy: a matrix of 2 × 3: unexpected EOF`:                    input("e.npy", array.String()[:150]),
		`e.csv:3: v is "", want a number`:                             input("e.csv", "v,u\n1,1\n,2\n"),
		`e.npy: the header "{'descr': '<i8', 'fortran_order': False,`: input("e.npy", matrix.NPYHeader("<i8", 2, 2)),
	} {
		if _, err := read(beside, "*"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", beside.Path, err, want)
		}
	}
	if _, err := read(input("e.csv", "v\n1\n2\n"), "w"); err == nil || !strings.Contains(err.Error(), "no kernel compares") {
		t.Errorf("columns that nobody reads: %v", err)
	}
}
