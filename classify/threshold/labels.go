package threshold

import (
	"maps"
	"math"
	"slices"
)

// The values of [classify.Trainer].Thresholds: how the decision value above which a label is given is chosen, from
// those of records left out in training (Yang 2001, doi:10.1145/383952.383975).
const (
	// ThresholdsFBR is SCutFBR: per label the best of its threshold of ThresholdsSCut, 0, the greatest decision value
	// of a record left out (FBR.1) and none at all, so that the label is never given (FBR.0). Best is what makes the
	// micro-averaged F1 of all labels greatest, when each choice is tried on parts of the records left out with
	// thresholds from the other parts. A threshold that is fitted to a few records with the label is often worse than
	// giving the label to no record.
	FBR  = "fbr"
	SCut = "scut" // the threshold of the greatest F1 of the label: see [Fit]
	Zero = "zero" // 0, the machine's own: no cross-validation
)

// neverGiven is the threshold of a label that no record gets.
const Never = math.MaxFloat64

// LeftOut is the decision values of a machine for records left out in training, and their labels ±1; empty if there is
// no cross-validation of the machine.
type LeftOut struct{ Decisions, Y []float64 }

// thresholdRules choose a threshold for each machine.
var rules = map[string]func([]LeftOut) []float64{
	FBR: fbrThresholds,
	SCut: func(machines []LeftOut) []float64 {
		thresholds := make([]float64, len(machines))
		for i, m := range machines {
			thresholds[i] = Fit(m.Decisions, m.Y)
		}
		return thresholds
	},
	Zero: func(machines []LeftOut) []float64 { return make([]float64, len(machines)) },
}

// OfLabels chooses a threshold for each machine by the rule of a name.
func OfLabels(rule string, machines []LeftOut) []float64 {
	return rules[rule](machines)
}

// Names lists the values of [classify.Trainer].Thresholds.
func Names() []string { return slices.Sorted(maps.Keys(rules)) }

// candidates are the ways to a threshold that SCutFBR chooses from, the first of equal ones.
var candidates = []Criterion{
	func(LeftOut) float64 { return 0 },
	func(m LeftOut) float64 { return Fit(m.Decisions, m.Y) },
	func(m LeftOut) float64 { return slices.Max(m.Decisions) },
	func(LeftOut) float64 { return Never },
}

// fbrThresholds is SCutFBR. The micro-averaged F1 is a ratio of sums over labels, 2 TP/(2 TP + FP + FN): with the F of
// the choices so far, the choice of each label with the greatest 2 TP − F·(2 TP + FP + FN) raises it, until none does
// (Dinkelbach 1967, doi:10.1287/mnsc.13.7.492).
func fbrThresholds(machines []LeftOut) []float64 {
	outcomes := make([][]outcome, len(machines))
	for i, m := range machines {
		outcomes[i] = tried(m, candidates...)
	}
	choice, f := make([]int, len(machines)), 0.0
	for {
		var all outcome
		for i, tries := range outcomes {
			choice[i] = 0
			for k := range tries {
				if tries[k].gain(f) > tries[choice[i]].gain(f) {
					choice[i] = k
				}
			}
			if tries != nil {
				all.add(tries[choice[i]])
			}
		}
		better := all.f1()
		if !(better > f) {
			break
		}
		f = better
	}
	thresholds := make([]float64, len(machines))
	for i, m := range machines {
		if outcomes[i] != nil {
			thresholds[i] = candidates[choice[i]](m)
		}
	}
	return thresholds
}

// outcome counts what a threshold does to records.
type outcome struct{ right, wrong, missed float64 }

func (o *outcome) add(p outcome) {
	o.right, o.wrong, o.missed = o.right+p.right, o.wrong+p.wrong, o.missed+p.missed
}

// weight returns 2 TP + FP + FN.
func (o outcome) weight() float64 { return 2*o.right + o.wrong + o.missed }

func (o outcome) gain(f float64) float64 { return 2*o.right - float64(f*o.weight()) }

// f1 returns 0 where it is undefined.
func (o outcome) f1() float64 { return 2 * o.right / max(1, o.weight()) }

// thresholdParts is the number of parts of the records left out.
const thresholdParts = 5

// tried returns what each candidate does to the parts of the records left out, with a threshold from the other parts;
// nil without records. The records of either side are dealt to the parts in turn.
func tried(m LeftOut, candidates ...Criterion) []outcome {
	if len(m.Y) == 0 {
		return nil
	}
	part, dealt := make([]int, len(m.Y)), [2]int{}
	for i, y := range m.Y {
		side := 0
		if y > 0 {
			side = 1
		}
		part[i] = dealt[side] % thresholdParts
		dealt[side]++
	}
	tries := make([]outcome, len(candidates))
	for p := range min(thresholdParts, max(dealt[0], dealt[1])) {
		var fit, test LeftOut
		for i, y := range m.Y {
			to := &fit
			if part[i] == p {
				to = &test
			}
			to.Decisions, to.Y = append(to.Decisions, m.Decisions[i]), append(to.Y, y)
		}
		if len(fit.Y) == 0 {
			continue
		}
		for k, candidate := range candidates {
			tries[k].add(measured(test, candidate(fit)))
		}
	}
	return tries
}

// measured counts what a threshold does to records.
func measured(m LeftOut, threshold float64) (o outcome) {
	for i, y := range m.Y {
		switch given := m.Decisions[i] > threshold; {
		case given && y > 0:
			o.right++
		case given:
			o.wrong++
		case y > 0:
			o.missed++
		}
	}
	return o
}
