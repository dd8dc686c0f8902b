package seqio

import (
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Format names what an input looks like. The zero value is [Auto].
type Format string

// The formats.
const (
	Auto  Format = ""      // told by the first bytes, then by the name; "auto" means the same
	FASTA Format = "fasta" // >id description, then sequence lines
	FASTQ Format = "fastq" // @id description, sequence, +, quality
	Lines Format = "text"  // one record per line
)

// Check returns an error if the format is not one of the constants above.
func (f Format) Check() error {
	switch f {
	case Auto, "auto", FASTA, FASTQ, Lines:
		return nil
	}
	return fmt.Errorf("seqio: format %q is unknown, want auto, fasta, fastq or text", string(f))
}

// Ambiguity says what a letter outside the alphabet does. The zero value means [Break].
type Ambiguity string

// The treatments of letters outside the alphabet.
const (
	Break  Ambiguity = "break" // it stays, and no match contains it
	Refuse Ambiguity = "error" // it is an error
)

// Check returns an error if the treatment is not one of the constants above (or empty, which means Break).
func (a Ambiguity) Check() error {
	switch a {
	case "", Break, Refuse:
		return nil
	}
	return fmt.Errorf("seqio: ambiguous = %q, want break or error", string(a))
}

// MaxLetters is the largest number of letters, and of records, of a set: 2³¹ − 2.
const MaxLetters = 1<<31 - 2

// Options say how to read. The zero value tells the format from the input, turns sequences into upper case and accepts every letter.
type Options struct {
	Format      Format                // Auto by default
	KeepNewline bool                  // Lines: each record ends in '\n', also where the input has CRLF or no line end at all
	SoftMask    bool                  // FASTA, FASTQ: keep lower case, so that it breaks matches
	Ambiguous   Ambiguity             // Break by default
	Alphabet    stringkernel.Alphabet // the alphabet Refuse checks against; "" detects it as Set.DetectAlphabet does
	MaxLetters  int                   // most letters, and most records, accepted; 0 and anything above the constant mean MaxLetters
}

// check returns an error that names the first option out of range.
func (o Options) check() error {
	if err := o.Format.Check(); err != nil {
		return err
	}
	if err := o.Ambiguous.Check(); err != nil {
		return err
	}
	if err := o.Alphabet.Check(); err != nil {
		return fmt.Errorf("seqio: %w", err)
	}
	if o.MaxLetters < 0 {
		return fmt.Errorf("seqio: MaxLetters = %d, want ≥ 0", o.MaxLetters)
	}
	return nil
}

// limit returns the number of letters, and of records, that are accepted.
func (o Options) limit() int {
	if o.MaxLetters == 0 || o.MaxLetters > MaxLetters {
		return MaxLetters
	}
	return o.MaxLetters
}
