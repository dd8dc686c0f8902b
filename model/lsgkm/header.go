package lsgkm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
)

// header is the part of a file before the support vectors that has been read.
type header struct {
	file         *File
	total        int
	probA, probB *float64
	seen         map[string]int // line of each key
}

// setters read the values of a key, after their number is checked.
var setters = map[string]struct {
	values int
	set    func(h *header, values []string) error
}{
	"svm_type": {1, oneOf("c_svc (gkmtrain) or epsilon_svr (gkmtrain-svr)",
		func(h *header, value string) { h.file.Regression = value == "epsilon_svr" }, "c_svc", "epsilon_svr")},
	"kernel_type": {1, oneOf("gkm_cnt, gkm_estfull, gkm_esttrunc, gkmrbf, wgkm, wgkmrbf or gkm_cnt_rbf",
		func(h *header, value string) { h.file.KernelType = value }, slices.Collect(maps.Keys(kernelTypes))...)},
	"L": {1, integer(func(h *header) *int { return &h.file.L }, 1, 1<<20)},
	"k": {1, integer(func(h *header) *int { return &h.file.K }, 1, 1<<20)},
	"d": {1, integer(func(h *header) *int { return &h.file.D }, 0, 1<<20)},
	"norc": {1, oneOf("0 (both strands) or 1",
		func(h *header, value string) { h.file.OneStrand = value == "1" }, "0", "1")},
	"gamma":    {1, number(func(h *header) *float64 { return &h.file.Gamma })},
	"M":        {1, integer(func(h *header) *int { return &h.file.Peak }, 1, 255)},
	"H":        {1, number(func(h *header) *float64 { return &h.file.HalfLife })},
	"nr_class": {1, integer(func(h *header) *int { return new(int) }, 2, 2)},
	"total_sv": {1, integer(func(h *header) *int { return &h.total }, 0, math.MaxInt32)},
	"rho":      {1, number(func(h *header) *float64 { return &h.file.Rho })},
	"label":    {2, (*header).setLabels},
	"probA":    {1, number(func(h *header) *float64 { h.probA = new(float64); return h.probA })},
	"probB":    {1, number(func(h *header) *float64 { h.probB = new(float64); return h.probB })},
	"nr_sv":    {2, (*header).setCounts},
}

// KernelTypes are the names of the kernels by the number of gkmtrain -t; the last one is of kundajelab/lsgkm alone.
var KernelTypes = [...]string{
	"gkm_cnt", "gkm_estfull", "gkm_esttrunc", "gkmrbf", "wgkm", "wgkmrbf", "gkm_cnt_rbf",
}

// kernelTypes are the kernels of LS-GKM: the filter, and whether there are centre weights and an RBF.
var kernelTypes = map[string]struct {
	filter       gapped.Filter
	weights, rbf bool
}{
	"gkm_cnt": {gapped.Plain, false, false}, "gkm_estfull": {gapped.Full, false, false},
	"gkm_esttrunc": {gapped.Truncated, false, false}, "gkmrbf": {gapped.Truncated, false, true},
	"wgkm": {gapped.Truncated, true, false}, "wgkmrbf": {gapped.Truncated, true, true},
	"gkm_cnt_rbf": {gapped.Plain, false, true},
}

// set reads one line of the header.
func (h *header) set(key string, values []string, line int) error {
	s, known := setters[key]
	if !known {
		return fmt.Errorf("unknown key %.40q, want one of LS-GKM's such as kernel_type, L, k, d, rho or SV", key)
	}
	if first, twice := h.seen[key]; twice {
		return fmt.Errorf("key %s is given twice, first on line %d", key, first)
	}
	h.seen[key] = line
	if len(values) != s.values {
		return fmt.Errorf("key %s has %d values, want %d", key, len(values), s.values)
	}
	if err := s.set(h, values); err != nil {
		return fmt.Errorf("%s %w", key, err)
	}
	return nil
}

func integer(target func(h *header) *int, least, most int) func(h *header, values []string) error {
	return func(h *header, values []string) error {
		n, err := strconv.Atoi(values[0])
		if err != nil || n < least || n > most {
			if least == most {
				return fmt.Errorf("%.40q, want %d", values[0], least)
			}
			return fmt.Errorf("%.40q, want an integer, %d…%d", values[0], least, most)
		}
		*target(h) = n
		return nil
	}
}

func number(target func(h *header) *float64) func(h *header, values []string) error {
	return func(h *header, values []string) (err error) {
		*target(h), err = finite(values[0])
		return err
	}
}

// finite reads a finite number.
func finite(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%.40q, want a finite number", text)
	}
	return x, nil
}

func oneOf(want string, set func(h *header, value string), allowed ...string) func(h *header, values []string) error {
	return func(h *header, values []string) error {
		if !slices.Contains(allowed, values[0]) {
			return fmt.Errorf("%.40q, want %s", values[0], want)
		}
		set(h, values[0])
		return nil
	}
}

func (h *header) setLabels(values []string) error {
	for _, label := range values {
		if _, err := strconv.Atoi(label); err != nil {
			return fmt.Errorf("%.40q, want an integer", label)
		}
	}
	if values[0] == values[1] {
		return fmt.Errorf("%.40q is given twice, want two labels", values[0])
	}
	copy(h.file.Labels[:], values)
	return nil
}

func (h *header) setCounts(values []string) error {
	for i, text := range values {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("%.40q, want an integer ≥ 0", text)
		}
		h.file.Counts[i] = n
	}
	return nil
}

// finish checks that the header is complete and consistent.
func (h *header) finish() error {
	need := []string{"svm_type", "kernel_type", "L", "k", "d", "nr_class", "total_sv", "rho"}
	if !h.file.Regression {
		need = append(need, "label", "nr_sv")
	}
	kind := kernelTypes[h.file.KernelType]
	if kind.weights {
		need = append(need, "M", "H")
	}
	if kind.rbf {
		need = append(need, "gamma")
	}
	for _, key := range need {
		if h.seen[key] == 0 {
			return fmt.Errorf("the header ends without key %s", key)
		}
	}
	f := h.file
	of := map[string]string{"M": "kernel_type " + f.KernelType, "H": "kernel_type " + f.KernelType,
		"gamma": "kernel_type " + f.KernelType, "label": "a regression", "nr_sv": "a regression"}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if h.seen[key] > 0 && !slices.Contains(need, key) {
			return fmt.Errorf("key %s on line %d does not belong to %s", key, h.seen[key], of[key])
		}
	}
	switch {
	case kind.weights && !(f.HalfLife > 0):
		return fmt.Errorf("half-life H is %v on line %d, want > 0", f.HalfLife, h.seen["H"])
	case f.Regression:
		if h.probA != nil || h.probB != nil {
			return fmt.Errorf("probA and probB are of classes, and svm_type is epsilon_svr")
		}
	case f.Counts[0]+f.Counts[1] != h.total:
		return fmt.Errorf("nr_sv %d %d on line %d do not sum to total_sv %d", f.Counts[0], f.Counts[1], h.seen["nr_sv"],
			h.total)
	case (h.probA == nil) != (h.probB == nil):
		return fmt.Errorf("probA and probB must be given together")
	case h.probA != nil:
		f.Sigmoid = &threshold.Sigmoid{A: *h.probA, B: *h.probB}
	}
	return nil
}
