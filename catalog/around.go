package catalog

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Around is what is made of a kernel, in this order.
type Around struct {
	RBF float64 `json:"rbf,omitempty"` // if not 0, the Gaussian of the kernel's distance with this γ
	// if not 0, γ is learned: 1 over this quantile of the squared distances of training records
	Quantile float64 `json:"quantile,omitempty"`
	// if Fourier is not 0, the Gaussian is approximated by that number of random features, drawn with Seed
	Fourier int `json:"fourier,omitempty"`
	Seed    int `json:"seed,omitempty"`
	Rank    int `json:"rank,omitempty"` // if not 0, the number of training records by which the kernel is approximated
}

// set assigns one of the parameters of all kernels to a field of a term, or of what is around a formula, and reports
// whether there is such a field. a is a part of it.
func (a *Around) set(of reflect.Value, p setting) (is bool, err error) {
	i := slices.IndexFunc(ofAll, func(known common) bool { return known.Name == p.key })
	field := parameter(of, p.key)
	switch {
	case i < 0 || !field.IsValid():
		return false, nil
	case p.key == "rbf":
		if err = p.needsValue(field.Type()); err == nil {
			a.RBF, a.Quantile, err = parseGamma(p.value)
		}
	default:
		err = p.assign(field)
		if least := ofAll[i].least; err == nil && field.CanInt() && int(field.Int()) < least {
			err = fmt.Errorf("%s = %d, want at least %d", p.key, field.Int(), least)
		}
	}
	return true, err
}

// items are the parameters that set has assigned, as it takes them.
func (a Around) items(of reflect.Value) (items []string) {
	for _, known := range ofAll {
		switch field := parameter(of, known.Name); {
		case known.Name == "rbf" && a.gaussian():
			items = append(items, "rbf="+a.gamma())
		case known.Name != "rbf" && field.IsValid() && !field.IsZero():
			items = append(items, itemText(known.Name, field))
		}
	}
	return items
}

// gaussian reports whether there is a Gaussian.
func (a Around) gaussian() bool { return a.RBF != 0 || a.Quantile != 0 }

// gamma writes γ as parseGamma takes it.
func (a Around) gamma() string {
	switch a.Quantile {
	case 0:
		return number(a.RBF)
	case median:
		return "median"
	}
	return "q" + number(a.Quantile)
}

// check refuses features of no Gaussian, and a seed of none.
func (a Around) check() error {
	switch {
	case a.Fourier != 0 && a.Quantile != 0:
		return fmt.Errorf("fourier = %d with rbf=%s, want a number", a.Fourier, a.gamma())
	case a.Fourier != 0 && a.RBF == 0:
		return fmt.Errorf("fourier = %d without rbf, which it approximates", a.Fourier)
	case a.Seed != 0 && a.Fourier == 0:
		return fmt.Errorf("seed = %d without fourier", a.Seed)
	}
	return nil
}

// compile builds what is made of a kernel.
func (a Around) compile(k stringkernel.Kernel) (stringkernel.Kernel, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	switch {
	case a.Fourier != 0:
		k = compose.Fourier{Kernel: k, Gamma: a.RBF, Features: a.Fourier, Seed: uint64(a.Seed)}
	case a.gaussian():
		k = compose.FunctionOf(compose.Form{Op: compose.Gaussian, Gamma: a.RBF, Quantile: a.Quantile}, k)
	}
	if a.Rank != 0 {
		k = compose.LowRank{Kernel: k, Rank: a.Rank}
	}
	return stringkernel.Compile(k)
}

// aroundOf is the inverse of compile.
func aroundOf(k stringkernel.Kernel) (a Around, inside stringkernel.Kernel) {
	if low, is := k.(compose.LowRank); is {
		a.Rank, k = low.Rank, low.Kernel
	}
	switch of := k.(type) {
	case compose.Function:
		if of.Of.Op == compose.Gaussian && len(of.Kernels) == 1 {
			a.RBF, a.Quantile, k = of.Of.Gamma, of.Of.Quantile, of.Kernels[0]
		}
	case compose.Fourier:
		a.RBF, a.Fourier, a.Seed, k = of.Gamma, of.Features, int(of.Seed), of.Kernel
	}
	return a, k
}
