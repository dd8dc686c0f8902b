package tagging

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// conlleval returns spans by the rules startOfChunk and endOfChunk of conlleval.py (github.com/sighsmile/conlleval),
// which is the script of CoNLL with E and S. Tags are written as in B-X; letters of other schemes are made B, I, E, S.
func conlleval(tags []string) (spans []Span) {
	letters := strings.NewReplacer("L", "E", "U", "S", "W", "S", "M", "I")
	last, lastKind, begin := "O", "", -1
	for t, tag := range append(slices.Clone(tags), "O") {
		letter, kind, _ := strings.Cut(tag, "-")
		letter = letters.Replace(letter)
		ends := last == "E" || last == "S" || (last == "B" || last == "I") && strings.Contains("BSO", letter) ||
			last != "O" && lastKind != kind
		starts := letter == "B" || letter == "S" || strings.Contains("ESO", last) && (letter == "E" || letter == "I") ||
			letter != "O" && lastKind != kind
		if begin >= 0 && ends {
			spans = append(spans, Span{lastKind, begin, t})
			begin = -1
		}
		if starts {
			begin = t
		}
		last, lastKind = letter, kind
	}
	return spans
}

// drawSpans draws spans of n tokens.
func drawSpans(t *rapid.T) (spans []Span, n int) {
	kinds := rapid.SampledFrom([]string{"PER", "LOC", "x-1", "x_2"})
	for range rapid.IntRange(1, 6).Draw(t, "spans") {
		n += rapid.IntRange(0, 2).Draw(t, "outside")
		hi := n + rapid.IntRange(1, 4).Draw(t, "length")
		spans = append(spans, Span{kinds.Draw(t, "kind"), n, hi})
		n = hi
	}
	return spans, n + rapid.IntRange(0, 2).Draw(t, "rest")
}

// TestSchemesRoundTrip writes spans in every scheme and spelling, reads them, and finds the scheme.
func TestSchemesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, n := drawSpans(t)
		for _, s := range Schemes()[1:] {
			if got := conlleval(s.Tags(want, n)); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: conlleval has the spans %v of %v, want %v", s, got, s.Tags(want, n), want)
			}
			for _, spelled := range []Scheme{"", ":b-X", ":b-X,o", ":B_X", ":X-B", ":X|b,o", ":B–X", ":B", ":b,o"} {
				s := s + spelled
				tags := s.Tags(want, n)
				if got := s.Spans(tags); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: spans %v of %v, want %v", s, got, tags, want)
				}
				if at, why := s.Check(tags); at >= 0 {
					t.Fatalf("%s: token %d of %v breaks its own scheme: %s", s, at, tags, why)
				}
				found, _, at, why := DetectScheme([][]string{tags})
				if spelled == ":B" || spelled == ":b,o" {
					continue // is found if there is enough of it
				}
				if at >= 0 || !reflect.DeepEqual(found.Spans(tags), want) {
					t.Fatalf("%v of %s was taken for %s (%s)", tags, s, found, why)
				}
				back := convert(convert(tags, s, "bmewo:X/B"), "bmewo:X/B", s)
				if !reflect.DeepEqual(back, tags) {
					t.Fatalf("%v of %s came back from another scheme as %v", tags, s, back)
				}
			}
		}
	})
}

// TestSpansOfAnyTags compares with conlleval on tags that follow no scheme.
func TestSpansOfAnyTags(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter, kind := rapid.SampledFrom(strings.Split("BIESLUMWOO", "")), rapid.SampledFrom([]string{"X", "Y"})
		tags := make([]string, rapid.IntRange(0, 12).Draw(t, "tokens"))
		for i := range tags {
			if tags[i] = letter.Draw(t, "letter"); tags[i] != "O" {
				tags[i] += "-" + kind.Draw(t, "kind")
			}
		}
		if got, want := IOB2.Spans(tags), conlleval(tags); !reflect.DeepEqual(got, want) {
			t.Fatalf("spans %v of %v, want %v", got, tags, want)
		}
	})
}

