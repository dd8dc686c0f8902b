package catalog

import (
	"fmt"
	"reflect"

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

// set assigns a parameter of what is around, and reports whether it is one.
func (a *Around) set(p setting) (is bool, err error) {
	switch p.key {
	case "rbf":
		if err = p.needsValue(reflect.TypeFor[float64]()); err == nil {
			a.RBF, a.Quantile, err = parseGamma(p.value)
		}
	case "fourier":
		a.Fourier, err = p.integer(2)
	case "seed":
		a.Seed, err = p.integer(0)
	case "rank":
		a.Rank, err = p.integer(1)
	default:
		return false, nil
	}
	return true, err
}

// items are the parameters as set takes them.
func (a Around) items() (items []string) {
	if a.gaussian() {
		items = append(items, "rbf="+a.gamma())
	}
	for _, p := range []struct {
		name  string
		value int
	}{{"fourier", a.Fourier}, {"seed", a.Seed}, {"rank", a.Rank}} {
		if p.value != 0 {
			items = append(items, fmt.Sprintf("%s=%d", p.name, p.value))
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
