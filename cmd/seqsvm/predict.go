package main

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// predictOptions are the options of predict.
type predictOptions struct {
	input.Model
	input.Reading
	reportOptions
	confidenceOptions
	raw           bool
	probabilities bool
	shard         cli.Shard
}

func (o *predictOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	f.Bool(&o.raw, "raw", input.RawHelp)
	f.Bool(&o.probabilities, "probability", "of a model of --task tag: also the probability of each tag")
	o.RecordFlags(f)
	o.StrictFlag(f)
	o.confidenceOptions.flags(f)
	f.Format(&o.format, "format: tsv, json (docs/json.md), npy (decisions alone, docs/arrays.md), fasta or gff3 (these two "+
		"of tags of letters)", cli.TSV, cli.JSON, "npy", tag.FASTA, tag.GFF3)
	f.Output(&o.output, "output,o", "`FILE` to write")
	o.shard.Flags(f)
}

func (o *predictOptions) Run(c *cli.Call) error {
	if o.format == "npy" && (o.Tags(c) || o.shard.Given() || c.Given("confidence")) {
		return cli.Usagef("--format npy has decisions alone, and is not for models of tags, --confidence or --shard")
	}
	if o.Tags(c) {
		return tag.Predict(c, o.Path, o.probabilities, o.format, &o.output)
	}
	if o.probabilities || o.format == tag.FASTA || o.format == tag.GFF3 {
		return cli.Usagef("--probability and --format fasta and gff3 are for models of train --task tag; those of others " +
			"have probabilities by train --probability")
	}
	if err := o.shard.Check(c, &o.output); err != nil {
		return err
	}
	a, err := o.confidenceOptions.open(c, &o.Model, &o.Reading)
	if err != nil {
		return err
	}
	input.NotePositive(c, &a.Classifier.Rule)
	c.Stage("scoring")
	if o.shard.Given() {
		return o.writeShard(c, a)
	}
	if o.format == "npy" {
		return o.writeNPY(c, a)
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { t.Err = o.predict(a, o.scorer(c.Context, a, t)) })
}

// predict scores all records.
func (o *predictOptions) predict(a *input.Application, score scoring) error {
	size := predictBatch
	if stringkernel.TraitsOf(a.Classifier.Scorer).ScoreBatchTo == nil { // else records gain from others in a batch
		size = (size + 2) / 3
	}
	return a.EachBatch(size, func(data *input.Records) error {
		return data.Placed(inParts(data.Corpus, a.Classifier.Scorer.Outputs(), score, a.Done))
	})
}

// writeNPY writes the scores of all records as a matrix, a row for each, once their number is known.
func (o *predictOptions) writeNPY(c *cli.Call, a *input.Application) error {
	classifier := *a.Classifier
	if o.raw {
		classifier.Scorer = compose.Raw(classifier.Scorer)
	}
	var values []float64
	records := 0
	err := o.predict(a, scoringBy(c.Context, &classifier, a.Scored, func(count int, of *decide.Scored) error {
		var p decide.Prediction
		for i := range count {
			if p.Scores = of.Of(i); !o.raw {
				classifier.Decided(&p, of, i)
				a.Decided(&p)
			}
			values = append(values, p.Scores...)
		}
		records += count
		return memory.Check(16 * float64(len(values)))
	}))
	if err != nil {
		return err
	}
	return o.output.Write(func(w io.Writer) error {
		width := len(values) / max(1, records)
		return writeNPY(w, records, width, func(i int) []float64 { return values[i*width : (i+1)*width] })
	})
}

// scoring scores the sequences of a part of a batch and writes the result.
type scoring func(part *stringkernel.Corpus) error

// scorer returns how sequences are scored.
func (o *predictOptions) scorer(ctx context.Context, a *input.Application, t *cli.Table) scoring {
	if o.raw {
		return rawScores(ctx, a.Classifier, t, a.Names, a.Scored)
	}
	return decisions(ctx, a.Classifier, a.Separator, t, a.Names, a.Scored, a.Decided)
}

// scoringBy returns a function that scores sequences by a classifier. Before the results for the next count records are
// written, scored is called for each and says whether it has no feature of the model.
func scoringBy(ctx context.Context, classifier *decide.Classifier, scored func(unknown bool) error,
	write func(count int, of *decide.Scored) error) scoring {
	of := new(decide.Scored)
	return func(part *stringkernel.Corpus) error {
		if err := classifier.Score(ctx, of, part); err != nil {
			return err
		}
		for _, unknown := range of.Unknown {
			if err := scored(unknown); err != nil {
				return err
			}
		}
		return write(part.Len(), of)
	}
}

