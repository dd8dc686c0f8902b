package gapped

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// lists are the places of records in a table.
type lists []placed

func (l lists) list(w *placed, i int) { *w = l[i] }

// TestRegions compares scatter and gather with loops over the records, on a table of few and of many regions, of short
// and of long records, and with weights. Values are whole numbers: the order of sums does not matter.
func TestRegions(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 7))
	for _, size := range []struct{ records, most, entries int }{
		{1, 5, 1}, {3, 0, 10}, {200, 40, 1000}, {200, 40, 1 << 20}, {70, 600, 40<<regionBits + 5},
	} {
		for _, weighted := range []bool{false, true} {
			records, letters := make(lists, size.records), make([]int, size.records)
			for i := range records {
				for range r.IntN(size.most + 1) {
					records[i].places = append(records[i].places, uint32(r.IntN(size.entries)))
					if weighted {
						records[i].weights = append(records[i].weights, weight(r.IntN(256)))
					}
				}
				letters[i] = len(records[i].places)
			}
			value := func(w placed, j int) float64 {
				if w.weights == nil {
					return 1
				}
				return float64(w.weights[j])
			}
			v, want := make([]float64, size.records), make([]float64, size.entries)
			for i, w := range records {
				v[i] = float64(r.IntN(9) - 4)
				for j, place := range w.places {
					want[place] += v[i] * value(w, j)
				}
			}
			x := newIndex(context.Background(), records, newWeighing(stringkernel.CountRaw), letters, size.entries)
			table := make([]float64, size.entries)
			for region := range x.regions() {
				x.scatter(table, v, region)
			}
			if !slices.Equal(table, want) {
				t.Errorf("%+v, weights %v: another table", size, weighted)
			}
			sums := make([]float64, size.records)
			for i, w := range records {
				for j, place := range w.places {
					sums[i] += table[place] * value(w, j)
				}
			}
			got, half := make([]float64, size.records), x.parts()/2
			x.gather(got, table, 0, half)
			x.gather(got, table, half, x.parts())
			if !slices.Equal(got, sums) {
				t.Errorf("%+v, weights %v: sums %v, want %v", size, weighted, got, sums)
			}
		}
	}
}

// TestProductThreads: the bits of a product do not depend on the number of processors.
func TestProductThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 8))
	k := Kernel{L: 9, K: 6, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA, rc: true}
	g := newGram(t.Context(), k.engine(), relatives(r, 300, 100, "ACGT"))
	v := make([]float64, g.Len())
	for i := range v {
		v[i] = r.NormFloat64()
	}
	var products [2][]float64
	for i, procs := range []int{1, 3} {
		products[i] = make([]float64, len(v))
		before := runtime.GOMAXPROCS(procs)
		g.MulVecTo(products[i], v)
		runtime.GOMAXPROCS(before)
	}
	if !slices.Equal(products[0], products[1]) {
		t.Error("products on one and on three processors differ")
	}
}

// TestWorkDivides counts the k-mers and entries of the tasks of a product on 16 processors, each of which takes the
// next task when it is done: the longest works at most 1.6 times the mean, for ten times the speed of one.
func TestWorkDivides(t *testing.T) {
	const processors = 16
	k := Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA, rc: true}
	e := k.engine()
	g := &gram{engine: e, corpus: relatives(rand.New(rand.NewPCG(15, 9)), 640, 300, "AAACCGGTTT")}
	letters := make([]int, g.corpus.Len())
	for i := range letters {
		letters[i] = len(g.corpus.Seq(i))
	}
	x := newIndex(t.Context(), g, e.weights, letters, e.tableEntries()).(*regions[uint16])
	scatter, gather := make([]int, x.regions()), make([]int, processors)
	for i := range processors {
		for _, p := range x.list[i*x.parts()/processors : (i+1)*x.parts()/processors] {
			gather[i] += len(p.places)
		}
	}
	for region := range scatter {
		for _, p := range x.list {
			scatter[region] += p.starts[region+1] - p.starts[region]
		}
	}
	for name, tasks := range map[string][]int{"scatter": scatter, "gather": gather} {
		total, work := 0, make([]int, processors)
		for _, n := range tasks {
			least := slices.Index(work, slices.Min(work))
			work[least] += n
			total += n
		}
		most := slices.Max(work)
		if speed := float64(total) / float64(most); speed < 10 {
			t.Errorf("%s: %.1f times as fast on %d processors", name, speed, processors)
		} else {
			t.Logf("%s: %.1f times as fast on %d processors", name, speed, processors)
		}
	}
}
