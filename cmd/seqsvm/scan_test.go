package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/bigwigtest"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
)

// siteModel writes a model of windows of 12 letters with AG after 7, and a genome.
func siteModel(t *testing.T) (model, genome string) {
	t.Helper()
	folder, rng := t.TempDir(), rand.New(rand.NewPCG(5, 5))
	letters := func(n int) string { return string(drawn.Text(rng, "ACGT", n)) }
	var training, chromosomes strings.Builder
	for i := range 20 {
		left := letters(7)
		if i%2 == 1 {
			left = "TTCTTC" + letters(1)
		}
		fmt.Fprintf(&training, ">w%d %d\n%sAG%s\n", i, i%2, left, letters(3))
	}
	fmt.Fprintf(&chromosomes, ">b\n%s\n>a\n%s\n", letters(700), letters(400))
	data := filepath.Join(folder, "train.fa")
	model, genome = filepath.Join(folder, "m.seqsvm"), filepath.Join(folder, "genome.fa")
	for path, text := range map[string]string{data: training.String(), genome: chromosomes.String()} {
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	}
	mustTool(t, "train", "--quiet", "--kernel", "wd:d=3", data, "-o", model)
	return model, genome
}

// Sites are the anchors of the windows, with their scores and strands, in order; a .gz has the same lines, in blocks
// with an index beside it.
func TestScanSites(t *testing.T) {
	model, genome := siteModel(t)
	scan := func(more ...string) string {
		return mustTool(t, append([]string{"scan", "--quiet", "-m", model, genome}, more...)...)
	}
	const term = "three_prime_cis_splice_site"
	var want []string
	for line := range strings.Lines(scan()) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		start := number(t, row[1]) + 7
		if row[5] == "-" {
			start = number(t, row[2]) - 9
		}
		want = append(want, fmt.Sprintf("%s\t%07d\t%d\t%s\t%s\t%s\t%s\n", row[0], start, start+2, term, row[4], row[5],
			row[6]))
	}
	slices.SortStableFunc(want, func(a, b string) int { // b before a, as in the file
		return strings.Compare(string('b'-a[0]+'a')+a[1:], string('b'-b[0]+'a')+b[1:])
	})
	var got []string
	text := scan("--site", "acceptor")
	for line := range strings.Lines(text) {
		row := strings.SplitN(line, "\t", 3)
		got = append(got, fmt.Sprintf("%s\t%07d\t%s", row[0], number(t, row[1]), row[2]))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%d sites, want %d\n%s", len(got), len(want), text)
	}
	path := filepath.Join(t.TempDir(), "sites.bed.gz")
	scan("--site", "acceptor", "-o", path)
	file := must.Get(os.ReadFile(path))(t)
	z := must.Get(gzip.NewReader(bytes.NewReader(file)))(t)
	unpacked, err := io.ReadAll(z)
	if err != nil || string(unpacked) != text {
		t.Errorf("%s has other lines, %v", path, err)
	}
	if index, err := os.Stat(path + ".tbi"); err != nil || index.Size() == 0 {
		t.Errorf("no index: %v", err)
	}
	if gff := scan("--site", "acceptor", "--format", "gff3", "--top", "1"); !strings.Contains(gff, "\t"+term+"\t") {
		t.Errorf("gff3 has another type: %s", gff)
	}
}

// bigWig has the values of bedGraph, of windows and of sites, with the lengths of the records or those of --sizes.
func TestScanBigWig(t *testing.T) {
	model, genome := siteModel(t)
	sizes := filepath.Join(t.TempDir(), "sizes")
	must.Succeed(t, os.WriteFile(sizes, []byte("b\t1000\na\t400\nc\t5\n"), 0o600))
	for _, more := range [][]string{nil, {"--anchor", "none"}, {"--site", "acceptor"}, {"--sizes", sizes}} {
		args := append([]string{"scan", "--quiet", "-m", model, genome}, more...)
		path := filepath.Join(t.TempDir(), "scores.bw")
		mustTool(t, append(args, "--format", "bigwig", "-o", path)...)
		file := must.Get(os.ReadFile(path))(t)
		f := must.Get(bigwigtest.Read(file))(t)
		var got strings.Builder
		for _, i := range f.Intervals {
			fmt.Fprintf(&got, "%s\t%d\t%d\t%.4f\n", i.Chromosome, i.Start, i.End, i.Value)
		}
		if more != nil && more[0] == "--sizes" {
			args = args[:len(args)-2]
			if chroms := f.Chromosomes; len(chroms) != 3 || chroms[0].Length != 1000 {
				t.Errorf("chromosomes %v, want those of --sizes", chroms)
			}
		}
		var want strings.Builder
		for line := range strings.Lines(mustTool(t, append(args, "--format", "bedgraph")...)) {
			row := strings.Split(strings.TrimSpace(line), "\t")
			fmt.Fprintf(&want, "%s\t%.4f\n", strings.Join(row[:3], "\t"), float32(float(t, row[3])))
		}
		if got.String() != want.String() || got.Len() == 0 {
			t.Errorf("%v: bigWig\n%s\nwant\n%s", more, got.String(), want.String())
		}
	}
}

