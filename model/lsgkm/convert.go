package lsgkm

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Origin names the program and the kernel type.
func (f *File) Origin() string {
	if f.Classic {
		return "a model of gkm-SVM"
	}
	return "a model of LS-GKM, " + f.KernelType
}

// Notes says which letters of the support vectors the program reads otherwise, and where scores differ from its own.
func (f *File) Notes() (notes []string) {
	if f.Replaced > 0 {
		notes = append(notes, fmt.Sprintf("letters of the support vectors other than A, C, G and T, which LS-GKM reads "+
			"as A: %d; they are A in the model too", f.Replaced))
	}
	if f.Dropped > 0 {
		notes = append(notes, fmt.Sprintf("letters of the support vectors other than A, C, G and T, which gkm-SVM drops: "+
			"%d; they are dropped here too", f.Dropped))
	}
	if f.Norms > 1e-9 {
		notes = append(notes, fmt.Sprintf("gkm-SVM divides a score by a norm of the record in which pairs beyond d "+
			"mismatches count, the model by one without them: scores differ by this factor, never in sign; for support "+
			"vectors it is within %.2g %% of 1", 100*f.Norms))
	}
	return notes
}

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
	kind, known := kernelTypes[f.KernelType]
	if !known {
		return catalog.Spec{}, fmt.Errorf("%s: kernel_type %q is unknown", f.Source, f.KernelType)
	}
	k := gapped.Kernel{L: f.L, K: f.K, D: f.D, Filter: kind.filter, Alphabet: stringkernel.DNA}
	if kind.filter == gapped.Plain {
		k.D = min(f.D, max(f.L-f.K, 0))
	}
	if kind.weights {
		k.Center = strconv.Itoa(f.Peak) + ":" + strconv.FormatFloat(f.HalfLife, 'g', -1, 64)
	}
	// exp(−γ(1 − k)) is the Gaussian of γ/2: of normalised sequences the squared distance is 2 − 2k.
	term := catalog.Term{Name: "gapped", RC: !f.OneStrand, Around: catalog.Around{RBF: f.Gamma / 2}, Kernel: k}
	return catalog.Spec{Terms: []catalog.Term{term}, Normalize: true}, nil
}

// setKernel is the inverse of Kernel. It returns an error for a kernel that LS-GKM does not have.
func (f *File) setKernel(spec catalog.Spec) error {
	spec = spec.WithAlphabet(stringkernel.DNA)
	if term, single := spec.Single(); single {
		k, _ := term.Kernel.(gapped.Kernel)
		f.L, f.K, f.D, f.OneStrand, f.Gamma = k.L, k.K, k.D, !term.RC, 2*term.RBF
		peak, half, weights := strings.Cut(k.Center, ":")
		f.Peak, _ = strconv.Atoi(peak) // the kernel has checked them
		f.HalfLife, _ = strconv.ParseFloat(half, 64)
		for name, kind := range kernelTypes {
			if kind.filter == k.Filter && kind.weights == weights && kind.rbf == (f.Gamma != 0) {
				f.KernelType = name
			}
		}
	}
	if back, err := f.Kernel(); err != nil || back.String() != spec.String() || !spec.Normalize {
		return fmt.Errorf("LS-GKM has no kernel %s; it has gapped, normalised, of dna: filter=gapped, also with rbf, "+
			"filter=full, and filter=truncated, also with center, with rbf or with both", spec)
	}
	return nil
}

// decision is the two-class decision of the file, or that of a number.
func (f *File) decision() decide.Rule {
	machine := decide.Binary{
		Positive: 0, Negative: 1, Rho: f.Rho, Sigmoid: f.Sigmoid, SupportVectors: len(f.Coef), Solver: "gkmtrain",
		Reason: "converted from " + f.Origin(),
	}
	if f.Regression {
		machine.Negative = decide.Rest
		return decide.Rule{Classes: []string{dataset.ValueName}, Scheme: decide.RegressionScheme,
			Machines: []decide.Binary{machine}}
	}
	return decide.Rule{Classes: f.Labels[:], Scheme: decide.TwoClass, Machines: []decide.Binary{machine}}
}
