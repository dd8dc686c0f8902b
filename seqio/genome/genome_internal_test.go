package genome

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/seqio"
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
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
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
		seqs := map[string]string{}
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "line end")
		for i := range rapid.IntRange(1, 4).Draw(rt, "records") {
			name := fmt.Sprintf("chr%d", i)
			seqs[name] = rapid.StringOfN(rapid.SampledFrom([]rune("ACGTNacgt")), 0, 60, -1).Draw(rt, name)
			w.add(name, seqs[name], rapid.IntRange(1, 25).Draw(rt, "width"), end)
		}
		fasta := w.fasta.String()
		if rapid.Bool().Draw(rt, "no line end at the end") {
			fasta = strings.TrimSuffix(fasta, end)
		}
		softMask := rapid.Bool().Draw(rt, "soft mask")
		for way, files := range map[string]map[string]string{
			"index":      {"g.fa": fasta, "g.fa.fai": w.index.String()},
			"no index":   {"g.fa": fasta},
			"compressed": {"g.fa": gzipText(fasta), "g.fa.fai": w.index.String()},
			"irregular":  {"g.fa": strings.ReplaceAll(fasta, "A", "A\n\n")},
			"comment":    {"g.fa": ";made by hand\n" + fasta},
		} {
			g, err := Open(writeGenome(t, files), caseOf(softMask))
			if err != nil {
				rt.Fatalf("%s: %v", way, err)
			}
			if names := g.Names(); len(names) != len(seqs) || names[0] != "chr0" {
				rt.Fatalf("%s: names %v", way, names)
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
			if err := g.Close(); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

// FuzzGenome indexes any bytes: opening and reading end in an error or in what Read gives.
func FuzzGenome(f *testing.F) {
	f.Add([]byte(">one x\nACGTA\nCGT\n>two\nTTTTT\n"), []byte("one\t8\t7\t5\t6\ntwo\t5\t22\t5\t6\n"))
	f.Add([]byte(">a\nA\n\nC\n"), []byte{})
	f.Add([]byte(">a\r\nAC\r\nG"), []byte("a\t3\t4\t2\t4\n"))
	f.Fuzz(func(t *testing.T, fasta, index []byte) {
		path := writeGenome(t, map[string]string{"g.fa": string(fasta)})
		if len(index) > 0 {
			if err := os.WriteFile(path+".fai", index, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		g, err := Open(path, seqio.CaseKept)
		if err != nil {
			return
		}
		defer g.Close()
		whole, wholeErr := seqio.ReadFile(path, seqio.Options{Format: seqio.FASTA, Case: seqio.CaseKept})
		for name := range g.row {
			length, _ := g.Length(name)
			got, err := g.AppendSlice(nil, name, 0, length)
			if len(index) > 0 || wholeErr != nil || err != nil {
				continue // the index may be another file's; a part of the file may be in order
			}
			if want := whole.Corpus.Seq(g.row[name]); !bytes.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", name, got, want)
			}
		}
	})
}
