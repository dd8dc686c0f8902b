package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/report/page"
)

// firstMetrics are the metrics to see first, those that the task has.
var firstMetrics = []string{
	"auroc", "accuracy", "auprc", "mcc", "f1_micro", "f1_macro", "spearman", "r2", "rmse", "kappa", "ndcg",
	"pair_accuracy", "precision_at_10", "subset_accuracy", "balanced_accuracy", "mae",
}

// mostTiles is the number of metrics among the tiles.
const mostTiles = 4

// tiles are the number of records and the first metrics.
func (b *builder) tiles() []page.Tile {
	tiles := []page.Tile{{Name: "records", Value: thousands(len(b.Predictions)), Small: b.sizes()}}
	s := b.scalars()
	for _, name := range firstMetrics {
		m := slices.Index(s.Names, name)
		if m < 0 || !s.Values[m].Defined() || len(tiles) > mostTiles {
			continue
		}
		small := ""
		if at := b.Measured.Interval; at != nil {
			small = fmt.Sprintf("95 %%: %s to %s", threeDecimals(at.Lower.Value(name)), threeDecimals(at.Upper.Value(name)))
		}
		if b.other != nil {
			small = fmt.Sprintf("%s; %s: %s", b.Name, b.other.Name, threeDecimals(b.other.Measured.Value(name)))
		}
		tiles = append(tiles, page.Tile{Name: title(name), Value: threeDecimals(float64(s.Values[m])), Small: small})
	}
	return tiles
}

// sizes lists the classes with their numbers of records, of many how many there are.
func (b *builder) sizes() string {
	if !b.hasErrors() {
		return ""
	}
	if b.labelling == dataset.LabelSets || len(b.Data.Classes) > 4 {
		return fmt.Sprintf("%d classes", len(b.Data.Classes))
	}
	counts := make([]int, len(b.Data.Classes))
	for _, y := range b.Data.Y {
		counts[y]++
	}
	parts := make([]string, len(counts))
	for c, n := range counts {
		parts[c] = fmt.Sprintf("%s: %s", b.Data.Classes[c], thousands(n))
	}
	return strings.Join(parts, ", ")
}

// fewRecords is how many records are too few for figures that mean much.
const fewRecords = 50

// notes are what has to be known before the figures are believed.
func (b *builder) notes() (notes []page.Note) {
	warn := func(format string, args ...any) {
		notes = append(notes, page.Note{Warning: true, Text: fmt.Sprintf(format, args...)})
	}
	for one := b; one != nil; one = one.other {
		if one.Known != "" {
			warn("%s of these data are in the training data of %s: the figures are not those of new data.",
				capital(one.Known), cmp.Or(one.Name, "the model"))
		}
		if class := one.onlyClass(); class != "" {
			warn("%s predicts one class alone, %s, for all records.", cmp.Or(one.Name, "The model"), class)
		}
	}
	b.warnDivided(warn)
	b.warnBaselines(warn)
	if n := len(b.Predictions); n < fewRecords {
		warn("%d records are few: see how wide the intervals are.", n)
	}
	for k, text := range b.Warnings {
		if !slices.Contains(b.Warnings[:k], text) { // two models may have the same
			warn("%s", capital(text))
		}
	}
	if b.Validation != nil {
		notes = append(notes, page.Note{Text: fmt.Sprintf("Metrics, errors and decisions of records are those of a "+
			"cross-validation: every record is predicted by a model of the other %d folds. Features and contributions are "+
			"those of one model of all records.", b.Validation.CVResult.Folds-1)})
	}
	return notes
}

// onlyClass returns the class if all predictions are one class and the records have several; otherwise "".
func (b *builder) onlyClass() string {
	if b.Data.Y == nil {
		return ""
	}
	several, first := false, b.Predictions[0].Class
	for i, p := range b.Predictions {
		if p.Class != first {
			return ""
		}
		several = several || b.Data.Y[i] != b.Data.Y[0]
	}
	if !several {
		return ""
	}
	return b.Data.Classes[first]
}

