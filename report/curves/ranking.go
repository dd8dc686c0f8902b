package curves

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/report/figure"
)

// kind is a curve of thresholds: ROC or precision-recall.
type kind struct {
	name, title, x, y string
	area              string
	points            func([]float64, []bool) ([]metrics.CurvePoint, error)
	measure           func([]float64, []bool) (float64, error)
	at                func([]metrics.CurvePoint, float64) float64
	line              func([]metrics.CurvePoint) (x, y []float64)
	first             int // step of the grid, before which Y is a convention
}

var kinds = []kind{
	{
		"roc", "ROC", "false positive rate", "true positive rate", "AUROC", metrics.ROC, metrics.AUROC, metrics.YAt,
		straight, 0,
	},
	{
		"precision_recall", "Precision and recall", "recall", "precision", "average precision",
		metrics.PrecisionRecall, metrics.AUPRC, metrics.PrecisionAt, stairs, 1,
	},
}

// gridSteps is the number of steps of X in which curves are averaged and have bands.
const gridSteps = 100

func gridX(g int) float64 { return float64(g) / gridSteps }

// rankings draws the curves of all kinds.
func (s Subject) rankings(ctx context.Context, r *Result) error {
	list := s.contrasts(score)
	bands := make([]*metrics.Replicates, len(list))
	for k := range list {
		if s.Replicates > 0 && list[k].drawn {
			var err error
			if bands[k], err = s.resample(ctx, &list[k]); err != nil {
				return err
			}
		}
	}
	for n, of := range kinds {
		chart := figure.Chart{
			Title: of.title, XName: of.x, YName: of.y, XRange: [2]float64{0, 1}, YRange: [2]float64{0, 1},
			Diagonal: of.name == "roc", Note: note(list),
		}
		for k := range list {
			c, err := s.draw(of, &list[k])
			if err != nil {
				return err
			}
			if c == nil {
				continue // a class that no record has, or all have
			}
			c.bands(bands[k], n)
			c.addPoints(r)
			if list[k].drawn {
				chart.Layers = append(chart.Layers, c.layers(len(list) == 1)...)
			}
		}
		r.add(chart)
	}
	return nil
}

// curve is one of a kind and a class.
type curve struct {
	kind
	*contrast
	folds        [][]metrics.CurvePoint // of each fold, or of all; nil where undefined
	average      []float64              // on the grid, of folds
	lower, upper []float64              // on the grid, nil without bands
	area         float64                // mean over the folds
}

// draw finds the points; nil where there are none.
func (s Subject) draw(of kind, class *contrast) (*curve, error) {
	c := &curve{kind: of, contrast: class}
	defined := 0
	for _, records := range s.folds(s.all()) {
		scores, positive := class.part(records)
		points, err := of.points(scores, positive)
		if err != nil {
			return nil, fmt.Errorf("curves: class %s: %w", class.name, err)
		}
		c.folds = append(c.folds, points)
		if points == nil {
			continue
		}
		area, err := of.measure(scores, positive)
		if err != nil {
			return nil, err
		}
		c.area += area
		defined++
	}
	if defined == 0 {
		return nil, nil
	}
	c.area /= float64(defined)
	c.average = of.mean(c.folds)
	return c, nil
}

// part returns the scores of some records, and which of them are positive.
func (c *contrast) part(records []int) (scores []float64, positive []bool) {
	scores, positive = make([]float64, len(records)), make([]bool, len(records))
	for k, i := range records {
		scores[k], positive[k] = c.scores[i], c.positive[i]
	}
	return scores, positive
}

// mean averages curves on the grid: the mean Y at each X.
func (k kind) mean(curves [][]metrics.CurvePoint) []float64 {
	sums := make([]float64, gridSteps+1)
	defined := 0
	for _, points := range curves {
		if points == nil {
			continue
		}
		defined++
		for g := range sums {
			sums[g] += k.at(points, gridX(g))
		}
	}
	for g := range sums {
		sums[g] /= float64(defined) // 0/0 is NaN
	}
	for g := range k.first {
		sums[g] = nan
	}
	return sums
}

