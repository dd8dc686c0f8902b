package metrics

// Ratios are the metrics of one class against the rest, NaN where undefined.
type Ratios struct {
	Precision Float `json:"precision"`
	Recall    Float `json:"recall"`
	F1        Float `json:"f1"`
}

// List returns precision, recall and F1.
func (r Ratios) List() []Float { return []Float{r.Precision, r.Recall, r.F1} }

// ClassFigures are the metrics of one class against the rest.
type ClassFigures struct {
	Class string `json:"class"`
	N     int64  `json:"n"` // records of the class
	Ratios
	*ClassInterval // nil if it is not known
}

// LabelFigures are the metrics of one class of records with several labels each.
type LabelFigures struct {
	LabelCounts
	*ClassInterval // nil if it is not known
}

// ClassInterval holds the ends of the intervals of the figures of one class.
type ClassInterval struct {
	Lower Ratios `json:"lower"`
	Upper Ratios `json:"upper"`
}

// PerClass returns the metrics of each class that follow from the confusion matrix, in the order of Classes, with their
// intervals. O(classes²).
func (r Report) PerClass() []ClassFigures {
	figures, support := make([]ClassFigures, len(r.Classes)), r.Confusion.Support()
	precision, recall, f1 := r.Confusion.Precision(), r.Confusion.Recall(), r.Confusion.F1()
	for c, name := range r.Classes {
		figures[c] = ClassFigures{
			name, support[c], Ratios{Float(precision[c]), Float(recall[c]), Float(f1[c])}, r.classInterval(c),
		}
	}
	return figures
}

// LabelFigures returns the metrics of each class of records with several labels, with their intervals. O(classes).
func (r Report) LabelFigures() []LabelFigures {
	figures := make([]LabelFigures, len(r.Labels))
	for c, counts := range r.Labels {
		figures[c] = LabelFigures{counts, r.classInterval(c)}
	}
	return figures
}

func (r *Report) classInterval(c int) *ClassInterval {
	if r.ClassIntervals == nil {
		return nil
	}
	return &r.ClassIntervals[c]
}

// AddClassIntervals adds the intervals of the figures of each class to a report. The metrics of the replicates are
// precision, recall and F1 of the first class, of the second, and so on. O(replicates · classes).
func (r *Report) AddClassIntervals(from *Replicates) {
	var estimates []Ratios
	for _, c := range r.PerClass() {
		estimates = append(estimates, c.Ratios)
	}
	for _, c := range r.Labels {
		estimates = append(estimates, c.Ratios)
	}
	r.ClassIntervals = make([]ClassInterval, len(estimates))
	for c, of := range estimates {
		var lower, upper [3]Float
		for k, value := range of.List() {
			low, high := from.Interval95(len(lower)*c+k, float64(value), Unit)
			lower[k], upper[k] = Float(low), Float(high)
		}
		r.ClassIntervals[c] = ClassInterval{
			Ratios{lower[0], lower[1], lower[2]}, Ratios{upper[0], upper[1], upper[2]},
		}
	}
}
