package windows

import (
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The labels of true windows and of decoys; of two numbers the greater is the positive class.
const (
	TrueLabel  = "1"
	DecoyLabel = "-1"
)

// Set makes records of windows. The id is the place, 1-based, such as chrI:101-241(+), which is distinct; the
// description is the label and, of a true window whose site has a name, name=NAME.
func Set(list []Window) *seqio.Set {
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
		b.End(w.Place())
		s.Labels[i] = DecoyLabel
		if w.True {
			s.Labels[i] = TrueLabel
		}
		if w.Name != "" {
			s.Descriptions[i] = "name=" + lines.OneWord(w.Name)
		}
	}
	s.Corpus = b.Corpus()
	return s
}