// TestDetectSpellings has tags of a few sentences, one a line.
func TestDetectSpellings(t *testing.T) {
	for text, want := range map[string]Scheme{
		"B-X L-X O\nU-Y":                   BILOU,
		"B-X E-X O\nW-Y\nB-X M-X E-X":      BMEWO,
		"B-X E-X O\nS-Y\nB-X M-X E-X":      BMES,
		"I-X E-X O\nE-Y":                   IOE2,
		"I-X I-X O\nE-X I-X":               IOE1,
		"I-X I-X O\nI-X B-X":               IOB1,
		"PER-B PER-I O":                    "iob2:X-B",
		"B_PER I_PER O":                    "iob2:B_X",
		"B-PER O\nPER-B O":                 "", // mixed
		"b-PER i-PER O\no":                 "", // one of both is odd
		"b-per i-per o":                    "iob2:b-X,o",
		"b-PER i-PER O":                    "iob2:b-X",
		"B I O\nB O":                       "iob2:B",
		"I I O\nB":                         "", // kindless, and a B in no IOB
		"I I B O\nI":                       "iob1:B",
		"B M E\nS B E":                     "bmes:B", // words of Chinese
		"B L U O\nU B L":                   "bilou:B",
		"B E E O\nB E E":                   "", // two ends
		"BPER IPER O\nBLOC":                "iob2:B",
		"H E C\nB E S I":                   States, // structures of DSSP
		"I M O\nI M O":                     States, // inside, membrane, outside
		"S I M O B B\nO B I":               States,
		"E E I I E O\nO E":                 States, // exon, intron, outside
		"IN DT NN\nIN NNP . LS":            States,
		"sd b sv o\nb":                     States, // acts of dialogues
		"NN-TL NN B-X\nIN-HL NP":           States,
		"l-s---m n-s v-3\ni------ a-p d--": States, // Latin
		"DT ( NN )\n- *":                   States,
		"B O\nB B":                         States,
	} {
		var sequences [][]string
		for line := range strings.Lines(text) {
			sequences = append(sequences, strings.Fields(line))
		}
		if got, _, token, why := DetectScheme(sequences); got != want || (token >= 0) != (want == "") {
			t.Errorf("%q was taken for %q (%s), want %q", text, got, why, want)
		}
	}
}

