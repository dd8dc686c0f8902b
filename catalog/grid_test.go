package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestGrids(t *testing.T) {
	for text, want := range map[string][]string{
		"spectrum:k=4":        {"spectrum:k=4"},
		"spectrum:k=4..6":     {"spectrum:k=4", "spectrum:k=5", "spectrum:k=6"},
		"spectrum:k=2..9..3":  {"spectrum:k=2", "spectrum:k=5", "spectrum:k=8"},
		"spectrum:k=2/4..5/8": {"spectrum:k=2", "spectrum:k=4", "spectrum:k=5", "spectrum:k=8"},
		"spectrum:k=3/4,bounded/-": {"spectrum:k=3,bounded", "spectrum:k=3", "spectrum:k=4,bounded",
			"spectrum:k=4"},
		"spectrum:bounded/-":          {"spectrum:bounded", "spectrum"},
		"spectrum:bounded=true/false": {"spectrum:bounded=true", "spectrum:bounded=false"},
		"words:binary/sublinear/-,ngram=1-2": {"words:binary,ngram=1-2", "words:sublinear,ngram=1-2",
			"words:ngram=1-2"},
		"words:stop=english/-": {"words:stop=english", "words:ngram=1"},
		"words:-/stem=english": {"words:ngram=1", "words:stem=english"},
		"words:-/mindf=2..3/5,tfidf": {"words:tfidf", "words:mindf=2,tfidf", "words:mindf=3,tfidf",
			"words:mindf=5,tfidf"},
		"words:binary/mindf=2/maxdf=9":         {"words:binary", "words:mindf=2", "words:maxdf=9"},
		"words:stop=english/@a":                {"words:stop=english", "words:stop=@a"},
		"words:stop=english/@a/b":              {"words:stop=english", "words:stop=@a/b"},
		"words:stop=@../a.txt":                 {"words:stop=@../a.txt"},
		"words:stop=english/@../a=b/c,tfidf":   {"words:stop=english,tfidf", "words:stop=@../a=b/c,tfidf"},
		"words:-/tfidf,-/tfidf,binary":         {"words:binary", "words:tfidf,binary", "words:tfidf,tfidf,binary"},
		"spectrum:k=2..9..1152921504606846976": {"spectrum:k=2"},
		"wd:shift=-9223372036854775808..9223372036854775807..9223372036854775807": {"wd:shift=-9223372036854775808",
			"wd:shift=-1", "wd:shift=9223372036854775806"},
		"words:-/dict=@a/b": {"words:ngram=1", "words:dict=@a/b"},
		"words:dict=@a/b":   {"words:dict=@a/b"},
		"spectrum:k=3/4+words:tfidf/-": {"spectrum:k=3|words:tfidf", "spectrum:k=3|words:ngram=1",
			"spectrum:k=4|words:tfidf", "spectrum:k=4|words:ngram=1"},
		"spectrum:k=3+spectrum:k=4": {"spectrum:k=3|spectrum:k=4"},
		"substring:weight=decay,lambda=1e+0/0.5": {"substring:weight=decay,lambda=1e+0",
			"substring:weight=decay,lambda=0.5"},
		"words:dict=@a+b": {"words:dict=@a+b"},
		"0.3*spectrum:k=3/4 + wd:d=5/6": {"0.3*spectrum:k=3 + wd:d=5", "0.3*spectrum:k=3 + wd:d=6",
			"0.3*spectrum:k=4 + wd:d=5", "0.3*spectrum:k=4 + wd:d=6"},
		"(spectrum:k=3*words:tfidf):-/normalize,rbf=median/2": {"(spectrum:k=3*words:tfidf):rbf=median",
			"(spectrum:k=3*words:tfidf):rbf=2", "(spectrum:k=3*words:tfidf):normalize,rbf=median",
			"(spectrum:k=3*words:tfidf):normalize,rbf=2"},
		"poly^2": {"poly:d=1^2", "poly:d=2^2", "poly:d=3^2", "poly:d=4^2"},
		"poly":   {"poly:d=1", "poly:d=2", "poly:d=3", "poly:d=4"},
		"words:tfidf+poly": {"words:tfidf|poly:d=1", "words:tfidf|poly:d=2",
			"words:tfidf|poly:d=3", "words:tfidf|poly:d=4"},
	} {
		grid, err := kernels.ParseGrid(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, terms := range grid {
			got = append(got, strings.Join(terms, "|"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestBadGrids(t *testing.T) {
	for text, want := range map[string]string{
		"spektrum":               "unknown kernel",
		"spectrum+":              `unknown kernel "spectrum+"`,
		"":                       "unknown kernel",
		"spectrum:k=3//4":        "an alternative is missing",
		"spectrum:k=3/3":         `duplicate value "3"`,
		"spectrum:k=3..5/4":      `duplicate value "4"`,
		"spectrum:k=5..3":        "does not ascend",
		"spectrum:k=1..9..0":     "does not ascend",
		"spectrum:k=1..9..-1":    "does not ascend",
		"spectrum:k=1..2..3..4":  "does not ascend",
		"spectrum:k=a..b":        "integers",
		"spectrum:k=1..":         "integers",
		"spectrum:k=0.5..0.9":    "integers",
		"spectrum:k=1..99999999": "more than 100000 values",
		"spectrum:k=-9223372036854775808..9223372036854775807": "more than 100000 values",
		"wd:d=1..1000,shift=1..1000":                           "more than 100000 kernels",
		"wd:d=1..1000+spectrum:k=1..1000":                      "more than 100000 kernels",
	} {
		if _, err := kernels.ParseGrid(text); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), fmt.Sprintf("%.20q", text)[:2]) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	// Errors that ParseGrid leaves to Parse are found there.
	for _, text := range []string{"spectrum:", "spectrum:k=3,,bounded", "spectrum:,k=3", "spectrum:k=",
		"spectrum:q=1/2"} {
		grid, err := kernels.ParseGrid(text)
		for _, terms := range grid {
			if _, bad := parse(terms[0]); bad == nil {
				t.Errorf("%s makes the kernel %q", text, terms[0])
			}
		}
		if err == nil && len(grid) == 0 {
			t.Errorf("%s makes no kernels", text)
		}
	}
}

// TestGridsOfEntriesAreKernels compiles every kernel of the entries' grids, on DNA and on bytes.
func TestGridsOfEntriesAreKernels(t *testing.T) {
	for _, e := range kernels {
		grid := must.Get(kernels.ParseGrid(e.Name))(t)
		if len(e.Grid) > 0 && len(grid) < 2 {
			t.Errorf("%s: a grid of %d kernels", e.Name, len(grid))
		}
		for _, terms := range grid {
			for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.Protein, stringkernel.Bytes} {
				spec := must.Get(parse(terms[0]))(t)
				if spec = spec.withAlphabet(a); a == stringkernel.DNA {
					if _, err := build([]Term{spec}, true); err != nil {
						t.Errorf("%s on %s: %v", terms[0], a, err)
					}
				} else if _, err := build([]Term{spec}, true); err != nil {
					t.Logf("%s on %s: %v", terms[0], a, err)
				}
			}
		}
	}
}
