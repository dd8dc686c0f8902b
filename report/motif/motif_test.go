package motif

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// trained is a decision trained on a planted motif, for the class that carries it.
func trained(t testing.TB, kernel string, set *planted.Set) Decision {
	t.Helper()
	corpus, err := stringkernel.NewCorpus(set.Seqs, set.Names)
	if err != nil {
		t.Fatal(err)
	}
	data, err := classify.NewDataset(corpus, set.Labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := seqsvm.FitDataset(t.Context(), kernel, data, seqsvm.Options{Positive: planted.PositiveLabel})
	if err != nil {
		t.Fatal(err)
	}
	return Decision{Classifier: m.Classifier, Kernel: m.File.Kernel, Class: m.Classifier.Positive, Records: corpus}
}

// plantedMatrix is the matrix of the generator's model: each letter of the motif in equal parts, and mutations, each to
// one of the other three bases.
func plantedMatrix(motif string, mutations int) (matrix [][]float64) {
	rate := float64(mutations) / float64(len(motif))
	for i := range motif {
		row, bases := make([]float64, 4), iupac.Bases(motif[i])
		for _, b := range bases {
			for c, other := range "ACGT" {
				if other == b {
					row[c] += (1 - rate) / float64(len(bases))
				} else {
					row[c] += rate / 3 / float64(len(bases))
				}
			}
		}
		matrix = append(matrix, row)
	}
	return matrix
}

// likeness is the greatest correlation of a motif with a matrix over all offsets and both strands, where columns of
// neither are uniform.
func likeness(got, want [][]float64) float64 {
	best := -1.0
	flipped := make([][]float64, len(got))
	for j, row := range got {
		other := slices.Clone(row)
		slices.Reverse(other)
		flipped[len(got)-1-j] = other
	}
	for _, m := range [][][]float64{got, flipped} {
		for offset := -len(m); offset <= len(want); offset++ {
			best = max(best, correlation(m, want, offset))
		}
	}
	return best
}

// correlation is that of the probabilities of two matrices, the first at an offset to the second.
func correlation(a, b [][]float64, offset int) float64 {
	var xy, xx, yy float64
	for j := min(0, offset); j < max(len(b), offset+len(a)); j++ {
		for c := range 4 {
			x, y := 0.0, 0.0 // less the mean, 1/4
			if i := j - offset; i >= 0 && i < len(a) {
				x = a[i][c] - 0.25
			}
			if j >= 0 && j < len(b) {
				y = b[j][c] - 0.25
			}
			xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
		}
	}
	return xy / math.Sqrt(xx*yy)
}

// containsEither reports whether a consensus has a k-mer or its reverse complement.
func containsEither(consensus, kmer string) bool {
	other := string(stringkernel.DNA.ReverseComplementTo(nil, []byte(kmer)))
	return strings.Contains(consensus, kmer) || strings.Contains(consensus, other)
}

// A planted motif is the first, has the planted matrix, and its sites are the planted ones.
func TestPlantedMotif(t *testing.T) {
	for _, c := range []struct {
		kernel, motif string
		mutations     int
		both          bool
	}{
		{"spectrum:k=6,rc", "TGACGTCATTGC", 1, true},
		{"gapped:l=7,k=5,rc", "CCATRTTGGATA", 1, true},
		{"spectrum:k=6", "GATAAGCCGTAT", 0, false},
		{"substring:weight=bounded,k=8", "TTGACCATWAAC", 1, false},
	} {
		set, err := planted.Generate(planted.Options{
			N: 200, Length: 80, Motif: c.motif, Mutations: c.mutations, BothStrands: c.both, Seed: 5,
		})
		if err != nil {
			t.Fatal(err)
		}
		d, want := trained(t, c.kernel, set), plantedMatrix(c.motif, c.mutations)
		found, err := d.Find(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := &found.Motifs[0]
		if r, consensus := likeness(m.Matrix, want), found.Consensus(m); !containsEither(consensus, c.motif) || r < 0.97 {
			t.Errorf("%s: %s has the correlation %.3f, want %s", c.kernel, consensus, r, c.motif)
		}
		if share := recovered(set, m); share < 0.8 {
			t.Errorf("%s: %.2f of the planted sites are found", c.kernel, share)
		}
		d.Records = nil
		if found, err = d.Find(t.Context(), Options{Most: 1}); err != nil {
			t.Fatal(err)
		}
		if r := likeness(found.Motifs[0].Matrix, want); r < 0.85 || len(found.Motifs) != 1 ||
			found.Motifs[0].Sites != nil {
			t.Errorf("%s without records: %s has the correlation %.3f with %s", c.kernel,
				found.Consensus(&found.Motifs[0]), r, c.motif)
		}
	}
}

// recovered is the share of planted sites that overlap a site by more than half.
func recovered(set *planted.Set, m *Motif) float64 {
	hits, all := 0, 0
	for i, sites := range set.Sites {
		for _, s := range sites {
			all++
			if slices.ContainsFunc(m.Sites, func(f Site) bool {
				return f.Record == i && min(f.Start+len(m.Matrix), s.Start+len(set.Motif))-max(f.Start, s.Start) > 6
			}) {
				hits++
			}
		}
	}
	return float64(hits) / float64(all)
}

// Sites are apart, contribute what their positions do, and shares are those of the positive contributions.
func TestSites(t *testing.T) {
	set, err := planted.Generate(planted.Options{N: 100, Length: 80, Motif: "TGACGTCATTGC", BothStrands: true, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	d := trained(t, "spectrum:k=5,rc", set)
	records, err := d.explain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.GOMAXPROCS(1)
	alone, err := d.Find(t.Context(), Options{})
	runtime.GOMAXPROCS(before)
	if err != nil {
		t.Fatal(err)
	}
	found, err := d.Find(t.Context(), Options{})
	if err != nil || !reflect.DeepEqual(found, alone) {
		t.Errorf("with several threads other motifs, or %v", err)
	}
	all, taken := 0.0, map[[2]int]bool{}
	for _, r := range records {
		for _, c := range r.Contributions {
			all += max(0, c)
		}
	}
	for _, m := range found.Motifs {
		within := 0.0
		for _, s := range m.Sites {
			sum := 0.0
			for at := s.Start; at < s.Start+len(m.Matrix); at++ {
				if taken[[2]int{s.Record, at}] {
					t.Fatalf("position %d of record %d is in two sites", at, s.Record)
				}
				taken[[2]int{s.Record, at}] = true
				sum += records[s.Record].Contributions[at]
				within += max(0, records[s.Record].Contributions[at])
			}
			if math.Abs(sum-s.Contribution) > 1e-12 || !(sum > 0) {
				t.Errorf("a site contributes %v, its positions %v", s.Contribution, sum)
			}
		}
		if math.Abs(m.Share-within/all) > 1e-12 {
			t.Errorf("share %v, want %v", m.Share, within/all)
		}
	}
}

// The threshold of a site is the least sum that a random window reaches with a probability of at most 1e-4, by all
// windows one by one.
func TestThreshold(t *testing.T) {
	background := []float64{0.4, 0.1, 0.15, 0.35}
	f := &finder{Options: Options{Alphabet: stringkernel.DNA}, background: background}
	r := &refiner{finder: f}
	matrix := plantedMatrix("TGWCGYA", 1)
	for i := range matrix {
		matrix[i][0], matrix[i][1] = matrix[i][0]+0.01*float64(i+1), matrix[i][1]+0.02
		matrix[i] = scaled(matrix[i])
	}
	odds, least := r.whole(matrix)
	tail := map[int]float64{} // probability of each sum
	for code := range 1 << (2 * len(odds)) {
		sum, p := 0, 1.0
		for j, row := range odds {
			c := code >> (2 * j) & 3
			sum, p = sum+row[c], p*background[c]
		}
		tail[sum] += p
	}
	reach := func(least int) (p float64) {
		for sum, chance := range tail {
			if sum >= least {
				p += chance
			}
		}
		return p
	}
	if reach(least) > pValue || reach(least-1) <= pValue {
		t.Errorf("a random window reaches %d with probability %v, and %d with %v", least, reach(least), least-1,
			reach(least-1))
	}
}

// The information of a column is that of the definition, at both ends of its range and between.
func TestInformation(t *testing.T) {
	m := Motif{Matrix: [][]float64{{1, 0, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0.5, 0, 0}, {0.5, 0.25, 0.125, 0.125}}}
	for j, want := range []float64{2, 0, 1, 0.25} {
		if got := m.Information()[j]; math.Abs(got-want) > 1e-12 {
			t.Errorf("column %d has %v bits, want %v", j, got, want)
		}
	}
	if math.Abs(m.Bits()-3.25) > 1e-12 {
		t.Errorf("%v bits", m.Bits())
	}
	set := Set{Alphabet: stringkernel.DNA}
	if consensus := set.Consensus(&m); consensus != "ANMN" {
		t.Errorf("consensus %s, want ANMN", consensus)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		opt     Options
		records []Record
		want    string
	}{
		{Options{Alphabet: stringkernel.Bytes}, nil, "alphabet bytes, want dna, rna or protein"},
		{Options{Alphabet: stringkernel.Protein, BothStrands: true}, nil, "both strands of protein"},
		{Options{Alphabet: stringkernel.DNA, Background: []float64{1}}, nil, "1 frequencies of letters, want 4"},
		{Options{Alphabet: stringkernel.DNA, Background: []float64{1, 0, 0, 0}}, nil, "the frequency of a letter is 1"},
		{Options{Alphabet: stringkernel.DNA}, []Record{{Letters: []byte("AC")}}, "record 1 has 2 letters and 0 contr"},
	} {
		_, err := Find(t.Context(), nil, c.records, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, []Kmer{{"ACGTA", 1}}, nil, Options{Alphabet: stringkernel.DNA}); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	// no k-mer, no letter of the alphabet, weights of no use
	kmers := []Kmer{{"ACNTA", 1}, {"", 2}, {"ACGTAC", -1}, {"ACGTAC", 0}}
	set, err := Find(t.Context(), kmers, []Record{{}}, Options{Alphabet: stringkernel.DNA})
	if err != nil || len(set.Motifs) != 0 {
		t.Errorf("%v, %v", set, err)
	}
	set = trainedProteins(t)
	if err := set.WriteJASPAR(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "not of protein") {
		t.Errorf("JASPAR of proteins: %v", err)
	}
}

// trainedProteins is a motif of proteins.
func trainedProteins(t *testing.T) *Set {
	t.Helper()
	set, err := Find(t.Context(), []Kmer{{"HEADS", 3}, {"EADSW", 2}, {"WWWWW", 1}}, nil,
		Options{Alphabet: stringkernel.Protein})
	if err != nil {
		t.Fatal(err)
	}
	if consensus := set.Consensus(&set.Motifs[0]); consensus != "HEADSW" || set.Motifs[0].Kmers != 2 ||
		math.Abs(set.Motifs[0].Share-5./6) > 1e-12 {
		t.Errorf("%s of %d k-mers, share %v", consensus, set.Motifs[0].Kmers, set.Motifs[0].Share)
	}
	return set
}

// ctcf is the matrix MA0139.1 of JASPAR, counts of A, C, G and T in 19 columns (I. Rauluseviciute et al., JASPAR 2024,
// Nucleic Acids Research 52, doi:10.1093/nar/gkad1059; CC BY 4.0).
var ctcf = [4][]float64{
	{87, 167, 281, 56, 8, 744, 40, 107, 851, 5, 333, 54, 12, 56, 104, 372, 82, 117, 402},
	{291, 145, 49, 800, 903, 13, 528, 433, 11, 0, 3, 12, 0, 8, 733, 13, 482, 322, 181},
	{76, 414, 449, 21, 0, 65, 334, 48, 32, 903, 566, 504, 890, 775, 5, 507, 307, 73, 266},
	{459, 187, 134, 36, 2, 91, 11, 324, 18, 3, 9, 341, 8, 71, 67, 17, 37, 396, 59},
}

// On ChIP-seq peaks of CTCF the first motif is CTCF's.
func TestCTCF(t *testing.T) {
	folder := os.Getenv("SEQSVM_DATA")
	if folder == "" || testing.Short() {
		t.Skip("needs $SEQSVM_DATA, and no -short")
	}
	path := filepath.Join(folder, "tfbs-fastsk-a", "CTCF.train.fa.gz")
	set, err := seqio.ReadAll(t.Context(), seqsvm.Files(path), seqio.Options{})
	if err != nil {
		t.Skip(err)
	}
	want := make([][]float64, len(ctcf[0]))
	for j := range want {
		want[j] = scaled([]float64{ctcf[0][j], ctcf[1][j], ctcf[2][j], ctcf[3][j]})
	}
	for _, kernel := range []string{"gapped:l=10,k=6,rc", "spectrum:k=8,rc"} {
		m, err := seqsvm.Fit(t.Context(), kernel, seqsvm.Files(path), seqsvm.Options{Positive: "+1"})
		if err != nil {
			t.Fatal(err)
		}
		d := Decision{Classifier: m.Classifier, Kernel: m.File.Kernel, Class: m.Classifier.Positive}
		for _, records := range []*stringkernel.Corpus{nil, set.Corpus} {
			d.Records = records
			found, err := d.Find(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			first := &found.Motifs[0]
			r := likeness(first.Matrix, want)
			t.Logf("%s, with records %v: %s, share %.3f, correlation %.3f", kernel, records != nil,
				found.Consensus(first), first.Share, r)
			if r < 0.9 || first.Share < 5*found.Motifs[1].Share {
				t.Error("this is not CTCF's")
			}
		}
	}
}

// Contributions that would not fit into memory are refused before any is computed.
func TestMemory(t *testing.T) {
	set, err := planted.Generate(planted.Options{N: 20, Length: 50, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := trained(t, "spectrum:k=4", set)
	defer memory.SetLimit(memory.SetLimit(8000))
	if _, err := d.Find(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(),
		"motif: contributions of 1000 letters: ") {
		t.Errorf("%v", err)
	}
}