// TestOddTag has one tag of many that is not spelled as the others.
func TestOddTag(t *testing.T) {
	const names = "Anna O\nsaw O\nBert B-PER\nBell I-PER\n\nRome B-LOC\nis O\n\n"
	bilou := strings.NewReplacer("Bell I", "Bell L", "Rome B", "Rome U").Replace(names)
	const advice = ", which most tags follow; correct it, or give --scheme states if tags mark no spans"
	for _, tag := range []string{"0", "o", "_", "-", "X", "b-PER", "B-", "B_PER", "PER"} {
		for text, want := range map[string]string{
			names: "want O, B-X or I-X in iob2",
			bilou: "want O, B-X, I-X, L-X or U-X in bilou",
		} {
			c := corpusOf(t, text+"Carl "+tag+"\nleft O\n")
			want = "a.txt:9: the tag \"" + tag + "\", " + want + advice
			if _, err := SchemeOf(c, ""); err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", tag, err, want)
			}
			if s, err := SchemeOf(c, States); s != States || err != nil {
				t.Errorf("%s: %s, %v", tag, s, err)
			}
		}
	}
	const broken = ", the scheme that the fewest tags break; correct it, or see --scheme"
	const header = ", which most tags follow; is the line a header? Remove it, or give --scheme states"
	for text, want := range map[string]string{
		names + "Carl U-PER\n":                    `a.txt:9: the tag "U-PER", want O, B-X or I-X in iob2` + broken,
		"Wort Marke\n" + names:                    `a.txt:1: the tag "Marke", want O, B-X or I-X in iob2` + header,
		strings.ReplaceAll(names, " O\n", " _\n"): `a.txt:1: the tag "_", want O, B-X or I-X in iob2` + advice,
		"a *\nb (PER*\nc *)\nd (LOC)\n": `a.txt:2: the tag "(PER*", want B-X for the first token of X, I-X for others and O` +
			"; convert the tags, or give --scheme states if they mark no spans",
		"a B\nb I\nc O\nd 0\n": `a.txt:4: the tag "0", want O, B or I in iob2` + advice,
	} {
		if _, err := SchemeOf(corpusOf(t, text), ""); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestWrongLetter has names in a scheme, of whose tags one has another letter: if that breaks the scheme, the error is
// that of the scheme, in training and in a test of a model.
func TestWrongLetter(t *testing.T) {
	var names []Span
	n := 0
	for i := range 60 {
		n += i / 2 % 2
		names = append(names, Span{[]string{"PER", "LOC"}[i/4%2], n, n + 1 + i%4})
		n += 1 + i%4
	}
	for _, s := range []Scheme{IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMEWO, BMES, "iob2:B", "bilou:b", "bmes:B"} {
		tags := s.Tags(names, n)
		m := &Model{Scheme: s, Tags: slices.Clone(tags)}
		for _, at := range []int{0, 1, n / 2, n - 1} {
			right := tags[at]
			for _, letter := range strings.Split("BIESLUMWX", "") {
				tags[at] = letter + right[1:]
				token, why := s.Check(tags)
				if token < 0 {
					continue // another name
				}
				c := corpusOf(t, "a "+strings.Join(tags, "\na ")+"\n")
				_, trained := SchemeOf(c, "")
				_, _, tested := m.Truth(c)
				for _, err := range []error{trained, tested} {
					if want := c.Errorf(token, "%s", why).Error(); err == nil || !strings.HasPrefix(err.Error(), want) {
						t.Errorf("%s for the tag %s of token %d of %s: %v, want %s", tags[at], right, at, s, err, want)
					}
				}
			}
			tags[at] = right
		}
	}
}

// TestOddKindlessTag has tags that are letters alone, of which one is odd, or breaks the scheme.
func TestOddKindlessTag(t *testing.T) {
	for text, want := range map[string]string{
		"B M E S B E ": "want O, B, E, M or S in bmes", // words of Chinese
		"B I B ":       "want O, B or I in iob2",
		"B I O ":       "want O, B or I in iob2",
		"I I O ":       "want O, B or I in iob1",
		"B I L U O ":   "want O, B, I, L or U in bilou",
	} {
		for _, odd := range []string{"0", "X", "-", "BB", "B-PER", "B_PER", "b", "H"} {
			tags := strings.Fields(strings.Repeat(text, 40))
			tags[30] = odd
			c := corpusOf(t, "a "+strings.Join(tags, "\na ")+"\n")
			want := `a.txt:31: the tag "` + odd + `", ` + want + ", which most tags follow"
			if _, err := SchemeOf(c, ""); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s in %s: %v, want %s", odd, text, err, want)
			}
		}
	}
	for text, want := range map[string]string{
		"B M E S B E ": `the tag M, want S in bmes`,
		"B I O ":       `the tag "M", want O, B or I in iob2`,
	} {
		tags := strings.Fields(strings.Repeat(text, 40))
		tags[33] = "M"
		if _, _, token, why := DetectScheme([][]string{tags}); token != 33 || why != want {
			t.Errorf("M in %s: token %d, %s, want %s", text, token, why, want)
		}
	}
}

