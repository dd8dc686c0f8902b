package seqio

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// What a small compressed file stands for is refused, with its line, before it takes the memory of the machine.
func TestInputBeyondMemory(t *testing.T) {
	heaptest.Limit(t, 32<<20)
	for _, c := range []struct {
		name   string
		format Format
		write  func(w io.Writer)
		line   int
	}{
		{"records without letters", Lines, func(w io.Writer) { io.WriteString(w, strings.Repeat("\n", 300_000)) }, 0},
		{"letters of one record", FASTA, func(w io.Writer) {
			io.WriteString(w, ">a\n"+strings.Repeat(strings.Repeat("A", 1<<16)+"\n", 300))
		}, 257}, // a header, and 256 lines of 2¹⁶ letters, which twice are the 32 MiB: there is no room for the id
		{"descriptions", FASTA, func(w io.Writer) {
			for i := range 300 {
				fmt.Fprintf(w, ">%d %s\nA\n", i, strings.Repeat("x", 1<<17))
			}
		}, 0},
		{"labels", TSV, func(w io.Writer) {
			for i := range 300 {
				fmt.Fprintf(w, "%d%s\tx\n", i, strings.Repeat("x", 1<<17))
			}
		}, 0},
		{"a line", Lines, func(w io.Writer) { io.WriteString(w, "x\n"+strings.Repeat("x", 20<<20)) }, 2},
		{"columns", TSV, func(w io.Writer) { io.WriteString(w, "a\tb\n"+strings.Repeat("\t", 1<<20)) }, 2},
		{"a record of CSV", CSV, func(w io.Writer) { io.WriteString(w, "text\n\""+strings.Repeat("x", 20<<20)) }, 2},
		{"fields of CSV", CSV, func(w io.Writer) { io.WriteString(w, "text\n"+strings.Repeat(",", 1<<20)) }, 2},
		{"a list of labels", JSONL, func(w io.Writer) {
			io.WriteString(w,
				`{"text":"","label":[`+strings.Repeat("1,", 1<<20)+"1]}\n")
		}, 1},
		{"labels of KeLP", KeLP, func(w io.Writer) { io.WriteString(w, strings.Repeat("a ", 1<<20)+"|BT| (a) |ET|\n") },
			1},
		{"a document", Documents, func(w io.Writer) { io.WriteString(w, strings.Repeat("x", 20<<20)) }, 1},
		{"blank lines in a record", DotBracket,
			func(w io.Writer) { io.WriteString(w, ">a\nGC\n"+strings.Repeat("\n", 20<<20)+"()\n") }, 0},
		{"a tag", Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1>"+strings.Repeat("x", 20<<20))
		}, 0},
		{"topics", Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1><TOPICS>"+strings.Repeat("<D>a</D>\n",
				1<<20)+"</TOPICS></REUTERS>\n")
		}, 0},
		{"text between tags", Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1><TEXT>"+strings.Repeat(strings.Repeat("x",
				1<<16)+"<b>\n", 300)+"</TEXT></REUTERS>\n")
		}, 0},
	} {
		_, err := Read(inputtest.Packed(t, c.write), c.name, Options{Format: c.format, LabelLists: true})
		inputtest.WantTooLarge(t, c.name, err, c.line)
	}
}

// A stream, and an input in batches, may have descriptions beyond the memory: they are not kept.
func TestDescriptionsAreNotKept(t *testing.T) {
	heaptest.Limit(t, 16<<20)
	const records = 300
	input := func() io.Reader {
		return inputtest.Packed(t, func(w io.Writer) {
			for i := range records {
				fmt.Fprintf(w, ">%d %s\nA\n", i, strings.Repeat("x", 1<<17))
			}
		})
	}
	n := 0
	if err := Stream(input(), "a.fa", StreamOptions{Size: 10}, func(Chunk) error { n++; return nil }); err != nil ||
		n != records {
		t.Errorf("a stream: %v after %d records", err, n)
	}
	n = 0
	if err := readBatches(input(), "a.fa", Options{}, 64, func(s *Set) error { n += s.Len(); return nil }); err != nil ||
		n != records {
		t.Errorf("batches: %v after %d records", err, n)
	}
}

// Trees of a small compressed file are refused before their nodes take more than there is. Every text alone is within
// the limit.
func TestTreesBeyondMemory(t *testing.T) {
	heaptest.Limit(t, 32<<20)
	const n = 1 << 20
	for syntax, text := range map[trees.Syntax]string{
		trees.Newick:     "(" + strings.Repeat(",", n) + ");",
		trees.Penn:       "(" + strings.Repeat("a ", n) + ")",
		trees.XML:        "<a " + strings.Repeat("b='' ", n) + "/>",
		trees.HTML:       "<a " + strings.Repeat("b ", n) + ">",
		trees.JSON:       strings.Repeat("[", 4*n) + strings.Repeat("]", 4*n),
		trees.DotBracket: strings.Repeat("(", n) + strings.Repeat(")", n),
	} {
		_, err := Read(strings.NewReader(text), string(syntax),
			Options{Format: Documents, Tree: trees.Options{Syntax: syntax}})
		inputtest.WantTooLarge(t, string(syntax), err, 0)
	}
}

// A record of more letters than kernels index is refused by line, in one piece or in several, where all records
// together may have more.
func TestLongRecord(t *testing.T) {
	read := func(text string) error {
		c := newCollector(Options{})
		c.start(Input{Path: "a.fa"}, FASTA)
		c.longest = 8
		return parseFASTA(lines.NewReader(strings.NewReader(text)), c)
	}
	if err := read(">x\nACGT\nACGT\n>y\nACGTACGT\n"); err != nil {
		t.Error(err)
	}
	for _, text := range []string{">x\nA\n>y\nACGT\nACGTA\n", ">x\nA\n>y\n\nACGTACGTA\n"} {
		if err := read(text); err == nil || err.Error() != `a.fa:5: record "y": more than 8 letters; split the record` {
			t.Error(err)
		}
	}
}
