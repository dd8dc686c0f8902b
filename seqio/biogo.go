package seqio

import (
	"errors"
	"fmt"
	"io"

	"github.com/biogo/biogo/alphabet"
	bio "github.com/biogo/biogo/io/seqio"
	"github.com/biogo/biogo/seq"
	"github.com/biogo/biogo/seq/linear"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// FromBiogo collects every sequence a biogo reader gives, under the rules for FASTA: ids are not empty and occur once,
// letters are letters, '*', '-' or '.', and are turned into upper case unless opt.Case is CaseKept. opt.Format is
// ignored. name identifies the source in errors. Labels come from the descriptions.
func FromBiogo(r bio.Reader, name string, opt Options) (*Set, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	c := newCollector(opt)
	c.start(Input{Path: name}, "")
	err := lines.Each(r.Read, func(s seq.Sequence) error {
		if s == nil {
			return fmt.Errorf("record %d is nil", len(c.set.Lines)+1)
		}
		if err := c.begin([]byte(s.Name()), []byte(s.Description()), 0); err != nil {
			return err
		}
		if err := c.letters(lettersOf(s), 0); err != nil {
			return err
		}
		c.end()
		return nil
	})
	if known := (*Error)(nil); err != nil && !errors.As(err, &known) {
		err = &Error{File: name, Err: err}
	}
	if err := c.close(err); err != nil {
		return nil, err
	}
	all, err := c.pack()
	if err != nil {
		return nil, err
	}
	all.Sets[0].Lines = nil
	return all.Sets[0], nil
}

// FromSequences is [FromBiogo] for sequences in memory.
func FromSequences(sequences []seq.Sequence, name string, opt Options) (*Set, error) {
	return FromBiogo(&sliceReader{sequences}, name, opt)
}

// sliceReader is a biogo reader of sequences in memory.
type sliceReader struct{ left []seq.Sequence }

func (r *sliceReader) Read() (seq.Sequence, error) {
	if len(r.left) == 0 {
		return nil, io.EOF
	}
	s := r.left[0]
	r.left = r.left[1:]
	return s, nil
}

// lettersOf copies the letters of a sequence.
func lettersOf(s seq.Sequence) []byte {
	out := make([]byte, 0, s.Len())
	for i := s.Start(); i < s.End(); i++ {
		out = append(out, byte(s.At(i).L))
	}
	return out
}

// ToBiogo copies the records into biogo sequences with their ids and descriptions. The alphabet decides biogo's: dna
// gives DNAredundant and rna RNAredundant, which know the ambiguity codes and so can be complemented; protein gives
// biogo's Protein with O, U and '.' added. "" detects it. Bytes have no counterpart and are an error, as is a letter
// that biogo's alphabet lacks.
func ToBiogo(s *Set, a stringkernel.Alphabet) ([]*linear.Seq, error) {
	if a == "" {
		a = s.DetectAlphabet()
	}
	alpha := map[stringkernel.Alphabet]alphabet.Alphabet{stringkernel.DNA: alphabet.DNAredundant,
		stringkernel.RNA: alphabet.RNAredundant, stringkernel.Protein: fullProtein}[a]
	if alpha == nil {
		return nil, lines.Errorf(s.Source, 0, "alphabet %q has no counterpart in biogo, want dna, rna or protein",
			string(a))
	}
	out := make([]*linear.Seq, s.Len())
	for i := range out {
		letters := alphabet.BytesToLetters(s.Corpus.Seq(i))
		if ok, at := alpha.AllValid(letters); !ok {
			return nil, s.Errorf(i, "%s at position %d is not in biogo's %s alphabet",
				lines.LetterName(byte(letters[at])), at+1, a)
		}
		out[i] = linear.NewSeq(s.Corpus.Name(i), letters, alpha)
		if s.Descriptions != nil {
			out[i].Desc = s.Descriptions[i]
		}
	}
	return out, nil
}