// TestStatesStay has states whose letters schemes have, too.
func TestStatesStay(t *testing.T) {
	for name, text := range map[string]string{
		"DSSP":                 "-EEESSHHHHHHHHHHHTTT--HHHHHHHHS-EEE-SSS---GGG-SB-TTBEEEEETTEEEEEE--IIIII-",
		"helices of DSSP":      "-EEESSHHHHHHHHHHHTTT--HHHHHHHHS-EEE-SSSHHHHHHHHHHHHHH",
		"strands of DSSP":      "BEEEESSSBEEEEESSEEEEESSBSSEEEEEEESSSEEEEEESSSBSEEEEEE",
		"DSSP in three states": "CEEECCHHHHHHHHHHHCCCCCHHHHHHHHCCEEECCCCCCCHHHC",
		"topology":             "IIIIIIIIIMMMMMMMMMMMMMMMMMMOOOOOOOOMMMMMMMMMMMMMMMMMMIIIIIII",
		"with signal":          "SSSSSSSSSSSSOOOOOOOOOMMMMMMMMMMMMMMMMMMIIIIIII",
		"of barrels":           "SSSSSSIIIIIBBBBBBBBOOOOOBBBBBBBBIIIMMMMMMMMMMMMMOOO",
		"buried or exposed":    "BBEEBEBBBEEBBEBEEEBEBBBBEBEEBBEE",
		"or intermediate":      "BBEIBEBIIEEBBEBEIEBEBIIBEBEEBBEE",
	} {
		tags := strings.Split(strings.Repeat(text, 20), "")
		if s, _, token, why := DetectScheme([][]string{tags, tags}); s != States {
			t.Errorf("%s was taken for %q: token %d, %s", name, s, token, why)
		}
	}
}

// TestGivenScheme has the scheme given: the spelling is that of the tags.
func TestGivenScheme(t *testing.T) {
	for _, c := range []struct {
		given      Scheme
		text, want string
	}{
		{IOB2, "a PER_B\nb PER_I\nc O\n", "iob2:X_B"},
		{IOB1, "a I\nb I\nc O\n", "iob1:B"},
		{IOB2, "a O\nb O\n", "iob2"},
		{"bilou:X_B", "a PER_U\n", "bilou:X_B"},
		{BILOU, "a PER_B\nb PER_I\nc O\n", "a.txt:2: the tag PER_I, want PER_L in bilou"},
		{IOBES, "a B-X\nb L-X\n", `a.txt:2: the tag "L-X", want O, B-X, E-X, I-X or S-X in iobes`},
		{"iob3", "a O\n", `tagging: scheme "iob3", want one of [states iob1 iob2 ioe1 ioe2 iobes bilou bmewo bmes]`},
	} {
		s, err := SchemeOf(corpusOf(t, c.text), c.given)
		got := string(s)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, %s given: %s, want %s", c.text, c.given, got, c.want)
		}
	}
}

func TestSchemeNames(t *testing.T) {
	for _, s := range []Scheme{"", "iob3", "states:B", "iob2:", "iob2:B-X", "iob2:Q-X", "iob2:BAX", "iob2:b-X,O"} {
		if err := s.check(); err == nil {
			t.Errorf("no error of the scheme %q", s)
		}
	}
}

