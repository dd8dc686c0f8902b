package main

import (
	"math"
	"strings"
)

// matrix is a position weight matrix of log-odds: how much likelier a base is at a position of a true window than of a
// decoy. The sum over positions is the log-likelihood ratio if positions are independent.
type matrix struct {
	first int          // letter of the window that row 0 is for
	rows  [][4]float64 // by A, C, G, T
}

// baseIndex is the column of a base, −1 of other letters.
func baseIndex(b byte) int { return strings.IndexByte("ACGT", b) }

// newMatrix estimates the rows of letters first … last − 1 from counts, to each of which 1 is added.
func newMatrix(s *sample, first, last int) *matrix {
	m := &matrix{first: first, rows: make([][4]float64, last-first)}
	count := map[bool][][4]float64{true: make([][4]float64, last-first), false: make([][4]float64, last-first)}
	for i, isTrue := range s.isTrue {
		for k, b := range s.corpus.Seq(i)[first:last] {
			if column := baseIndex(b); column >= 0 {
				count[isTrue][k][column]++
			}
		}
	}
	for k := range m.rows {
		for b := range m.rows[k] {
			m.rows[k][b] = math.Log(share(count[true][k], b)) - math.Log(share(count[false][k], b))
		}
	}
	return m
}

// share returns the estimated probability of a base.
func share(count [4]float64, b int) float64 {
	return (count[b] + 1) / (count[0] + count[1] + count[2] + count[3] + 4)
}

// score returns the sum of the window's entries.
func (m *matrix) score(window []byte) float64 {
	sum := 0.0
	for k, b := range window[m.first : m.first+len(m.rows)] {
		if column := baseIndex(b); column >= 0 {
			sum += m.rows[k][column]
		}
	}
	return sum
}
