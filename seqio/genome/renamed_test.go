package genome_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

func TestRenamed(t *testing.T) {
	path := writeGenome(t, map[string]string{"g.fa": ">chr1\nA\n>2\nCC\n>MT\nGGG\n>chrX\nT\n>X\nTT\n"})
	g := must.Get(genome.Open(path, seqio.CaseUpper))(t)
	defer g.Close()
	table := must.Get(seqio.ReadNames(strings.NewReader("# names\nNC_2\t2\nchr2\tchr1\nlost\tnone\n"), "n.tsv"))(t)
	r := genome.NewRenamed(g, table)
	for name, length := range map[string]int{"chr1": 1, "1": 1, "2": 2, "NC_2": 2, "chr2": 1, "MT": 3, "M": 3, "chrM": 3,
		"chrMT": 3, "chrX": 1, "X": 2, "lost": -1, "3": -1, "chr": -1, "": -1} {
		n, found := r.Length(name)
		if found != (length >= 0) || found && n != length {
			t.Errorf("%s: %d letters, %t, want %d", name, n, found, length)
		}
		if found {
			if letters, err := r.AppendSlice(nil, name, 0, n); len(letters) != length || err != nil {
				t.Errorf("%s: %s, %v", name, letters, err)
			}
		}
	}
}

func TestDiffering(t *testing.T) {
	g := must.Get(genome.Open(writeGenome(t, map[string]string{"g.fa": ">1\nA\n>2\nA\n>3\nA\n"}), seqio.CaseUpper))(t)
	defer g.Close()
	r := genome.NewRenamed(g, nil)
	for _, name := range []string{"chr3", "none", "1", "chr1", "chr3", "2"} {
		r.Length(name)
	}
	if got, want := r.Differing(), []string{"chr1 is 1", "chr3 is 3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPlacesInOrder: pieces near each other, which are read ahead, are those of the sequence; a bad letter is an error
// only where it was asked for.
func TestPlacesInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	letters := make([]byte, 60_000)
	for i := range letters {
		letters[i] = "ACGTNacgt"[rng.IntN(9)]
	}
	seqs := map[string]string{"chr1": string(letters[:50_000]), "chr2": string(letters[50_000:])}
	var w wrapped
	w.add("chr1", seqs["chr1"], 61, "\n")
	w.add("chr2", seqs["chr2"], 60, "\n")
	const bad = 2_000
	broken := strings.Replace(w.fasta.String(), seqs["chr2"][bad-20:bad], seqs["chr2"][bad-20:bad-1]+"1", 1)
	for way, files := range map[string]map[string]string{
		"index": {"g.fa": w.fasta.String(), "g.fa.fai": w.index.String()}, "no index": {"g.fa": w.fasta.String()},
		"2bit":   {"g.fa": twoBitOf(binary.LittleEndian, []string{"chr1", "chr2"}, seqs)},
		"broken": {"g.fa": broken},
	} {
		g := must.Get(genome.Open(writeGenome(t, files), seqio.CaseKept))(t)
		for range 3 {
			for name, seq := range seqs {
				for at := 0; at < len(seq); at += rng.IntN(700) {
					end := min(len(seq), at+rng.IntN(50))
					got, err := g.AppendSlice([]byte("x"), name, at, end)
					if way == "broken" && name == "chr2" && at < bad && end >= bad {
						if err == nil || !strings.Contains(err.Error(), "letter 2000") {
							t.Fatalf("%s %d: %v", way, at, err)
						}
					} else if err != nil || string(got) != "x"+seq[at:end] {
						t.Fatalf("%s, %s %d to %d: %s, %v", way, name, at, end, got, err)
					}
				}
			}
		}
		g.Close()
	}
}
