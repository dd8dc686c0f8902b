package classify

// TwoClass is the scheme with one machine, for the positive class of two.
const TwoClass = "two-class"

type twoClass struct{ perClass }

func (twoClass) labelling() Labelling { return TwoClasses }

func (twoClass) count(*Rule) (int, error) { return 1, nil }

func (twoClass) binaries(r *Rule) []Binary {
	return []Binary{{Positive: r.Positive, Negative: 1 - r.Positive}}
}

func (twoClass) bytes(t Trainer, n, _ float64) float64 { return t.recordBytes() * n }

func (twoClass) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	y, counts := d.classesOf(rows)
	p.jobs = []job{t.job(p.machines[0], rows, y, counts)}
}

// decide sets a threshold that is a number.
func (twoClass) decide(r *Rule, _ []result) {
	r.Machines[0].Threshold, _, _ = readThreshold(r.Criterion)
}

// calibrate also chooses a threshold that is not.
func (s twoClass) calibrate(p *plan, machines []Binary, left []leftOut) error {
	if _, criterion, _ := readThreshold(p.rule.Criterion); criterion != nil {
		machines[0].Threshold = criterion(left[0])
	}
	return s.perClass.calibrate(p, machines, left)
}

func (twoClass) predict(r *Rule, decisions []float64, to *Prediction) {
	to.Scores, to.Class = decisions, r.Positive
	if !(decisions[0] > r.Machines[0].Threshold) {
		to.Class = 1 - r.Positive
	}
}

func (twoClass) defaultMetric() string { return "auroc" }

func (twoClass) probabilities(r *Rule, decisions []float64) []float64 {
	p := r.Machines[0].Sigmoid.Probability(decisions[0])
	out := []float64{1 - p, 1 - p}
	out[r.Positive] = p
	return out
}
