package main_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
)

// Shards of predict, scan, variants and kernel are joined to the bytes of the run without --shard, in every format,
// compressed or not, with the index of tabix too.
func TestShards(t *testing.T) {
	set(t, main.PieceSize, 1<<10)
	folder := t.TempDir()
	t.Chdir(folder)
	rng := rand.New(rand.NewPCG(1, 2))
	genome := randomFASTA(rng, "chr", 2, 3_000) + randomFASTA(rng, "short", 2, 9)
	writeFiles(t, map[string]string{"a.fa": randomFASTA(rng, "a", 120, 30) + ">empty\n\n",
		"b.fa": randomFASTA(rng, "b", 33, 90), "genome.fa": genome, "v.vcf": randomSNVs(rng, genome, 2_500)})
	mustTool(t, "train", "-q", "--kernel", "spectrum:k=3", "--pos", "a.fa", "--neg", "b.fa", "-o", "m.seqsvm")
	scan := []string{"scan", "-q", "-m", "m.seqsvm", "--window", "40", "--min-score", "0.9", "genome.fa"}
	at := slices.Index(scan, "--min-score") + 1
	variants := []string{"variants", "-q", "-m", "m.seqsvm", "--genome", "genome.fa", "v.vcf"}
	for name, args := range map[string][]string{
		"v.tsv":      append(variants, "--scores", "percentile,delta,max", "--null", "50"),
		"v.json.gz":  append(variants, "--format", "json", "-m", "two=m.seqsvm"),
		"v.vcf.gz":   append(variants, "--format", "vcf", "--threads", "1", "--scores", "decision"),
		"p.tsv":      {"predict", "-q", "-m", "m.seqsvm", "a.fa", "b.fa"},
		"p.tsv.gz":   {"predict", "-q", "-m", "m.seqsvm", "a.fa"},
		"p.json":     {"predict", "-q", "-m", "m.seqsvm", "--format", "json", "a.fa", "b.fa"},
		"raw.tsv":    {"predict", "-q", "-m", "m.seqsvm", "--raw", "b.fa"},
		"s.bed":      append(scan, "--track", "x"),
		"s.bed.gz":   append(scan, "--track", "x"),
		"s.bg.gz":    append(scan, "--format", "bedgraph"),
		"s.gff":      append(scan, "--format", "gff3", "--anchor", "AC", "--offset", "3"),
		"s.json.zst": append(scan, "--format", "json", "--strand", "-", "--step", "7"),
		"top.bed":    append(scan, "--top", "25", "--suppress", "0", "--track", "x"),
		"sup.bed.gz": append(scan, "--suppress", "30"),
		"st.gff":     append(scan, "--format", "gff3", "--suppress", "50", "--top", "9"),
		"merge.bg":   append(scan, "--format", "bedgraph", "--merge"),
		"mt.json":    append(scan, "--format", "json", "--merge", "--top", "40", "--digits", "4"),
		"site.bed":   append(scan, "--site", "donor", "--offset", "7", "--anchor", "GT"),
		"site.bg.gz": append(scan, "--format", "bedgraph", "--site", "acceptor", "--offset", "11"),
		"none.bed":   append(slices.Replace(slices.Clone(scan), at, at+1, "900"), "--suppress", "0", "--top", "3"),
		"k.tsv":      {"matrix", "gram", "-q", "--kernel", "spectrum:k=3", "a.fa"},
		"k.npy":      {"matrix", "gram", "-q", "--kernel", "gapped:l=4,k=3", "--format", "npy", "b.fa", "a.fa"},
		"k.json":     {"matrix", "gram", "-q", "--kernel", "spectrum:k=3", "--format", "json", "a.fa", "b.fa"},
		"k.libsvm":   {"matrix", "gram", "-q", "--kernel", "wd:d=2", "--format", "libsvm", "b.fa"},
	} {
		mustTool(t, append(args, "-o", name)...)
		merge := []string{"model", "merge", "-q", "-o", "joined-" + name}
		for i := 3; i >= 1; i-- {
			path := fmt.Sprintf("%d-%s", i, name)
			mustTool(t, append(args, "--shard", fmt.Sprintf("%d/3", i), "-o", path)...)
			merge = append(merge, path)
		}
		mustTool(t, merge...)
		files := []string{name}
		if strings.HasSuffix(name, ".gz") && name[0] == 's' {
			files = append(files, name+".tbi")
		}
		for _, file := range files {
			if mustRead(t, "joined-"+file) != mustRead(t, file) {
				t.Errorf("%s differs", file)
			}
		}
	}
}

// randomSNVs are variants of the first record of a genome, whose name is in another style.
func randomSNVs(rng *rand.Rand, genome string, variants int) string {
	var text strings.Builder
	text.WriteString("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\n")
	letters := strings.Split(genome, "\n")[1]
	for pos := range variants {
		fmt.Fprintf(&text, "0\t%d\tv\t%c\t%c\n", pos+1, letters[pos], "ACGT"[rng.IntN(4)])
	}
	return text.String()
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
