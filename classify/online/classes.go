package online

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// classOf returns the number of a label, which may be a new one: the third class makes a weight vector for each of the
// one that told the first two apart.
func (l *Learner) classOf(ctx context.Context, name string) (int, error) {
	if c, known := l.number[name]; known {
		return c, nil
	}
	c := len(l.classes)
	if name == "" && l.o.Task != dataset.Classes {
		return c, nil
	}
	l.number[name] = c
	l.classes = append(l.classes, name)
	if c < 2 || l.o.Task != dataset.Classes {
		return c, nil
	}
	before := len(l.bias)
	grow := scratch.Vectors(c+1, before)
	for i := range grow {
		if before == 1 && i < 2 {
			grow[i][0] = float64(i) - 0.5
		} else if before > 1 && i < before {
			grow[i][i] = 1
		}
	}
	rows := l.pairs(grow, 1, 0)
	if l.average {
		rows = append(rows, l.pairs(grow, 0, 1)...)
	}
	l.bias, l.biases, l.scores = product(grow, l.bias), product(grow, l.biases), make([]float64, c+1)
	return c, l.w.mix(ctx, rows, c+1)
}

// pairs returns rows for the weights, times a number, and after them, if averaged, for what makes their average, times
// another.
func (l *Learner) pairs(rows [][]float64, weights, averages float64) (both [][]float64) {
	for _, row := range rows {
		pair := slices.Concat(row, row)[:len(l.zeros())]
		vectors.Scale(pair[:len(row)], weights)
		vectors.Scale(pair[len(row):], averages)
		both = append(both, pair)
	}
	return both
}

// product returns the products of the rows with v.
func product(rows [][]float64, v []float64) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		out[i] = stringkernel.Mix(row, v)
	}
	return out
}