// TestTruth has tags of other schemes than the model's.
func TestTruth(t *testing.T) {
	m := &Model{Scheme: IOB1}
	for text, want := range map[string]string{
		"a B-X\nb B-X\nc O\n":   "iob2 I-X B-X O",
		"a S-X\nb B-Y\nc E-Y\n": "iobes I-X I-Y I-Y",
		"a X_U\nb Y_B\nc Y_L\n": "bilou:X_B I-X I-Y I-Y",
		"a O\nb O\n":            "iob1 O O",
		"a I-X\nb B-X\n":        "iob1 I-X B-X",
		"a B-X\nb O\nc I-Y\n":   "a.txt:1: the tag B-X, want I-X in iob1; correct the tag", // no worse than in iob2
		"a NN\nb VB\n": `a.txt:1: the tag "NN", want O, B-X or I-X in iob1, the scheme of the model; is --tag the right ` +
			"column?",
		"a B-X\nb 0\nc I-X\nd O\ne B-X\n": `a.txt:2: the tag "0", want O, B-X or I-X in iob2; correct the tag`,
	} {
		truth, of, err := m.Truth(corpusOf(t, text))
		got := strings.Join(append([]string{string(of)}, slices.Concat(truth...)...), " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	m = &Model{Scheme: "iob2:B", Tags: []string{"O", "BX", "EX", "IX", "SX"}} // spelled without a sign
	if truth, of, err := m.Truth(corpusOf(t, "a B-X\nb I-X\nc O\n")); of != IOB2 ||
		!reflect.DeepEqual(truth, [][]string{{"BX", "IX", "O"}}) {
		t.Errorf("%v, %s, %v", truth, of, err)
	}
	m = &Model{Scheme: States, Tags: []string{"NN", "VB"}}
	const want = `a.txt:1: the tag "DT", and all others, want tags of the model such as "VB"; are they in the right ` +
		"column or file?"
	if err := m.CheckTags(corpusOf(t, "a DT\nb IN\n")); err == nil || err.Error() != want {
		t.Error(err)
	}
	if err := m.CheckTags(corpusOf(t, "a DT\nb NN\n")); err != nil {
		t.Error(err)
	}
}

// TestUnlike has a test with other kinds than the model, or with kinds in another case.
func TestUnlike(t *testing.T) {
	for _, c := range []struct{ scheme, model, test, want string }{
		{"iob2", "O B-PER I-PER E-PER S-PER B-LOC", "O B-per B-loc", `["loc" "per"] ["LOC" "PER"]`},
		{"iob2", "O B-PER B-LOC", "O B-per B-LOC B-MISC", `["LOC" "MISC" "per"] ["LOC" "PER"]`},
		{"iob2", "O B-PER B-LOC", "O B-GPE B-LOC", `[] []`}, // GPE may be new
		{"iob2", "O B-PER B-LOC", "O O", `[] []`},
		{"iob2:B", "O BPER", "O B", `[""] ["PER"]`},
		{"iob2:B", "O B", "O BPER", `["PER"] [""]`},
		{"iob2:B", "O B", "O B", `[] []`},
		{"states", "O PER LOC", "O per O", `["per"] ["LOC" "PER"]`},
		{"states", "O PER LOC", "O PER NEW", `[] []`},
	} {
		m := &Model{Scheme: Scheme(c.scheme), Tags: strings.Fields(c.model)}
		r := NewReport(m.Scheme)
		r.Add(strings.Fields(c.test), m.Scheme.Tags(nil, len(strings.Fields(c.test))))
		kinds, known := m.Unlike(r)
		if got := fmt.Sprintf("%q %q", kinds, known); got != c.want {
			t.Errorf("%v: %s", c, got)
		}
	}
}

// TestNumberedTokens has the columns of CoNLL-U, whose first is no word.
func TestNumberedTokens(t *testing.T) {
	c := corpusOf(t, "1 Anna B-X\n2 went O\n\n1 Bert B-X\n")
	for text, good := range map[string]bool{"words": false, "words:column=2": true} {
		f, _ := ParseFeatures(text)
		if err := f.of.fit(c, 3); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzScheme detects the scheme of any tags. Spans are read back from the tags of every scheme.
func FuzzScheme(f *testing.F) {
	for _, text := range []string{"B-X I-X O\nU-Y", "X_B X_E o", "B I O\nH", "b:x i:x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var sequences [][]string
		for line := range strings.Lines(text) {
			sequences = append(sequences, strings.Split(strings.TrimSuffix(line, "\n"), " "))
		}
		s, q, at, why := DetectScheme(sequences)
		if at >= 0 {
			if s != "" || why == "" || at >= len(sequences[q]) {
				t.Fatalf("scheme %q, sequence %d, token %d, %s", s, q, at, why)
			}
			return
		}
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
		if s == States {
			return
		}
		for _, tags := range sequences {
			spans := s.Spans(tags)
			if !slices.Contains(tags, "") && !reflect.DeepEqual(s.Tags(spans, len(tags)), tags) {
				t.Fatalf("%v in %s became %v", tags, s, s.Tags(spans, len(tags)))
			}
			for _, other := range Schemes()[1:] {
				if slices.ContainsFunc(spans, func(s Span) bool { return s.Kind == "" }) {
					other += ":b"
				}
				got := other.Spans(convert(tags, s, other))
				if !slices.Contains(tags, "") && !reflect.DeepEqual(got, spans) {
					t.Fatalf("spans %v, in %s %v", spans, other, got)
				}
			}
		}
	})
}
