package motif

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Decision is the decision for a class whose motifs are looked for.
type Decision struct {
	Classifier *decide.Classifier
	Kernel     catalog.Spec
	Class      int
	Kmers      int                  // number of the strongest k-mers that make motifs; 0 means 500
	Records    *stringkernel.Corpus // whose contributions refine them; nil without
}

const (
	defaultWords = 500
	shortest     = 4 // letters of a substring of any length that makes a motif
)

// Find lists the k-mers of the decision, explains the records, and finds the motifs. Alphabet, BothStrands and
// MinLength of the options are those of the kernel, whatever they say. It returns an error for a model without a list
// of its features, or of another alphabet.
func (d Decision) Find(ctx context.Context, opt Options) (*Set, error) {
	if d.Classifier.Ball {
		return nil, fmt.Errorf("motif: %w", decide.ErrBall)
	}
	lister := stringkernel.FeatureListerOf(d.Classifier.Scorer)
	if lister == nil {
		return nil, fmt.Errorf("motif: the kernel %s has no list of features%s", d.Kernel, hint(d.Kernel))
	}
	opt.Alphabet, opt.BothStrands, opt.MinLength = d.Kernel.Alphabet(), false, 0
	for _, t := range d.Kernel.Terms {
		opt.BothStrands = opt.BothStrands || t.RC
		if stringkernel.TraitsOf(t.Kernel).KmerLength == 0 {
			opt.MinLength = shortest
		}
	}
	if err := opt.check(nil); err != nil {
		return nil, err
	}
	records, err := d.explain(ctx)
	if err != nil {
		return nil, err
	}
	return Find(ctx, d.kmers(lister, opt.MinLength), records, opt)
}

// hint names the command that knows k-mers at positions.
func hint(spec catalog.Spec) string {
	if spec.Terms[0].Name == "wd" {
		return "; seqsvm model poim draws its k-mers by position"
	}
	return ""
}

// kmers lists the k-mers of the greatest positive weights, more and more until enough are long enough.
func (d Decision) kmers(lister stringkernel.FeatureLister, least int) (kmers []Kmer) {
	want := cmp.Or(d.Kmers, defaultWords)
	terms, _ := d.Classifier.Terms(d.Class)
	mix := answer.MixOf(terms, d.Classifier.Scorer.Outputs())
	for n, before := want, -1; ; n *= 4 {
		kmers = kmers[:0]
		features := lister.TopFeatures(mix, n)
		for _, f := range features {
			if len(f.Text) >= least && f.Weight > 0 && len(kmers) < want {
				kmers = append(kmers, Kmer{f.Text, f.Weight})
			}
		}
		if len(kmers) == want || len(features) == before || n > stringkernel.AllFeatures/4 {
			return kmers
		}
		before = len(features)
	}
}

// recordBytes is the memory of a letter of the records: its contribution and the codes of two words.
const recordBytes = 12

// explain returns the records with their contributions, or an error if these would take too much memory.
func (d Decision) explain(ctx context.Context) ([]Record, error) {
	if d.Records == nil {
		return nil, nil
	}
	explainer := stringkernel.ExplainerOf(d.Classifier.Scorer)
	if explainer == nil {
		return nil, fmt.Errorf("motif: the kernel %s has no contributions of positions", d.Kernel)
	}
	if err := memory.Check(recordBytes * float64(d.Records.Letters())); err != nil {
		return nil, fmt.Errorf("motif: contributions of %d letters: %w", d.Records.Letters(), err)
	}
	terms, _ := d.Classifier.Terms(d.Class)
	records := make([]Record, d.Records.Len())
	return records, parallel.Do(ctx, len(records), func(i int) error {
		x := d.Records.Seq(i)
		sum, one := make([]float64, len(x)), make([]float64, len(x))
		for _, t := range terms {
			explainer.ExplainTo(one, t.Machine, x)
			for at, value := range one {
				sum[at] += float64(t.Sign * value)
			}
		}
		records[i] = Record{x, sum}
		return nil
	})
}
