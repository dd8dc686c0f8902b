//go:build heap

package seqio_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// What a small compressed file expands to is refused, with its line, before it exhausts the memory.
func TestHeapOfInputBeyondMemory(t *testing.T) {
	heaptest.Limit(t, 32<<20)
	for _, c := range []struct {
		name   string
		format seqio.Format
		write  func(w io.Writer)
		line   int
	}{
		{"records without letters", seqio.Lines, func(w io.Writer) { io.WriteString(w, strings.Repeat("\n", 300_000)) }, 0},
		{"letters of one record", seqio.FASTA, func(w io.Writer) {
			io.WriteString(w, ">a\n"+strings.Repeat(strings.Repeat("A", 1<<16)+"\n", 300))
		}, 257}, // a header, and 256 lines of 2¹⁶ letters, which twice are the 32 MiB: there is no room for the id
		{"descriptions", seqio.FASTA, func(w io.Writer) {
			for i := range 300 {
				fmt.Fprintf(w, ">%d %s\nA\n", i, strings.Repeat("x", 1<<17))
			}
		}, 0},
		{"labels", seqio.TSV, func(w io.Writer) {
			for i := range 300 {
				fmt.Fprintf(w, "%d%s\tx\n", i, strings.Repeat("x", 1<<17))
			}
		}, 0},
		{"a line", seqio.Lines, func(w io.Writer) { io.WriteString(w, "x\n"+strings.Repeat("x", 20<<20)) }, 2},
		{"columns", seqio.TSV, func(w io.Writer) { io.WriteString(w, "a\tb\n"+strings.Repeat("\t", 1<<20)) }, 2},
		{"a record of CSV", seqio.CSV, func(w io.Writer) { io.WriteString(w, "text\n\""+strings.Repeat("x", 20<<20)) }, 2},
		{"fields of CSV", seqio.CSV, func(w io.Writer) { io.WriteString(w, "text\n"+strings.Repeat(",", 1<<20)) }, 2},
		{"a list of labels", seqio.JSONL, func(w io.Writer) {
			io.WriteString(w, `{"text":"","label":[`+strings.Repeat("1,", 1<<20)+"1]}\n")
		}, 1},
		{"labels of KeLP", seqio.KeLP, func(w io.Writer) { io.WriteString(w, strings.Repeat("a ", 1<<20)+"|BT| (a) |ET|\n") },
			1},
		{"a document", seqio.Documents, func(w io.Writer) { io.WriteString(w, strings.Repeat("x", 20<<20)) }, 1},
		{"blank lines in a record", seqio.DotBracket,
			func(w io.Writer) { io.WriteString(w, ">a\nGC\n"+strings.Repeat("\n", 20<<20)+"()\n") }, 0},
		{"a tag", seqio.Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1>"+strings.Repeat("x", 20<<20))
		}, 0},
		{"topics", seqio.Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1><TOPICS>"+strings.Repeat("<D>a</D>\n",
				1<<20)+"</TOPICS></REUTERS>\n")
		}, 0},
		{"text between tags", seqio.Reuters, func(w io.Writer) {
			io.WriteString(w, "<!DOCTYPE lewis>\n<REUTERS NEWID=1><TEXT>"+strings.Repeat(strings.Repeat("x",
				1<<16)+"<b>\n", 300)+"</TEXT></REUTERS>\n")
		}, 0},
	} {
		_, err := seqio.Read(inputtest.Packed(t, c.write), c.name, seqio.Options{Format: c.format, LabelLists: true})
		inputtest.WantTooLarge(t, c.name, err, c.line)
	}
}

// Trees of a small compressed file are refused before their nodes take more than there is. Every text alone is within
// the limit.
func TestHeapOfTreesBeyondMemory(t *testing.T) {
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
		_, err := seqio.Read(strings.NewReader(text), string(syntax),
			seqio.Options{Format: seqio.Documents, Tree: trees.Options{Syntax: syntax}})
		inputtest.WantTooLarge(t, string(syntax), err, 0)
	}
}
