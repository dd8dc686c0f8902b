package spectrum

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// TestFeatureRowsAreTheMatrix rebuilds every entry from the rows: by tables, and by the listed features.
func TestFeatureRowsAreTheMatrix(t *testing.T) {
	everyKernel(t, func(t *testing.T, k Kernel) {
		c := drawCorpus(t, rand.New(rand.NewPCG(7, uint64(k.K))), k.Alphabet, 23, 60)
		for _, depth := range depths(k, 16) {
			g := newGram(context.Background(), k, c, depth)
			if rows := g.FeatureRows(); k.Bounded != (rows == nil) {
				t.Fatalf("depth %d: rows %v", depth, rows)
			} else if rows != nil {
				checkRows(t, g, rows)
			}
		}
	})
}

// TestFeatureRowsOfWrappers does the same through every wrapper.
func TestFeatureRowsOfWrappers(t *testing.T) {
	c := drawCorpus(t, rand.New(rand.NewPCG(8, 8)), stringkernel.DNA, 23, 60)
	for _, length := range []int{3, 14} {
		plain := Kernel{K: length, Alphabet: stringkernel.DNA}
		both := compose.BothStrands{Kernel: plain, Alphabet: stringkernel.DNA}
		sum := compose.Mean{
			Terms: []stringkernel.Kernel{
				compose.Normalized{Kernel: plain},
				both,
				Kernel{K: 2, Alphabet: stringkernel.DNA},
			},
		}
		for _, k := range []stringkernel.Kernel{compose.Normalized{Kernel: plain}, both,
			compose.Normalized{Kernel: both}, sum, compose.Normalized{Kernel: sum}} {
			g, err := k.Gram(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			rows := stringkernel.FeatureRowsOf(g)
			if rows == nil {
				t.Fatalf("%+v has no rows", k)
			}
			checkRows(t, g, rows)
		}
	}
	without := compose.Mean{
		Terms: []stringkernel.Kernel{
			Kernel{K: 3, Alphabet: stringkernel.DNA},
			Kernel{K: 3, Bounded: true, Alphabet: stringkernel.DNA},
		},
	}
	g, err := without.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if stringkernel.FeatureRowsOf(g) != nil {
		t.Error("a sum with a term without rows has rows")
	}
}

func checkRows(t *testing.T, g stringkernel.Gram, rows stringkernel.FeatureRows) {
	t.Helper()
	n := g.Len()
	table, own, want := make([]float64, rows.Width()), make([]float64, n), make([]float64, n)
	for i := range own {
		own[i] = -1 // to be written over
	}
	rows.Own(own)
	dense, features := make([][]float64, n), make([][]uint32, n)
	for i := range n {
		dense[i] = make([]float64, rows.Width())
		ids, values := rows.AppendRow(nil, nil, i)
		for f, id := range ids {
			dense[i][id] += values[f]
		}
		slices.Sort(ids)
		features[i] = slices.Compact(ids)
	}
	for i := range n {
		g.Row(want, i)
		rows.Scatter(table, i, 0.5)
		for j := range n {
			got, listed := 2*rows.Gather(table, j), 0.0
			for _, f := range features[i] {
				listed += dense[i][f] * dense[j][f]
			}
			if i == j {
				got, listed = got+own[i], listed+own[i]
			}
			if !near(got, want[j], want[j]) || !near(listed, want[j], want[j]) {
				t.Fatalf("entry (%d, %d): %v by tables, %v by lists, want %v", i, j, got, listed, want[j])
			}
		}
		clear(table)
	}
}
