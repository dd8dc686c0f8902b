package tagging

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

func words3(s string) []string { return strings.Fields(s) }

func TestSpansAndTags(t *testing.T) {
	spans := []Span{{"X", 0, 1}, {"X", 1, 3}, {"Y", 3, 5}, {"Y", 6, 7}}
	for s, want := range map[Scheme]string{
		IOB1:  "I-X B-X I-X I-Y I-Y O I-Y",
		IOB2:  "B-X B-X I-X B-Y I-Y O B-Y",
		IOBES: "S-X B-X E-X B-Y E-Y O S-Y",
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
		if got, _, token, _ := DetectScheme([][]string{words3("O O"), tags}); got != s || token >= 0 {
			t.Errorf("%s was taken for %s", s, got)
		}
	}
}

func TestDetectScheme(t *testing.T) {
	for text, want := range map[string]Scheme{"H E C": States, "O O": States, "B-X O I": "", "B-X O H E": States, "B-X I-Y": ""} {
		got, _, token, why := DetectScheme([][]string{words3(text)})
		if got != want || (want == "") != (token >= 0) || (why == "") == (want == "") {
			t.Errorf("%q was taken for %q: token %d, %s", text, got, token, why)
		}
	}
	for s, bad := range map[Scheme]string{IOB2: "O I-X", IOB1: "O B-X", IOBES: "B-X O", "iob2 ": "O"} {
		if token, _ := s.Check(words3(bad)); token < 0 && s != "iob2 " {
			t.Errorf("%s: no error of %q", s, bad)
		}
	}
}

// TestConlleval has counts by the rules of the script of that name, made by hand: found, true and right spans.
func TestConlleval(t *testing.T) {
	for _, c := range []struct {
		truth, found string
		want         Counts
	}{
		{"B-X I-X O B-Y", "B-X I-X O B-Y", Counts{Right: 2, Found: 2, True: 2}},
		{"B-X I-X O", "B-X O O", Counts{Found: 1, True: 1}},             // too short
		{"B-X I-X O", "B-X I-X I-X", Counts{Found: 1, True: 1}},         // too long
		{"B-X I-X O", "B-Y I-Y O", Counts{Found: 1, True: 1}},           // of another kind
		{"B-X B-X", "B-X I-X", Counts{Found: 1, True: 2}},               // two of them
		{"I-X I-X O I-Y", "B-X I-X O B-Y", Counts{2, 2, 2}},             // schemes mixed
		{"O I-X I-Y", "O B-X B-Y", Counts{2, 2, 2}},                     // a kind that changes ends a span
		{"B-X E-X S-X O", "B-X I-X B-X O", Counts{2, 2, 2}},             // IOBES
		{"O O", "B-X O", Counts{Found: 1}},                              // nothing is true
		{"B-X I-X I-X I-X", "B-X I-X O I-X", Counts{Found: 2, True: 1}}, // cut in two
	} {
		r := NewReport(IOB2)
		r.Add(words3(c.truth), words3(c.found))
		if got := r.All(); got != c.want {
			t.Errorf("%s, found %s: %+v, want %+v", c.truth, c.found, got, c.want)
		}
	}
	r := NewReport(IOB2)
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
		r := NewReport(States)
		r.Add(strings.Split(c.truth, ""), strings.Split(c.found, ""))
		if got := r.SegmentOverlap(""); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s, found %s: %v, want %v", c.truth, c.found, got, c.want)
		}
	}
	r := NewReport(States) // what is not known divides runs
	r.Add([]string{"H", "", "H", "C"}, []string{"H", "C", "C", "C"})
	if r.Tokens != 3 || r.RightTokens != 2 || r.States["H"].True != 2 {
		t.Errorf("%+v", r)
	}
}

