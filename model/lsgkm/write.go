package lsgkm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What LS-GKM can hold.
const (
	Shortest, Longest = 2, 12 // l-mers
	MostLetters       = 2047  // of a sequence
)

// Of returns the file of LS-GKM with the scores of a model that holds its support vectors. Of two classes the positive
// one is the first label; labels that are not both integers become 1 and -1. A threshold is not kept, since LS-GKM has
// none. It returns an error if LS-GKM lacks the kernel or the task, or if it would read a support vector otherwise.
func Of(m *model.Model) (*File, error) {
	f, d := new(File), &m.Decision
	if err := f.setKernel(m.Kernel); err != nil {
		return nil, err
	}
	f.Regression = d.Scheme == decide.RegressionScheme
	switch {
	case f.L < Shortest || f.L > Longest || f.D > f.L-f.K:
		return nil, fmt.Errorf("l = %d and d = %d: LS-GKM has l = %d…%d and d = 0…l − k", f.L, f.D, Shortest, Longest)
	case len(d.Machines) != 1 || !f.Regression && d.Scheme != decide.TwoClass:
		return nil, fmt.Errorf("the model's scheme is %s: LS-GKM has models of two classes and of numbers", d.Scheme)
	case m.Compiled():
		return nil, errors.New("the model does not hold its support vectors: make it with --keep-sequences")
	}
	machine := d.Machines[0]
	f.Rho, f.Sigmoid = machine.Rho, machine.Sigmoid
	if !f.Regression {
		f.setClasses(d.Classes[machine.Positive], d.Classes[machine.Negative])
	}
	return f, f.setSupport(m.Support, m.Coef[0])
}

// setClasses takes the names of classes if they are different integers.
func (f *File) setClasses(positive, negative string) {
	f.Labels = [2]string{"1", "-1"}
	one, err := strconv.ParseInt(positive, 10, 32)
	other, err2 := strconv.ParseInt(negative, 10, 32)
	if err == nil && err2 == nil && one != other {
		f.Labels = [2]string{positive, negative}
	}
}

// setSupport takes the support vectors, of classes the positive ones first. One without an l-mer adds nothing to any
// score, and is left out: LS-GKM divides by its norm.
func (f *File) setSupport(support *stringkernel.Corpus, coef []float64) error {
	var order [2][]int // positive, negative
	for i, value := range coef {
		switch x := support.Seq(i); {
		case len(x) < f.L:
		case len(nucleotides(x)) < len(x):
			return fmt.Errorf("support vector %d has letters other than A, C, G and T, which LS-GKM would read as A", i+1)
		case len(x) > MostLetters:
			return fmt.Errorf("support vector %d has %d letters: LS-GKM has room for %d", i+1, len(x), MostLetters)
		case f.Regression || value > 0:
			order[0] = append(order[0], i)
		default:
			order[1] = append(order[1], i)
		}
	}
	if !f.Regression {
		f.Counts = [2]int{len(order[0]), len(order[1])}
	}
	index := slices.Concat(order[:]...)
	f.Support = support.Subset(index)
	for _, i := range index {
		f.Coef = append(f.Coef, coef[i])
	}
	return nil
}

// Write writes the file as gkmtrain does, with all digits of numbers.
func (f *File) Write(to io.Writer) error {
	w := bufio.NewWriter(to)
	line := func(key string, values ...any) { fmt.Fprintln(w, append([]any{key}, values...)...) }
	kind := kernelTypes[f.KernelType]
	line("svm_type", map[bool]string{false: "c_svc", true: "epsilon_svr"}[f.Regression])
	line("kernel_type", f.KernelType)
	line("L", f.L)
	line("k", f.K)
	line("d", f.D)
	if f.OneStrand { // older versions do not know the key
		line("norc", 1)
	}
	if kind.rbf {
		line("gamma", f.Gamma)
	}
	if kind.weights {
		line("M", f.Peak)
		line("H", f.HalfLife)
	}
	line("nr_class", 2)
	line("total_sv", len(f.Coef))
	line("rho", f.Rho)
	if !f.Regression {
		line("label", f.Labels[0], f.Labels[1])
		if f.Sigmoid != nil {
			line("probA", f.Sigmoid.A)
			line("probB", f.Sigmoid.B)
		}
		line("nr_sv", f.Counts[0], f.Counts[1])
	}
	line("SV")
	for i, value := range f.Coef {
		line(strconv.FormatFloat(value, 'g', -1, 64), string(f.Support.Seq(i)))
	}
	return w.Flush()
}
