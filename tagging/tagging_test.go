package tagging_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/tagging"
)

func words3(s string) []string { return strings.Fields(s) }

func TestSpansAndTags(t *testing.T) {
	spans := []tagging.Span{{"X", 0, 1}, {"X", 1, 3}, {"Y", 3, 5}, {"Y", 6, 7}}
	for s, want := range map[tagging.Scheme]string{
		tagging.IOB1:  "I-X B-X I-X I-Y I-Y O I-Y",
		tagging.IOB2:  "B-X B-X I-X B-Y I-Y O B-Y",
		tagging.IOBES: "S-X B-X E-X B-Y E-Y O S-Y",
	} {
		tags := s.Tags(spans, 7)
		if !reflect.DeepEqual(tags, words3(want)) {
			t.Errorf("%s: %v, want %s", s, tags, want)
		}
		if got := s.Spans(tags); !reflect.DeepEqual(got, spans) {
			t.Errorf("%s: spans %v, want %v", s, got, spans)
		}
		if token, why := s.Check(tags); token >= 0 {
			t.Errorf("%s: token %d breaks its own scheme: %s", s, token, why)
		}
		if got, _, token, _ := tagging.DetectScheme([][]string{words3("O O"), tags}); got != s || token >= 0 {
			t.Errorf("%s was taken for %s", s, got)
		}
	}
}

// TestConlleval has counts by the rules of the script of that name, made by hand: found, true and right spans.
func TestConlleval(t *testing.T) {
	for _, c := range []struct {
		truth, found string
		want         tagging.Counts
	}{
		{"B-X I-X O B-Y", "B-X I-X O B-Y", tagging.Counts{Right: 2, Found: 2, True: 2}},
		{"B-X I-X O", "B-X O O", tagging.Counts{Found: 1, True: 1}},             // too short
		{"B-X I-X O", "B-X I-X I-X", tagging.Counts{Found: 1, True: 1}},         // too long
		{"B-X I-X O", "B-Y I-Y O", tagging.Counts{Found: 1, True: 1}},           // of another kind
		{"B-X B-X", "B-X I-X", tagging.Counts{Found: 1, True: 2}},               // two of them
		{"I-X I-X O I-Y", "B-X I-X O B-Y", tagging.Counts{2, 2, 2}},             // schemes mixed
		{"O I-X I-Y", "O B-X B-Y", tagging.Counts{2, 2, 2}},                     // a kind that changes ends a span
		{"B-X E-X S-X O", "B-X I-X B-X O", tagging.Counts{2, 2, 2}},             // IOBES
		{"O O", "B-X O", tagging.Counts{Found: 1}},                              // nothing is true
		{"B-X I-X I-X I-X", "B-X I-X O I-X", tagging.Counts{Found: 2, True: 1}}, // cut in two
	} {
		r := tagging.NewReport(tagging.IOB2)
		r.Add(words3(c.truth), words3(c.found))
		if got := r.All(); got != c.want {
			t.Errorf("%s, found %s: %+v, want %+v", c.truth, c.found, got, c.want)
		}
	}
	r := tagging.NewReport(tagging.IOB2)
	r.Add(words3("B-X O B-Y I-Y"), words3("B-X O O I-Y"))
	if c := r.All(); c.Precision() != 0.5 || c.Recall() != 0.5 || c.F1() != 0.5 || r.Accuracy() != 0.75 {
		t.Errorf("%+v, accuracy %v", c, r.Accuracy())
	}
}

// TestSegmentOverlap has values by the definition of Zemla et al. 1999, computed by hand.
func TestSegmentOverlap(t *testing.T) {
	for _, c := range []struct {
		truth, found string
		want         float64
	}{
		{"CCEEECCCCCC", "CCEEECCCCCC", 1},
		// E: 3 of 3 overlap in 2; minov 2, maxov 4, δ = min(2, 2, 1, 1) = 1: (2+1)/4·3. C: the runs 2 and 6 meet 3 and
		// 5: (2 + min(1, 2, 1, 1))/3·2 and (5 + min(1, 5, 3, 2))/6·6
		{"CCEEECCCCCC", "CCCEEECCCCC", (2.25 + 2 + 6) / 11},
		{"HHHH", "CCCC", 0},
		{"HHHHHH", "HHCHHH", (float64(2+1)/6*6 + float64(3+1)/6*6) / 12},
	} {
		r := tagging.NewReport(tagging.States)
		r.Add(strings.Split(c.truth, ""), strings.Split(c.found, ""))
		if got := r.SegmentOverlap(""); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s, found %s: %v, want %v", c.truth, c.found, got, c.want)
		}
	}
	r := tagging.NewReport(tagging.States) // what is not known divides runs
	r.Add([]string{"H", "", "H", "C"}, []string{"H", "C", "C", "C"})
	if r.Tokens != 3 || r.RightTokens != 2 || r.States["H"].True != 2 {
		t.Errorf("%+v", r)
	}
}

