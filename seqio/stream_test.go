package seqio_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// TestStreamEqualsRead: chunks put together are the records that Read gives, cut where they should be, whatever the
// line lengths.
func TestStreamEqualsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		for i := range rapid.IntRange(1, 5).Draw(t, "records") {
			fmt.Fprintf(&text, ">r%d some words\n", i)
			for _, line := range rapid.SliceOfN(rapid.StringMatching("[acgtnACGTN]{0,30} ?\r?"), 0, 6).Draw(t,
				"lines") {
				text.WriteString(line + "\n")
			}
		}
		opt := seqio.StreamOptions{Size: rapid.IntRange(1, 40).Draw(t, "size"),
			Overlap: rapid.IntRange(0, 20).Draw(t, "overlap"),
			Case:    rapid.SampledFrom([]seqio.Case{seqio.CaseAuto, seqio.CaseUpper, seqio.CaseKept}).Draw(t, "case")}
		want := must.Get(seqio.Read(bytes.NewReader(text.Bytes()), "x.fa", seqio.Options{Case: opt.Case}))(t)
		checkStream(t, text.Bytes(), opt, want)
	})
}

// checkStream compares chunks with records.
func checkStream(t interface{ Fatalf(string, ...any) }, text []byte, opt seqio.StreamOptions, want *seqio.Set) {
	var record []byte
	records, start := 0, 0
	err := seqio.Stream(bytes.NewReader(text), "x.fa", opt, func(c seqio.Chunk) error {
		if records >= want.Len() {
			t.Fatalf("more than %d records", want.Len())
		}
		whole := want.Corpus.Seq(records)
		switch {
		case c.Index != records || c.Record != want.Corpus.Name(records) || c.Start != start:
			t.Fatalf("chunk of record %d %q from %d, want %d from %d", c.Index, c.Record, c.Start, records, start)
		case !c.Last && len(c.Seq) != opt.Size+opt.Overlap, len(c.Seq) > opt.Size+opt.Overlap:
			t.Fatalf("chunk of %d letters, want %d + %d", len(c.Seq), opt.Overlap, opt.Size)
		case c.Start > 0 && len(c.Seq) <= opt.Overlap:
			t.Fatalf("chunk of %d letters has no new one", len(c.Seq))
		case c.Start > 0 && !bytes.Equal(record[c.Start:], c.Seq[:opt.Overlap]):
			t.Fatalf("chunk from %d of %q begins %q", c.Start, whole, c.Seq)
		}
		record = append(record[:c.Start], c.Seq...)
		start += opt.Size
		if c.Last {
			if !bytes.Equal(record, whole) {
				t.Fatalf("record %d is %q, want %q", records, record, whole)
			}
			record, start = record[:0], 0
			records++
		}
		return nil
	})
	if err != nil || records != want.Len() {
		t.Fatalf("%d records, want %d; error %v", records, want.Len(), err)
	}
}

// TestStreamLongLines: lines longer than the buffer, compressed.
func TestStreamLongLines(t *testing.T) {
	text := ">a\n" + strings.Repeat("acgtN", lines.BufferSize/2) + "\n>b\n\n>c\nACG"
	want := mustRead(t, text, "x.fa", seqio.Options{})
	checkStream(t, []byte(text), seqio.StreamOptions{Size: 1000, Overlap: 99}, want)
	checkStream(t, []byte(text), seqio.StreamOptions{Size: 3 * lines.BufferSize, Overlap: 7}, want)
}

// TestStreamFASTQ: the records of FASTQ, whatever their qualities look like, and without letters.
func TestStreamFASTQ(t *testing.T) {
	text := "@a\nacgtN\nACG\n+\n@@@@@\n+++\n@b\n\n+\n@c d\n" + strings.Repeat("T", lines.BufferSize+9) + "\n+c\n" +
		strings.Repeat("I", lines.BufferSize+9) + "\n"
	want := mustRead(t, text, "x.fq", seqio.Options{})
	checkStream(t, []byte(text), seqio.StreamOptions{Size: 3, Overlap: 2}, want)
	checkStream(t, []byte(text), seqio.StreamOptions{Size: 2 * lines.BufferSize}, want)
}

// TestStreamErrors: the errors of Read, in the same words.
func TestStreamErrors(t *testing.T) {
	opt := seqio.StreamOptions{Size: 2, Overlap: 1}
	for _, text := range []string{"", "\n\n", ">a\nACGT1\n", ">a\nAC\n>a\nGG\n", ">\nAC\n", ">a\nAC GT\n", ">a\n;x\n",
		">a\rACGT\r", "@a\nAC\n+\nI\n", "@a\nAC\n+\nII\n@b\nAC\n", "@a\nAC\n+\nII\n@a\nA\n+\nI\n",
		"\x1f\x8b\x08\x00xx"} {
		_, want := seqio.Read(strings.NewReader(text), "x.fa", seqio.Options{})
		got := seqio.Stream(strings.NewReader(text), "x.fa", opt, func(seqio.Chunk) error { return nil })
		if got == nil || got.Error() != want.Error() {
			t.Errorf("%q: error %v, want %v", text, got, want)
		}
	}
	err := seqio.Stream(strings.NewReader("ACGT\n"), "x", opt, func(seqio.Chunk) error { return nil })
	if err == nil || err.Error() != "x:1: expected '>' or '@', want FASTA or FASTQ" {
		t.Errorf("neither: error %v", err)
	}
	if err := seqio.Stream(strings.NewReader(">a\nAC\n"), "x", seqio.StreamOptions{}, nil); err == nil {
		t.Error("no error for a size of 0")
	}
	if err := seqio.Stream(nil, "none.fa", opt, nil); err == nil || !strings.Contains(err.Error(), "none.fa") {
		t.Errorf("missing file: %v", err)
	}
}

// TestStreamStops: an error of the visitor is returned as it is, wherever it comes, and nothing is visited after it.
func TestStreamStops(t *testing.T) {
	stop := errors.New("enough")
	for at := range 5 {
		var visited []string
		err := seqio.Stream(strings.NewReader(">a\nACGTACG\n>b\n>c\nAAA\n"), "x.fa", seqio.StreamOptions{Size: 3, Overlap: 1},
			func(c seqio.Chunk) error {
				visited = append(visited, fmt.Sprint(c.Record, c.Start))
				if len(visited) == at+1 {
					return stop
				}
				return nil
			})
		if want := []string{"a0", "a3", "b0", "c0"}; at < 4 && (err != stop || !slices.Equal(visited, want[:at+1])) ||
			at == 4 && err != nil {
			t.Errorf("stopped at %d: %v, error %v", at, visited, err)
		}
	}
}
