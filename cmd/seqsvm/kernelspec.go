package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// kernelAndReader reads kernelFlags, readingFlags and alphabetFlags. The kernel's alphabets may still be open, to be told from the data.
func kernelAndReader(c *cli.Context) (model.KernelSpec, reader, error) {
	alphabet, err := chosenAlphabet(c)
	if err != nil {
		return model.KernelSpec{}, reader{}, err
	}
	spec, err := parseKernels(c, alphabet)
	if err != nil {
		return model.KernelSpec{}, reader{}, err
	}
	mask, err := softMask(c)
	if err != nil {
		return model.KernelSpec{}, reader{}, err
	}
	r, err := newReader(c, model.Input{SoftMask: mask}, inputAlphabet(spec))
	return spec, r, err
}

// inputAlphabet is the alphabet that --ambiguous error holds letters against, empty if it is open: that of the first kernel.
func inputAlphabet(spec model.KernelSpec) stringkernel.Alphabet { return spec.Terms[0].Alphabet() }

// parseKernels reads the --kernel options. The alphabets may still be open if none is chosen.
func parseKernels(c *cli.Context, chosen stringkernel.Alphabet) (model.KernelSpec, error) {
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
		if own := term.Alphabet(); chosen != "" && own != "" && own != chosen {
			return model.KernelSpec{}, usagef("kernel %q has alphabet %s beside --alphabet %s, want one of the two", text, own, chosen)
		}
		if chosen != "" {
			term.SetAlphabet(chosen)
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

// buildKernel fills in the alphabet of the data where it is open and makes the kernel.
func buildKernel(c *cli.Context, spec *model.KernelSpec, data *records) (stringkernel.Kernel, error) {
	alphabet := data.collection.DetectAlphabet()
	for i := range spec.Terms {
		spec.Terms[i].SetAlphabet(alphabet)
	}
	kernel, err := catalog.Build(spec.Terms, spec.Normalize)
	if err != nil {
		return nil, fmt.Errorf("on %s sequences: %w", alphabet, err)
	}
	if err := data.wantKernelsRecords(*spec); err != nil {
		return nil, err
	}
	doubts := suspects{spec: *spec}
	doubts.add(data)
	doubts.warn(c)
	warnIndefinite(c, *spec)
	return kernel, nil
}
