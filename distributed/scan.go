package distributed

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Scan says what to scan for.
type Scan struct {
	Model    string
	Files    []string // FASTA: patterns, on any file system that Beam knows
	Class    string   // of several classes the one whose score counts
	Window   int      // letters; 0: as in training
	Step     int      // windows begin at its multiples; 0: 1
	Strand   string   // +, - or both, also if empty
	MinScore *float64 // of a window that is written; nil: the model's threshold if it has one, else all are
	Raw      bool     // scores without norms and bias
}

// scanning is a run of Scan.
type scanning struct {
	Scan
	Run, Output string
	Spans       []span
}

// Scan scores all windows of a genome, as the command scan of the tool does with the same options, to the same bytes of
// BED.
func (j *Job) Scan(ctx context.Context, o Scan) error {
	files, err := expand(ctx, o.Files)
	if err != nil {
		return err
	}
	s := &scanning{Scan: o, Run: rand.Text(), Output: j.Output}
	m, err := loadModel(ctx, s.Model, s.Run)
	if err != nil {
		return err
	}
	scanner, err := s.scanner(m)
	if err != nil {
		return err
	}
	cut := scanner.Stream(m.file.Input.Reading.Case())
	if s.Spans, err = cutGenome(ctx, files, int(j.partSize()), cut.Size, cut.Overlap); err != nil {
		return err
	}
	return j.runOutput(ctx, len(s.Spans), "scan", s)
}

// scanner makes a scanner for the model.
func (s *scanning) scanner(m loaded) (*scan.Scanner, error) {
	training := m.file.Training
	o := scan.Options{
		Classifier: m.classifier, Alphabet: m.file.Kernel.Alphabet(), Class: m.classifier.Positive, Raw: s.Raw, Step: s.Step,
		Window: cmp.Or(s.Window, stringkernel.WindowLength(m.classifier.Scorer), training.Window),
	}
	blind := true
	for _, t := range m.file.Kernel.Terms {
		if t.OfStructures() || t.OfText() {
			return nil, fmt.Errorf("%s: scan needs a kernel on dna, rna or protein", s.Model)
		}
		blind = blind && t.RC
	}
	if o.Window <= 0 {
		return nil, fmt.Errorf("--window is required: the model was not trained on sequences of one length")
	}
	if s.Class != "" || !m.classifier.Single() {
		if o.Class = slices.Index(m.classifier.Classes, s.Class); o.Class < 0 {
			return nil, fmt.Errorf("--class %.60q, want one of %.200q", s.Class, m.classifier.Classes)
		}
	}
	if training.Anchor.Motif != "" {
		if o.Window != training.Window {
			return nil, fmt.Errorf("--window %d, but the model was trained on windows of %d letters with %s in the same "+
				"place", o.Window, training.Window, training.Anchor.Motif)
		}
		var err error
		if o.Anchor, err = scan.ParseMotif(training.Anchor.Motif, o.Alphabet); err != nil {
			return nil, err
		}
		o.Offset, blind = training.Anchor.Offset, false
	}
	switch strand := cmp.Or(s.Strand, "both"); {
	case !slices.Contains([]string{"+", "-", "both"}, strand):
		return nil, fmt.Errorf("--strand %.20q, want +, - or both", strand)
	case blind || !o.Alphabet.Complementary():
		if strand == "-" || blind && strand == "+" {
			return nil, fmt.Errorf("--strand %s, but the model does not tell strands apart", strand)
		}
		o.Plus, o.Strandless = true, true
	default:
		o.Plus, o.Minus = strand != "-", strand != "+"
	}
	return scan.New(o)
}

// least is the least score of a window that is written.
func (s *scanning) least(scanner *scan.Scanner) *scan.Threshold {
	least := scan.NewThreshold(math.Inf(-1))
	rule := &scanner.Classifier.Rule
	switch {
	case s.MinScore != nil:
		least.Raise(*s.MinScore)
	case rule.Criterion != "" && scanner.Class == rule.Positive && !s.Raw:
		least.Raise(math.Nextafter(rule.Machines[0].Threshold, math.Inf(1)))
	}
	return least
}

func (s *scanning) do(ctx context.Context, part int) error {
	m, err := loadModel(ctx, s.Model, s.Run)
	if err != nil {
		return err
	}
	scanner, err := s.scanner(m)
	if err != nil {
		return err
	}
	of := &s.Spans[part]
	return createWhole(ctx, written(s.Output, part), func(w io.Writer) error {
		return of.each(ctx, func(r io.Reader) error {
			source := func(visit func(seqio.Chunk) error) error {
				return seqio.Stream(r, of.File, scanner.Stream(m.file.Input.Reading.Case()), func(c seqio.Chunk) error {
					if of.Piece {
						c.Start += of.Start
					}
					return visit(c)
				})
			}
			return scanner.Run(ctx, source, s.job(ctx, scanner, w))
		})
	})
}

// job writes the windows as lines of BED.
func (s *scanning) job(ctx context.Context, scanner *scan.Scanner, w io.Writer) scan.Job {
	name := scanner.Classifier.Classes[scanner.Class]
	return scan.Job{
		Least: s.least(scanner),
		Work: func(b *scan.Batch) {
			for _, h := range b.Hits {
				at := scanner.Region(b, h)
				b.Text = genome.AppendBED(b.Text, &genome.Site{
					Record: at.Record, Start: at.Start, End: at.End, Strand: byte(at.Strand), Name: name,
					Value: at.Score, Digits: table.Significant, Q: math.NaN(),
					Level: int(math.Round(1000 * scanner.Level(at.Score))),
				})
			}
		},
		Emit: func(b *scan.Batch) error {
			lettersDone.Inc(ctx, int64(b.Bases))
			windowsDone.Inc(ctx, int64(len(b.Hits)))
			if b.Start == 0 {
				recordsDone.Inc(ctx, 1)
			}
			_, err := w.Write(b.Text)
			return err
		},
	}
}