// decisions returns a function that classifies sequences. decided is called for each prediction, concurrently.
func decisions(ctx context.Context, classifier *decide.Classifier, separator string, t *cli.Table, names *input.Namer,
	scored func(unknown bool) error, decided func(*decide.Prediction)) scoring {
	write := predictionWriter(t, classifier, separator, names)
	return scoringBy(ctx, classifier, scored, func(count int, of *decide.Scored) error {
		return write(count, func(p *decide.Prediction, i int) {
			classifier.Decided(p, of, i)
			decided(p)
		})
	})
}

// predictionWriter returns a function that writes predictions for the next records, which predict makes: a row or an
// object for each.
func predictionWriter(t *cli.Table, classifier *decide.Classifier, separator string,
	names *input.Namer) func(count int, predict func(p *decide.Prediction, i int)) error {
	d := &classifier.Rule
	columns, cells := answer.Columns(classifier), answer.CellsOf(d, separator)
	t.Header(append(names.Columns(), columns)...)
	return func(count int, predict func(p *decide.Prediction, i int)) error {
		first := names.Skip(count)
		t.WriteHeader()
		var p decide.Prediction
		for i := range count {
			predict(&p, i)
			if name := names.Name(first + i); t.JSON() {
				t.Object(answer.Prediction(d, name, p))
			} else {
				names.Add(t, name)
				cells(t, &p)
				t.End()
			}
		}
		return t.Err
	}
}

// predictBatch is the size of a batch of records, as seqio.BatchSize counts it; predict takes a third of it for records
// that are scored one by one.
var predictBatch = 6 << 20 // a variable for tests

// labelOf returns the label of a record, or all of them.
func labelOf(d *dataset.Dataset, separator string, i int) string {
	switch {
	case d.Targets != nil:
		return strconv.FormatFloat(d.Targets[i], 'g', -1, 64)
	case d.LabelSets == nil:
		return d.Classes[d.Y[i]]
	}
	return strings.Join(answer.ClassNames(d.Classes, d.LabelSets[i]), separator)
}

// rawScores returns a function that computes f_m(x) = Σ_i coef_mi k(x_i, x)/√k(x_i, x_i) of every machine: the decision
// without the norm of x and the bias. A machine is named by its positive class or, one-vs-one, by both classes.
func rawScores(ctx context.Context, classifier *decide.Classifier, t *cli.Table, names *input.Namer,
	scored func(unknown bool) error) scoring {
	machines := make([]string, len(classifier.Machines))
	for m := range machines {
		machines[m] = classifier.MachineName(m)
	}
	t.Header(append(names.Columns(), cli.Columns{Name: "raw", Of: machines})...)
	raw := *classifier
	raw.Scorer = compose.Raw(classifier.Scorer)
	return scoringBy(ctx, &raw, scored, func(count int, of *decide.Scored) error {
		first := names.Skip(count)
		t.WriteHeader()
		for i := range count {
			if name := names.Name(first + i); t.JSON() {
				t.Row(names.Cells(name, of.Of(i))...)
			} else {
				names.Add(t, name)
				t.Number(of.Of(i)...)
				t.End()
			}
		}
		return t.Err
	})
}

// partScores bounds the scores of a part of a corpus, 8 bytes each.
var partScores = 1 << 23 // a variable for tests

// partRecords bounds the records of a part, so that progress is seen.
const partRecords = 1 << 14

// inParts calls visit for consecutive parts of a corpus whose scores take little memory, and done with the numbers of
// records that have been visited and of all. An error of visit about a record of the part becomes one about that of the
// corpus.
func inParts(corpus *stringkernel.Corpus, outputs int, visit func(*stringkernel.Corpus) error,
	done func(some, of int)) error {
	size := max(1, min(partScores/outputs, partRecords))
	for lo := 0; lo < corpus.Len(); lo += size {
		hi := min(lo+size, corpus.Len())
		if err := afterRecords(lo, visit(corpus.Slice(lo, hi))); err != nil {
			return err
		}
		done(hi, corpus.Len())
	}
	return nil
}

// afterRecords makes an error about a record of a part that begins at a record one about that of the whole.
func afterRecords(begin int, err error) error {
	if about := (*stringkernel.RecordError)(nil); errors.As(err, &about) {
		return &stringkernel.RecordError{Record: begin + about.Record, Name: about.Name, Err: about.Err}
	}
	return err
}
