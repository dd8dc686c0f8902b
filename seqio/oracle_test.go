package seqio_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/biogo/biogo/alphabet"
	bio "github.com/biogo/biogo/io/seqio"
	"github.com/biogo/biogo/io/seqio/fasta"
	"github.com/biogo/biogo/io/seqio/fastq"
	"github.com/biogo/biogo/seq/linear"
	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// drawRecords draws records with distinct ids. Sequences have at least shortest letters.
func drawRecords(t *rapid.T, shortest int) []record {
	n := rapid.IntRange(1, 12).Draw(t, "records")
	out := make([]record, n)
	for i := range out {
		out[i] = record{
			id:       fmt.Sprintf("%s_%d", rapid.StringMatching(`[!-~]{0,6}`).Draw(t, "id"), i),
			sequence: rapid.StringMatching(fmt.Sprintf(`[A-Za-z*.-]{%d,90}`, shortest)).Draw(t, "sequence"),
		}
		if rapid.Bool().Draw(t, "described") {
			out[i].description = rapid.StringMatching(`[!-~]([ -~]{0,10}[!-~])?`).Draw(t, "description")
		}
	}
	return out
}

// header returns the text after the first byte of a header line.
func (r record) header() string {
	if r.description == "" {
		return r.id
	}
	return r.id + " " + r.description
}

// drawFASTA lays the records out in some valid way.
func drawFASTA(t *rapid.T, records []record) string {
	end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
	var b strings.Builder
	blank := func() {
		for range rapid.IntRange(0, 1).Draw(t, "blank lines") {
			b.WriteString(end)
		}
	}
	for _, r := range records {
		blank()
		b.WriteString(">" + r.header() + end)
		width := rapid.IntRange(1, 40).Draw(t, "width")
		for x := r.sequence; x != ""; x = x[min(width, len(x)):] {
			b.WriteString(x[:min(width, len(x))] + end)
		}
	}
	blank()
	if rapid.Bool().Draw(t, "no last line end") {
		return strings.TrimSuffix(b.String(), end)
	}
	return b.String()
}

// readBiogo returns what a biogo reader makes of an input, with letters in upper case as ours are.
func readBiogo(t *rapid.T, r bio.Reader) []record {
	var out []record
	scanner := bio.NewScanner(r)
	for scanner.Next() {
		s := scanner.Seq()
		var letters []byte
		for i := s.Start(); i < s.End(); i++ {
			letters = append(letters, byte(s.At(i).L))
		}
		out = append(out, record{id: s.Name(), description: s.Description(),
			sequence: strings.ToUpper(string(letters))})
	}
	if scanner.Error() != nil {
		t.Fatalf("biogo: %v", scanner.Error())
	}
	return out
}

// asRead keeps every letter, as biogo does: of what passes for DNA or RNA, U would be read as T or T as U.
var asRead = seqio.Options{Alphabet: stringkernel.Protein}

// plain drops from our records what biogo does not know.
func plain(records []record) []record {
	out := slices.Clone(records)
	for i := range out {
		out[i].label, out[i].line = "", 0
		out[i].sequence = strings.ToUpper(out[i].sequence)
	}
	return out
}

// What biogo reads, and what it reads of what is written, is read here.
func TestFASTAEqualsBiogo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t, 0)
		text := drawFASTA(t, records)
		s := must.Get(seqio.Read(strings.NewReader(text), "a.fa", asRead))(t)
		template := linear.NewSeq("", nil, alphabet.Protein)
		theirs := readBiogo(t, fasta.NewReader(strings.NewReader(text), template))
		if got := plain(recordsOf(s)); !slices.Equal(got, theirs) || !slices.Equal(got, plain(records)) {
			t.Fatalf("%q\ngot   %v\nbiogo %v", text, got, theirs)
		}
		lines := strings.Split(text, "\n")
		for i, line := range s.Lines {
			if !strings.HasPrefix(lines[line-1], ">"+s.Corpus.Name(i)) {
				t.Fatalf("record %d is said to begin on line %d, which is %q", i, line, lines[line-1])
			}
		}
		opt := asRead
		opt.Case = seqio.CaseKept
		kept := must.Get(seqio.Read(strings.NewReader(text), "a.fa", opt))(t)
		width := rapid.IntRange(0, 50).Draw(t, "width")
		var out bytes.Buffer
		must.Succeed(t, seqio.WriteFASTA(&out, kept, width))
		for _, line := range strings.Split(out.String(), "\n") {
			if width > 0 && !strings.HasPrefix(line, ">") && len(line) > width {
				t.Fatalf("line of %d letters, want ≤ %d", len(line), width)
			}
		}
		if back := readBiogo(t, fasta.NewReader(&out, template)); !slices.Equal(back, theirs) {
			t.Fatalf("biogo reads %v of what was written, want %v", back, theirs)
		}
		collected := must.Get(seqio.FromBiogo(fasta.NewReader(strings.NewReader(text), template), "biogo", asRead))(t)
		if got := plain(recordsOf(collected)); !slices.Equal(got, theirs) {
			t.Fatalf("FromBiogo %v\nbiogo %v", got, theirs)
		}
	})
}

// biogo reads the four-line form, and no empty reads.
func TestFASTQEqualsBiogo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t, 1)
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		var b strings.Builder
		for _, r := range records {
			plus := "+"
			if rapid.Bool().Draw(t, "repeat header") {
				plus += r.header()
			}
			quality := rapid.StringMatching(fmt.Sprintf(`[!-~]{%d}`, len(r.sequence))).Draw(t, "quality")
			b.WriteString("@" + r.header() + end + r.sequence + end + plus + end + quality + end)
		}
		s := must.Get(seqio.Read(strings.NewReader(b.String()), "a.fq", asRead))(t)
		template := linear.NewQSeq("", nil, alphabet.Protein, alphabet.Sanger)
		theirs := readBiogo(t, fastq.NewReader(strings.NewReader(b.String()), template))
		if got := plain(recordsOf(s)); !slices.Equal(got, theirs) {
			t.Fatalf("%q\ngot   %v\nbiogo %v", b.String(), got, theirs)
		}
	})
}
