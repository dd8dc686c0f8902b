package classify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// granted lets memory.Check grant so many bytes until the end of the test.
func granted(t *testing.T, bytes int64) {
	t.Helper()
	heaptest.Limit(t, 2*bytes)
}

// manyClasses returns n records of k classes, which are leaves of a hierarchy of two levels as well.
func manyClasses(t *testing.T, n, k int) *Dataset {
	t.Helper()
	labels := make([]string, n)
	for i := range labels {
		labels[i] = fmt.Sprintf("g%d/c%d", i%k%5, i%k)
	}
	d, err := NewDataset(toyCorpus(n), labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func multilabelClasses(t *testing.T, n, k int) *Dataset {
	t.Helper()
	labels := make([][]string, n)
	for i := range labels {
		labels[i] = []string{fmt.Sprintf("c%d", i%k), fmt.Sprintf("d%d", i%3)}
	}
	d, err := NewMultilabelDataset(toyCorpus(n), labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func inHierarchy(t *testing.T, d *Dataset) *Dataset {
	t.Helper()
	if err := d.SetHierarchy("/"); err != nil {
		t.Fatal(err)
	}
	return d
}

// The machines and records counted beforehand are those of the plan.
func TestDemandCountsThePlan(t *testing.T) {
	for _, c := range []struct {
		name    string
		trainer Trainer
		data    *Dataset
	}{
		{"two classes", Trainer{}, toyData(40, 2)},
		{"one-vs-rest", Trainer{}, manyClasses(t, 60, 12)},
		{"one-vs-one", Trainer{Multiclass: OneVsOne}, manyClasses(t, 60, 12)},
		{"crammer-singer", Trainer{Multiclass: CrammerSinger}, manyClasses(t, 60, 12)},
		{"hierarchy", Trainer{}, inHierarchy(t, manyClasses(t, 61, 12))},
		{"crammer-singer in a hierarchy", Trainer{Multiclass: CrammerSinger}, inHierarchy(t, manyClasses(t, 61, 12))},
		{"several labels", Trainer{}, multilabelClasses(t, 60, 9)},
	} {
		x, err := c.trainer.demand(c.data)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.trainer.plan(c.data, nil)
		if err != nil {
			t.Fatal(err)
		}
		members := 0
		for _, j := range p.jobs[:len(p.machines)] {
			if members += len(j.y); j.joint != nil {
				members += len(j.joint.y)
			}
		}
		if int(x.machines) != len(p.machines) || int(x.members) != members || int(x.coef) != len(p.machines)*c.data.Len() {
			t.Errorf("%s: %v machines with %v records and %v coefficients, the plan has %d with %d", c.name, x.machines, x.members, x.coef, len(p.machines), members)
		}
	}
}

// What would take more memory than is granted is refused, in every way of training, before it is allocated.
func TestTooManyClasses(t *testing.T) {
	granted(t, 1<<19)
	ctx, n, k := context.Background(), 200, 100
	d := manyClasses(t, n, k)
	fold := make([]int, n)
	for i := range fold {
		fold[i] = i / k
	}
	words := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	train := func(x Trainer, d *Dataset) error { _, err := x.Train(ctx, d); return err }
	rows := func(x stringkernel.Kernel) stringkernel.FeatureRows {
		g, err := x.Gram(d.Corpus)
		if err != nil {
			t.Fatal(err)
		}
		return stringkernel.RowsOf(g)
	}
	for name, run := range map[string]func() error{
		"one-vs-rest":    func() error { return train(Trainer{Kernel: words}, d) },
		"one-vs-one":     func() error { return train(Trainer{Kernel: words, Multiclass: OneVsOne}, d) },
		"crammer-singer": func() error { return train(Trainer{Kernel: words, Multiclass: CrammerSinger}, d) },
		"several labels": func() error { return train(Trainer{Kernel: words}, multilabelClasses(t, n, k)) },
		"hierarchy": func() error {
			return train(Trainer{Kernel: words}, inHierarchy(t, manyClasses(t, 4*n, 4*k)))
		},
		"cross-validation": func() error { _, err := CrossValidate(ctx, Trainer{Kernel: words}, d, fold); return err },
		"cross-validation of a kernel that is fitted": func() error { _, err := CrossValidate(ctx, Trainer{Kernel: fittedToy{}}, d, fold); return err },
		"several costs": func() error {
			_, err := CrossValidateCosts(ctx, Trainer{Kernel: words}, d, fold, []float64{1, 2, 3, 4}, nil)
			return err
		},
		"cross-validated elimination": func() error {
			_, err := (Elimination{Trainer: Trainer{Kernel: words}}).CrossValidate(ctx, d, fold, []int{16, 8})
			return err
		},
		"elimination": func() error { _, err := (Elimination{Trainer: Trainer{Kernel: words}}).Select(ctx, d, 1); return err },
		"the descent itself": func() error {
			_, err := SequentialDual{}.Solve(ctx, gramOf(t, words, manyClasses(t, 4*n, 4*k)), manyClasses(t, 4*n, 4*k).Y, 4*k)
			return err
		},
		"naive Bayes": func() error {
			_, err := NaiveBayes{}.Fit(rows(spectrum.Kernel{K: 6, Alphabet: stringkernel.DNA}), 4096, d.Y, k)
			return err
		},
		"the majority": func() error {
			_, err := CrossValidateMajority(manyClasses(t, 2*n, k), slices.Concat(fold, fold))
			return err
		},
	} {
		err := run()
		var large *memory.Error
		if !errors.As(err, &large) {
			t.Errorf("%s: error %v, want that it takes too much memory", name, err)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: an error of several lines: %v", name, err)
		}
	}
}

func gramOf(t *testing.T, k stringkernel.Kernel, d *Dataset) stringkernel.Gram {
	t.Helper()
	g, err := k.Gram(d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Scores of more records than there is room for are refused too.
func TestTooManyScores(t *testing.T) {
	d := manyClasses(t, 60, 12)
	m, err := Trainer{Kernel: toyKernel{}}.Train(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	granted(t, scoreBytes*12*60-1)
	_, err = c.Predict(context.Background(), d.Corpus)
	if want := "classify: scores of 60 records for 12 classes need about"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s …", err, want)
	}
}

// What a training takes while it runs stays within what was counted beforehand.
func TestDemandHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of training")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	build := func(n, k int) (*stringkernel.Corpus, []string) {
		var b stringkernel.CorpusBuilder
		labels := make([]string, n)
		for i := range n {
			seq := make([]byte, 12)
			for j := range seq {
				seq[j] = "ACGT"[rng.IntN(4)]
			}
			b.Add(fmt.Sprint(i), seq)
			labels[i] = fmt.Sprint(i % k)
		}
		return b.Corpus(), labels
	}
	for _, c := range []struct {
		name    string
		n, k    int
		trainer Trainer
		several bool
	}{
		{"one-vs-rest", 4000, 500, Trainer{}, false},
		{"one-vs-one", 2000, 60, Trainer{Multiclass: OneVsOne}, false},
		{"crammer-singer", 4000, 500, Trainer{Multiclass: CrammerSinger}, false},
		{"probability", 1500, 100, Trainer{Probability: true}, false},
		{"several labels", 1500, 100, Trainer{}, true},
	} {
		corpus, labels := build(c.n, c.k)
		d, err := NewDataset(corpus, labels, nil)
		if c.several {
			var lists [][]string
			for _, label := range labels {
				lists = append(lists, []string{label})
			}
			d, err = NewMultilabelDataset(corpus, lists, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		c.trainer.Kernel, c.trainer.Tol = spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, 0.5
		x, err := c.trainer.demand(d)
		if err != nil {
			t.Fatal(err)
		}
		counted := x.training()
		if c.trainer.Multiclass == CrammerSinger { // whose descent checks its table itself
			counted += float64(8 * c.k * stringkernel.RowsOf(gramOf(t, c.trainer.Kernel, d)).Width())
		}
		peak := heapOf(t, func() {
			m, err := c.trainer.Train(context.Background(), d)
			if err == nil {
				_, err = m.Classifier()
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		const rest = 24 << 20 // solvers, index, and what a collection has not seen yet
		t.Logf("%s: %.1f MB counted, %.1f MB taken", c.name, counted/1e6, peak/1e6)
		if peak > counted+rest {
			t.Errorf("%s took %.0f MB, counted were %.0f MB", c.name, peak/1e6, counted/1e6)
		}
	}
}

// heapOf returns the most that run adds to the live heap: what collections found in use, garbage that still waits for one left out. They come in steps of a fifth.
func heapOf(t *testing.T, run func()) float64 {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(2, runtime.GOMAXPROCS(0)))) // what is allocated while a collection goes on counts as in use, and is more with more processors
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	before := liveHeap()
	done, most := make(chan struct{}), make(chan float64)
	go func() {
		greatest := 0.0
		for {
			select {
			case <-done:
				most <- greatest
				return
			case <-time.After(10 * time.Millisecond):
				greatest = max(greatest, liveHeap())
			}
		}
	}()
	run()
	close(done)
	return max(0, <-most-before)
}

// liveHeap returns the bytes that the last collection marked.
func liveHeap() float64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64())
}