// about is the section on the model and what it was trained on.
func (b *builder) about() *page.Section {
	m := b.Model
	facts := append([]page.Fact{
		{Name: "kernel", Value: m.Kernel.String()}, {Name: "normalised", Value: yesNo(m.Kernel.Normalize)},
		{Name: "alphabet", Value: string(m.Kernel.Alphabet())}, {Name: "scheme", Value: m.Decision.Scheme},
	}, b.Facts...)
	if b.hasErrors() {
		facts = append(facts, page.Fact{Name: "classes", Value: some(m.Decision.Classes)})
	}
	if name := m.Decision.PositiveName(); name != "" {
		facts = append(facts, page.Fact{Name: "positive", Value: name})
	}
	if m.Decision.Criterion != "" {
		facts = append(facts, page.Fact{Name: "threshold", Value: fmt.Sprintf("%s, by %s",
			number(m.Decision.Machines[0].Threshold), m.Decision.Criterion)})
	}
	if m.Decision.Conformal != nil {
		facts = append(facts, page.Fact{Name: "confidence", Value: b.confidenceText()})
	}
	if t := m.Training; t.Checksum != "" {
		size := fmt.Sprintf("%s records, %s letters", thousands(t.Sequences), thousands(t.Letters))
		facts = append(facts, page.Fact{Name: "trained on", Value: size}, page.Fact{Name: "checksum", Value: t.Checksum})
	}
	if m.Generator.Version != "" {
		facts = append(facts, page.Fact{Name: "trained by", Value: "seqsvm " + m.Generator.Version})
	}
	if m.Generator.Options != "" {
		facts = append(facts, page.Fact{Name: "options", Value: m.Generator.Options})
	}
	s := &page.Section{ID: "model", Title: "Model", Blocks: []page.Block{{Facts: facts}, b.certificates()}}
	if b.Validation != nil {
		s.Blocks = append(s.Blocks, b.foldCertificates())
	}
	return s
}

// confidenceText says what a model knows of how sure it is.
func (b *builder) confidenceText() string {
	text := "scores of records left out in training, for sets of classes"
	if b.labelling == dataset.Numbers {
		text = "errors of records left out in training, for intervals"
	}
	if b.Classifier != nil && b.Classifier.HasRegions() {
		return fmt.Sprintf("%s: here at %g", text, b.Classifier.Confidence())
	}
	return text
}

// mostMachines is the number of machines whose certificates are listed.
const mostMachines = 200

