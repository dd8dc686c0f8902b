package windows

import (
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The labels of true windows and of decoys; of two numbers the greater is the positive class.
const (
	TrueLabel  = "1"
	DecoyLabel = "-1"
)

// Namer gives windows ids that are distinct among all sets it makes: the name of the site or "decoy", and a number from 1 on.
type Namer struct {
	Site         string
	sites, decoy int
}

// Set makes records of windows: the id, the label, and a description of the place, 1-based, such as chrI:101-241(+), and the name of the site if it has one.
func (n *Namer) Set(list []Window) *seqio.Set {
	s := &seqio.Set{Format: seqio.FASTA, Descriptions: make([]string, len(list)), Labels: make([]string, len(list))}
	var b stringkernel.CorpusBuilder
	letters := 0
	for i := range list {
		letters += len(list[i].Letters)
	}
	b.Grow(len(list), letters)
	for i := range list {
		w := &list[i]
		b.Append([]byte(w.Letters))
		s.Descriptions[i] = w.Place()
		if w.True {
			n.sites++
			b.End(fmt.Sprintf("%s_%d", n.Site, n.sites))
			s.Labels[i] = TrueLabel
		} else {
			n.decoy++
			b.End(fmt.Sprintf("decoy_%d", n.decoy))
			s.Labels[i] = DecoyLabel
		}
		if w.Name != "" {
			s.Descriptions[i] += " name=" + oneWord(w.Name)
		}
	}
	s.Corpus = b.Corpus()
	return s
}

// oneWord replaces white space and control characters.
func oneWord(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, name)
}
