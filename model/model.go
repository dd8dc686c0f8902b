// Package model is the model file: one file, self-describing and versioned, that holds everything prediction needs.
//
// A file is a JSON header (kernel and parameters, classes and biases, the solver's certificate, the version and options
// that made it, a checksum of the training data) followed by little-endian arrays, each aligned to 64 bytes and guarded
// by a CRC-32C. docs/model-format.md describes it byte by byte. There are two flavours:
//
//   - compiled: the merged structure alone, for kernels that fold into one (spectrum, and means of such): no training
//     sequence is in it;
//   - support vectors: the sequences with their coefficients, merged again on loading, for kernels that do not fold, or
//     by choice.
//
// Besides, a model may have a [Sketch] of its training data, by which other data can be compared with them.
//
// The same model gives the same bytes, and a loaded model the same bits of every score as the one that was saved. A
// model that was read and is written again gives the bytes that were read.
//
// # Reading
//
// [Read] trusts nothing: every size is checked against the file before memory is allocated, every array against its
// checksum, every byte of padding against zero and every value against its range before use. What only the kernel can
// check, the arrays of a compiled model, [Model.Classifier] checks. Whatever the file says, the two return an error or
// a classifier that cannot panic.
//
// A file is read from beginning to end, and arrays are decoded in blocks of 64 KiB. Checksums visit every byte, so
// mapping the file into memory would not be worth it.
//
// # Cost
//
// Reading takes the memory of the decoded arrays, which are as large as the file, and a block of 64 KiB. A support
// vector takes 24 bytes besides its letters. Writing takes a block of 64 KiB besides the model, and a copy of the
// letters. Reading runs at memory speed; merging support vectors again, in time linear in their
// letters, takes longer.
//
// # Example
//
//	spec, err := catalog.Parse("spectrum:k=6,rc")
//	…
//	kernel, err := spec.Compile(stringkernel.DNA)
//	…
//	trained, err := classify.Trainer{Kernel: kernel}.Train(ctx, data)
//	…
//	m, err := model.New(ctx, trained, model.Options{})
//	…
//	err = m.Write(file)
//
// The root package of this module does this in one call. A model whose kernel is not in the catalogue of this module is
// saved and loaded with a catalogue of yours: [Options], [Reader].
//
// # Limits
//
// A header is shorter than 4 GiB, and a kernel is a mean of at most [catalog.MaxTerms]. Names of support vectors are
// not stored: no score depends on them. Labels of classes are UTF-8.
//
// # References
//
// CRC-32C: G. Castagnoli, S. Bräuer, M. Herrmann, Optimization of cyclic redundancy-check codes with 24 and 32 parity
// bits, IEEE Transactions on Communications 41 (1993), doi:10.1109/26.231911. JSON: RFC 8259.
package model

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// FormatVersion is the version of the file format that this package writes and reads.
const FormatVersion = 1

// Model is what a model file holds.
type Model struct {
	Kernel    catalog.Spec
	Decision  decide.Rule
	Input     Input
	Training  Training
	Sketch    *Sketch        // of the training data, nil if there is none
	Drift     *drift.Profile // what the training data look like, nil if that is not known
	Generator Generator

	// Support vectors: Coef[m] has one signed coefficient per sequence of Support for machine m. Nil in a compiled
	// model.
	Support *stringkernel.Corpus
	Coef    [][]float64
	// Arrays of the merged structure in a compiled model, else nil.
	Arrays []stringkernel.Array
	// Reference is the corpus that a kernel with document frequencies was fitted to, nil for others and where the
	// arrays hold what the kernel learned from it (stringkernel.Fitter).
	Reference *stringkernel.Corpus
}

// Training describes the data the model was fitted to.
type Training struct {
	Sequences int    `json:"sequences"`
	Letters   int    `json:"letters"`
	Window    int    `json:"window,omitempty"` // length of every sequence, 0 if they differ
	Anchor    Anchor `json:"anchor,omitzero"`  // what all windows have at one place
	Checksum  string `json:"checksum"`         // CRC-32C of the sequences and their labels, see Checksum
}

// Generator is the program that wrote the file.
type Generator struct {
	Version string `json:"version"`           // of seqsvm
	Options string `json:"options,omitempty"` // of the command line, those that bear on the model
}

// Options are the options of [New]. The zero value is the usual choice.
type Options struct {
	KeepSequences bool              // store the support vectors even if the kernel folds into a table
	Catalogue     catalog.Catalogue // of the kernel; nil: catalog.Default()
}

// New makes a model that can be saved from a trained one. The merged structure is compiled in if the kernel folds,
// unless o.KeepSequences is set. It returns an error if the kernel is not one that the catalogue specifies
// ([catalog.Catalogue.SpecOf]), or if the model could not be stored: see [Model.Write].
func New(ctx context.Context, trained *decide.Model, o Options) (*Model, error) {
	if trained == nil || trained.Kernel == nil {
		return nil, errors.New("model: no trained model")
	}
	m := &Model{Decision: trained.Rule}
	if err := m.take(ctx, trained, o); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return m, nil
}

