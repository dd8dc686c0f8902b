package seqio

import (
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
// letters are letters, '*', '-' or '.', and are turned into upper case unless opt.SoftMask is set. opt.Format and
// opt.KeepNewline mean nothing here. name is what errors call the source. Labels come from the descriptions.
func FromBiogo(r bio.Reader, name string, opt Options) (*Set, error) {
	return fromBiogo(name, opt, func() (seq.Sequence, error) {
		s, err := r.Read()
		if err != nil && err != io.EOF {
			err = &Error{File: name, Err: err}
		}
		return s, err
	})
}

// FromSequences is [FromBiogo] for sequences in memory.
func FromSequences(sequences []seq.Sequence, name string, opt Options) (*Set, error) {
	next := 0
	return fromBiogo(name, opt, func() (seq.Sequence, error) {
		if next == len(sequences) {
			return nil, io.EOF
		}
		next++
		return sequences[next-1], nil
	})
}

// fromBiogo collects what next returns until io.EOF.
func fromBiogo(name string, opt Options, next func() (seq.Sequence, error)) (*Set, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	c := newCollector(opt)
	c.start(Input{Path: name}, "")
	for record := 1; ; record++ {
		s, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if s == nil {
			return nil, &Error{File: name, Err: fmt.Errorf("record %d is nil", record)}
		}
		if err := c.begin([]byte(s.Name()), []byte(s.Description()), 0); err != nil {
			return nil, err
		}
		if err := c.letters(lettersOf(s), 0); err != nil {
			return nil, err
		}
		c.end()
	}
	if err := c.close(nil); err != nil {
		return nil, err
	}
	all, err := c.pack()
	if err != nil {
		return nil, err
	}
	all.Sets[0].Lines = nil
	return all.Sets[0], nil
}

// lettersOf copies the letters of a sequence.
func lettersOf(s seq.Sequence) []byte {
	out := make([]byte, 0, s.Len())
	switch letters := s.Slice().(type) {
	case alphabet.Letters:
		for _, l := range letters {
			out = append(out, byte(l))
		}
	default:
		for i := s.Start(); i < s.End(); i++ {
			out = append(out, byte(s.At(i).L))
		}
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
	var alpha alphabet.Alphabet
	switch a {
	case stringkernel.DNA:
		alpha = alphabet.DNAredundant
	case stringkernel.RNA:
		alpha = alphabet.RNAredundant
	case stringkernel.Protein:
		alpha = fullProtein
	default:
		return nil, &Error{File: s.Source,
			Err: fmt.Errorf("alphabet %q has no counterpart in biogo, want dna, rna or protein", string(a))}
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
