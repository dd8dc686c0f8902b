package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shards of predict, scan and kernel are joined to the bytes of the run without --shard, in every format, compressed or
// not, with the index of tabix too.
func TestShards(t *testing.T) {
	defer func(size int) { pieceSize = size }(pieceSize)
	pieceSize = 1 << 10
	folder := t.TempDir()
	t.Chdir(folder)
	rng := rand.New(rand.NewPCG(1, 2))
	writeFile(t, "a.fa", randomFASTA(rng, "a", 120, 30)+">empty\n\n")
	writeFile(t, "b.fa", randomFASTA(rng, "b", 33, 90))
	writeFile(t, "genome.fa", randomFASTA(rng, "chr", 2, 50_000)+randomFASTA(rng, "short", 2, 9))
	mustTool(t, "train", "-q", "--kernel", "spectrum:k=3", "--pos", "a.fa", "--neg", "b.fa", "-o", "m.seqsvm")
	scan := []string{"scan", "-q", "-m", "m.seqsvm", "--window", "40", "--min-score", "0.9", "genome.fa"}
	for name, args := range map[string][]string{
		"p.tsv":      {"predict", "-q", "-m", "m.seqsvm", "a.fa", "b.fa"},
		"p.tsv.gz":   {"predict", "-q", "-m", "m.seqsvm", "a.fa"},
		"p.json":     {"predict", "-q", "-m", "m.seqsvm", "--format", "json", "a.fa", "b.fa"},
		"raw.tsv":    {"predict", "-q", "-m", "m.seqsvm", "--raw", "b.fa"},
		"s.bed":      append(scan, "--track", "x"),
		"s.bed.gz":   append(scan, "--track", "x"),
		"s.bg.gz":    append(scan, "--format", "bedgraph"),
		"s.gff":      append(scan, "--format", "gff3", "--anchor", "AC", "--offset", "3"),
		"s.json.zst": append(scan, "--format", "json", "--strand", "-", "--step", "7"),
		"top.bed":    append(scan, "--top", "25", "--track", "x"),
		"sup.bed.gz": append(scan, "--suppress", "30"),
		"st.gff":     append(scan, "--format", "gff3", "--suppress", "50", "--top", "9"),
		"merge.bg":   append(scan, "--format", "bedgraph", "--merge"),
		"mt.json":    append(scan, "--format", "json", "--merge", "--top", "40", "--digits", "4"),
		"site.bed":   append(scan, "--site", "donor", "--offset", "7", "--anchor", "GT"),
		"site.bg.gz": append(scan, "--format", "bedgraph", "--site", "acceptor", "--offset", "11"),
		"none.bed":   append(scan, "--min-score", "900", "--top", "3"),
		"k.tsv":      {"kernel", "-q", "--kernel", "spectrum:k=3", "a.fa"},
		"k.npy":      {"kernel", "-q", "--kernel", "gapped:l=4,k=3", "--format", "npy", "b.fa", "a.fa"},
		"k.json":     {"kernel", "-q", "--kernel", "spectrum:k=3", "--format", "json", "a.fa", "b.fa"},
		"k.libsvm":   {"kernel", "-q", "--kernel", "wd:d=2", "--format", "libsvm", "b.fa"},
	} {
		mustTool(t, append(args, "-o", name)...)
		for _, of := range []int{2, 7} {
			merge := []string{"merge", "-q", "-o", "joined-" + name}
			for i := of; i >= 1; i-- {
				path := fmt.Sprintf("%d-%d-%s", i, of, name)
				mustTool(t, append(args, "--shard", fmt.Sprintf("%d/%d", i, of), "-o", path)...)
				merge = append(merge, path)
			}
			mustTool(t, merge...)
			files := []string{name}
			if strings.HasSuffix(name, ".gz") && name[0] == 's' {
				files = append(files, name+".tbi")
			}
			for _, file := range files {
				if string(readFile(t, "joined-"+file)) != string(readFile(t, file)) {
					t.Errorf("%d shards: %s differs", of, file)
				}
			}
		}
	}
}

func randomFASTA(rng *rand.Rand, name string, records, length int) string {
	var text strings.Builder
	for i := range records {
		fmt.Fprintf(&text, ">%s%d\n", name, i)
		for range length {
			text.WriteByte("ACGT"[rng.IntN(4)])
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
