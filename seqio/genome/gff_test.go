package genome_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// gffLine is what a test wants to see of a feature.
type gffLine struct {
	Seq, Source, Type string
	Span              genome.Span
	Strand            genome.Strand
	Line              int
	ID, Transcript    string
	Parents           []string
}

func readGFF(r io.Reader) ([]gffLine, error) {
	g, err := genome.NewGFFReader(r, "x.gff")
	if err != nil {
		return nil, err
	}
	defer g.Close()
	var all []gffLine
	for {
		f, err := g.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		id, _ := f.Attribute("ID")
		transcript, _ := f.Attribute("transcript_id")
		all = append(all, gffLine{f.Seq, f.Source, f.Type, f.Span, f.Strand, f.Line, id, transcript, f.Parents()})
	}
}

func TestGFF(t *testing.T) {
	const text = "##gff-version 3\n" + "chr1\tx\texon\t5\t9\t.\t+\t.\tID=e1;Parent=t1,t%2C2;Note=a%20b;c\n" +
		"\n# comment\n" +
		"chr1\tx\tgene\t1\t1\t0.5\t?\t0\n" +
		"chr%201\ty\tCDS\t2\t3\t.\t-\t2\tParent=t1;ID=50% \r\n" +
		"chr2\tensembl\texon\t2\t3\t.\t.\t.\tgene_id \"G; transcript_id 1\"; transcript_id \"T=1\"; exon_number 3;\n" +
		"chr2\taugustus\texon\t2\t3\t.\t-\t.\tgene_id g1; transcript_id g1.t1\n" +
		"##FASTA\nnothing\tto\tread\n"
	want := []gffLine{
		{"chr1", "x", "exon", genome.Span{4, 9}, genome.Plus, 2, "e1", "", []string{"t1", "t,2"}},
		{"chr1", "x", "gene", genome.Span{0, 1}, genome.NoStrand, 5, "", "", nil},
		{"chr 1", "y", "CDS", genome.Span{1, 3}, genome.Minus, 6, "50%", "", []string{"t1"}},
		{"chr2", "ensembl", "exon", genome.Span{1, 3}, genome.NoStrand, 7, "", "T=1", nil},
		{"chr2", "augustus", "exon", genome.Span{1, 3}, genome.Minus, 8, "", "g1.t1", nil},
	}
	for _, data := range []string{text, gzipText(text), strings.Replace(text, "##FASTA", ">chr1", 1)} {
		if got, err := readGFF(strings.NewReader(data)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
}

func TestGFFErrors(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"empty", "", "x.gff: the file is empty"},
		{"blanks for tabs", "chr1 x exon 1 2 . + . ID=a\n",
			"x.gff:1: 1 column, want 9 separated by tabs: sequence, source"},
		{"seven columns", "#\nchr1\tx\texon\t1\t2\t.\t+\n", "x.gff:2: 7 columns"},
		{"ten columns", "chr1\tx\texon\t1\t2\t.\t+\t.\tID=a\tb\n", "10 columns"},
		{"no sequence", "\tx\texon\t1\t2\t.\t+\t.\n", "the name of the sequence is empty"},
		{"start zero", "chr1\tx\texon\t0\t2\t.\t+\t.\n", `start is "0", want a whole number ≥ 1`},
		{"start no number", "chr1\tx\texon\tone\t2\t.\t+\t.\n", `start is "one"`},
		{"end no number", "chr1\tx\texon\t1\t.\t.\t+\t.\n", `end is "."`},
		{"start after end", "chr1\tx\texon\t3\t2\t.\t+\t.\n", "x.gff:1: start 3 is after end 2"},
		{"strand", "chr1\tx\texon\t1\t2\t.\tplus\t.\n", `x.gff:1: strand is "plus", want '+', '-' or '.'`},
		{"a long line", "chr1\tx\texon\t1\t2\t.\t+\t.\tID=" + strings.Repeat("x", 1<<20) + "\n",
			"x.gff:1: line of 524288 bytes or more"},
		{"lone CR", "##gff-version 3\rchr1\tx\texon\t1\t2\t.\t+\t.\r", "lone CR"},
		{"truncated gzip", gzipText(strings.Repeat("chr1\tx\texon\t1\t2\t.\t+\t.\n", 1000))[:60],
			"x.gff: the gzip stream is cut off"},
	} {
		if _, err := readGFF(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := genome.NewGFFReader(nil, "none.gff"); err == nil || !strings.Contains(err.Error(), "none.gff: no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzGFF(f *testing.F) {
	f.Add([]byte("##gff-version 3\nchr1\tx\texon\t5\t9\t.\t+\t.\tID=e1;Parent=t1,t%2C2\n##FASTA\n"))
	f.Add([]byte("chr2\tensembl\texon\t2\t3\t.\t.\t.\tgene_id \"G;1\"; transcript_id \"T=1\";\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := readGFF(bytes.NewReader(data))
		again, againErr := readGFF(iotest.OneByteReader(bytes.NewReader(data)))
		if fmt.Sprint(all, err) != fmt.Sprint(again, againErr) {
			t.Fatalf("%v, in pieces %v", err, againErr)
		}
		if err != nil {
			checkOneLine(t, err)
		}
		for _, g := range all {
			if g.Span.Start < 0 || g.Span.Len() < 1 || g.Line < 1 {
				t.Fatalf("%+v", g)
			}
		}
	})
}

// BenchmarkGFF reads a file of 300,000 lines from memory and asks for the parents.
func BenchmarkGFF(b *testing.B) {
	text := []byte(strings.Repeat("chrI\tsource\tCDS\t5001\t5138\t.\t+\t.\tID=cds1.g5.t1;Parent=g5.t1\n", 300_000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r := must.Get(genome.NewGFFReader(bytes.NewReader(text), "x.gff"))(b)
		for {
			f, err := r.Next()
			if err != nil {
				break
			}
			f.Parents()
		}
		r.Close()
	}
}
