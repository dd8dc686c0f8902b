package motif

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// trained is a decision trained on a planted motif, for the class that carries it.
func trained(t testing.TB, kernel string, set *planted.Set) Decision {
	t.Helper()
	corpus := must.Get(stringkernel.NewCorpus(set.Seqs, set.Names))(t)
	data := must.Get(dataset.New(corpus, set.Labels, nil))(t)
	m := must.Get(seqsvm.FitDataset(t.Context(), kernel, data, seqsvm.Options{Positive: planted.PositiveLabel}))(t)
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

// Sites are apart, contribute what their positions do, and shares are those of the positive contributions.
func TestSites(t *testing.T) {
	set := must.Get(planted.Generate(planted.Options{N: 100, Length: 80, Motif: "TGACGTCATTGC", BothStrands: true, Seed: 2}))(t)
	d := trained(t, "spectrum:k=5,rc", set)
	records := must.Get(d.explain(t.Context()))(t)
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
