package genome_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// wrapped is a FASTA text with its index, both written from their definitions.
type wrapped struct{ fasta, index strings.Builder }

// add appends a record with lines of the given width and line end.
func (w *wrapped) add(name, seq string, width int, end string) {
	w.fasta.WriteString(">" + name + " some description" + end)
	fmt.Fprintf(&w.index, "%s\t%d\t%d\t%d\t%d\n", name, len(seq), w.fasta.Len(), width, width+len(end))
	for len(seq) > 0 {
		n := min(width, len(seq))
		w.fasta.WriteString(seq[:n] + end)
		seq = seq[n:]
	}
}

// writeGenome writes files into a new folder and returns the path of the FASTA file.
func writeGenome(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return filepath.Join(dir, "g.fa")
}

func caseOf(masked bool) seqio.Case {
	if masked {
		return seqio.CaseKept
	}
	return seqio.CaseUpper
}

func gzipText(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// TestGenomeSlices compares every way into a file with slices of the sequences it was made of.
func TestGenomeSlices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var w wrapped
		var names []string
		seqs := map[string]string{}
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "line end")
		for i := range rapid.IntRange(1, 4).Draw(rt, "records") {
			name := fmt.Sprintf("chr%d", i)
			names = append(names, name)
			seqs[name] = rapid.StringOfN(rapid.SampledFrom([]rune("ACGTNacgtn")), 0, 60, -1).Draw(rt, name)
			w.add(name, seqs[name], rapid.IntRange(1, 25).Draw(rt, "width"), end)
		}
		fasta := w.fasta.String()
		if rapid.Bool().Draw(rt, "no line end at the end") {
			fasta = strings.TrimSuffix(fasta, end)
		}
		softMask := rapid.Bool().Draw(rt, "soft mask")
		blocks, places := blocksOf(fasta, rapid.IntRange(1, 70).Draw(rt, "block"))
		order := rapid.SampledFrom([]binary.ByteOrder{binary.LittleEndian, binary.BigEndian}).Draw(rt, "order")
		for way, files := range map[string]map[string]string{
			"index":      {"g.fa": fasta, "g.fa.fai": w.index.String()},
			"no index":   {"g.fa": fasta},
			"compressed": {"g.fa": gzipText(fasta), "g.fa.fai": w.index.String()},
			"irregular":  {"g.fa": strings.ReplaceAll(fasta, "A", "A\n\n")},
			"comment":    {"g.fa": ";made by hand\n" + fasta},
			"BGZF":       {"g.fa": blocks, "g.fa.gzi": places, "g.fa.fai": w.index.String()},
			"2bit":       {"g.fa": twoBitOf(order, names, seqs)},
		} {
			g := must.Get(genome.Open(writeGenome(t, files), caseOf(softMask)))(rt)
			if !slices.Equal(g.Names(), names) {
				rt.Fatalf("%s: names %v", way, g.Names())
			}
			for name, seq := range seqs {
				if !softMask {
					seq = strings.ToUpper(seq)
				}
				if n, found := g.Length(name); n != len(seq) || !found {
					rt.Fatalf("%s: length of %s is %d, %v, want %d", way, name, n, found, len(seq))
				}
				start := rapid.IntRange(0, len(seq)).Draw(rt, "start")
				stop := rapid.IntRange(start, len(seq)).Draw(rt, "stop")
				got, err := g.AppendSlice([]byte("before"), name, start, stop)
				if want := "before" + seq[start:stop]; err != nil || string(got) != want {
					rt.Fatalf("%s: %s[%d:%d] = %q, %v, want %q", way, name, start, stop, got, err, want)
				}
			}
			must.Succeed(rt, g.Close())
		}
	})
}

