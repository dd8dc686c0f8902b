package seqio

import (
	"sort"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// lineMark is a run of lines with the same number of letters, the last of which may have fewer.
type lineMark struct {
	offset int // of its first letter in the corpus
	line   int // of its first line
	width  int // letters per line
}

// lineMarks maps letters to their lines. A record that is wrapped evenly needs one mark.
type lineMarks []lineMark

// add says that the letters offset … offset+n−1 came from the line. Calls are in order of offset.
func (m *lineMarks) add(offset, n, line int) {
	if n == 0 {
		return
	}
	if k := len(*m); k > 0 {
		last := (*m)[k-1]
		if n <= last.width && line > last.line && offset == last.offset+last.width*(line-last.line) {
			return
		}
	}
	*m = append(*m, lineMark{offset, line, n})
}

// find returns the line of the letter at an offset.
func (m lineMarks) find(offset int) int {
	k := sort.Search(len(m), func(k int) bool { return m[k].offset > offset }) - 1
	return m[k].line + (offset-m[k].offset)/m[k].width
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
				if inside[b] {
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
