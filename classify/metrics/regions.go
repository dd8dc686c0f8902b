package metrics

// Regions are how often sets of classes, or intervals, hold the truth, and how large they are.
type Regions struct {
	Coverage  Float         `json:"coverage"`            // share of the records whose region holds the truth
	Size      Float         `json:"mean_size"`           // classes of a set, or width of an interval
	Abstained *Float        `json:"abstained,omitempty"` // share of records whose set has not one class; nil of intervals
	Classes   []ClassRegion `json:"classes,omitempty"`   // of records by their true class

	abstained []float64
}

// ClassRegion is [Regions] of one class; of intervals there is one.
type ClassRegion struct {
	Class    string `json:"class"`
	N        int    `json:"n"`
	Coverage Float  `json:"coverage"`
	Size     Float  `json:"mean_size"`
}

// NewRegions returns regions of no record yet.
func NewRegions(classes []string) *Regions {
	r := &Regions{abstained: make([]float64, len(classes))}
	for _, class := range classes {
		r.Classes = append(r.Classes, ClassRegion{Class: class})
	}
	return r
}

// Add counts a record: its true class, whether its region holds the truth, the size of that, and whether it abstains.
func (r *Regions) Add(class int, held bool, size float64, abstains bool) {
	c := &r.Classes[class]
	c.N++
	c.Size += Float(size)
	if held {
		c.Coverage++
	}
	if abstains {
		r.abstained[class]++
	}
}

// Mean returns the means over the records that were added, which are undefined of none.
func (r *Regions) Mean() *Regions {
	all, abstained, n := new(Regions), 0.0, 0.0
	for i, c := range r.Classes {
		all.Coverage, all.Size, abstained, n = all.Coverage+c.Coverage, all.Size+c.Size, abstained+r.abstained[i],
			n+float64(c.N)
		c.Coverage, c.Size = c.Coverage/Float(c.N), c.Size/Float(c.N)
		all.Classes = append(all.Classes, c)
	}
	all.Coverage, all.Size = all.Coverage/Float(n), all.Size/Float(n)
	if len(r.Classes) > 1 {
		share := Float(abstained / n)
		all.Abstained = &share
	}
	return all
}
