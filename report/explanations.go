package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/report/motif"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostFeatureClasses is the number of classes whose features have a table each; those of more are in one table.
const mostFeatureClasses = 3

// topFeatures is the number of features listed for a class, and against it.
const topFeatures = 10

// features is the section on the strongest features of each class, or on why there are none; nil without a classifier.
func (b *builder) features() *page.Section {
	if b.Classifier == nil {
		return nil
	}
	lister := stringkernel.FeatureListerOf(b.Classifier.Scorer)
	if lister == nil {
		return &page.Section{ID: "features", Title: "Top features", Blocks: []page.Block{{Text: "The kernel has no list of " +
			"features."}}}
	}
	s := &page.Section{
		ID: "features", Title: "Top features", Text: "What speaks most for and against a class: the weight is what one " +
			"occurrence adds to the score, before it is divided by the norm of the record.",
	}
	rule := &b.Model.Decision
	classes := b.decided()
	lists, code := make([]strongest, len(classes)), b.spans() == nil
	for k, c := range classes {
		terms, _ := b.Classifier.Terms(c)
		lists[k] = newStrongest(rule.Classes[c], lister.TopFeatures(answer.MixOf(terms, len(rule.Machines)), topFeatures))
	}
	if len(classes) > mostFeatureClasses {
		s.Blocks = []page.Block{{Table: featuresOfAll(lists, code)}}
		return s
	}
	for _, list := range lists {
		for _, half := range []page.Block{
			{Title: "For " + list.class, Table: featureTable(list.plus, code)},
			{Title: "Against " + list.class, Table: featureTable(list.minus, code)},
		} {
			if half.Table != nil {
				half.Table.Caption = half.Title
				s.Blocks = append(s.Blocks, half)
			}
		}
	}
	if s.Blocks == nil {
		return nil
	}
	return s
}

// strongest are the features that speak most for a class, and most against it.
type strongest struct {
	class       string
	plus, minus []stringkernel.Feature
}

func newStrongest(class string, list []stringkernel.Feature) strongest {
	at := slices.IndexFunc(list, func(f stringkernel.Feature) bool { return f.Weight < 0 })
	if at < 0 {
		at = len(list)
	}
	return strongest{class, list[:at], list[at:]}
}

// featuresOfAll lists the features of each class in a row.
func featuresOfAll(lists []strongest, code bool) *page.Table {
	t := &page.Table{Caption: "Features of each class, the strongest first", Stacked: true, Columns: []page.Column{
		{Name: "class"}, {Name: "for it", Code: code}, {Name: "against it", Code: code},
	}}
	for _, list := range lists {
		t.Rows = append(t.Rows, []page.Cell{{Text: list.class}, {Text: texts(list.plus)}, {Text: texts(list.minus)}})
	}
	return t
}

// texts lists the texts of features.
func texts(features []stringkernel.Feature) string {
	list := make([]string, len(features))
	for k, f := range features {
		list[k] = stringkernel.Readable(f.Text)
	}
	return strings.Join(list, " · ")
}

