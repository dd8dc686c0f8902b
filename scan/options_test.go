package scan_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// ofSeven is a scorer of sequences of seven letters.
type ofSeven struct{ stringkernel.Scorer }

func (ofSeven) Traits() stringkernel.Traits { return stringkernel.Traits{WindowLength: 7} }

// TestOptions: what New refuses, and why.
func TestOptions(t *testing.T) {
	c := classifierOf(t, plainWord, decide.TwoClass, 2)
	seven := *c
	seven.Scorer = ofSeven{c.Scorer}
	anchor := must.Get(scan.ParseMotif("AG", dna))(t)
	good := scan.Options{Classifier: c, Alphabet: dna, Class: 1, Window: 5, Plus: true, Minus: true}
	for want, change := range map[string]func(o *scan.Options){
		"":                            func(*scan.Options) {},
		"no classifier":               func(o *scan.Options) { o.Classifier = nil },
		`alphabet "xna"`:              func(o *scan.Options) { o.Alphabet = "xna" },
		"class 2, want 0…1":           func(o *scan.Options) { o.Class = 2 },
		"class -1":                    func(o *scan.Options) { o.Class = -1 },
		"window of 0 letters":         func(o *scan.Options) { o.Window = 0 },
		"at most 1048576":             func(o *scan.Options) { o.Window = scan.MaxWindow + 1 },
		"is of sequences of 7":        func(o *scan.Options) { o.Classifier = &seven },
		"step -1":                     func(o *scan.Options) { o.Step = -1 },
		"no strand to scan":           func(o *scan.Options) { o.Plus, o.Minus = false, false },
		"protein has a single strand": func(o *scan.Options) { o.Alphabet = stringkernel.Protein },
		"anchor of 2 letters at off":  func(o *scan.Options) { o.Anchor, o.Offset = anchor, 4 },
		"offset -1":                   func(o *scan.Options) { o.Anchor, o.Offset = anchor, -1 },
	} {
		o := good
		change(&o)
		switch _, err := scan.New(o); {
		case want == "" && err != nil:
			t.Errorf("good options: %v", err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), "scan: ") ||
			!strings.Contains(err.Error(), want)):
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestRunStops: an error of the source, of Emit and of the context ends a run and is returned as it is.
func TestRunStops(t *testing.T) {
	s := must.Get(scan.New(scan.Options{Classifier: classifierOf(t, plainWord, decide.TwoClass, 2), Alphabet: dna, Window: 5,
		Plus: true}))(t)
	stop := errors.New("enough")
	endless := func(visit func(seqio.Chunk) error) error {
		for start := 0; ; start += 6 {
			if err := visit(seqio.Chunk{Record: "x", Start: start, Seq: []byte("ACGTACGTAC")}); err != nil {
				return err
			}
		}
	}
	batches := 0
	if err := s.Run(context.Background(), endless, scan.Job{Emit: func(*scan.Batch) error {
		if batches++; batches == 40 {
			return stop
		}
		return nil
	}}); err != stop || batches != 40 {
		t.Errorf("after %d batches: %v", batches, err)
	}
	broken := func(visit func(seqio.Chunk) error) error {
		if err := visit(seqio.Chunk{Record: "x", Seq: []byte("ACGTACGTAC")}); err != nil {
			return err
		}
		return stop
	}
	batches = 0
	if err := s.Run(context.Background(), broken,
		scan.Job{Emit: func(*scan.Batch) error { batches++; return nil }}); err != stop || batches != 1 {
		t.Errorf("a broken source: %v, %d batches", err, batches)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := s.Run(ctx, endless, scan.Job{Emit: func(*scan.Batch) error { cancel(); return nil }}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
