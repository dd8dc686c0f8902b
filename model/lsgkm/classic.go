package lsgkm

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// ReadClassic reads the model of gkm-SVM, or of its R package, which is two files: the support sequences as FASTA and
// lines of a name, a tab and a coefficient, in the same order. Nil readers are the files of these names. The files do
// not say of which kernel they are: it is one of LS-GKM without rbf or center. What is wrong with a file is a
// [*seqio.Error].
func ReadClassic(sequences, alphas io.Reader, sequencesName, alphasName string, kernel catalog.Spec) (*File, error) {
	f := &File{Source: sequencesName, Classic: true, Labels: [2]string{"1", "-1"}}
	if err := f.setKernel(kernel); err != nil {
		return nil, err
	}
	if f.Gamma != 0 || f.Peak != 0 {
		return nil, fmt.Errorf("gkm-SVM has no kernel %s, want one without rbf and center", kernel)
	}
	spec, _ := f.Kernel() // setKernel has checked it
	norms, err := normsOf(spec)
	if err != nil {
		return nil, err
	}
	set, err := seqio.Read(sequences, sequencesName, seqio.Options{Format: seqio.FASTA, RepeatedIDs: true, IDsOnly: true})
	if err != nil {
		return nil, err
	}
	in, err := seqio.OpenText(alphas, alphasName)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	t := newText(in, alphasName)
	if err := t.locate(f.pair(t, set, norms)); err != nil {
		return nil, err
	}
	return f, nil
}

// normsOf returns the factor from a coefficient of gkm-SVM to one of the kernel: of a support vector's norms, that over
// pairs of up to d mismatches by that over all pairs.
func normsOf(spec catalog.Spec) (func(x []byte) float64, error) {
	spec.Normalize = false
	within, err := spec.Compile("")
	if err != nil {
		return nil, err
	}
	term := spec.Terms[0]
	k := term.Kernel.(gapped.Kernel)
	if k.Filter != gapped.Plain {
		k.D = k.L
	}
	term.Kernel = k
	spec.Terms = []catalog.Term{term}
	all, err := spec.Compile("")
	return func(x []byte) float64 { return math.Sqrt(within.SelfEval(x) / all.SelfEval(x)) }, err
}

// pair reads the coefficients of a set of support vectors.
func (f *File) pair(t *text, set *seqio.Set, norms func(x []byte) float64) error {
	var b stringkernel.CorpusBuilder
	for i := range set.Len() {
		line, _, err := t.next()
		if err != nil {
			return err
		}
		fields, id := bytes.Fields(line), set.Corpus.Name(i)
		if len(fields) < 2 || string(fields[0]) != id {
			return fmt.Errorf("%.60q, want the coefficient of record %.60q, number %d of %s: a name, a tab, a number",
				line, id, i+1, set.Source)
		}
		coef, err := finite(string(fields[len(fields)-1]))
		if err != nil {
			return fmt.Errorf("coefficient %w", err)
		}
		seq := nucleotides(set.Corpus.Seq(i))
		f.Dropped += len(set.Corpus.Seq(i)) - len(seq)
		if len(seq) < f.L {
			return set.Errorf(i, "a support sequence of %d letters A, C, G and T, want at least l = %d", len(seq), f.L)
		}
		if coef > 0 {
			f.Counts[0]++
		} else {
			f.Counts[1]++
		}
		norm := norms(seq)
		f.Norms = max(f.Norms, math.Abs(norm-1))
		f.Coef = append(f.Coef, coef*norm)
		b.Add("", seq)
	}
	line, more, err := t.next()
	if err != nil {
		return err
	}
	if more {
		return fmt.Errorf("%.60q after the coefficients of the %d records of %s", line, set.Len(), set.Source)
	}
	f.Support = b.Corpus()
	return nil
}

// nucleotides returns the letters A, C, G and T of a sequence, joined as gkm-SVM does.
func nucleotides(x []byte) []byte {
	return bytes.Map(func(letter rune) rune {
		if bytes.ContainsRune([]byte("ACGT"), letter) {
			return letter
		}
		return -1
	}, x)
}