// resample draws samples of the records, as many of the class as there are, and finds the curves of both kinds on the
// grid, one after another.
func (s Subject) resample(ctx context.Context, class *contrast) (*metrics.Replicates, error) {
	strata := make([]int, len(class.positive))
	for i, is := range class.positive {
		if is {
			strata[i] = 1
		}
	}
	b := metrics.Bootstrap{Replicates: s.Replicates, Seed: s.Seed, Strata: strata, Groups: s.Data.Groups}
	ranking, err := metrics.NewRanking(class.scores, class.positive)
	if err != nil {
		return nil, fmt.Errorf("curves: class %s: %w", class.name, err)
	}
	return b.Run(ctx, len(strata), func(sample metrics.Resample) (values []metrics.Float, err error) {
		var curves [2][][]metrics.CurvePoint // of kinds, by fold
		for _, records := range s.folds(sample.Records) {
			roc, precisionRecall := ranking.Curves(records)
			curves[0], curves[1] = append(curves[0], roc), append(curves[1], precisionRecall)
		}
		for k, of := range kinds {
			for _, y := range of.mean(curves[k]) {
				values = append(values, metrics.Float(y))
			}
		}
		return values, nil
	})
}

// bands takes the intervals of the n-th kind: percentiles, which rise with a curve that rises.
func (c *curve) bands(r *metrics.Replicates, n int) {
	if r == nil {
		return
	}
	for g, y := range c.average {
		lower, upper := nan, nan
		if !math.IsNaN(y) {
			lower, upper = r.Percentiles95(n*(gridSteps+1) + g)
		}
		c.lower, c.upper = append(c.lower, lower), append(c.upper, upper)
	}
}

// layers are those of the chart: with one class, the folds too.
func (c *curve) layers(one bool) (layers []figure.Layer) {
	grid := make([]float64, gridSteps+1)
	for g := range grid {
		grid[g] = gridX(g)
	}
	if one && len(c.folds) > 1 {
		for _, points := range c.folds {
			x, y := c.line(points)
			layers = append(layers, figure.Layer{X: x, Y: y, Kind: figure.Thin, Series: c.series})
		}
		layers[0].Name = fmt.Sprintf("%d folds", len(c.folds))
	}
	line := figure.Layer{Series: c.series, Name: c.kind.area}
	if !one {
		line.Name = c.contrast.name
	}
	line.Name += " (" + table.Decimals(c.area, 3) + ")"
	if len(c.folds) > 1 {
		line.X, line.Y = grid, c.average
		if c.first == 0 { // from the origin, where the threshold is above all scores
			line.X, line.Y = append([]float64{0}, grid...), append([]float64{0}, c.average...)
		}
	} else {
		line.X, line.Y = c.line(c.folds[0])
	}
	if c.lower != nil {
		band := figure.Layer{X: grid, Lower: c.lower, Upper: c.upper, Series: c.series}
		if one {
			band.Name = "95 % band"
		}
		layers = append([]figure.Layer{band}, layers...)
	}
	return append(layers, line)
}

// straight are the coordinates of a line through points: between two thresholds of a ROC, drawing lots reaches it.
func straight(points []metrics.CurvePoint) (x, y []float64) {
	for _, p := range points {
		x, y = append(x, p.X), append(y, p.Y)
	}
	return x, y
}

// stairs are those of steps, whose area is the average precision: the precision at a recall is that of the threshold
// that reaches it. The first point, a convention, is left out.
func stairs(points []metrics.CurvePoint) (x, y []float64) {
	last := 0.
	for _, p := range points[min(1, len(points)):] {
		x, y = append(x, last, p.X), append(y, p.Y, p.Y)
		last = p.X
	}
	return x, y
}

// addPoints adds the points of every fold, and the average with its band on the grid.
func (c *curve) addPoints(r *Result) {
	for f, points := range c.folds {
		for _, p := range points {
			row := r.addPoint(c.kind.name, c.contrast.name, p.X, p.Y, 0)
			row.Threshold = p.Threshold
			if len(c.folds) > 1 {
				row.Fold = f + 1
			}
		}
	}
	if len(c.folds) == 1 && c.lower == nil {
		return
	}
	for g, y := range c.average {
		if g < c.first {
			continue
		}
		row := r.addPoint(c.kind.name+"_mean", c.contrast.name, gridX(g), y, 0)
		if c.lower != nil {
			row.Lower, row.Upper = c.lower[g], c.upper[g]
		}
	}
}