func TestGenomeErrors(t *testing.T) {
	const fasta = ">one x\nACGTA\nCGT\n>two\nTTTTT\n"
	const index = "one\t8\t7\t5\t6\ntwo\t5\t22\t5\t6\n"
	for _, c := range []struct {
		why, fasta, index string
		want              string // in the error of opening, or of the first letters of two
	}{
		{"empty", "", "", "g.fa: the file is empty"},
		{"no header", "ACGT\n", "", "g.fa:1: expected '>'"},
		{"no id", ">\nACGT\n", "", "g.fa:1: header without an id"},
		{"twice", ">a\nA\n>a\nC\n", "", `record "a": records 1 and 2 have the same name`},
		{"lone CR", ">a\rACGT\r", "", "lone CR"},
		{"a digit", ">two\nAC9T\n", "", `g.fa: record "two": digit '9' in the sequence, letter 3`},
		{"no such record", ">one\nACGT\n", "", `there is no record "two"`},
		{"too short a record", ">two\nACG\n", "", `record "two": letters 1 to 4, want a range within its 3`},
		{"too few columns", fasta, "one\t8\t7\t5\n", "g.fa.fai:1: 4 columns, want 5"},
		{"no number", fasta, "one\t8\t7\t5\tx\n", `g.fa.fai:1: column 5 is "x"`},
		{"a negative number", fasta, "one\t8\t-7\t5\t6\n", "want numbers ≥ 0"},
		{"no name", fasta, "\t8\t7\t5\t6\n", "g.fa.fai:1: empty name"},
		{"no letters per line", fasta, "one\t8\t7\t0\t6\n", "0 letters per line"},
		{"no line end", fasta, "one\t8\t7\t5\t5\n", "5 letters per line of 5 bytes"},
		{"too long", fasta, "one\t8\t7\t5\t6\ntwo\t50\t22\t5\t6\n",
			"g.fa.fai:2: 50 letters at byte 22 do not fit a file of 28 bytes"},
		{"huge numbers", fasta, "one\t9223372036854775807\t7\t1\t9223372036854775807\n", "do not fit"},
		{"too long for a sum", fasta, fmt.Sprintf("one\t%d\t7\t%[1]d\t%[1]d\n", math.MaxInt64),
			"g.fa.fai:1: 9223372036854775807 letters at byte 7 do not fit a file of 28 bytes"},
		{"twice in the index", fasta, index + "one\t8\t7\t5\t6\n", `g.fa.fai:3: record "one": records 1 and 3`},
		{"another name", fasta, "one\t8\t7\t5\t6\ntwo\t8\t7\t5\t6\n", "g.fa.fai:2: record \"two\": does not fit"},
		{"shorter by a letter", fasta, "two\t4\t22\t5\t6\n", "does not fit"},
		{"shorter by a line", ">two\nTTTTT\nTT\n", "two\t5\t5\t5\t6\n", "does not fit"},
		{"no record in the index", fasta, "\n", "g.fa.fai: no records; rebuild the index"},
		{"another place", fasta, "two\t5\t21\t5\t6\n", "does not fit"},
		{"another width", fasta, "two\t5\t22\t3\t4\n", "does not fit"},
	} {
		files := map[string]string{"g.fa": c.fasta}
		if c.index != "" {
			files["g.fa.fai"] = c.index
		}
		g, err := genome.Open(writeGenome(t, files), seqio.CaseUpper)
		if err == nil {
			_, err = g.AppendSlice(nil, "two", 0, 4)
			g.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := genome.Open(filepath.Join(t.TempDir(), "none.fa"), seqio.CaseUpper); err == nil ||
		!strings.Contains(err.Error(), "none.fa: no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

// TestGenomeLongHeader: a header longer than the first look back at it.
func TestGenomeLongHeader(t *testing.T) {
	header := ">one " + strings.Repeat("x", 10000) + "\n"
	path := writeGenome(t, map[string]string{"g.fa": ">zero\nA\n" + header + "ACGT\n",
		"g.fa.fai": fmt.Sprintf("one\t4\t%d\t4\t5\n", 8+len(header))})
	g := must.Get(genome.Open(path, seqio.CaseUpper))(t)
	defer g.Close()
	if got, err := g.AppendSlice(nil, "one", 1, 3); err != nil || string(got) != "CG" {
		t.Errorf("%q, %v", got, err)
	}
}

// FuzzGenome indexes any bytes: opening and reading end in an error or in what Read gives.
func FuzzGenome(f *testing.F) {
	f.Add([]byte(">one x\nACGTA\nCGT\n>two\nTTTTT\n"), []byte("one\t8\t7\t5\t6\ntwo\t5\t22\t5\t6\n"))
	f.Add([]byte(">a\nA\n\nC\n"), []byte{})
	f.Add([]byte(">a\r\nAC\r\nG"), []byte("a\t3\t4\t2\t4\n"))
	f.Fuzz(func(t *testing.T, fasta, index []byte) {
		path := writeGenome(t, map[string]string{"g.fa": string(fasta)})
		if len(index) > 0 {
			must.Succeed(t, os.WriteFile(path+".fai", index, 0o666))
		}
		g, err := genome.Open(path, seqio.CaseKept)
		if err != nil {
			return
		}
		defer g.Close()
		whole, wholeErr := seqio.ReadFile(path, seqio.Options{Format: seqio.FASTA, Case: seqio.CaseKept})
		for row, name := range g.Names() {
			length, _ := g.Length(name)
			got, err := g.AppendSlice(nil, name, 0, length)
			if len(index) > 0 || wholeErr != nil || err != nil {
				continue // the index may be another file's; a part of the file may be in order
			}
			if want := whole.Corpus.Seq(row); !bytes.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", name, got, want)
			}
		}
	})
}