// take fills in kernel and content.
func (m *Model) take(ctx context.Context, trained *decide.Model, o Options) (err error) {
	if m.Kernel, err = o.Catalogue.SpecOf(trained.Kernel); err != nil {
		return err
	}
	if err := m.Kernel.Check(""); err != nil {
		return err
	}
	if err := m.fill(ctx, trained, o.KeepSequences); err != nil {
		return err
	}
	if m.needsReference(trained.Kernel) {
		m.Reference = stringkernel.Reference(trained.Kernel)
	}
	_, err = m.check()
	return err
}

// fill stores the merged structure if there is one to store, else the support vectors.
func (m *Model) fill(ctx context.Context, trained *decide.Model, keepSequences bool) error {
	r := stringkernel.RestorerOf(trained.Kernel)
	if trained.Scorer != nil {
		if keepSequences || r == nil {
			return errors.New("a model without support vectors can only be stored merged")
		}
		m.Arrays = r.Arrays(trained.Scorer)
		return nil
	}
	// k(x, x) of a ball is of the kernel: one that was fitted to a corpus is restored with it, and not without
	if r != nil && !keepSequences && !(trained.Ball && stringkernel.DependsOnCorpus(trained.Kernel)) {
		scorer, err := trained.Kernel.Merge(ctx, trained.Support, trained.Coef)
		if err != nil {
			return err
		}
		if m.Arrays = r.Arrays(scorer); m.Arrays != nil {
			return nil
		}
	}
	m.Support, m.Coef = trained.Support, trained.Coef.Dense()
	return nil
}

// needsReference reports whether the model must hold the corpus its kernel was fitted to.
func (m *Model) needsReference(kernel stringkernel.Kernel) bool {
	fitter := stringkernel.FitterOf(kernel)
	return fitter != nil && !(m.Compiled() && fitter.SelfContained())
}

// Compiled reports whether the model holds the merged structure in place of support vectors.
func (m *Model) Compiled() bool { return m.Support == nil }

// Classifier makes the model ready to score. Time and memory are those of restoring the arrays or of merging the
// support vectors: linear in their size for the kernels of this module, besides tables of bounded size.
func (m *Model) Classifier(ctx context.Context) (*decide.Classifier, error) {
	kernel, scorer, err := m.scorer(ctx)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	c, err := m.Decision.Classifier(kernel, scorer)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	read := m.ReadOptions()
	c.Letters = seqio.LetterTable(read.Case, read.Alphabet)
	return c, nil
}

func (m *Model) scorer(ctx context.Context) (kernel stringkernel.Kernel, s stringkernel.Scorer, err error) {
	if kernel, err = m.check(); err != nil {
		return nil, nil, err
	}
	if m.Reference != nil {
		if kernel, err = stringkernel.Fit(ctx, kernel, m.Reference); err != nil {
			return nil, nil, err
		}
	}
	if !m.Compiled() {
		s, err = stringkernel.Merge(ctx, kernel, m.Support, m.Coef...)
		return kernel, s, err
	}
	restorer := stringkernel.RestorerOf(kernel)
	if restorer == nil {
		return nil, nil, errors.New("the kernel cannot be restored from a compiled model")
	}
	s, err = restorer.Restore(m.Arrays)
	return kernel, s, err
}

// castagnoli is the polynomial of CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// TrainingOn describes a corpus with one label per sequence, all but its anchor: see [AnchorOf]. Without labels, nil,
// each is "".
func TrainingOn(c *stringkernel.Corpus, labels []string) Training {
	if labels == nil {
		labels = make([]string, c.Len())
	}
	var t Tally
	for i := range c.Len() {
		t.Add(c.Seq(i), labels[i])
	}
	return t.Training()
}

// WithoutNumbers leaves the numbers of some columns, which are beside the letters of each record, out of what counts
// letters.
func (t Training) WithoutNumbers(columns int) Training {
	beside := columns * stringkernel.NumberLetters
	t.Letters -= t.Sequences * beside
	t.Window = max(0, t.Window-beside)
	return t
}

// Checksum returns the CRC-32C, as eight hexadecimal digits, of all sequences with their labels, one label per
// sequence or none: for each record the letters, a zero byte, the label and a zero byte.
func Checksum(c *stringkernel.Corpus, labels []string) string { return TrainingOn(c, labels).Checksum }

// Tally describes training data record by record. The zero value has seen none.
type Tally struct {
	training Training
	crc      uint32
	record   []byte
}

// Add adds a record with its label.
func (t *Tally) Add(x []byte, label string) {
	if t.training.Sequences == 0 {
		t.training.Window = len(x)
	} else if len(x) != t.training.Window {
		t.training.Window = 0
	}
	t.training.Sequences++
	t.training.Letters += len(x)
	t.crc = crc32.Update(t.crc, castagnoli, x)
	t.record = append(append(append(t.record[:0], 0), label...), 0)
	t.crc = crc32.Update(t.crc, castagnoli, t.record)
}

// Training returns the description of the records added, all but their anchor.
func (t *Tally) Training() Training {
	all := t.training
	all.Checksum = fmt.Sprintf("%08x", t.crc)
	return all
}
