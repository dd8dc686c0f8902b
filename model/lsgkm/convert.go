package lsgkm

import (
	"context"
	"fmt"
	"strconv"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Model returns the model of this module that gives the same decisions. Its classes are the labels of the file, in its
// order, and the first is the positive one; a regression predicts the number f(x) − rho. The merged table is stored, or
// the support vectors if o.KeepSequences is set. Its Generator and Training are empty, since the file does not have
// them. It returns an error if the kernel's parameters are invalid. A model with an RBF always keeps its support
// vectors.
func (f *File) Model(ctx context.Context, o model.Options) (*model.Model, error) {
	spec, err := f.Kernel()
	if err != nil {
		return nil, err
	}
	kernel, err := spec.Compile("")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source, err)
	}
	m, err := model.New(ctx, &decide.Model{
		Rule: f.decision(), Kernel: kernel, Support: f.Support,
		Coef: stringkernel.NewCoefficients(f.Support.Len(), [][]float64{f.Coef}),
	}, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source, err)
	}
	return m, nil
}

// Kernel returns the kernel of the file as the catalogue knows it, normalised. It returns an error for a kernel that
// LS-GKM does not have.
func (f *File) Kernel() (catalog.Spec, error) {
	k := gapped.Kernel{L: f.L, K: f.K, D: f.D, Alphabet: stringkernel.DNA}
	switch f.KernelType {
	case "gkm_cnt":
		k.Filter, k.D = gapped.Plain, min(f.D, max(f.L-f.K, 0))
	case "gkm_estfull":
		k.Filter = gapped.Full
	case "gkm_esttrunc", "gkmrbf":
		k.Filter = gapped.Truncated
	case "wgkm", "wgkmrbf":
		k.Filter, k.Center = gapped.Truncated, strconv.Itoa(f.Peak)+":"+strconv.FormatFloat(f.HalfLife, 'g', -1, 64)
	default:
		return catalog.Spec{}, fmt.Errorf("%s: kernel_type %q is unknown", f.Source, f.KernelType)
	}
	// exp(−γ(1 − k)) is the Gaussian of γ/2: of normalised sequences the squared distance is 2 − 2k.
	term := catalog.Term{Name: "gapped", RC: !f.OneStrand, Around: catalog.Around{RBF: f.Gamma / 2}, Kernel: k}
	return catalog.Spec{Terms: []catalog.Term{term}, Normalize: true}, nil
}

// decision is the two-class decision of the file, or that of a number.
func (f *File) decision() decide.Rule {
	machine := decide.Binary{
		Positive: 0, Negative: 1, Rho: f.Rho, Sigmoid: f.Sigmoid, SupportVectors: len(f.Coef), Solver: "gkmtrain",
		Reason: "converted from an LS-GKM model",
	}
	if f.Regression {
		machine.Negative = decide.Rest
		return decide.Rule{Classes: []string{dataset.ValueName}, Scheme: decide.RegressionScheme,
			Machines: []decide.Binary{machine}}
	}
	return decide.Rule{Classes: f.Labels[:], Scheme: decide.TwoClass, Machines: []decide.Binary{machine}}
}
