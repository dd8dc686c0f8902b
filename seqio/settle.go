package seqio

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// settle decides, from all letters read so far, what they are, and converts them accordingly: it sets the alphabet that
// they look like and their case. Of letters read in batches the options alone decide, since those to come are not
// known, unless the first batch is to decide.
func (c *collector) settle(all *Collection) {
	if all.Case = c.opt.Case; all.Case == CaseSites {
		all.Case = c.caseOfSites()
	}
	text := c.hasText()
	var count *[256]int // of each byte value, where all were counted
	if c.deciding() && (text || c.opt.Alphabet == "") {
		all.alphabet = stringkernel.Bytes
		if !text || c.looksLikeSequences() {
			letters := countLetters(c.builder.Letters())
			count, all.alphabet = &letters, detect(letters, text)
		}
		for _, s := range c.sets {
			s.alphabet = all.alphabet
		}
	}
	read := cmp.Or(c.opt.Alphabet, all.alphabet)
	if all.Case == CaseAuto {
		all.Case = c.settledCase(text, isSequence(read) || isSequence(all.alphabet))
	}
	if text && (isSequence(read) || all.Case == CaseUpper) {
		c.trim()
	}
	c.convert(all, read, text, count)
	if c.opt.FirstDecides {
		c.opt.Alphabet, c.opt.Case, c.opt.FirstDecides = read, all.Case, false
	}
}

// deciding reports whether the letters read decide what they are.
func (c *collector) deciding() bool { return c.batch == nil || c.opt.FirstDecides }

// caseOfSites resolves CaseSites, and converts sequences to upper case unless they are nucleotides and all but one in
// twenty are sites.
func (c *collector) caseOfSites() Case {
	others := 0
	c.each(false, func(_ *Set, x []byte) bool {
		if !isSite(x) {
			others++
		}
		return true
	})
	if !c.hasText() && 20*others < c.records && detect(countLetters(c.builder.Letters()), false).Complementary() {
		return CaseKept
	}
	c.each(false, func(_ *Set, x []byte) bool { lines.UpperSequence(x); return true })
	return CaseAuto
}

// settledCase resolves CaseAuto. It stays open if sequences and text are mixed, or if their batches may be.
func (c *collector) settledCase(text, sequences bool) Case {
	switch {
	case sequences || !text && c.deciding():
		return CaseUpper
	case c.deciding() && c.allText():
		return CaseKept
	}
	return CaseAuto
}

// convert changes letters in place to those of the alphabet that they are read in, and counts those of the other
// nucleic acid, unless they were counted before. Sequences are in upper case already.
func (c *collector) convert(all *Collection, read stringkernel.Alphabet, text bool, count *[256]int) {
	letters := c.builder.Letters()
	if foreign := foreignBase(read); foreign != 0 {
		upper, lower := foreign, foreign|0x20
		if count != nil {
			all.Foreign = count[upper] + count[lower]
		} else {
			all.Foreign = bytes.Count(letters, []byte{upper}) + bytes.Count(letters, []byte{lower})
		}
	}
	if table := LetterTable(all.Case, read); table != nil && (text || all.Foreign > 0 || read.Representatives() != nil) {
		for i, b := range letters {
			letters[i] = table[b]
		}
	}
}

// plain reports whether the records of a set are text that may turn out to be sequences: neither sequences nor trees
// nor HTML.
func (c *collector) plain(s *Set) bool {
	switch s.Format {
	case Lines, TSV, CSV, JSONL, Documents, FastText, Parquet:
		return !c.opt.HTML && c.opt.Tree.Syntax == ""
	}
	return false
}

// hasText reports whether any records are text, allText whether all are.
func (c *collector) hasText() bool {
	return slices.ContainsFunc(c.sets, func(s *Set) bool { return s.Format.Text() })
}

func (c *collector) allText() bool {
	return !slices.ContainsFunc(c.sets, func(s *Set) bool { return !s.Format.Text() })
}

// each calls visit with the records of text formats, or with all others, until it returns false. It reports whether it
// never did.
func (c *collector) each(text bool, visit func(s *Set, x []byte) bool) bool {
	first := 0
	for _, s := range c.sets {
		if s.Format.Text() == text {
			for i := range s.Lines {
				if !visit(s, c.builder.Seq(first+i)) {
					return false
				}
			}
		}
		first += len(s.Lines)
	}
	return true
}

// looksLikeSequences reports whether every text consists of letters that may be in a sequence, but for white space at
// its ends and, in a whole file, at line ends.
func (c *collector) looksLikeSequences() bool {
	return c.each(true, func(s *Set, x []byte) bool {
		if !c.plain(s) {
			return false
		}
		return eachPiece(s.Format, x, func(piece []byte) bool {
			left, right := stringkernel.SidesOf(piece)
			return lines.CheckSequence(left) == len(left) && lines.CheckSequence(right) == len(right)
		})
	})
}

// eachPiece calls visit with the text or, of a whole file, with its lines, without the white space at their ends, until
// it returns false. It reports whether it never did.
func eachPiece(f Format, x []byte, visit func(piece []byte) bool) bool {
	if f != Documents {
		return visit(bytes.TrimSpace(x))
	}
	for line := range bytes.Lines(x) {
		if !visit(bytes.TrimSpace(line)) {
			return false
		}
	}
	return true
}

// trim removes the white space at the ends of texts, and the line ends of whole files.
func (c *collector) trim() {
	clean := c.each(true, func(s *Set, x []byte) bool {
		inner := s.Format == Documents && bytes.IndexByte(x, '\n') >= 0
		return !c.plain(s) || len(bytes.TrimSpace(x)) == len(x) && !inner
	})
	if clean {
		return
	}
	var out stringkernel.CorpusBuilder
	out.Grow(c.records, len(c.builder.Letters()))
	first := 0
	for _, s := range c.sets {
		for i := range s.Lines {
			x := c.builder.Seq(first + i)
			if c.plain(s) {
				eachPiece(s.Format, x, func(piece []byte) bool { out.Append(piece); return true })
			} else {
				out.Append(x)
			}
			out.End(c.builder.Name(first + i))
		}
		first += len(s.Lines)
	}
	c.builder = out
}

// refuse returns an error for the first letter outside the alphabet.
func (c *collector) refuse(all *Collection) error {
	alpha := c.opt.Alphabet
	if alpha == "" {
		alpha = all.DetectAlphabet()
	}
	inside := members(alpha)
	for _, s := range all.Sets {
		offset := s.start
		for i := range s.Len() {
			x := s.Corpus.Seq(i)
			for j, b := range x {
				if inside[b] || b == stringkernel.PairBreak {
					continue
				}
				err := s.Errorf(i, "%s is not %s", lines.LetterName(b), kindOf(alpha)).(*Error)
				if !s.Format.Text() {
					err.Line = c.marks.find(offset + j)
				}
				return err
			}
			offset += len(x)
		}
	}
	return nil
}

// members returns the table of the letters of an alphabet, in both cases: a letter in lower case here is one that was
// masked on purpose.
func members(a stringkernel.Alphabet) *[256]bool {
	var inside [256]bool
	codes := a.Codes()
	for b := range inside {
		inside[b] = codes[lines.UpperByte[b]] != stringkernel.Outside
	}
	return &inside
}

// kindOf ends the sentence “letter 'E' is not …”.
func kindOf(a stringkernel.Alphabet) string {
	if a.OfAminoAcids() {
		return "one of the 20 amino acids"
	}
	return map[stringkernel.Alphabet]string{stringkernel.DNA: "DNA", stringkernel.RNA: "RNA"}[a]
}
