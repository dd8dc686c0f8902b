package genomic

import (
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/seqio/background"
)

// matchReport is the report of negatives --format json.
type matchReport struct {
	Positives matchProfile   `json:"positives"`
	Negatives matchProfile   `json:"negatives"`
	Wanted    int            `json:"wanted"`    // negatives
	Unmatched map[string]int `json:"unmatched"` // negatives that were not found, by reason
}

// matchProfile is the composition of windows. A mean of no values and a deviation of fewer than two are null.
type matchProfile struct {
	Windows     int           `json:"windows"`
	LengthMean  metrics.Float `json:"length_mean"`
	LengthSD    metrics.Float `json:"length_sd"`
	GCMean      metrics.Float `json:"gc_mean"`
	GCSD        metrics.Float `json:"gc_sd"`
	RepeatsMean metrics.Float `json:"repeats_mean"`
	RepeatsSD   metrics.Float `json:"repeats_sd"`
}

// writeReport writes how well the windows match the positives.
func (m *matchRun) writeReport(w io.Writer) error {
	if m.options.format != cli.JSON {
		return m.matches.WriteReport(w)
	}
	positives, negatives := m.matches.Profiles()
	report := matchReport{profileOf(positives), profileOf(negatives), m.matches.Wanted, map[string]int{}}
	for reason, n := range m.matches.Unmatched {
		report.Unmatched[background.Reason(reason).String()] = n
	}
	return cli.WriteJSON(w, report)
}

func profileOf(p background.Profile) matchProfile {
	f := func(x float64) metrics.Float { return metrics.Float(x) }
	return matchProfile{
		p.N, f(p.Letters.Mean), f(p.Letters.SD), f(p.GC.Mean), f(p.GC.SD), f(p.Repeats.Mean), f(p.Repeats.SD),
	}
}
