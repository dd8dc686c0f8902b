package seqio

import (
	"bytes"
	"strings"
	"testing"
)

// checkStream compares chunks with records.
func checkStream(t interface{ Fatalf(string, ...any) }, text []byte, opt StreamOptions, want *Set) {
	var record []byte
	records, start := 0, 0
	err := Stream(bytes.NewReader(text), "x.fa", opt, func(c Chunk) error {
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

// Of a long stream the ids of the first records alone are kept and compared, and no limit is met.
func TestStreamOfManyRecords(t *testing.T) {
	defer func(n int) { comparedIDs = n }(comparedIDs)
	comparedIDs = 3
	opt := StreamOptions{Size: 4}
	const many = 100_000
	text := ">a\nA\n>b\nA\n>c\nA\n" + strings.Repeat(">a\nACGTA\n", many)
	records := 0
	err := Stream(strings.NewReader(text), "x.fa", opt, func(c Chunk) error {
		if c.Last {
			records++
		}
		return nil
	})
	if err != nil || records != many+3 {
		t.Errorf("%d records, %v", records, err)
	}
	err = Stream(strings.NewReader(">a\nA\n>b\nA\n>a\nA\n"), "x.fa", opt, func(Chunk) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "duplicate id") {
		t.Errorf("%v, want a duplicate id", err)
	}
}
