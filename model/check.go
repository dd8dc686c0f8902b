package model

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// check returns the kernel, not fitted, or an error if a file cannot hold the model. Writing, reading and scoring begin
// with it, so that nothing is written that could not be read. The kernel's terms were compiled before.
func (m *Model) check() (stringkernel.Kernel, error) {
	kernel, err := m.Kernel.Compile("")
	if err != nil {
		return nil, err
	}
	if err := checkClasses(m.Decision.Classes); err != nil {
		return nil, err
	}
	if err := m.Decision.Check(); err != nil {
		return nil, err
	}
	if m.Decision.Ball && m.Compiled() && stringkernel.DependsOnCorpus(kernel) {
		return nil, fmt.Errorf("a ball by kernel %s, which depends on a corpus, has no support vectors: train again",
			m.Kernel)
	}
	switch needed := m.needsReference(kernel); {
	case needed && m.Reference == nil:
		return nil, fmt.Errorf("kernel %s needs a reference corpus, and the model has none", m.Kernel)
	case !needed && m.Reference != nil:
		return nil, fmt.Errorf("kernel %s needs no reference corpus, and the model has one", m.Kernel)
	}
	if m.Sketch != nil {
		if err := m.Sketch.check(); err != nil {
			return nil, err
		}
	}
	if m.Drift != nil {
		if err := m.Drift.Check(); err != nil {
			return nil, err
		}
	}
	return kernel, m.checkContent()
}

// checkClasses returns an error that names the first class that is empty, not UTF-8, which JSON would change, or
// duplicate.
func checkClasses(classes []string) error {
	met := make(map[string]bool, len(classes))
	for i, class := range classes {
		switch {
		case class == "":
			return fmt.Errorf("class %d has no name", i)
		case !utf8.ValidString(class):
			return fmt.Errorf("class %.80q is not UTF-8", class)
		case met[class]:
			return fmt.Errorf("duplicate class %.80q", class)
		}
		met[class] = true
	}
	return nil
}

// checkContent checks that there is one flavour of content, that all its numbers are finite, and that there is one
// coefficient per support vector and machine.
func (m *Model) checkContent() error {
	if m.Compiled() {
		if m.Coef != nil {
			return fmt.Errorf("%d coefficient vectors without support vectors", len(m.Coef))
		}
		return checkFinite(m.Arrays)
	}
	if m.Arrays != nil {
		return fmt.Errorf("both support vectors and a merged structure")
	}
	if len(m.Coef) != len(m.Decision.Machines) {
		return fmt.Errorf("%d coefficient vectors for %d machines", len(m.Coef), len(m.Decision.Machines))
	}
	for i, coef := range m.Coef {
		if len(coef) != m.Support.Len() {
			return fmt.Errorf("machine %d has %d coefficients for %d support vectors", i, len(coef), m.Support.Len())
		}
		for j, a := range coef {
			if math.IsNaN(a) || math.IsInf(a, 0) {
				return fmt.Errorf("coefficient %d of machine %d is %v, want a finite number", j, i, a)
			}
		}
	}
	return nil
}

// checkFinite returns an error that names the first array with a number that is not finite.
func checkFinite(arrays []stringkernel.Array) error {
	for _, a := range arrays {
		values, _ := a.Data.([]float64)
		for i, v := range values {
			if v-v != 0 { // NaN or infinite
				return fmt.Errorf("array %.80q: value %d is %v, want a finite number", a.Name, i, v)
			}
		}
	}
	return nil
}
