package genome_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

func TestBED(t *testing.T) {
	const text = "browser position chr1:1-10\ntrack name=x\n# comment\n" + "chr1\t0\t5\n" + "\n" +
		"chr1 7 9 a 0.5 -\r\n" +
		"chr2\t3\t3\tinsertion here\t.\t.\n" +
		"trackless\t1\t2\t.\t1000\t+\t5.2\t-1\t-1\t30\n" + // narrowPeak
		"chr1\t10\t40\tt\t960\t+\t12\t35\t0,0,255\t3\t5,6,10,\t0,10,20,"
	nan := math.NaN()
	want := []genome.Interval{
		{Seq: "chr1", Span: genome.Span{0, 5}, Score: nan, Strand: genome.NoStrand, Line: 4},
		{Seq: "chr1", Span: genome.Span{7, 9}, Name: "a", Score: 0.5, Strand: genome.Minus, Line: 6},
		{Seq: "chr2", Span: genome.Span{3, 3}, Name: "insertion here", Score: nan, Strand: genome.NoStrand, Line: 7},
		{Seq: "trackless", Span: genome.Span{1, 2}, Score: 1000, Strand: genome.Plus, Summit: 32, Line: 8},
		{Seq: "chr1", Span: genome.Span{10, 40}, Name: "t", Score: 960, Strand: genome.Plus, Thick: genome.Span{12, 35},
			Blocks: []genome.Span{{10, 15}, {20, 26}, {30, 40}}, Line: 9},
	}
	for _, data := range []string{text, gzipText(text), "\xef\xbb\xbf" + text} {
		got, err := genome.ReadBED(strings.NewReader(data), "x.bed")
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) { // NaN is not equal to itself
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
}

func TestBEDErrors(t *testing.T) {
	const twelve = "chr1\t10\t40\tt\t0\t+\t10\t40\t0\t"
	for _, c := range []struct{ why, text, want string }{
		{"empty", "", "x.bed: the file is empty"},
		{"no intervals", "# a\ntrack\n", "x.bed: no intervals"},
		{"two columns", "chr1\t5\n", "x.bed:1: 2 columns, want at least 3: chrom, start, end"},
		{"no name", "\t5\t6\n", "x.bed:1: the name of the sequence is empty"},
		{"white space in the name", "chr 1\t5\t6\n", "x.bed:1: white space in the name of the sequence"},
		{"start no number", "chr1\ta\t6\n", `x.bed:1: start is "a", want a whole number ≥ 0`},
		{"a header", "chrom start end\n", `x.bed:1: start is "start"`},
		{"negative start", "chr1\t-1\t6\n", `start is "-1"`},
		{"huge end", "chr1\t1\t99999999999999999999\n", `end is "9999`},
		{"start after end", "#\nchr1\t7\t6\n", "x.bed:2: start 7 is after end 6"},
		{"score no number", "chr1\t1\t6\ta\thigh\n", `score is "high"`},
		{"no strand", "chr1\t1\t6\ta\t0\t*\n", `x.bed:1: strand is "*", want '+', '-' or '.'`},
		{"no blocks", twelve + "0\t0\t0\n", `the number of blocks is "0"`},
		{"fewer blocks", twelve + "2\t30,\t0,\n", "1 sizes and 1 starts of blocks, want 2"},
		{"an empty block", twelve + "1\t0\t0\n", `the size of block 1 is "0"`},
		{"no number of a start", twelve + "1\t30\tx\n", `the start of block 1 is "x"`},
		{"a block beyond", twelve + "1\t31\t0\n", "block 1, 31 bases from base 0 on, is not within the interval's 30"},
		{"a block far beyond", twelve + "2\t1,9223372036854775807\t0,5\n", "block 2, 9223372036854775807 bases"},
		{"blocks overlap", twelve + "2\t20,20\t0,10\n", "block 2 begins before block 1 ends"},
		{"blocks too short", twelve + "1\t29\t0\n",
			"the blocks reach from 10 to 39, want the whole interval from 10 to 40"},
		{"blocks too late", twelve + "1\t29\t1\n", "the blocks reach from 11 to 40"},
		{"thick outside", "chr1\t10\t40\tt\t0\t+\t9\t40\t0\t1\t30\t0\n",
			"the thick part 9 to 40 is not within 10 to 40"},
		{"lone CR", "chr1\t1\t2\rchr1\t2\t3\r", "lone CR"},
		{"a long line", "chr1\t1\t2\t" + strings.Repeat("x", 1<<20), "x.bed:1: line of 524288 bytes or more"},
		{"truncated gzip", gzipText(strings.Repeat("chr1\t1\t2\n", 1000))[:40], "x.bed: the gzip stream is cut off"},
		{"UTF-16", "\xff\xfec\x00", "x.bed: UTF-16"},
	} {
		if _, err := genome.ReadBED(strings.NewReader(c.text), "x.bed"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := genome.ReadBED(nil, "none.bed"); err == nil || !strings.Contains(err.Error(), "none.bed: no such file") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := genome.ReadBED(nil, "."); err == nil {
		t.Error("a folder: no error")
	}
}

func TestPoints(t *testing.T) {
	got, err := genome.ReadPoints(strings.NewReader("# EPD\nchr1\t1\t+\tA_1\n\nchr2\t77\t-\r\n"), "x.tsv")
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if g := got[0]; g.Seq != "chr1" || g.Span != (genome.Span{0, 1}) || g.Strand != genome.Plus || g.Name != "A_1" || g.Line != 2 {
		t.Errorf("%+v", g)
	}
	if g := got[1]; g.Seq != "chr2" || g.Span != (genome.Span{76, 77}) || g.Strand != genome.Minus || g.Name != "" || g.Line != 4 {
		t.Errorf("%+v", g)
	}
	for _, c := range []struct{ why, text, want string }{
		{"empty", "", "x.tsv: the file is empty"},
		{"comments", "# a\n", "x.tsv: no positions"},
		{"two columns", "chr1\t1\n", "x.tsv:1: 2 columns, want 3 or 4"},
		{"blanks", "chr1 1 +\n", "x.tsv:1: 1 column, want 3 or 4"},
		{"five columns", "chr1\t1\t+\ta\tb\n", "5 columns"},
		{"position zero", "chr1\t0\t+\n", `position is "0", want a whole number ≥ 1`},
		{"no strand", "chr1\t1\t.\n", `strand is ".", want + or -`},
		{"another strand", "chr1\t1\tplus\n", `strand is "plus"`},
		{"no sequence", "\t1\t+\n", "the name of the sequence is empty"},
	} {
		if _, err := genome.ReadPoints(strings.NewReader(c.text), "x.tsv"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := genome.ReadPoints(nil, "none"); err == nil {
		t.Error("a missing file: no error")
	}
}

// checkOneLine fails unless an error is an *Error of one line.
func checkOneLine(t *testing.T, err error) {
	t.Helper()
	var e *seqio.Error
	if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\r\x00") {
		t.Fatalf("error %T %q", err, err)
	}
}

func FuzzBED(f *testing.F) {
	f.Add([]byte("chr1\t0\t5\nchr1 7 9 a 0.5 -\r\ntrack x\n"))
	f.Add([]byte("chr1\t10\t40\tt\t960\t+\t12\t35\t0,0,255\t3\t5,6,10,\t0,10,20,\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := genome.ReadBED(bytes.NewReader(data), "f")
		again, againErr := genome.ReadBED(iotest.OneByteReader(bytes.NewReader(data)), "f")
		if fmt.Sprint(list, err) != fmt.Sprint(again, againErr) {
			t.Fatalf("%v, in pieces %v", err, againErr)
		}
		if err != nil {
			checkOneLine(t, err)
			return
		}
		for _, x := range list {
			if x.Seq == "" || x.Start < 0 || x.End < x.Start || x.Line < 1 {
				t.Fatalf("%+v", x)
			}
			at := x.Start
			for i, b := range x.Blocks {
				if b.Len() < 1 || b.Start < at || i == 0 && b.Start > at || i == len(x.Blocks)-1 && b.End != x.End {
					t.Fatalf("%+v", x)
				}
				at = b.End
			}
		}
	})
}

func FuzzPoints(f *testing.F) {
	f.Add([]byte("chr1\t1\t+\tA_1\n\nchr2\t77\t-\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := genome.ReadPoints(bytes.NewReader(data), "f")
		if err != nil {
			checkOneLine(t, err)
		}
		for _, x := range list {
			if x.Seq == "" || x.Start < 0 || x.Len() != 1 || x.Strand == genome.NoStrand {
				t.Fatalf("%+v", x)
			}
		}
	})
}

// BenchmarkBED reads a file of a million lines from memory.
func BenchmarkBED(b *testing.B) {
	text := []byte(strings.Repeat("chr1\t1000\t2000\tname\t500\t+\n", 1_000_000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, err := genome.NewBEDReader(bytes.NewReader(text), "x.bed")
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = r.Next()
		}
		if err != io.EOF {
			b.Fatal(err)
		}
		r.Close()
	}
}
