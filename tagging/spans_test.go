package tagging_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/tagging"
)

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
		if got, want := tagging.IOB2.Spans(tags), tagging.Conlleval(tags); !reflect.DeepEqual(got, want) {
			t.Fatalf("spans %v of %v, want %v", got, tags, want)
		}
	})
}

// TestDetectSpellings has tags of a few sentences, one a line.
func TestDetectSpellings(t *testing.T) {
	for text, want := range map[string]tagging.Scheme{
		"B-X L-X O\nU-Y":                   tagging.BILOU,
		"B-X E-X O\nW-Y\nB-X M-X E-X":      tagging.BMEWO,
		"B-X E-X O\nS-Y\nB-X M-X E-X":      tagging.BMES,
		"I-X E-X O\nE-Y":                   tagging.IOE2,
		"I-X I-X O\nE-X I-X":               tagging.IOE1,
		"I-X I-X O\nI-X B-X":               tagging.IOB1,
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
		"H E C\nB E S I":                   tagging.States, // structures of DSSP
		"I M O\nI M O":                     tagging.States, // inside, membrane, outside
		"S I M O B B\nO B I":               tagging.States,
		"E E I I E O\nO E":                 tagging.States, // exon, intron, outside
		"IN DT NN\nIN NNP . LS":            tagging.States,
		"sd b sv o\nb":                     tagging.States, // acts of dialogues
		"NN-TL NN B-X\nIN-HL NP":           tagging.States,
		"l-s---m n-s v-3\ni------ a-p d--": tagging.States, // Latin
		"DT ( NN )\n- *":                   tagging.States,
		"B O\nB B":                         tagging.States,
		"H E C":                            tagging.States,
		"O O":                              tagging.States,
		"B-X O H E":                        tagging.States,
		"B-X O I":                          "",
		"B-X I-Y":                          "",
	} {
		var sequences [][]string
		for line := range strings.Lines(text) {
			sequences = append(sequences, strings.Fields(line))
		}
		if got, _, token, why := tagging.DetectScheme(sequences); got != want || (token >= 0) != (want == "") ||
			(why != "") != (want == "") {
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
			c := tagging.CorpusOf(t, text+"Carl "+tag+"\nleft O\n")
			want = "a.txt:9: the tag \"" + tag + "\", " + want + advice
			if _, err := tagging.SchemeOf(c, ""); err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", tag, err, want)
			}
			if s, err := tagging.SchemeOf(c, tagging.States); s != tagging.States || err != nil {
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
		if _, err := tagging.SchemeOf(tagging.CorpusOf(t, text), ""); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestWrongLetter has names in a scheme, of whose tags one has another letter: if that breaks the scheme, the error is
// that of the scheme, in training and in a test of a model.
func TestWrongLetter(t *testing.T) {
	var names []tagging.Span
	n := 0
	for i := range 60 {
		n += i / 2 % 2
		names = append(names, tagging.Span{[]string{"PER", "LOC"}[i/4%2], n, n + 1 + i%4})
		n += 1 + i%4
	}
	for _, s := range []tagging.Scheme{tagging.IOB1, tagging.IOB2, tagging.IOE1, tagging.IOE2, tagging.IOBES, tagging.BILOU, tagging.BMEWO, tagging.BMES, "iob2:B", "bilou:b", "bmes:B"} {
		tags := s.Tags(names, n)
		m := &tagging.Model{Scheme: s, Tags: slices.Clone(tags)}
		for _, at := range []int{0, 1, n / 2, n - 1} {
			right := tags[at]
			for _, letter := range strings.Split("BIESLUMWX", "") {
				tags[at] = letter + right[1:]
				token, why := s.Check(tags)
				if token < 0 {
					continue // another name
				}
				c := tagging.CorpusOf(t, "a "+strings.Join(tags, "\na ")+"\n")
				_, trained := tagging.SchemeOf(c, "")
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
			c := tagging.CorpusOf(t, "a "+strings.Join(tags, "\na ")+"\n")
			want := `a.txt:31: the tag "` + odd + `", ` + want + ", which most tags follow"
			if _, err := tagging.SchemeOf(c, ""); err == nil || !strings.HasPrefix(err.Error(), want) {
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
		if _, _, token, why := tagging.DetectScheme([][]string{tags}); token != 33 || why != want {
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
		if s, _, token, why := tagging.DetectScheme([][]string{tags, tags}); s != tagging.States {
			t.Errorf("%s was taken for %q: token %d, %s", name, s, token, why)
		}
	}
}

// TestGivenScheme has the scheme given: the spelling is that of the tags.
func TestGivenScheme(t *testing.T) {
	for _, c := range []struct {
		given      tagging.Scheme
		text, want string
	}{
		{tagging.IOB2, "a PER_B\nb PER_I\nc O\n", "iob2:X_B"},
		{tagging.IOB1, "a I\nb I\nc O\n", "iob1:B"},
		{tagging.IOB2, "a O\nb O\n", "iob2"},
		{"bilou:X_B", "a PER_U\n", "bilou:X_B"},
		{tagging.BILOU, "a PER_B\nb PER_I\nc O\n", "a.txt:2: the tag PER_I, want PER_L in bilou"},
		{tagging.IOBES, "a B-X\nb L-X\n", `a.txt:2: the tag "L-X", want O, B-X, E-X, I-X or S-X in iobes`},
		{"iob3", "a O\n", `tagging: scheme "iob3", want one of [states iob1 iob2 ioe1 ioe2 iobes bilou bmewo bmes]`},
	} {
		s, err := tagging.SchemeOf(tagging.CorpusOf(t, c.text), c.given)
		got := string(s)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, %s given: %s, want %s", c.text, c.given, got, c.want)
		}
	}
}

// TestTruth has tags of other schemes than the model's.
func TestTruth(t *testing.T) {
	m := &tagging.Model{Scheme: tagging.IOB1}
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
		truth, of, err := m.Truth(tagging.CorpusOf(t, text))
		got := strings.Join(append([]string{string(of)}, slices.Concat(truth...)...), " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	m = &tagging.Model{Scheme: "iob2:B", Tags: []string{"O", "BX", "EX", "IX", "SX"}} // spelled without a sign
	if truth, of, err := m.Truth(tagging.CorpusOf(t, "a B-X\nb I-X\nc O\n")); of != tagging.IOB2 ||
		!reflect.DeepEqual(truth, [][]string{{"BX", "IX", "O"}}) {
		t.Errorf("%v, %s, %v", truth, of, err)
	}
	m = &tagging.Model{Scheme: tagging.States, Tags: []string{"NN", "VB"}}
	const want = `a.txt:1: the tag "DT", and all others, want tags of the model such as "VB"; are they in the right ` +
		"column or file?"
	if err := m.CheckTags(tagging.CorpusOf(t, "a DT\nb IN\n")); err == nil || err.Error() != want {
		t.Error(err)
	}
	if err := m.CheckTags(tagging.CorpusOf(t, "a DT\nb NN\n")); err != nil {
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
		m := &tagging.Model{Scheme: tagging.Scheme(c.scheme), Tags: strings.Fields(c.model)}
		r := tagging.NewReport(m.Scheme)
		r.Add(strings.Fields(c.test), m.Scheme.Tags(nil, len(strings.Fields(c.test))))
		kinds, known := m.Unlike(r)
		if got := fmt.Sprintf("%q %q", kinds, known); got != c.want {
			t.Errorf("%v: %s", c, got)
		}
	}
}
