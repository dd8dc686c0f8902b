package scan

import (
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Options say what to score. Window has no default.
type Options struct {
	Classifier *decide.Classifier
	Alphabet   stringkernel.Alphabet // of the sequences
	Class      int                   // index into Classifier.Classes: greater scores favour it, see Scanner
	Raw        bool                  // scores without norms and bias

	Window        int // letters of a window, at least 1
	Step          int // windows begin at multiples of it, counted from 0 in each record; 0 means 1
	Plus, Minus   bool
	Strandless    bool // with Plus alone: windows are of NoStrand
	BetterStrand  bool // with Plus and Minus: of the two scores of a window the greater counts, of equal ones Plus
	SkipAmbiguous bool // windows with a letter outside the alphabet are passed over

	Anchor Motif // if not empty, only windows that have it at Offset, on the strand the window is read on
	Offset int   // 0-based place in the window of the anchor's first letter
}

// Scanner scores the windows of long sequences. It is safe for concurrent use.
//
// The score of a window for a class is that of classify.Classifier for a sequence: with two classes the
// decision value f(w) − ρ of the positive class, or minus that; with a machine per class the decision value of the
// class; one-vs-one votes and tie-break, of a hierarchy the least decision value on the way to the class (see
// classify.Prediction). With Raw it is f(w) without the norm of w and without bias, one-vs-one the sum Σ ±f over the
// pairs of the class, of a hierarchy that over its way.
type Scanner struct {
	Options
	scorer   stringkernel.Scorer
	tracks   bool // whether all windows of a chunk are scored together
	terms    []decide.Term
	combined func([]float64) float64 // see classify.Rule.Combiner
	codes    *[256]int16
	mirror   Motif // of the anchor: its reverse complement, for windows read on the minus strand
}

// New checks the options.
func New(o Options) (*Scanner, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	s := &Scanner{Options: o, scorer: o.Classifier.Scorer, codes: o.Alphabet.Codes()}
	s.Step = max(1, s.Step)
	if o.Raw {
		s.scorer = compose.Raw(s.scorer)
	}
	s.tracks = stringkernel.TrackerOf(s.scorer) != nil
	s.terms, _ = o.Classifier.Terms(o.Class)
	s.combined = o.Classifier.Combiner(o.Class)
	if o.Minus {
		s.mirror = o.Anchor.ReverseComplement(o.Alphabet)
	}
	return s, nil
}

func (o *Options) check() error {
	if o.Classifier == nil {
		return errors.New("no classifier")
	}
	if err := o.Alphabet.Check(); err != nil {
		return err
	}
	fixed := stringkernel.WindowLength(o.Classifier.Scorer)
	switch {
	case o.Class < 0 || o.Class >= len(o.Classifier.Classes):
		return fmt.Errorf("class %d, want 0…%d", o.Class, len(o.Classifier.Classes)-1)
	case o.Window < 1:
		return fmt.Errorf("window of %d letters, want at least 1", o.Window)
	case o.Window > MaxWindow:
		return fmt.Errorf("window of %d letters, want at most %d", o.Window, MaxWindow)
	case fixed > 0 && o.Window != fixed:
		return fmt.Errorf("window of %d letters, and the model is of sequences of %d", o.Window, fixed)
	case o.Step < 0:
		return fmt.Errorf("step %d, want at least 1", o.Step)
	case !o.Plus && !o.Minus:
		return errors.New("no strand to scan")
	case o.Minus && !o.Alphabet.Complementary():
		return fmt.Errorf("alphabet %s has a single strand", o.Alphabet)
	case o.Anchor.Len() > 0 && (o.Offset < 0 || o.Offset > o.Window-o.Anchor.Len()):
		return fmt.Errorf("anchor of %d letters at offset %d, and a window has letters 0…%d", o.Anchor.Len(), o.Offset,
			o.Window-1)
	}
	return nil
}

// MaxWindow bounds the length of a window and thus memory: a chunk is a few windows long.
const MaxWindow = 1 << 20

// Score returns the score of a whole sequence, as if it were a window.
func (s *Scanner) Score(x []byte) float64 { return s.score(new(work), x) }
