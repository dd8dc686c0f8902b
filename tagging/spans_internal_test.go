package tagging

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
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

func TestSchemeNames(t *testing.T) {
	for _, s := range []Scheme{"", "iob3", "states:B", "iob2:", "iob2:B-X", "iob2:Q-X", "iob2:BAX", "iob2:b-X,O"} {
		if err := s.check(); err == nil {
			t.Errorf("no error of the scheme %q", s)
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
		must.Succeed(t, s.check())
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
