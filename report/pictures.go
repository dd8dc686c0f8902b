package report

import (
	"context"

	"github.com/seqsvm/seqsvm/report/curves"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/report/page"
)

// pictures is the section of curves, nil if there are none for the labels. The confusion matrix is a table of the page.
func (b *builder) pictures(ctx context.Context) (*page.Section, error) {
	s := curves.Subject{Data: b.Data, Predictions: b.Predictions, Replicates: b.Replicates, Seed: b.Seed}
	if b.Validation != nil {
		s.Fold = b.Validation.Fold
	}
	r, err := s.Of(ctx)
	if err != nil {
		return nil, err
	}
	panels := []figure.Figure{r.Figure}
	if grid, several := r.Figure.(figure.Grid); several {
		panels = grid.Panels
	}
	block := page.Block{}
	for _, panel := range panels {
		if _, is := panel.(figure.Confusion); is {
			continue
		}
		alt := "Curves of the predictions"
		if chart, is := panel.(figure.Chart); is {
			alt = chart.Title + ": " + chart.YName + " against " + chart.XName
		}
		block.Figures = append(block.Figures, page.Figure{Alt: alt, Picture: panel})
	}
	if block.Figures == nil {
		return nil, nil
	}
	return &page.Section{ID: "pictures", Title: "Pictures", Blocks: []page.Block{block}}, nil
}
