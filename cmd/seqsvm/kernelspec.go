package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/internal/catalog"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// parseKernels reads the --kernel options. The alphabets may still be open.
func parseKernels(c *cli.Context) (model.KernelSpec, error) {
	texts := c.StringSlice("kernel")
	if len(texts) == 0 {
		return model.KernelSpec{}, usagef("no --kernel, want one such as %s", catalog.Entries[0].Example)
	}
	spec := model.KernelSpec{Normalize: !c.Bool("no-normalize")}
	for _, text := range texts {
		term, err := catalog.Parse(text)
		if err != nil {
			return model.KernelSpec{}, specError(err)
		}
		if err := checkTerm(text, term); err != nil {
			return model.KernelSpec{}, err
		}
		spec.Terms = append(spec.Terms, term)
	}
	return spec, nil
}

// specError is a usage error, unless a file of weights cannot be read.
func specError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return &usageError{err}
}

// checkTerm finds parameters out of range before any file is read: with an alphabet still open, as if it were DNA.
func checkTerm(text string, term catalog.Spec) error {
	term.SetAlphabet(stringkernel.DNA)
	if _, err := catalog.Build([]catalog.Spec{term}, false); err != nil {
		return usagef("kernel %q: %w", text, err)
	}
	return nil
}

// buildKernel fills in the alphabet of the data and makes the kernel.
func buildKernel(spec *model.KernelSpec, alphabet stringkernel.Alphabet) (stringkernel.Kernel, error) {
	for i := range spec.Terms {
		spec.Terms[i].SetAlphabet(alphabet)
	}
	kernel, err := catalog.Build(spec.Terms, spec.Normalize)
	if err != nil {
		return nil, fmt.Errorf("on %s sequences: %w", alphabet, err)
	}
	return kernel, nil
}
