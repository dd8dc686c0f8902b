package main_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// scoresOfAll returns scores of all windows of n bases: a sum of columns of predict --raw, times a sign each.
func scoresOfAll(t *testing.T, n int, signs []float64) map[string]float64 {
	t.Helper()
	var all strings.Builder
	for code := range 1 << (2 * n) {
		x := make([]byte, n)
		for i := range x {
			x[i] = "ACGT"[code>>(2*i)&3]
		}
		fmt.Fprintf(&all, ">%s\n%s\n", x, x)
	}
	writeFiles(t, map[string]string{"all.fa": all.String()})
	scores := map[string]float64{}
	for _, cells := range tableRows(mustTool(t, "predict", "--digits", "17", "--raw", "-m", "x.seqsvm", "all.fa")) {
		for column, sign := range signs {
			scores[cells[0]] += sign * float(t, cells[1+column])
		}
	}
	return scores
}

// importanceOf returns E[s(X) | z at a position] − E[s(X)] over all windows with a score.
func importanceOf(z string, position int, scores map[string]float64, frequency map[byte]float64) float64 {
	mean, with, mass := 0.0, 0.0, 0.0
	for x, s := range scores {
		p := 1.0
		for i := range len(x) {
			p *= frequency[x[i]]
		}
		mean += p * s
		if x[position:position+len(z)] == z {
			with += p * s
			mass += p
		}
	}
	return with/mass - mean
}

// What the tool prints is what the raw scores that it prints of all windows average to: two classes and three, either
// class of two, one machine per class and per pair, with shifts, normalised and not, with a background.
func TestImportancesByDefinition(t *testing.T) {
	uniform := map[byte]float64{'A': 0.25, 'C': 0.25, 'G': 0.25, 'T': 0.25}
	for _, c := range []struct {
		train, poim string
		signs       []float64 // of the machines
		frequency   map[byte]float64
	}{
		{"--kernel wd:d=3 two.fa", "--kmer 2", []float64{1}, uniform},
		{"--kernel wd:d=5 --keep-sequences two.fa", "--kmer 3 --class T", []float64{1}, uniform},
		{"--kernel wd:d=2 two.fa", "--kmer 1 --class A", []float64{-1}, uniform},
		{"--kernel wd:d=4,shift=2 --no-normalize two.fa", "--kmer 3 --background 2:1:1:4", []float64{1},
			map[byte]float64{'A': 0.25, 'C': 0.125, 'G': 0.125, 'T': 0.5}},
		{"--kernel wd:d=20 three.fa", "--kmer 2 --class G", []float64{0, 1, 0}, uniform},
		{"--kernel wd:d=3 --multiclass ovo --C 0.1 three.fa", "--kmer 5 --class G", []float64{-1, 0, 1}, uniform},
	} {
		t.Run(c.train, func(t *testing.T) {
			inGoodFolder(t)
			mustTool(t, append([]string{"train", "-q", "-o", "x.seqsvm"}, strings.Fields(c.train)...)...)
			scores := scoresOfAll(t, 5, c.signs)
			args := append([]string{"model", "poim", "--digits", "17", "-m", "x.seqsvm"}, strings.Fields(c.poim)...)
			table := tableRows(mustTool(t, args...))
			k := len(table[0][1])
			if want := (5 - k + 1) << (2 * k); len(table) != want {
				t.Fatalf("%d importances, want %d", len(table), want)
			}
			for n, cells := range table {
				if n%7 != 0 {
					continue // other tests cover the rest
				}
				position, got := int(float(t, cells[0]))-1, float(t, cells[2])
				if want := importanceOf(cells[1], position, scores, c.frequency); !(math.Abs(got-want) <= 1e-9) {
					t.Errorf("%s at %d: %v, want %v", cells[1], position+1, got, want)
				}
			}
		})
	}
}