func TestFeatureErrors(t *testing.T) {
	for text, want := range map[string]string{
		"wods":                   `features "wods", want words:… or letters:…`,
		"words:width=x":          "features words: width=x, want a whole number, 0 to 50",
		"words:width=1,width=2":  "features words: width is given twice",
		"words:size=1":           `features words have no "size", want one of width, lower, shape, prefix, suffix, grams, pairs, classes, columns, min, column, list`,
		"letters:alphabet=klein": "features letters: alphabet",
		"letters:alphabet=bytes": "features letters: alphabet bytes has 256 letters, want at most 64",
		"words:list=/no/such":    "/no/such",
	} {
		if _, err := tagging.ParseFeatures(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestTrainErrors(t *testing.T) {
	features, _ := tagging.ParseFeatures("words")
	for text, want := range map[string]string{
		"a B-X\nb I-Y\n": "a.txt:2: the tag I-Y, want B-Y in iob2, the scheme that the fewest tags break; correct it, " +
			"or see --scheme",
		"a O\nb O\n":       "a.txt: all tags are [O], want at least two",
		"a O\n\nb I-X\n\n": "",
	} {
		_, err := tagging.Trainer{Features: features, Tag: 2}.Train(context.Background(), tagging.CorpusOf(t, text))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := (tagging.Trainer{Features: features, Tag: 2, Scheme: tagging.IOB2}).Train(context.Background(),
		tagging.CorpusOf(t, "a O\n\nb I-X\n\n")); err == nil || err.Error() != "a.txt:3: the tag I-X, want B-X in iob2" {
		t.Error(err)
	}
	if _, err := (tagging.Trainer{Features: features, Tag: 1}).Train(context.Background(), tagging.CorpusOf(t, "a O\nb B-X\n")); err == nil {
		t.Error("no error of a column that has words and tags")
	}
}

func TestModelRoundTrip(t *testing.T) {
	c := tagging.CorpusOf(t, tagging.Some)
	for _, learner := range tagging.Learners() {
		features := must.Get(tagging.ParseFeatures("words:columns=1"))(t)
		m := must.Get(tagging.Trainer{Features: features, Tag: 3, Learner: learner, C: 10}.Train(context.Background(), c))(t)
		tagged := must.Get(m.Tag(context.Background(), c, true))(t)
		r := tagging.NewReport(m.Scheme)
		for q, got := range tagged {
			var truth []string
			for _, token := range c.Sequence(q) {
				truth = append(truth, token.Tag)
			}
			r.Add(truth, got.Tags)
			for _, p := range got.P {
				if !(p > 0 && p <= 1+1e-12) {
					t.Errorf("a probability of %v", p)
				}
			}
		}
		if r.All().F1() < 0.8 {
			t.Errorf("%s: F1 %v on its own training data", learner, r.All().F1())
		}
		var file bytes.Buffer
		must.Succeed(t, m.Write(&file))
		back := must.Get(tagging.Read(file.Bytes()))(t)
		again, err := back.Tag(context.Background(), c, true)
		if err != nil || !reflect.DeepEqual(again, tagged) {
			t.Errorf("%s: a model that was written tags otherwise: %v", learner, err)
		}
		if w := m.Strongest("S-D", 1); len(w) != 1 || w[0].Weight <= 0 {
			t.Errorf("the strongest feature is %v", w)
		}
		for i := range file.Bytes() {
			damaged := bytes.Clone(file.Bytes())
			damaged[i] ^= 0x55
			if _, err := tagging.Read(damaged); err == nil {
				t.Fatalf("no error of a model with byte %d damaged", i)
			}
			if _, err := tagging.Read(file.Bytes()[:i]); err == nil {
				t.Fatalf("no error of a model cut at byte %d", i)
			}
		}
	}
	if _, err := tagging.Read([]byte("SEQSVM")); !errors.Is(err, tagging.ErrNotAModel) {
		t.Error(err)
	}
}
