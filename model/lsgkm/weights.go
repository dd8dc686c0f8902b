package lsgkm

import (
	"bytes"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Weights is a table of k-mers that deltaSVM reads: lines of a k-mer, perhaps its reverse complement, and a weight,
// which both strands have. A first line without a k-mer is a header; lines that begin with # or bias are skipped.
type Weights struct {
	Source   string               // the file's name, as it appears in errors
	Length   int                  // letters of a k-mer
	Kmers    *stringkernel.Corpus // upper case, of a k-mer and its reverse complement one
	Scores   []float64            // of each
	Header   bool                 // the first line is no k-mer
	Repeated int                  // lines of a k-mer that a line before them has: the last one counts
}

func (w *Weights) parse(t *text) error {
	var b stringkernel.CorpusBuilder
	skipped := false
	places := map[uint64]int{} // of the lesser code of a k-mer and its reverse complement
	for {
		line, more, err := t.next()
		switch {
		case err != nil:
			return err
		case !more:
			w.Kmers = b.Corpus()
			return nil
		case line[0] == '#' || bytes.HasPrefix(line, []byte("bias")):
			continue
		}
		word, score, err := row(line)
		if err != nil {
			name := bytes.ToUpper(bytes.Fields(line)[0])
			if header := len(nucleotides(name)) < len(name); header && w.Length == 0 && !skipped {
				skipped = true
				continue
			}
			return err
		}
		if w.Length == 0 {
			w.Length, w.Header = len(word), t.line > 1
		}
		if len(word) != w.Length {
			return fmt.Errorf("a k-mer of %d letters, want %d, as before", len(word), w.Length)
		}
		strand := code(word)
		strand = min(strand, kmer.ReverseComplement(strand, w.Length))
		if place, known := places[strand]; known {
			w.Scores[place] = score
			w.Repeated++
			continue
		}
		if err := checkMemory(len(w.Scores), len(w.Scores)*w.Length); err != nil {
			return err
		}
		places[strand] = len(w.Scores)
		w.Scores = append(w.Scores, score)
		b.Add("", word)
	}
}

// row reads a line of a table. The k-mer is in upper case.
func row(line []byte) (word []byte, score float64, err error) {
	fields := bytes.Fields(line)
	if n := len(fields); n != 2 && n != 3 {
		return nil, 0, fmt.Errorf("%d columns, want a k-mer, perhaps its reverse complement, and a weight", n)
	}
	word = bytes.ToUpper(fields[0])
	if longest := kmer.MaxK(stringkernel.DNA); len(word) > longest || len(nucleotides(word)) < len(word) {
		return nil, 0, fmt.Errorf("%.40q, want a k-mer: up to %d letters A, C, G and T", word, longest)
	}
	if other := bytes.ToUpper(fields[1]); len(fields) == 3 && (len(other) != len(word) ||
		len(nucleotides(other)) < len(other) || code(other) != kmer.ReverseComplement(code(word), len(word))) {
		return nil, 0, fmt.Errorf("%.40q, want the reverse complement of %s", other, word)
	}
	score, err = finite(string(fields[len(fields)-1]))
	if err != nil {
		return nil, 0, fmt.Errorf("weight %w", err)
	}
	return word, score, nil
}

// code packs a k-mer.
func code(word []byte) uint64 {
	coder := kmer.New(stringkernel.DNA, len(word))
	return coder.Append(nil, word)[0]
}

// isTable reports whether the beginning of a file has a line of a table.
func isTable(head []byte) bool {
	for line := range bytes.Lines(head) {
		if _, _, err := row(line); err == nil {
			return true
		}
	}
	return false
}

// Origin says how long the k-mers are.
func (w *Weights) Origin() string { return fmt.Sprintf("weights of %d-mers", w.Length) }

// Notes says what was skipped and what deltaSVM does otherwise.
func (w *Weights) Notes() (notes []string) {
	notes = []string{"read as weights of k-mers on both strands, a table of deltaSVM"}
	if w.Header {
		notes = append(notes, "line 1 is a header and was skipped")
	} else {
		notes = append(notes, "line 1 is a k-mer and counts; deltasvm.pl takes the first line for a header and drops it")
	}
	if w.Repeated > 0 {
		notes = append(notes, fmt.Sprintf("lines of k-mers that the table has before, on either strand: %d; as in "+
			"deltaSVM the last line of a k-mer counts", w.Repeated))
	}
	return notes
}

// Model returns the model whose number for a record is the sum of the weights of its k-mers, one that is not in the
// table counting 0: spectrum kernels of the k-mers, on both strands and not normalised.
func (w *Weights) Model(ctx context.Context, o model.Options) (*model.Model, error) {
	term := catalog.Term{Name: "spectrum", RC: true, Kernel: spectrum.Kernel{K: w.Length, Alphabet: stringkernel.DNA}}
	kernel, err := catalog.Spec{Terms: []catalog.Term{term}}.Compile("")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Source, err)
	}
	coef := make([]float64, len(w.Scores))
	for i, score := range w.Scores {
		coef[i] = score / kernel.SelfEval(w.Kmers.Seq(i)) // 2, or 4 of one that is its own reverse complement
	}
	machine := decide.Binary{Negative: decide.Rest, SupportVectors: len(coef), Solver: "none",
		Reason: "converted from " + w.Origin()}
	m, err := model.New(ctx, &decide.Model{
		Rule: decide.Rule{Classes: []string{dataset.ValueName}, Scheme: decide.RegressionScheme,
			Machines: []decide.Binary{machine}},
		Kernel: kernel, Support: w.Kmers, Coef: stringkernel.NewCoefficients(len(coef), [][]float64{coef}),
	}, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Source, err)
	}
	return m, nil
}