func corpusOf(t testing.TB, text string) *tokens.Corpus {
	t.Helper()
	c, err := tokens.ReadColumns(strings.NewReader(text), "a.txt", 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const some = "The\tDT\tO\nWilms\tNNP\tB-D\ntumour\tNN\tI-D\n.\t.\tO\n\nBRCA1\tNN\tO\ncancer\tNN\tB-D\n\n" +
	"breast\tNN\tB-D\ncancer\tNN\tI-D\ncells\tNN\tO\n\nThe\tDT\tO\ncells\tNN\tO\n"

// TestWordFeatures lists the features of a token by their names.
func TestWordFeatures(t *testing.T) {
	c := corpusOf(t, some)
	for text, want := range map[string]string{
		"words:width=1,lower=off,shape=off,prefix=0,suffix=0,pairs=0": "word[-1]=The word[+0]=Wilms all[+0]= word[+1]=tumour",
		"words:width=off,lower=0,shape=0,prefix=2,suffix=1,pairs=0": "prefix[-1]=t prefix[-1]=th suffix[-1]=e " +
			"lower[+0]=wilms shape[+0]=Xxxxx shape[+0]=~Xx prefix[+0]=w prefix[+0]=wi suffix[+0]=s all[+0]= " +
			"prefix[+1]=t prefix[+1]=tu suffix[+1]=r",
		"words:width=off,lower=off,shape=off,prefix=0,suffix=0,grams=2": "pair[-1]=the wilms gram[+0]=^w gram[+0]=wi " +
			"gram[+0]=il gram[+0]=lm gram[+0]=ms gram[+0]=s$ pair[+0]=wilms tumour all[+0]=",
		"words:width=0,lower=off,shape=off,prefix=0,suffix=0,pairs=0,columns=1": "column[-1]=2=DT word[+0]=Wilms " +
			"column[+0]=2=NNP all[+0]= column[+1]=2=NN",
		"words:width=0,lower=off,shape=off,prefix=0,suffix=0,pairs=0,min=2": "all[+0]=",
	} {
		f, err := ParseFeatures(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.of.fit(c, 3); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, feature := range f.of.rows(c).Row(1, nil) {
			names = append(names, f.of.name(feature))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	f, _ := ParseFeatures("words:width=0,lower=off,shape=off,prefix=0,suffix=0,pairs=0")
	if err := f.of.fit(c, 3); err != nil {
		t.Fatal(err)
	}
	if got := f.of.name(f.of.rows(c).Row(0, nil)[0]); got != "edge[-1]=" {
		t.Errorf("the first feature of the first word is %s", got)
	}
}

func TestLetterFeatures(t *testing.T) {
	set, err := seqio.Read(strings.NewReader(">a\nACX\n>b\nWW\n"), "a.fa", seqio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := tokens.FromSet(set)
	for text, want := range map[string][]string{
		"letters:width=1,pairs=0": {"letter[-1]=A letter[+0]=C letter[+1]=other all", "letter[-1]=W letter[+0]=W letter[+1]=beyond all"},
		"letters:width=1,pairs=1": {"letter[-1]=A letter[+0]=C letter[+1]=other pair[-1,+0]=A,C pair[+0,+1]=C,other all",
			"letter[-1]=W letter[+0]=W letter[+1]=beyond pair[-1,+0]=W,W pair[+0,+1]=W,beyond all"},
	} {
		f, err := ParseFeatures(text)
		if err != nil {
			t.Fatal(err)
		}
		rows := f.of.rows(c)
		for i, token := range []int{1, 4} {
			var names []string
			for _, feature := range rows.Row(token, nil) {
				names = append(names, f.of.name(feature))
			}
			if got := strings.Join(names, " "); got != want[i] {
				t.Errorf("%s: %s, want %s", text, got, want[i])
			}
		}
	}
	f, _ := ParseFeatures("letters:width=0,composition=3")
	list := f.of.rows(c).Row(3, nil)
	if got := f.of.name(list[len(list)-2-1]); got != "share[W]=3" && got != "share[Y]=0" {
		t.Errorf("a share is %s", got)
	}
}

func TestFeatureErrors(t *testing.T) {
	for text, want := range map[string]string{
		"wods":                   `features "wods", want words:… or letters:…`,
		"words:width=x":          "features words: width=x, want a whole number, 0 to 50",
		"words:width=1,width=2":  "features words: width is given twice",
		"words:size=1":           `features words have no "size", want one of width, lower, shape, prefix, suffix, grams, pairs, columns, min, column, list`,
		"letters:alphabet=klein": "features letters: alphabet",
		"letters:alphabet=bytes": "features letters: alphabet bytes has 256 letters, want at most 64",
		"words:list=/no/such":    "/no/such",
	} {
		if _, err := ParseFeatures(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestTrainErrors(t *testing.T) {
	features, _ := ParseFeatures("words")
	for text, want := range map[string]string{
		"a B-X\nb I-Y\n": "a.txt:2: the tag I-Y, want B-Y in iob2, the scheme that the fewest tags break; correct it, " +
			"or see --scheme",
		"a O\nb O\n":       "a.txt: all tags are [O], want at least two",
		"a O\n\nb I-X\n\n": "",
	} {
		_, err := Trainer{Features: features, Tag: 2}.Train(context.Background(), corpusOf(t, text))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := (Trainer{Features: features, Tag: 2, Scheme: IOB2}).Train(context.Background(),
		corpusOf(t, "a O\n\nb I-X\n\n")); err == nil || err.Error() != "a.txt:3: the tag I-X, want B-X in iob2" {
		t.Error(err)
	}
	if _, err := (Trainer{Features: features, Tag: 1}).Train(context.Background(), corpusOf(t, "a O\nb B-X\n")); err == nil {
		t.Error("no error of a column that has words and tags")
	}
}

func TestModelRoundTrip(t *testing.T) {
	c := corpusOf(t, some)
	for _, learner := range Learners() {
		features, err := ParseFeatures("words:columns=1")
		if err != nil {
			t.Fatal(err)
		}
		m, err := Trainer{Features: features, Tag: 3, Learner: learner, C: 10}.Train(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		tagged, err := m.Tag(context.Background(), c, true)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReport(m.Scheme)
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
		if err := m.Write(&file); err != nil {
			t.Fatal(err)
		}
		back, err := Read(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
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
			if _, err := Read(damaged); err == nil {
				t.Fatalf("no error of a model with byte %d damaged", i)
			}
			if _, err := Read(file.Bytes()[:i]); err == nil {
				t.Fatalf("no error of a model cut at byte %d", i)
			}
		}
	}
	if _, err := Read([]byte("SEQSVM")); !errors.Is(err, ErrNotAModel) {
		t.Error(err)
	}
}

// TestExplain adds up the terms of a token, which are its score.
func TestExplain(t *testing.T) {
	c := corpusOf(t, some)
	features, _ := ParseFeatures("words")
	m, err := Trainer{Features: features, Tag: 3}.Train(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Explainer(c)
	if err != nil {
		t.Fatal(err)
	}
	want := m.Machine.Tagger().Score(m.Features.of.rows(c), 1, 2)
	for state, tag := range m.Tags {
		list, err := e.Token(1, tag)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, w := range list {
			sum += w.Weight
		}
		if math.Abs(sum-want[state]) > 1e-12 {
			t.Errorf("%s: terms add up to %v, want %v", tag, sum, want[state])
		}
	}
	if _, err := e.Token(1, "Z"); err == nil {
		t.Error("no error of an unknown tag")
	}
}

func TestDictionary(t *testing.T) {
	d := &dictionary{names: []string{"breast cancer", "cancer", "wilms tumour"}}
	d.index()
	w := &words{options: options{column: 1}, dictionaries: []*dictionary{d}}
	var got []string
	c := corpusOf(t, "Breast O\ncancer O\nand O\nCancer O\nWilms O\nx O\n")
	w.listed(c.Sequence(0), func(token int, term []byte) {
		got = append(got, c.Tokens[token].Fields[0]+"/"+string(term[1:]))
	})
	if want := "Breast/0B cancer/0I Cancer/0S"; strings.Join(got, " ") != want {
		t.Errorf("listed %v, want %s", got, want)
	}
}

func FuzzRead(f *testing.F) {
	features, _ := ParseFeatures("words")
	m, err := Trainer{Features: features, Tag: 3}.Train(context.Background(), corpusOf(f, some))
	if err != nil {
		f.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Read(resum(data)); err == nil {
			c := corpusOf(t, some)
			if _, err := m.Tag(context.Background(), c, true); err == nil && len(m.Tags) == 0 {
				t.Error("a model without tags")
			}
		}
	})
}
