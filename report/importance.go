package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

// mostOligomers is the number of rows of k-mers in the picture of a POIM.
const mostOligomers = 16

// Importance draws positional oligomer importance matrices: the greatest importance at each position, for each length
// of k-mers, and for the k-mers of the greatest absolute importance at any position. Positions are those of first
// letters, 1-based.
func Importance(q *poim.Matrices) figure.Figure {
	const position = "position of the first letter"
	return figure.Grid{Columns: 1, Panels: []figure.Figure{
		figure.Profile{
			Title: "Positional importance", Note: fmt.Sprintf("greatest of all %d-mers", q.Length()),
			YName: "importance", XName: position, Values: greatest(q, q.Length()),
		},
		byLength(q, position),
		oligomers(q, position),
	}}
}

// greatest returns the greatest absolute importance of k-mers at each position of the window.
func greatest(q *poim.Matrices, k int) []float64 {
	values := make([]float64, q.Window())
	for p := range values {
		values[p] = math.NaN()
	}
	for p, best := range q.Maxima(k) {
		values[p] = math.Abs(best.Value)
	}
	return values
}

func byLength(q *poim.Matrices, position string) figure.Heat {
	heat := figure.Heat{Title: "By length of k-mers", Note: "greatest absolute importance", XName: position}
	for k := 1; k <= q.Length(); k++ {
		heat.Names = append(heat.Names, fmt.Sprintf("k=%d", k))
		heat.Values = append(heat.Values, greatest(q, k))
	}
	return heat
}

func oligomers(q *poim.Matrices, position string) figure.Heat {
	k := q.Length()
	heat := figure.Heat{Title: fmt.Sprintf("Strongest %d-mers", k), Note: "importance", XName: position}
	var numbers []int
	for n := mostOligomers; len(numbers) < mostOligomers; n *= 2 {
		list := q.Strongest(k, n)
		numbers = numbers[:0]
		for _, i := range list {
			if !slices.Contains(numbers, i.Number) && len(numbers) < mostOligomers {
				numbers = append(numbers, i.Number)
			}
		}
		if len(list) < n {
			break // there are no more
		}
	}
	for _, n := range numbers {
		row := make([]float64, q.Window())
		for p := range row {
			row[p] = math.NaN()
			if p <= q.Window()-k {
				row[p] = q.Row(k, p)[n]
			}
		}
		heat.Names, heat.Values = append(heat.Names, string(q.Word(k, n))), append(heat.Values, row)
	}
	return heat
}
