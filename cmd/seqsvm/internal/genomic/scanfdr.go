package genomic

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// estimate makes the passes of --fdr before the one that writes, and sets the threshold.
func (r *scanRun) estimate() error {
	o := r.options
	if !r.c.Given("fdr") {
		return nil
	}
	null, from, err := r.null()
	if err != nil {
		return err
	}
	training := input.NewTrainingData(r.model)
	genome := r.counted("estimating", func(chunk seqio.Chunk) { training.AddPiece(chunk.Seq) })
	r.fdr, err = r.scanner.EstimateFDR(r.c.Context, genome, null, r.distance())
	if errors.Is(err, scan.ErrNoNull) {
		return fmt.Errorf("no window of %d letters to estimate a false-discovery rate from in %s", r.scanner.Window,
			from)
	}
	if err != nil {
		return err
	}
	if covered := training.Covered(); covered > 0 {
		r.c.Warn("the sequences have about %.0f %% of the model's training data in them: windows that it was "+
			"trained on "+
			"score as they were labelled, and are no discoveries", covered)
	}
	r.least.Raise(r.fdr.Threshold(o.fdr))
	r.scanner.BetterStrand = true
	if n := r.fdr.Discoveries(o.fdr); n > 0 {
		r.c.Say("seqsvm: %d discoveries at a false-discovery rate of %v, estimated from %s", n, o.fdr, from)
	} else {
		r.c.Warn("no window has a false-discovery rate of at most %v; the least is %.3g, estimated from %s", o.fdr,
			r.fdr.Least(), from)
	}
	return nil
}

// distance returns how far apart discoveries begin: by default they do not overlap.
func (r *scanRun) distance() int { return cmp.Or(r.options.suppress, r.scanner.Window) }

// counted is the source, with its letters counted by the progress of a stage, and seen by a function.
func (r *scanRun) counted(stage string, see func(seqio.Chunk)) scan.Source {
	return func(visit func(seqio.Chunk) error) error {
		r.progress.begin(stage)
		return r.source(func(chunk seqio.Chunk) error {
			r.progress.add(len(chunk.Seq))
			see(chunk)
			return visit(chunk)
		})
	}
}

// null returns what is without sites, and its name.
func (r *scanRun) null() (null scan.Null, name string, err error) {
	if path := r.options.calibrate; path != "" {
		null.Source, name, err = r.negatives(path)
		return null, name, err
	}
	n := r.options.shuffles
	if name = fmt.Sprintf("%d shuffles", n); n == 1 {
		name = "1 shuffle"
	}
	source := r.counted("shuffling", func(seqio.Chunk) {})
	return scan.Null{Source: source, Copies: n, Seed: r.c.Seed}, name, nil
}

// negatives returns the records of a file that are not of the class, and says how many there are.
func (r *scanRun) negatives(path string) (source scan.Source, name string, err error) {
	in, err := input.ForModel(r.c, &input.Reading{}, r.model)
	if err != nil {
		return nil, "", err
	}
	data, err := in.Files([]string{path})
	if err != nil {
		return nil, "", err
	}
	if i := slices.Index(data.Labels, ""); i >= 0 {
		return nil, "", data.Errorf(i, "no label: want label=X in the header, X being a class of the model (%s)",
			cli.ListNames(r.scanner.Classifier.Classes))
	}
	classes, err := data.ClassesOf(&r.scanner.Classifier.Rule)
	if err != nil {
		return nil, "", err
	}
	var index []int
	for i, class := range classes {
		if class != r.scanner.Class {
			index = append(index, i)
		}
	}
	if len(index) == 0 {
		return nil, "", fmt.Errorf(
			"%s: every record is of class %.80q, want others too, to estimate a false-discovery "+
				"rate from", cli.InputName(path), r.name)
	}
	negatives := data.Corpus.Subset(index)
	return scan.SourceOf(negatives, r.scanner.Stream(seqio.CaseUpper)),
		fmt.Sprintf("%d records of %s", len(index), cli.InputName(path)), r.checkUnseen(data, negatives)
}

// checkUnseen returns an error if the model was trained on negatives, unless they are accepted by --force.
func (r *scanRun) checkUnseen(data *input.Records, negatives *stringkernel.Corpus) error {
	training := input.NewTrainingData(r.model)
	training.Add(data, negatives)
	known := training.Known()
	switch {
	case known == "":
		return nil
	case r.options.force:
		r.c.Warn("%s of the negatives in %s are in the model's training data: false-discovery rates are higher than "+
			"estimated", known, data.Source())
		return nil
	}
	return fmt.Errorf("%s: %s of the negatives are in the model's training data, which score lower than others; use "+
		"unseen ones, or no --calibrate, or --force", data.Source(), known)
}
