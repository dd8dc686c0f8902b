package kmers_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/kmers"
)

// goodKernels are kernels with their alphabets and k-mers.
var goodKernels = []struct {
	spec, letters string
	length        int
	both          bool
}{
	{"gapped:l=4,k=3,d=1,alphabet=dna,rc", "ACGT", 4, true},
	{"gapped:l=5,k=3,d=2,filter=full,alphabet=dna", "ACGT", 5, false},
	{"gapped:l=3,k=2,d=1,center=20:2,alphabet=dna,rc", "ACGT", 3, true},
	{"mismatch:k=3,m=1,alphabet=rna,rc", "ACGU", 3, true},
	{"mismatch:k=2,m=1,alphabet=protein", "ACDEFGHIKLMNPQRSTVWY", 2, false},
	{"spectrum:k=3,alphabet=dna,rc", "ACGT", 3, true},
	{"spectrum:k=2,alphabet=protein", "ACDEFGHIKLMNPQRSTVWY", 2, false},
}

// allKmers lists all k-mers in alphabetical order.
func allKmers(letters string, length int) []string {
	kmers := []string{""}
	for range length {
		var longer []string
		for _, w := range kmers {
			for _, b := range letters {
				longer = append(longer, w+string(b))
			}
		}
		kmers = longer
	}
	return kmers
}

func TestWriteTable(t *testing.T) {
	for _, c := range goodKernels {
		for _, normalize := range []bool{true, false} {
			m := handMade(t, normalize, c.spec)
			s := must.Get(kmers.NewScorer(t.Context(), m))(t)
			if s.Length() != c.length || string(s.Alphabet()) == "" {
				t.Errorf("%s: %d letters, alphabet %s", c.spec, s.Length(), s.Alphabet())
			}
			var want []string
			for _, w := range allKmers(c.letters, c.length) {
				other := w
				if c.both {
					other = rcOf(c.letters, w)
				}
				if w <= other {
					want = append(want, w)
				}
			}
			checkTable(t, c.spec, writeTable(t, s, nil), want, naive(t, m))
		}
	}
}

func TestNewScorerRefuses(t *testing.T) {
	for _, c := range []struct {
		kernels []string
		want    string
	}{
		{[]string{"substring:weight=bounded,k=3,alphabet=dna"},
			"kmers: the model has the kernel substring:weight=bounded,k=3"},
		{[]string{"spectrum:k=3,bounded,alphabet=dna"}, "kmers: the model has the kernel spectrum:k=3,bounded"},
		{[]string{"spectrum:k=2,alphabet=dna", "spectrum:k=3,alphabet=dna"},
			"scores of k-mers need a single one"},
		{[]string{"spectrum:k=2,alphabet=bytes"}, "kmers: the model is of bytes"},
	} {
		if _, err := kmers.NewScorer(t.Context(), handMade(t, true, c.kernels...)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.kernels, err, c.want)
		}
	}
	m := handMade(t, true, "spectrum:k=2,alphabet=dna")
	m.Decision.Classes = []string{"a", "b", "c"}
	if _, err := kmers.NewScorer(t.Context(), m); err == nil || !strings.Contains(err.Error(),
		"the model has 3 classes") {
		t.Errorf("three classes: %v", err)
	}
	m = handMade(t, true, "spectrum:k=2,alphabet=dna") // two labels, a machine for each
	m.Decision.Scheme, m.Coef = decide.MultiLabel, append(m.Coef, m.Coef...)
	m.Decision.Machines = []decide.Binary{{Positive: 0, Negative: decide.Rest},
		{Positive: 1, Negative: decide.Rest}}
	if s, err := kmers.NewScorer(t.Context(), m); err == nil {
		t.Errorf("two labels: no error, and the k-mer AC scores %v", s.Sum([]byte("AC")))
	} else if !strings.Contains(err.Error(), "the model has 2 machines, one per label (multi-label)") {
		t.Errorf("two labels: %v", err)
	}
	m = handMade(t, true, "spectrum:k=2,alphabet=dna")
	m.Coef = nil
	if _, err := kmers.NewScorer(t.Context(), m); err == nil {
		t.Error("a broken model: no error")
	}
}

// TestWriteTableStops at an error of the writer or the end of the context.
func TestWriteTableStops(t *testing.T) {
	s := must.Get(kmers.NewScorer(t.Context(), handMade(t, true, "spectrum:k=8,alphabet=dna")))(t)
	full := fmt.Errorf("the disk is full")
	if err := s.WriteRows(context.Background(), failingWriter{full}, nil, plainRows); err != full {
		t.Errorf("%v, want %v", err, full)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.WriteRows(ctx, new(bytes.Buffer), nil, plainRows); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestThreads: the same bytes whatever the number of processors.
func TestThreads(t *testing.T) {
	s := must.Get(kmers.NewScorer(t.Context(), handMade(t, true, "gapped:l=8,k=5,alphabet=dna,rc")))(t)
	var tables [2]bytes.Buffer
	for i := range tables {
		before := runtime.GOMAXPROCS(i + 1)
		err := s.WriteRows(context.Background(), &tables[i], nil, plainRows)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(tables[0].Bytes(), tables[1].Bytes()) {
		t.Error("the tables differ")
	}
}
