package report

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/report/motif"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
)

const (
	explainedRecords = 1000 // drawn at random, by which motifs and places are found
	mostMotifs       = 3    // of a class
)

// motifs is the section on what the model looks for in sequences, and where; nil if it is of other data or if the
// kernel tells neither.
func (b *builder) motifs(ctx context.Context) (*page.Section, error) {
	alphabet := b.Model.Kernel.Alphabet()
	if b.Classifier == nil || alphabet == stringkernel.Bytes || stringkernel.ExplainerOf(b.Classifier.Scorer) == nil {
		return nil, nil
	}
	drawn := b.drawn()
	sample := b.Corpus.Subset(drawn[:min(len(drawn), explainedRecords)])
	s := &page.Section{ID: "motifs", Title: "What it looks for"}
	if classes := b.decided(); len(classes) <= mostFeatureClasses {
		for _, class := range classes {
			block, err := b.motifsOf(ctx, class, sample)
			if err != nil {
				return nil, err
			}
			if block != nil {
				s.Text = "The strongest k-mers joined to motifs, which are refined by their sites in the records: a stack of " +
					"letters is as high as its information. The share is that of the decision which is within the sites."
				s.Blocks = append(s.Blocks, *block)
			}
		}
	}
	places, err := b.places(ctx, sample)
	if err != nil {
		return nil, err
	}
	if places != nil {
		s.Blocks = append(s.Blocks, *places)
	}
	if s.Blocks == nil {
		return nil, nil
	}
	return s, nil
}

// motifsOf are the motifs of a class, nil if there are none.
func (b *builder) motifsOf(ctx context.Context, class int, sample *stringkernel.Corpus) (*page.Block, error) {
	d := motif.Decision{Classifier: b.Classifier, Kernel: b.Model.Kernel, Class: class, Records: sample}
	set, err := d.Find(ctx, motif.Options{}) // more than are shown, since some have too few sites to stay
	if err != nil || len(set.Motifs) == 0 {
		return nil, ctx.Err() // there are no motifs of such a kernel
	}
	block := &page.Block{Title: "Motifs that speak for " + b.Model.Decision.Classes[class]}
	for i := range min(len(set.Motifs), mostMotifs) {
		block.Figures = append(block.Figures, page.Figure{
			Alt: "Motif " + set.Consensus(&set.Motifs[i]), Picture: set.Logo(i),
		})
	}
	return block, nil
}

// places shows where decisions are made: the mean size of the contributions of each position of sequences of one
// length, nil if lengths differ.
func (b *builder) places(ctx context.Context, sample *stringkernel.Corpus) (*page.Block, error) {
	length := len(sample.Seq(0))
	for i := range sample.Len() {
		if len(sample.Seq(i)) != length {
			return nil, nil
		}
	}
	if length < 2 {
		return nil, nil
	}
	explainer := b.explainer()
	explainer.Spans = nil
	contributions := make([][]float64, sample.Len())
	err := parallel.Do(ctx, len(contributions), func(i int) error {
		contributions[i] = explainer.Explain(sample.Seq(i)).Contributions
		return nil
	})
	if err != nil {
		return nil, err
	}
	mean := make([]float64, length)
	for _, values := range contributions {
		for k, v := range values {
			mean[k] += math.Abs(v) / float64(len(contributions))
		}
	}
	picture := figure.Profile{
		Title: "Where decisions are made", Note: fmt.Sprintf("mean of %d records", len(contributions)),
		XName: "position", YName: "|contribution|", Values: mean,
	}
	return &page.Block{Figures: []page.Figure{{Alt: "Mean size of contributions by position", Picture: picture}}}, nil
}

// explainer explains the decisions on records.
func (b *builder) explainer() *answer.Explainer {
	e := &answer.Explainer{Classifier: b.Classifier, Class: -1, Spans: b.spans()}
	if rule := &b.Classifier.Rule; rule.Single() {
		e.Class = rule.Positive
	}
	return e
}

// decided lists the classes that have a decision of their own: of two, the positive one.
func (b *builder) decided() (classes []int) {
	rule := &b.Model.Decision
	for c := range rule.Classes {
		if !rule.Single() || c == rule.Positive {
			classes = append(classes, c)
		}
	}
	return classes
}
