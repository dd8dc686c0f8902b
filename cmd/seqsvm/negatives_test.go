package main_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// readSet reads FASTA unchanged.
func readSet(t *testing.T, text string) *seqio.Set {
	t.Helper()
	set, err := seqio.Read(strings.NewReader(text), "out.fa", seqio.Options{Format: seqio.FASTA, Case: seqio.CaseKept})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// wordCounts counts the k-mers.
func wordCounts(x string, k int) map[string]int {
	counts := map[string]int{}
	for i := 0; i+k <= len(x); i++ {
		counts[x[i:i+k]]++
	}
	return counts
}

// Shuffles of real promoters have the k-mers of their sequence, are rarely the sequence, and depend only on the seed.
func TestNegativesShuffle(t *testing.T) {
	fasta, err := os.ReadFile("../../testdata/fasta/promoters.fa")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"p.fa": string(fasta)})
	positives := readSet(t, strings.ToUpper(string(fasta)))
	for k := 1; k <= 4; k++ {
		options := []string{"negatives", "-q", "--shuffle", "--k", fmt.Sprint(k), "--copies", "3", "p.fa"}
		text := mustTool(t, options...)
		negatives := readSet(t, text)
		if negatives.Len() != 3*positives.Len() {
			t.Fatalf("%d shuffles of %d", negatives.Len(), positives.Len())
		}
		same := 0
		for j := range negatives.Len() {
			i := j / 3
			x, y := string(positives.Corpus.Seq(i)), string(negatives.Corpus.Seq(j))
			if want := fmt.Sprintf("%s.shuffle%d", positives.Corpus.Name(i),
				j%3+1); !strings.EqualFold(negatives.Corpus.Name(j), want) || negatives.Label(j) != "neg" {
				t.Errorf("shuffle %s with label %s, want %s with neg", negatives.Corpus.Name(j), negatives.Label(j),
					want)
			}
			for length := 1; length <= k; length++ {
				if !maps.Equal(wordCounts(x, length), wordCounts(y, length)) {
					t.Errorf("k = %d: %s and %s have other words of %d letters", k, x, y, length)
				}
			}
			if x == y {
				same++
			}
		}
		loud := tool(t, "", slices.DeleteFunc(slices.Clone(options), func(s string) bool { return s == "-q" })...)
		if told := strings.Contains(loud.err, fmt.Sprintf("warning: %d of %d shuffles equal their sequence", same,
			negatives.Len())); told != (same > 0) || k <= 2 && same > 0 {
			t.Errorf("k = %d: %d shuffles change nothing, and it says %q", k, same, loud.err)
		}
		if one := mustTool(t, append(options, "--threads", "1")...); one != text {
			t.Errorf("k = %d: other shuffles with one thread", k)
		}
		if other := mustTool(t, append(options, "--seed", "2")...); other == text {
			t.Errorf("k = %d: the same shuffles with another seed", k)
		}
	}
}

// More letters than are made at a time.
func TestNegativesShuffleBatches(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"p.fa": string(random(3000))})
	text := mustTool(t, "negatives", "-q", "--shuffle", "--copies", "1000", "p.fa")
	if n := strings.Count(text, ">"); n != 2000 {
		t.Errorf("%d shuffles, want 2000", n)
	}
	first := mustTool(t, "negatives", "-q", "--shuffle", "p.fa")
	record, _, _ := strings.Cut(first, ">b")
	if !strings.HasPrefix(text, record) {
		t.Error("the first copy depends on how many there are")
	}
}

// matchGenome is two chromosomes of stretches of different GC, masked ones and N among them.
func matchGenome() map[string]string {
	var chroms [2]strings.Builder
	state := uint32(7)
	next := func(n int) int {
		state = state*1664525 + 1013904223
		return int(state >> 16 % uint32(n))
	}
	for c := range chroms {
		for chroms[c].Len() < 30_000 {
			letters := []string{"ACGT", "ACGT", "AACGTT", "acgt", "ACCGGT", "NN"}[next(6)]
			for range 1 + next(150) {
				chroms[c].WriteByte(letters[next(len(letters))])
			}
		}
	}
	return map[string]string{"chrA": chroms[0].String(), "chrB": chroms[1].String()}
}

// letterShares returns GC and lower case as shares of known letters, and whether all are known.
func letterShares(x string) (gc, masked float64, known bool) {
	n := 0
	for _, b := range x {
		if b == 'N' {
			continue
		}
		n++
		if strings.ContainsRune("CGcg", b) {
			gc++
		}
		if b >= 'a' {
			masked++
		}
	}
	return gc / float64(n), masked / float64(n), n == len(x)
}

