package report

import (
	"bytes"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
)

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
			"below, or on orange, it lowers it. The contributions and the bias sum to the decision.",
		Groups: []string{"most wrong", "most confident", "drawn at random"},
	}
	switch b.labelling {
	case dataset.Numbers:
		t.Groups[0], t.Groups[1] = "greatest errors", "greatest predictions"
	case dataset.Grades:
		t.Groups[1] = "highest scores"
	}
	chosen, group := b.explained(len(t.Groups))
	t.Tracks = make([]page.Track, len(chosen))
	parallel.Each(len(chosen), func(k int) { t.Tracks[k] = b.track(e, chosen[k], group[k]) })
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

// track explains the decision on one record.
func (b *builder) track(explainer *answer.Explainer, i, group int) page.Track {
	e := explainer.Explain(b.Corpus.Seq(i))
	class := e.Class
	if explainer.Class >= 0 {
		class = explainer.Class
	}
	lo, hi := strongestWindow(e.Contributions, trackUnits)
	t := page.Track{
		Title: b.Corpus.Name(i), Text: b.trackText(i, class, e), Group: group, Record: -1, First: lo + 1,
		Of: len(e.Contributions), Values: e.Contributions[lo:hi],
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

// trackText says what a record is, what was predicted and what the contributions sum to.
func (b *builder) trackText(i, class int, e answer.Explanation) string {
	by := ""
	if b.Validation != nil {
		by = " by the model of all records"
	}
	of := " for " + b.Model.Decision.Classes[class]
	if !b.hasErrors() {
		of = ""
	}
	return fmt.Sprintf("label %s, predicted %s; decision%s%s: %s, with a bias of %s", b.labelText(i),
		b.predictedText(i), of, by, number(e.Decision), number(e.Bias))
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
