package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// packed returns what write writes, compressed.
func packed(t *testing.T, write func(w io.Writer)) *bytes.Buffer {
	t.Helper()
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &small
}

// wantTooLarge wants an error that says what memory is needed, and the line, if that is not 0.
func wantTooLarge(t *testing.T, name string, err error, line int) {
	t.Helper()
	var large *memory.Error
	var place *Error
	if !errors.As(err, &large) || !errors.As(err, &place) || place.Line == 0 || line > 0 && place.Line != line || strings.Count(err.Error(), name) != 1 {
		t.Errorf("%s: %v, want what memory is needed, and the line (%d)", name, err, line)
	}
}

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
		{"a list of labels", JSONL, func(w io.Writer) { io.WriteString(w, `{"text":"","label":[`+strings.Repeat("1,", 1<<20)+"1]}\n") }, 1},
		{"labels of KeLP", KeLP, func(w io.Writer) { io.WriteString(w, strings.Repeat("a ", 1<<20)+"|BT| (a) |ET|\n") }, 1},
		{"a document", Documents, func(w io.Writer) { io.WriteString(w, strings.Repeat("x", 20<<20)) }, 1},
		{"blank lines in a record", DotBracket, func(w io.Writer) { io.WriteString(w, ">a\nGC\n"+strings.Repeat("\n", 20<<20)+"()\n") }, 0},
		{"a tag", Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1>"+strings.Repeat("x", 20<<20))
		}, 0},
		{"topics", Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1><TOPICS>"+strings.Repeat("<D>a</D>\n", 1<<20)+"</TOPICS></REUTERS>\n")
		}, 0},
		{"text between tags", Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1><TEXT>"+strings.Repeat(strings.Repeat("x", 1<<16)+"<b>\n", 300)+"</TEXT></REUTERS>\n")
		}, 0},
	} {
		_, err := Read(packed(t, c.write), c.name, Options{Format: c.format, LabelLists: true})
		wantTooLarge(t, c.name, err, c.line)
	}
}

// So are tables, of which each line is kept.
func TestTablesBeyondMemory(t *testing.T) {
	heaptest.Limit(t, 16<<20)
	const lines = 200_000
	each := func(line string) func(w io.Writer) {
		return func(w io.Writer) {
			for i := range lines {
				fmt.Fprintf(w, line, i)
			}
		}
	}
	transcripts := func(r io.Reader, name string) error { _, err := ReadAnnotation(r, name); return err }
	for _, c := range []struct {
		name  string
		write func(w io.Writer)
		read  func(r io.Reader, name string) error
	}{
		{"labels", each("%d\ta\n"), func(r io.Reader, name string) error { _, err := ReadLabels(r, name); return err }},
		{"groups", each("%d\ta\n"), func(r io.Reader, name string) error { _, err := ReadGroups(r, name); return err }},
		{"intervals", each("a\t%d\t1000000\n"), func(r io.Reader, name string) error { _, err := ReadBED(r, name); return err }},
		{"names of intervals", func(w io.Writer) {
			for range 300 {
				fmt.Fprintf(w, "a\t1\t2\t%s\n", strings.Repeat("x", 1<<17))
			}
		}, func(r io.Reader, name string) error { _, err := ReadBED(r, name); return err }},
		{"places", each("a\t1%d\t+\n"), func(r io.Reader, name string) error { _, err := ReadPoints(r, name); return err }},
		{"transcripts", each("a\t\texon\t1\t2\t.\t+\t.\tParent=%d\n"), transcripts},
		{"exons", each("a\t\texon\t1%d\t2000000\t.\t+\t.\tParent=x\n"), transcripts},
		{"parents", func(w io.Writer) {
			fmt.Fprintf(w, "a\t\texon\t1\t2\t.\t+\t.\tParent=1")
			for i := range 60_000 {
				fmt.Fprintf(w, ",%d", i)
			}
		}, transcripts},
		{"blocks.bed", each("a\t1\t2\t%d\t0\t+\t1\t1\t0\t1\t1\t0\n"), transcripts},
	} {
		wantTooLarge(t, c.name, c.read(packed(t, c.write), c.name), 0)
	}
}

// Names of sequences, sources and types are kept to be shared, but not whatever they take.
func TestNamesOfFeaturesAreForgotten(t *testing.T) {
	g, err := NewGFFReader(packed(t, func(w io.Writer) {
		for i := range 1000 {
			fmt.Fprintf(w, "a\t%d%s\texon\t1\t2\t.\t+\t.\n", i, strings.Repeat("x", 1<<17))
		}
	}), "a.gff")
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for {
		if _, err := g.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		held := 0
		for name := range g.intern {
			held += len(name)
		}
		if held > 5<<20 {
			t.Fatalf("%d bytes of names are kept at line %d", held, g.rows.lines.line)
		}
	}
}

// A stream, and an input in batches, may have descriptions beyond the memory: they are not kept.
func TestDescriptionsAreNotKept(t *testing.T) {
	heaptest.Limit(t, 16<<20)
	const records = 300
	input := func() io.Reader {
		return packed(t, func(w io.Writer) {
			for i := range records {
				fmt.Fprintf(w, ">%d %s\nA\n", i, strings.Repeat("x", 1<<17))
			}
		})
	}
	n := 0
	if err := Stream(input(), "a.fa", StreamOptions{Size: 10}, func(Chunk) error { n++; return nil }); err != nil || n != records {
		t.Errorf("a stream: %v after %d records", err, n)
	}
	n = 0
	if err := Batches(input(), "a.fa", Options{}, 64, func(s *Set) error { n += s.Len(); return nil }); err != nil || n != records {
		t.Errorf("batches: %v after %d records", err, n)
	}
}

// Trees of a small compressed file are refused before their nodes take more than there is. Every text alone is within the limit.
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
		_, err := Read(strings.NewReader(text), string(syntax), Options{Format: Documents, Tree: trees.Options{Syntax: syntax}})
		wantTooLarge(t, string(syntax), err, 0)
	}
}

// A record of more letters than kernels index is refused by line, in one piece or in several, where all records together may have more.
func TestLongRecord(t *testing.T) {
	read := func(text string) error {
		c := newCollector("a.fa", Options{}, FASTA, 0)
		c.longest = 8
		return parseFASTA(newLineReader(strings.NewReader(text)), c)
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
