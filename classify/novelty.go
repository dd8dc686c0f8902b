package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// NoveltyScheme has one machine, trained on known records alone, whose decision value is above 0 for novel ones.
const NoveltyScheme = "novelty"

// novelty decides as two classes do, and learns from one.
type novelty struct{ twoClass }

func (novelty) labelling() Labelling { return KnownOrNovel }

func (novelty) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	known := make([]int, 0, d.Len())
	all := job{index: rows}
	for i := range recordsOf(d, rows) {
		if record := all.record(i); d.Y[record] == 0 {
			known = append(known, record)
		}
	}
	p.jobs = []job{{index: known, y: make([]float64, len(known)), risk: func(y, weights []float64) (risk.Risk, error) {
		return risk.OneClass(len(y), weights, cmp.Or(t.Nu, defaultNu)), nil
	}}}
}

func (novelty) check(t Trainer) error { return single{}.check(t) }