// featureTable lists features, of sequences in code, shaded by their weights; nil if there are none.
func featureTable(features []stringkernel.Feature, code bool) *page.Table {
	if len(features) == 0 {
		return nil
	}
	greatest, supported := math.SmallestNonzeroFloat64, false
	for _, f := range features {
		greatest, supported = max(greatest, math.Abs(f.Weight)), supported || f.Support > 0
	}
	t := &page.Table{Titled: true, Columns: []page.Column{{Name: "feature", Code: code}, {Name: "weight", Number: true}}}
	if supported {
		t.Columns = append(t.Columns, page.Column{Name: "support vectors", Number: true, Help: "that have it"})
	}
	for _, f := range features {
		row := []page.Cell{{Text: stringkernel.Readable(f.Text)}, {Text: minus(fmt.Sprintf("%+#.4g", f.Weight)),
			Shade: page.Shade(math.Abs(f.Weight) / greatest), Good: f.Weight > 0}}
		if supported {
			row = append(row, page.Cell{Text: thousands(f.Support)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

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
	classes, why := b.decided(), errors.New("the strongest k-mers make none")
	if len(classes) > mostFeatureClasses {
		classes, why = nil, fmt.Errorf("of more than %d classes, seqsvm model motifs finds them", mostFeatureClasses)
	}
	for _, class := range classes {
		block, err := b.motifsOf(ctx, class, sample)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			why = err
			break
		}
		if block != nil {
			s.Text = "The strongest k-mers joined to motifs, which are refined by their sites in the records: a stack of " +
				"letters is as high as its information. The share is that of the decision which is within the sites."
			if len(b.KnownMotifs) > 0 {
				s.Text += " Below each motif is the most similar known one, with the correlation of the columns that face " +
					"each other, and the false discovery rate (q): a small one says that the likeness is no accident."
			}
			s.Blocks = append(s.Blocks, *block)
		}
	}
	if s.Blocks == nil {
		s.Blocks = []page.Block{{Text: "There are no motifs: " + strings.TrimPrefix(why.Error(), "motif: ") + "."}}
	}
	places, err := b.places(ctx, sample)
	if err != nil {
		return nil, err
	}
	if places != nil {
		s.Blocks = append(s.Blocks, *places)
	}
	return s, nil
}

// motifsOf are the motifs of a class, nil if there are none, and an error if such a kernel has none.
func (b *builder) motifsOf(ctx context.Context, class int, sample *stringkernel.Corpus) (*page.Block, error) {
	d := motif.Decision{Classifier: b.Classifier, Kernel: b.Model.Kernel, Class: class, Records: sample}
	set, err := d.Find(ctx, motif.Options{}) // more than are shown, since some have too few sites to stay
	if err != nil || len(set.Motifs) == 0 {
		return nil, err
	}
	block := &page.Block{Title: "Motifs that speak for " + b.Model.Decision.Classes[class]}
	set.Motifs = set.Motifs[:min(len(set.Motifs), mostMotifs)]
	var matches []motif.Match
	if len(b.KnownMotifs) > 0 {
		matches = set.Matches(b.KnownMotifs)
	}
	for i := range set.Motifs {
		one := page.Figure{Alt: "Motif " + set.Consensus(&set.Motifs[i]), Picture: set.Logo(i)}
		if matches != nil {
			one.Alt += ", like " + matches[i].Known.Name + ": " + matches[i].Text()
			one.Picture = set.LogoBeside(i, matches[i])
		}
		block.Figures = append(block.Figures, one)
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

// trackUnits is the number of letters or words of a track, those around the greatest contributions.
const trackUnits = 400

// tracks explains the decisions on some records: a third of them those that are predicted worst, a third those that the
// model is surest of, the rest drawn at random. Nil if the kernel cannot explain.
func (b *builder) tracks() *page.Tracks {
	if b.mostTracks() < 0 || b.Classifier == nil || stringkernel.ExplainerOf(b.Classifier.Scorer) == nil {
		return nil
	}
	e := b.explainer()
	t := &page.Tracks{
		Text: "What each letter or word adds to the decision on a record: above the line, or on blue, it raises it, " +
			"below, or on orange, it lowers it. All records have one scale. The contributions and the bias sum to the " +
			"decision.",
		Groups: []string{"most wrong", "most confident", "drawn at random"},
	}
	if b.other != nil {
		t.Text += " They are those of " + b.Name + "."
	}
	switch b.labelling {
	case dataset.Numbers:
		t.Groups[0], t.Groups[1] = "greatest errors", "greatest predictions"
	case dataset.Grades:
		t.Groups[1] = "highest scores"
	}
	if wrong := len(b.wrongest()); b.hasErrors() && wrong > b.mostTracks()/len(t.Groups) {
		t.Groups[0] += " of " + thousands(wrong)
	}
	chosen, group := b.explained(len(t.Groups))
	explanations, decisions := make([]answer.Explanation, len(chosen)), make([]float64, len(chosen))
	var done atomic.Int64
	parallel.Each(len(chosen), func(k int) {
		explanations[k] = e.Explain(b.Corpus.Seq(chosen[k]))
		decisions[k] = explanations[k].Decision
		if n := done.Add(1); b.Progress != nil {
			b.Progress(int(n), len(chosen))
		}
	})
	shown := page.Decimals(decisions)
	for k, i := range chosen {
		one := b.track(e, explanations[k], i, group[k])
		one.Text = b.trackText(i, e.Class, explanations[k], shown)
		t.Tracks = append(t.Tracks, one)
	}
	return t
}

// explained chooses the records to explain, with the group of each.
func (b *builder) explained(groups int) (chosen, group []int) {
	taken := map[int]bool{}
	for g, list := range [][]int{b.wrongest(), b.surest(), b.drawn()} {
		room := (b.mostTracks() - len(chosen)) / (groups - g)
		for _, i := range list {
			if room == 0 {
				break
			}
			if !taken[i] {
				taken[i] = true
				room--
				chosen, group = append(chosen, i), append(group, g)
			}
		}
	}
	return chosen, group
}

// spans are the units of contributions: words if the kernel is of words, or if the records are text with blanks in it;
// nil: letters.
func (b *builder) spans() func(x []byte, visit func(lo, hi int)) {
	spans := answer.UnitsOf(b.Model.Kernel.Terms)
	if spans == nil && b.Model.Kernel.Alphabet() == stringkernel.Bytes && bytes.ContainsRune(b.Corpus.Whole(), ' ') {
		return bow.EachWord
	}
	return spans
}

// track is the explanation of the decision on a record.
func (b *builder) track(explainer *answer.Explainer, e answer.Explanation, i, group int) page.Track {
	lo, hi := strongestWindow(e.Contributions, trackUnits)
	t := page.Track{
		Title: b.Corpus.Name(i), Group: group, Record: -1, First: lo + 1, Of: len(e.Contributions),
		Values: e.Contributions[lo:hi],
	}
	if row, listed := b.row[i]; listed {
		t.Record = row
	}
	if explainer.Spans == nil {
		t.Letters = string(b.Corpus.Seq(i)[lo:hi])
	} else {
		t.Words = e.Units[lo:hi]
	}
	return t
}

// trackText says what a record is, what was predicted and what the contributions sum to, with a number of decimals: the
// decision for the positive class or, if positive is −1, for the predicted class.
func (b *builder) trackText(i, positive int, e answer.Explanation, decimals int) string {
	by, of, above := "", "", ""
	if b.Validation != nil {
		by, of = " by a model trained without it", " of the model of all records"
	}
	rule := &b.Model.Decision
	switch {
	case !b.hasErrors():
	case positive >= 0:
		of += " for " + rule.Classes[positive]
		above = fmt.Sprintf(" (above %s: %[2]s)", number(rule.Machines[0].Threshold), rule.Classes[positive])
	default:
		of += " for " + rule.Classes[e.Class]
	}
	return fmt.Sprintf("label %s; predicted %s%s. Below: the decision%s, %s%s, of which bias %s", b.labelText(i),
		b.predictedText(i), by, of, places(e.Decision, decimals), above, places(e.Bias, decimals))
}

// strongestWindow returns the bounds of the consecutive values of the greatest sum of magnitudes, the first of several.
func strongestWindow(values []float64, most int) (lo, hi int) {
	if len(values) <= most {
		return 0, len(values)
	}
	sum := 0.0
	for _, v := range values[:most] {
		sum += math.Abs(v)
	}
	greatest := sum
	for i := most; i < len(values); i++ {
		sum += math.Abs(values[i]) - math.Abs(values[i-most])
		if sum > greatest {
			greatest, lo = sum, i-most+1
		}
	}
	return lo, lo + most
}
