package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/report/curves"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

// pictures is the section of curves, nil if there are none for the labels.
func (b *builder) pictures(ctx context.Context) (*page.Section, error) {
	var beside []decide.Prediction
	if b.other != nil {
		beside = b.other.Predictions
	}
	panels, err := b.panels(ctx, beside)
	if err != nil {
		return nil, err
	}
	block := page.Block{}
	if b.other != nil {
		others, err := b.other.panels(ctx, b.Predictions)
		if err != nil {
			return nil, err
		}
		block.Figures = b.paired(panels, others)
	} else {
		for _, panel := range panels {
			block.Figures = append(block.Figures, pictureOf(panel))
		}
	}
	if block.Figures == nil {
		return nil, nil
	}
	return &page.Section{ID: "pictures", Title: "Pictures", Blocks: []page.Block{block}}, nil
}

// panels are the curves, without the confusion matrix, which is a table of the page.
func (b *builder) panels(ctx context.Context, beside []decide.Prediction) ([]figure.Figure, error) {
	s := curves.Subject{
		Data: b.Data, Predictions: b.Predictions, Replicates: b.Replicates, Seed: b.Seed, Beside: beside,
	}
	if b.Validation != nil {
		s.Fold = b.Validation.Fold
	}
	r, err := s.Of(ctx)
	if err != nil {
		return nil, err
	}
	panels := []figure.Figure{r.Figure}
	if grid, several := r.Figure.(figure.Grid); several {
		panels = slices.Clone(grid.Panels)
	}
	return slices.DeleteFunc(panels, func(panel figure.Figure) bool {
		_, is := panel.(figure.Confusion)
		return is
	}), nil
}

// pictureOf is a panel with what it shows in words.
func pictureOf(panel figure.Figure) page.Figure {
	alt := "Curves of the predictions"
	if chart, is := panel.(figure.Chart); is {
		alt = chart.Title + ": " + chart.YName + " against " + chart.XName
	}
	return page.Figure{Alt: alt, Picture: panel}
}

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
	values := slices.Repeat([]float64{math.NaN()}, q.Window())
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

// ScanTracks is a picture of the windows of a scan: for each record the greatest score of the windows that begin at a
// position, or in a bin of positions, and marks where windows are if they are few. Add windows in any order. Memory is
// that of a few hundred numbers per record.
type ScanTracks struct {
	Title     string   // what the scores are of
	Threshold *float64 // drawn as a line
	records   []*scanTrack
	left      int // records without room
	last      string
}

const (
	mostBins   = 480 // of a record
	mostMarks  = 60  // of a record
	mostTracks = 24
)

// scanTrack is the windows of one record.
type scanTrack struct {
	name  string
	step  int       // positions of a bin
	bins  []float64 // greatest score; NaN without a window
	spans [][2]int  // of windows, in letters; nil if there are too many
	count int
	end   int // of the last window
}

// Add adds a window.
func (s *ScanTracks) Add(r scan.Region) {
	i := slices.IndexFunc(s.records, func(k *scanTrack) bool { return k.name == r.Record })
	if i < 0 {
		if len(s.records) == mostTracks {
			if r.Record != s.last {
				s.left, s.last = s.left+1, r.Record
			}
			return
		}
		i, s.records = len(s.records), append(s.records, &scanTrack{name: r.Record, step: 1})
	}
	s.records[i].add(r)
}

// Left returns the number of records for which there was no room.
func (s *ScanTracks) Left() int { return s.left }

func (k *scanTrack) add(r scan.Region) {
	for r.Start/k.step >= mostBins {
		k.coarsen()
	}
	for r.Start/k.step >= len(k.bins) {
		k.bins = append(k.bins, math.NaN())
	}
	bin := &k.bins[r.Start/k.step]
	if math.IsNaN(*bin) || r.Score > *bin {
		*bin = r.Score
	}
	if k.count++; k.count <= mostMarks {
		k.spans = append(k.spans, [2]int{r.Start, r.End})
	} else {
		k.spans = nil
	}
	k.end = max(k.end, r.End)
}

// coarsen joins bins in pairs.
func (k *scanTrack) coarsen() {
	joined := make([]float64, (len(k.bins)+1)/2)
	for i := range joined {
		joined[i] = k.bins[2*i]
		if 2*i+1 < len(k.bins) && !(joined[i] >= k.bins[2*i+1]) && !math.IsNaN(k.bins[2*i+1]) {
			joined[i] = k.bins[2*i+1]
		}
	}
	k.bins, k.step = joined, 2*k.step
}

// Figure is the picture.
func (s *ScanTracks) Figure() figure.Figure {
	grid := figure.Grid{Columns: 1}
	for _, k := range s.records {
		grid.Panels = append(grid.Panels, k.profile(s))
	}
	return grid
}

func (k *scanTrack) profile(s *ScanTracks) figure.Profile {
	p := figure.Profile{
		Title: k.name, Note: fmt.Sprintf("%s, %d windows", s.Title, k.count), XName: "position of the first letter",
		YName: "score", Step: k.step, Values: slices.Clone(k.bins), Threshold: s.Threshold,
	}
	for len(p.Values)*k.step < k.end {
		p.Values = append(p.Values, math.NaN())
	}
	for _, span := range k.spans {
		p.Spans = append(p.Spans, figure.Span{From: span[0] / k.step, To: (span[1]-1)/k.step + 1})
	}
	return p
}