// scan --substitutions writes the differences of variants for all substitutions, as arrays and as tracks.
func TestScanSubstitutions(t *testing.T) {
	model, _, _ := cutRecords(t)
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	chroms := []string{"ACGTTGCATTACAGGATNCCATGGA", "TTGCACCGATAGGACGTTGCACC"}
	genome := file("genome.fa", ">one\n"+chroms[0]+"\n>two\n"+chroms[1]+"\n")
	vcf := "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\n"
	for c, name := range []string{"one", "two"} {
		for i, ref := range chroms[c] {
			for _, alt := range "ACGT" {
				if alt != ref && ref != 'N' {
					vcf += fmt.Sprintf("%s\t%d\t.\t%c\t%c\n", name, i+1, ref, alt)
				}
			}
		}
	}
	want := map[string]float64{}
	for _, row := range tableRows(mustTool(t, "variants", "--quiet", "-m", model, "--genome", genome, "--digits", "17",
		file("all.vcf", vcf))) {
		want[row[1]+":"+row[2]+row[4]] = float(t, row[5])
	}
	regions := file("regions.bed", "two\t3\t9\none\t2\t5\none\t4\t7\n")
	for name, args := range map[string][]string{"all": nil, "some": {"--regions", regions}} {
		out := filepath.Join(folder, name, "arrays")
		mustTool(t, append([]string{"scan", "--quiet", "-m", model, "--substitutions", out, genome}, args...)...)
		seen := 0
		for _, row := range tableRows(string(must.Get(os.ReadFile(filepath.Join(out, "index.tsv")))(t))) {
			array := must.Get(os.ReadFile(filepath.Join(out, row[3])))(t)
			header := 10 + int(array[8]) + int(array[9])<<8
			for i, at := 0, number(t, row[1]); at < number(t, row[2]); i, at = i+1, at+1 {
				for b := range 4 {
					from := header + 4*(4*(number(t, row[4])+i)+b)
					got := float64(math.Float32frombits(binary.LittleEndian.Uint32(array[from:])))
					delta, scored := want[fmt.Sprintf("%s:%d%c", row[0], at+1, "ACGT"[b])]
					if scored == math.IsNaN(got) || scored && math.Abs(got-delta) > 1e-6 {
						t.Errorf("%s, %s:%d %c: %v, want %v", name, row[0], at+1, "ACGT"[b], got, delta)
					}
					if scored {
						seen++
					}
				}
			}
		}
		if all := map[string]int{"all": len(want), "some": 3 * (6 + 5)}; seen != all[name] {
			t.Errorf("%s: %d substitutions, want %d", name, seen, all[name])
		}
	}
	tracks := filepath.Join(folder, "tracks")
	mustTool(t, "scan", "--quiet", "-m", model, "--substitutions", tracks, "--format", "bigwig", genome)
	greatest := map[string]float64{}
	for _, base := range []string{"A", "C", "G", "T", "greatest"} {
		f := must.Get(bigwigtest.Read(must.Get(os.ReadFile(filepath.Join(tracks, base+".bw")))(t)))(t)
		for _, i := range f.Intervals {
			at := fmt.Sprintf("%s:%d", i.Chromosome, i.Start+1)
			value, known := want[at+base]
			if old, met := greatest[at]; base == "greatest" {
				value, known = old, met
			} else if !met || math.Abs(value) > math.Abs(old) {
				greatest[at] = value
			}
			if !known || math.Abs(float64(i.Value)-value) > 1e-6 {
				t.Errorf("%s of %s: %v, want %v", base, at, i.Value, value)
			}
		}
	}
	if len(greatest) != len(chroms[0])+len(chroms[1])-1 {
		t.Errorf("%d places in the tracks", len(greatest))
	}
	for _, other := range [][]string{{"--top", "3"}, {"--format", "json"}} {
		r := tool(t, "", append([]string{"scan", "-m", model, "--substitutions", tracks, genome}, other...)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, other[0]) {
			t.Errorf("%v: exit %d: %s", other, r.code, r.err)
		}
	}
}

// TestScanContainers: the same letters in FASTA, FASTQ and 2bit give the same lines, whatever the options.
func TestScanContainers(t *testing.T) {
	inGoodFolder(t)
	twoBit := []byte{0x43, 0x27, 0x41, 0x1a, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // magic, version, one record
		1, 'c', 22, 0, 0, 0, // its name and place
		10, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // letters, N from 4 on, none in lower case
		0b10_01_11_00, 0b00_10_01_11, 0b00_00_00_00} // ACGT NACG TT, where T is 0, C 1, A 2, G 3
	writeFiles(t, map[string]string{"g.fa": ">c\nACGTNACGTT\n", "g.fq": "@c\nACGTNACGTT\n+\nIIIIIIIIII\n",
		"g.2bit": string(twoBit)})
	mustTool(t, "train", "-q", "--kernel", "spectrum:k=2", "-o", "x.seqsvm", "two.fa")
	for _, options := range []string{"", "--anchor AC --offset 1", "--fdr 0.9 --shuffles 2", "--shard 1/2 -o 1.bed",
		"--format json --top 2"} {
		args := append([]string{"scan", "-q", "-m", "x.seqsvm", "--window", "3"}, strings.Fields(options)...)
		want := mustTool(t, append(args, "g.fa")...)
		for _, name := range []string{"g.fq", "g.2bit"} {
			if got := mustTool(t, append(args, name)...); got != want {
				t.Errorf("%s %s: %q, want %q", options, name, got, want)
			}
		}
	}
}