// certificates is the table of the machines.
func (b *builder) certificates() page.Block {
	rule := &b.Model.Decision
	t := &page.Table{Caption: "Machines and their certificates", Stacked: true, Columns: []page.Column{
		{Name: "machine"}, {Name: "solver"}, {Name: "support vectors", Number: true}, {Name: "iterations", Number: true},
		{Name: "primal", Number: true}, {Name: "dual", Number: true},
		{Name: "gap", Number: true, Help: "(primal − dual)/|primal|: how far the solution may be from the optimum"},
		{Name: "rho", Number: true, Help: "the decision value is f(x) − rho"},
	}}
	machines := rule.Machines
	if rule.Process != nil {
		machines = machines[:1]
	}
	block := page.Block{Folded: len(machines) > 12, Title: "Machines and their certificates", Table: t}
	if len(machines) > mostMachines {
		block.Text = fmt.Sprintf("The first %d of %d.", mostMachines, len(machines))
		machines = machines[:mostMachines]
	}
	for i, m := range machines {
		row := []page.Cell{{Text: rule.MachineName(i)}, {Text: m.Solver}, {Text: thousands(m.SupportVectors)},
			{Text: thousands(m.Iterations)}, {}, {}, {}, {Text: number(m.Rho)}}
		if m.Primal != 0 || m.Dual != 0 || m.Gap != 0 {
			row[4].Text, row[5].Text, row[6].Text = number(m.Primal), number(m.Dual), number(m.Gap)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Titled = block.Folded
	if !block.Folded {
		block.Title = ""
	}
	return block
}

// foldCertificates says how well the machines of the folds are solved.
func (b *builder) foldCertificates() page.Block {
	machines, gap := 0, 0.0
	for _, rule := range b.Validation.Rules {
		for _, m := range rule.Machines {
			machines++
			gap = max(gap, m.Gap)
		}
	}
	return page.Block{Text: fmt.Sprintf("The greatest gap of the %s machines of all folds is %s.", thousands(machines),
		number(gap))}
}

// meanings say what metrics are.
var meanings = map[string]string{
	"accuracy":          "share of records predicted rightly",
	"balanced_accuracy": "mean of the classes' recalls",
	"auroc":             "chance that a record of the class scores above one that is not; 0.5 is guessing",
	"auprc":             "mean precision over the records of the class, by score",
	"f1_macro":          "mean of the classes' F1",
	"f1_micro":          "F1 of all decisions together",
	"mcc":               "correlation of truth and prediction; 0 is guessing",
	"log_loss":          "mean −ln of the true class's probability; 0 is best",
	"brier":             "mean squared error of the probabilities; 0 is best",
	"reliability":       "part of the Brier score that is due to bad calibration; 0 is best",
	"precision_micro":   "share of the labels given that are right",
	"recall_micro":      "share of the true labels that are given",
	"breakeven_micro":   "precision where it equals recall, all labels together",
	"breakeven_macro":   "the same, mean over the labels",
	"hamming_loss":      "share of wrong decisions, label by label; 0 is best",
	"subset_accuracy":   "share of records with exactly the right labels",
	"spearman":          "correlation of the ranks of truth and prediction",
	"pearson":           "correlation of truth and prediction",
	"rmse":              "root of the mean squared error; 0 is best",
	"mae":               "mean absolute error; 0 is best",
	"r2":                "share of the variance that is explained",
	"coverage95":        "share of truths within their 95 % interval",
	"pinball":           "loss of the quantile; 0 is best",
	"below":             "share of truths at or below the prediction",
	"ndcg":              "gain of the order over that of the best one",
	"precision_at_10":   "share of relevant records among the first ten",
	"pair_accuracy":     "share of pairs in the right order",
	"kappa":             "agreement beyond chance, by squared distance",
	"log_evidence":      "logarithm of the evidence",
}

// metrics is the section with all metrics.
func (b *builder) metrics() *page.Section {
	s, interval := b.scalars(), b.Measured.Interval
	t := &page.Table{
		Caption: "Metrics", Titled: true, Stacked: true, Columns: []page.Column{{Name: "metric"}, {Name: "value", Number: true}},
	}
	if b.Validation != nil {
		t.Columns = append(t.Columns, page.Column{Name: "sd", Number: true, Help: "standard deviation over the folds"})
	}
	axis := 0.0
	if interval != nil {
		axis = axisOf(interval)
		t.Columns = append(t.Columns, page.Column{
			Name: "95 % interval", Help: "how much it varies from one set of records to another, by samples of these; drawn " +
				"from " + number(axis) + " to 1",
		})
	}
	t.Columns = append(t.Columns, page.Column{Name: "what it is"})
	for m, name := range s.Names {
		value := float64(s.Values[m])
		row := []page.Cell{{Text: title(name)}, {Text: decimals(value)}}
		if b.Validation != nil {
			row = append(row, page.Cell{Text: decimals(b.Validation.SD.Value(name))})
		}
		if interval != nil {
			row = append(row, intervalCell(name, axis, value, interval.Lower.Value(name), interval.Upper.Value(name)))
		}
		t.Rows = append(t.Rows, append(row, page.Cell{Text: b.meaningOf(name, value)}))
	}
	section := &page.Section{ID: "metrics", Title: "Metrics", Blocks: []page.Block{{Table: t}}}
	if b.Validation != nil {
		if len(b.Validation.Baselines) > 0 {
			section.Blocks = append(section.Blocks, b.baselines())
		}
		section.Blocks = append(section.Blocks, b.foldMetrics())
	}
	return section
}

// baselines is the table of the model and of simple methods on the same folds, with the metrics that these have.
func (b *builder) baselines() page.Block {
	t := &page.Table{
		Caption: "Simple methods on the same folds", Titled: true, Stacked: true, Columns: []page.Column{{Name: "method"}},
	}
	of := []Baseline{{Name: "this model", Mean: b.Validation.Mean, SD: b.Validation.SD}}
	of = append(of, b.Validation.Baselines...)
	for _, method := range of {
		t.Rows = append(t.Rows, []page.Cell{{Text: method.Name}})
	}
	for _, name := range b.Validation.Mean.Names {
		if !slices.ContainsFunc(of[1:], func(m Baseline) bool { return !math.IsNaN(m.Mean.Value(name)) }) {
			continue
		}
		t.Columns = append(t.Columns, page.Column{Name: title(name), Number: true})
		for i, method := range of {
			cell := page.Cell{Text: decimals(method.Mean.Value(name))}
			if sd := method.SD.Value(name); !math.IsNaN(sd) {
				cell.Note = "± " + decimals(sd)
			}
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	const text = "Means over the folds, ± standard deviations. Each method learns from the records that the model of a " +
		"fold learns from, and chooses what it has to choose, as the order of a Markov chain, by these alone. The " +
		"lead of the model is what it adds."
	block := page.Block{Title: t.Caption, Table: t, Text: text}
	for _, method := range b.Validation.Baselines {
		block.Facts = append(block.Facts, page.Fact{Name: method.Name, Value: method.Meaning})
	}
	return block
}

// warnBaselines says which simple methods are as good as the model, by the first metric that it has.
func (b *builder) warnBaselines(warn func(format string, args ...any)) {
	if b.Validation == nil {
		return
	}
	mean := b.Validation.Mean
	first := slices.IndexFunc(firstMetrics, func(name string) bool { return !math.IsNaN(mean.Value(name)) })
	if first < 0 {
		return
	}
	name := firstMetrics[first]
	of, good := mean.Value(name), []string(nil)
	for _, method := range b.Validation.Baselines {
		value := method.Mean.Value(name)
		if value >= of && !metrics.IsLoss(name) || value <= of && metrics.IsLoss(name) {
			good = append(good, fmt.Sprintf("%s of %s", threeDecimals(value), method.Name))
		}
	}
	if len(good) > 0 {
		warn("Simple methods are as good on the same folds, or better, by %s: %s of the model, %s.", title(name),
			threeDecimals(of), strings.Join(good, ", "))
	}
}

// meaningOf says what a metric is and, if it is undefined, why.
func (b *builder) meaningOf(name string, value float64) string {
	text := meaningOf(name)
	if math.IsNaN(value) && b.onlyClass() != "" {
		text += "; NA: all predictions are one class"
	}
	return text
}

// meaningOf says what a metric is.
func meaningOf(name string) string {
	if strings.HasPrefix(name, strings.TrimRight(metrics.LevelName(0), "1")) {
		return "share of records right down to this level"
	}
	return meanings[name]
}

// drawn reports whether the interval of a metric is drawn on the axis of all: if the metric is at most 1.
func drawn(name string) bool {
	scale := metrics.ScaleOf(name)
	return scale == metrics.Unit || scale == metrics.Signed
}

// axisOf returns the beginning of the axis that intervals are drawn on, which ends at 1.
func axisOf(interval *metrics.Interval) float64 {
	least := 1.0
	for m, name := range interval.Lower.Names {
		if lower := float64(interval.Lower.Values[m]); drawn(name) && lower < least {
			least = lower
		}
	}
	for _, axis := range []float64{0.98, 0.9, 0.8, 0.5, 0} {
		if least >= axis {
			return axis
		}
	}
	return -1
}

// intervalCell draws an interval on an axis that ends at 1.
func intervalCell(name string, axis, value, lower, upper float64) page.Cell {
	if math.IsNaN(lower) || math.IsNaN(upper) {
		return page.Cell{Text: "NA"}
	}
	cell := page.Cell{Text: decimals(lower) + " to " + decimals(upper)}
	if drawn(name) {
		place := func(x float64) float64 { return (x - axis) / (1 - axis) }
		cell.Range = &page.Span{Lower: place(lower), Value: place(value), Upper: place(upper)}
	}
	return cell
}

// foldMetrics is the table of the metrics of each fold.
func (b *builder) foldMetrics() page.Block {
	t := &page.Table{
		Caption: "Metrics of each fold", Titled: true, Stacked: true,
		Columns: []page.Column{{Name: "fold"}, {Name: "records", Number: true}},
	}
	for _, name := range b.Validation.Mean.Names {
		t.Columns = append(t.Columns, page.Column{Name: title(name), Number: true})
	}
	for f, r := range b.Validation.Folds {
		row := []page.Cell{{Text: strconv.Itoa(f + 1)}, {Text: thousands(r.N)}}
		for _, name := range b.Validation.Mean.Names {
			row = append(row, page.Cell{Text: decimals(r.Value(name))})
		}
		t.Rows = append(t.Rows, row)
	}
	return page.Block{Title: t.Caption, Folded: true, Table: t}
}