// Matched windows are pieces of the genome, within the tolerances, apart from positives, exclusions and each other;
// BED and FASTA of the positives give the same.
func TestNegativesGenome(t *testing.T) {
	t.Chdir(t.TempDir())
	reference := matchGenome()
	var bed strings.Builder
	bed.WriteString("track name=p\n#comment\n")
	want := map[string]string{} // letters by positive
	for i := range 60 {
		chrom, start, strand := []string{"chrA", "chrB"}[i%2], 400*i+13*(i%7), "+-."[i%3:i%3+1]
		end := start + 60 + 2*i
		fmt.Fprintf(&bed, "%s\t%d\t%d\tpeak%d\t0\t%s\n", chrom, start, end, i, strand)
		want[fmt.Sprint("peak", i)] = reference[chrom][start:end]
	}
	writeFiles(t, map[string]string{"g.fa": ">chrA\n" + reference["chrA"] + "\n>chrB\n" + reference["chrB"] + "\n",
		"p.bed": bed.String(), "x.bed": "chrA\t20000\t99999\nchrM\t0\t5\n"})
	options := strings.Fields("negatives -q --genome g.fa --exclude x.bed --ratio 1.5 --gc-tolerance 0.05 " +
		"--repeat-tolerance 0.1")
	run := func(more ...string) string { return mustTool(t, slices.Concat(options, more)...) }
	text := run("--positives", "p.bed", "--negatives-bed", "n.bed", "--positives-fasta", "p.fa", "--report", "r.tsv")
	negatives := readSet(t, text)
	if n := negatives.Len(); n < 45 || n > 90 {
		t.Errorf("%d windows, want up to 90", n)
	}
	taken := map[string][]bool{"chrA": make([]bool, len(reference["chrA"])),
		"chrB": make([]bool, len(reference["chrB"]))}
	occupy := func(chrom string, start, end int, free bool) {
		for at := start; at < end; at++ {
			if free && taken[chrom][at] {
				t.Errorf("%s:%d-%d is not free", chrom, start, end)
				return
			}
			taken[chrom][at] = true
		}
	}
	for line := range strings.Lines(bed.String()) {
		var chrom string
		var start, end int
		if n, _ := fmt.Sscan(line, &chrom, &start, &end); n == 3 {
			occupy(chrom, start, end, false)
		}
	}
	occupy("chrA", 20000, len(reference["chrA"]), false)
	for i := range negatives.Len() {
		region, ok := genome.ParseRegion(negatives.Corpus.Name(i))
		start, end, fits := region.Bounds(len(negatives.Corpus.Seq(i)))
		if !ok || !fits {
			t.Fatalf("id %s", negatives.Corpus.Name(i))
		}
		letters := reference[region.Seq][start:end]
		var name string
		fmt.Sscanf(negatives.Descriptions[i], "label=neg positive=%s", &name)
		gc, masked, known := letterShares(letters)
		wantGC, wantMasked, _ := letterShares(want[name])
		if !known || len(letters) != len(want[name]) || math.Abs(gc-wantGC) > 0.05+1e-9 ||
			math.Abs(masked-wantMasked) > 0.1+1e-9 || negatives.Label(i) != "neg" {
			t.Errorf("%s %s: GC %.3f, masked %.3f, want %.3f, %.3f", negatives.Corpus.Name(i),
				negatives.Descriptions[i], gc, masked, wantGC, wantMasked)
		}
		if got := string(negatives.Corpus.Seq(i)); region.Strand == genome.Minus {
			if got != reverseComplement(letters) {
				t.Errorf("%s has letters %s", negatives.Corpus.Name(i), got)
			}
		} else if got != letters {
			t.Errorf("%s has letters %s", negatives.Corpus.Name(i), got)
		}
		occupy(region.Seq, start, end, true)
	}
	if again := run("--positives", "p.bed", "--threads", "1"); again != text {
		t.Error("other windows with one thread")
	}
	if lines := mustRead(t, "n.bed"); strings.Count(lines, "\n") != negatives.Len() {
		t.Errorf("%d lines of BED for %d windows", strings.Count(lines, "\n"), negatives.Len())
	}
	if report := mustRead(t, "r.tsv"); !strings.Contains(report, fmt.Sprintf("windows\t60\t%d\n", negatives.Len())) ||
		!strings.Contains(report, "wanted\t\t90\n") {
		t.Errorf("report %s", report)
	}
	// The positives as FASTA are where they were, so the windows are.
	places := func(text string) (ids []string) {
		for line := range strings.Lines(text) {
			if id, is := strings.CutPrefix(line, ">"); is {
				region, _ := genome.ParseRegion(strings.Fields(id)[0])
				ids = append(ids, fmt.Sprint(region.Seq, region.First, region.Last))
			}
		}
		return ids
	}
	if of := places(run("--positives", "p.fa")); !slices.Equal(of, places(text)) {
		t.Error("FASTA of the positives gives other windows than BED")
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// reverseComplement keeps the case.
func reverseComplement(x string) string {
	y := []byte(strings.NewReplacer("A", "T", "C", "G", "G", "C", "T", "A", "a", "t", "c", "g", "g", "c", "t",
		"a").Replace(x))
	slices.Reverse(y)
	return string(y)
}

// Shuffles of text are of bytes: a warning counts those that are no longer UTF-8.
func TestNegativesTearCharacters(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a.txt": "abc def ghi\nélève à côté, où ça\n"})
	r := tool(t, "", "negatives", "--shuffle", "--k", "1", "-o", "n.txt", "a.txt")
	if r.code != cli.ExitOK || !strings.Contains(r.err, "warning: 1 of 2 shuffles are not UTF-8") ||
		utf8.ValidString(mustRead(t, "n.txt")) {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	mustTool(t, "kernel", "--kernel", "spectrum:k=2", "--encoding", "bytes", "n.txt")
}
