package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// kernelAndReader parses the kernel and makes a reader. The kernel's alphabets may still be open, to be inferred from
// the data.
func kernelAndReader(c *cli.Call, kernel *kernelOptions, o *input.Reading) (catalog.Spec, input.Reader, error) {
	spec, err := parseKernels(kernel, o.ChosenAlphabet())
	if err != nil {
		return catalog.Spec{}, input.Reader{}, err
	}
	r, err := input.NewReader(c, o, model.Input{SoftMask: o.SoftMask()}, input.AlphabetOf(spec))
	return spec, r, err
}

// parseKernels parses kernels. The alphabets may still be open if none is chosen.
func parseKernels(o *kernelOptions, chosen stringkernel.Alphabet) (catalog.Spec, error) {
	if len(o.specs) == 0 {
		return catalog.Spec{}, cli.Usagef("no --kernel, want one such as %s", catalog.Default()[0].Example)
	}
	spec := catalog.Spec{Normalize: !o.noNormalize}
	for _, text := range o.specs {
		term, err := parseKernel(text, chosen)
		if err != nil {
			return catalog.Spec{}, err
		}
		spec.Terms = append(spec.Terms, term)
	}
	return spec, nil
}

// parseKernel reads one kernel and finds parameters out of range before any file is read: with an alphabet still
// open, as if it were DNA.
func parseKernel(text string, chosen stringkernel.Alphabet) (catalog.Term, error) {
	spec, err := catalog.Parse(text)
	if err != nil {
		return catalog.Term{}, specError(err)
	}
	if own := spec.Terms[0].Alphabet(); chosen != "" && own != "" && own != chosen {
		return catalog.Term{}, cli.Usagef("kernel %q has alphabet %s with --alphabet %s, want one of the two", text,
			own, chosen)
	}
	if chosen != "" {
		spec = spec.WithAlphabet(chosen)
	}
	spec.Normalize = false
	if err := spec.Check(stringkernel.DNA); err != nil {
		return catalog.Term{}, cli.Usagef("kernel %q: %w", text, err)
	}
	return spec.Terms[0], nil
}

// specError is a usage error, unless a file of weights cannot be read.
func specError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return &cli.UsageError{Err: err}
}

// buildKernel fills in the alphabet of the data where it is open and makes the kernel.
func buildKernel(c *cli.Call, spec *catalog.Spec, data *input.Records) (stringkernel.Kernel, error) {
	alphabet := data.DetectAlphabet()
	*spec = spec.WithAlphabet(alphabet)
	kernel, err := spec.Compile(alphabet)
	if err != nil {
		return nil, fmt.Errorf("on %s sequences: %w", alphabet, err)
	}
	if err := spec.CheckCorpus(data.Corpus, 0); err != nil {
		return nil, data.Placed(err)
	}
	doubts := input.Suspects{Spec: *spec}
	doubts.Add(data)
	doubts.Warn(c)
	input.WarnIndefinite(c, *spec)
	return kernel, nil
}
