package catalog

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/spectrum/markov"
	"github.com/seqsvm/seqsvm/spectrum/spaced"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/stringkernel/table"
	"github.com/seqsvm/seqsvm/treekernel"
	"github.com/seqsvm/seqsvm/wdk"
	"github.com/seqsvm/seqsvm/wdk/locality"
	"github.com/seqsvm/seqsvm/wdk/oligo"
)

var alphabets = []stringkernel.Alphabet{"", stringkernel.DNA, stringkernel.RNA, stringkernel.Protein,
	stringkernel.Bytes}

// drawCount draws a function of counts.
func drawCount(t *rapid.T) stringkernel.Count {
	return rapid.SampledFrom([]stringkernel.Count{"", stringkernel.CountRaw, stringkernel.CountPresence,
		stringkernel.CountSqrt, stringkernel.CountLog, stringkernel.CountSublinear}).Draw(t, "count")
}

// drawKernel draws parameters in range for one entry, by its name.
var drawKernel = map[string]func(t *rapid.T) stringkernel.Kernel{
	"spectrum": func(t *rapid.T) stringkernel.Kernel {
		a := rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		k := spectrum.Kernel{K: rapid.IntRange(1, kmer.MaxK(a)).Draw(t, "k"),
			Bounded: rapid.Bool().Draw(t, "bounded"), Count: drawCount(t), Alphabet: a}
		if k.Bounded && k.Count != "" && k.Count != stringkernel.CountRaw {
			k.K = min(k.K, 12)
		}
		return k
	},
	"substring": func(t *rapid.T) stringkernel.Kernel {
		k := bow.Sequence{Kernel: substring.Kernel{Ends: rapid.Bool().Draw(t, "ends")}}
		k.Unit = rapid.SampledFrom([]substring.Unit{"", substring.ByteUnit, substring.RuneUnit, bow.Word}).Draw(t,
			"unit")
		switch k.Unit {
		case bow.Word:
			k.NFKC = rapid.Bool().Draw(t, "nfkc")
			k.Stop = rapid.SampledFrom([][]string{nil, {"english"}, {"a", "b c"}}).Draw(t, "stop")
			if k.Case = rapid.Bool().Draw(t, "case"); !k.Case {
				k.Stem = rapid.SampledFrom([]string{"", "english", "russian"}).Draw(t, "stem")
			}
		case substring.RuneUnit:
			k.Alphabet = rapid.SampledFrom([]stringkernel.Alphabet{"", stringkernel.Bytes}).Draw(t, "alphabet of text")
		default:
			k.Alphabet = rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		}
		k.Weight = rapid.SampledFrom([]substring.Weighting{substring.Fixed, substring.Bounded, substring.Constant,
			substring.Decay,
			substring.Length, substring.TFIDF}).Draw(t, "weight")
		lambda := rapid.Float64Range(1e-99, 0.9999)
		switch k.Weight {
		case substring.Fixed, substring.Bounded:
			k.K = rapid.IntRange(1, 1<<20).Draw(t, "k")
		case substring.Constant:
			k.K = rapid.IntRange(0, 1<<20).Draw(t, "k")
			if !k.Ends {
				k.Count = rapid.SampledFrom([]stringkernel.Count{"", stringkernel.CountSqrt}).Draw(t, "count")
			}
		case substring.Decay:
			k.Lambda, k.K = lambda.Draw(t, "lambda"), rapid.IntRange(0, 1<<20).Draw(t, "k")
		case substring.TFIDF:
			if rapid.Bool().Draw(t, "with lambda") {
				k.Lambda = lambda.Draw(t, "lambda")
			}
		case substring.Length:
			k.Weights = append(rapid.SliceOfN(rapid.Float64Range(0, 1e6), 0, 9).Draw(t, "weights"), 1)
		}
		return k
	},
	"gapped": func(t *rapid.T) stringkernel.Kernel {
		a := rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		k := gapped.Kernel{L: drawWord(t, a), Alphabet: a, Clip: rapid.Bool().Draw(t, "clip")}
		k.K = rapid.IntRange(1, k.L).Draw(t, "k")
		k.Filter = rapid.SampledFrom([]gapped.Filter{gapped.Plain, gapped.Full, gapped.Truncated}).Draw(t, "filter")
		k.Center = rapid.SampledFrom([]string{"", "50:50", "255:0.5"}).Draw(t, "center")
		k.D = rapid.IntRange(0, k.L-k.K).Draw(t, "d")
		if k.Filter != gapped.Plain && rapid.Bool().Draw(t, "uncut") {
			k.D = k.L
		}
		return k
	},
	"mismatch": func(t *rapid.T) stringkernel.Kernel {
		a := rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		k := gapped.Mismatch{K: drawWord(t, a), Alphabet: a}
		k.M = rapid.IntRange(0, k.K).Draw(t, "m")
		return k
	},
	"wd": func(t *rapid.T) stringkernel.Kernel {
		k := wdk.Kernel{D: rapid.IntRange(1, 10_000).Draw(t, "d"),
			Alphabet: rapid.SampledFrom(alphabets).Draw(t, "alphabet")}
		if rapid.Bool().Draw(t, "with shifts") {
			k.Shift, k.Shogun = rapid.IntRange(1, 10_000).Draw(t, "shift"), rapid.Bool().Draw(t, "shogun")
			if rapid.Bool().Draw(t, "with a ramp") {
				k.Ramp, k.Anchor = rapid.Float64Range(0.01, 9).Draw(t, "ramp"),
					rapid.IntRange(0, 1000).Draw(t, "anchor")
			}
		}
		if rapid.Bool().Draw(t, "with weights") {
			k.Weights = append(rapid.SliceOfN(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0.001, 9)), 0, 9).Draw(t,
				"weights"), 1)
		}
		return k
	},
	"spaced": func(t *rapid.T) stringkernel.Kernel {
		k := spaced.Kernel{Alphabet: rapid.SampledFrom(alphabets).Draw(t, "alphabet")}
		if rapid.Bool().Draw(t, "pairs") {
			k.Pair, k.Gap = rapid.IntRange(1, 3).Draw(t, "pair"), rapid.IntRange(0, 30).Draw(t, "gap")
		} else {
			k.Masks = rapid.SampledFrom([][]string{{"1"}, {"1101", "10011"}}).Draw(t, "masks")
		}
		return k
	},
	"table": func(t *rapid.T) stringkernel.Kernel {
		return table.Kernel{Columns: []string{"a", "b"}, Gamma: rapid.Float64Range(0.001, 9).Draw(t, "gamma"),
			Of:    rapid.SampledFrom([]string{"", "linear", "rbf", "laplacian", "chi2", "wavelet"}).Draw(t, "kernel"),
			Plain: rapid.Bool().Draw(t, "plain")}
	},
	"subsequence": func(t *rapid.T) stringkernel.Kernel {
		return spaced.Subsequence{K: rapid.IntRange(1, 4).Draw(t, "k"),
			Span:   rapid.SampledFrom([]int{0, 4, 10}).Draw(t, "span"),
			Lambda: rapid.Float64Range(0.001, 1).Draw(t, "lambda"), Alphabet: rapid.SampledFrom(alphabets).Draw(t, "alphabet")}
	},
	"poly": func(t *rapid.T) stringkernel.Kernel {
		return locality.Polynomial{D: rapid.IntRange(1, 16).Draw(t, "d"), C: rapid.Float64Range(0, 1e6).Draw(t, "c"),
			Alphabet: rapid.SampledFrom(alphabets).Draw(t, "alphabet")}
	},
	"locality": func(t *rapid.T) stringkernel.Kernel {
		return locality.Locality{Window: rapid.IntRange(0, 31).Draw(t, "window"),
			Inner: rapid.IntRange(1, 8).Draw(t, "inner"), Outer: rapid.IntRange(1, 4).Draw(t, "outer"),
			Weights:  rapid.SampledFrom([]locality.Shape{locality.Triangle, locality.Uniform}).Draw(t, "weights"),
			Alphabet: rapid.SampledFrom(alphabets).Draw(t, "alphabet")}
	},
	"markov": func(t *rapid.T) stringkernel.Kernel {
		k := markov.Kernel{Order: rapid.IntRange(0, 2).Draw(t, "order"), Positional: rapid.Bool().Draw(t, "positional"),
			Top: rapid.Bool().Draw(t, "top"), Pseudo: rapid.Float64Range(0.001, 1e5).Draw(t, "pseudo"),
			Alphabet: rapid.SampledFrom(alphabets).Draw(t, "alphabet")}
		if k.Top && rapid.Bool().Draw(t, "weighs odds") {
			k.Odds = rapid.Float64Range(0.001, 1e5).Draw(t, "odds")
		}
		return k
	},
	"oligo": func(t *rapid.T) stringkernel.Kernel {
		a := rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		return oligo.Kernel{K: rapid.IntRange(1, 64/a.Bits()).Draw(t, "k"),
			Sigma: rapid.Float64Range(1e-3, 1e5).Draw(t, "sigma"), Alphabet: a}
	},
	"words": func(t *rapid.T) stringkernel.Kernel {
		k := bow.Kernel{NGram: rapid.SampledFrom([]string{"2", "1-2", "2-8"}).Draw(t, "ngram"),
			Skip:  rapid.IntRange(0, 4).Draw(t, "skip"),
			TFIDF: rapid.Bool().Draw(t, "tfidf"), L1: rapid.Bool().Draw(t, "l1"), NFKC: rapid.Bool().Draw(t, "nfkc"),
			Stem: rapid.SampledFrom([]string{"", "english", "russian"}).Draw(t, "stem")}
		k.Binary = rapid.Bool().Draw(t, "binary")
		k.Sublinear = !k.Binary && rapid.Bool().Draw(t, "sublinear")
		if !k.Binary && !k.Sublinear {
			k.Count = rapid.SampledFrom([]stringkernel.Count{"", stringkernel.CountRaw, stringkernel.CountPresence,
				stringkernel.CountSqrt, stringkernel.CountLog, stringkernel.CountSublinear}).Draw(t, "count")
		}
		k.Case = k.Stem == "" && rapid.Bool().Draw(t, "case")
		k.MinDF, k.MaxDF = rapid.Float64Range(0, 9).Draw(t, "mindf"), rapid.Float64Range(0, 1e6).Draw(t, "maxdf")
		k.Stop = rapid.SampledFrom([][]string{nil, {"english"}, {"of", "then"}}).Draw(t, "stop")
		k.Dict = rapid.SampledFrom([][]string{nil, {"infarct", "heart attack", "immun*"}}).Draw(t, "dict")
		if !k.NFKC {
			k.Delimiters = rapid.SampledFrom([][]string{nil, {"white"}, {";", "comma", "→"}}).Draw(t, "delimiters")
		}
		return k
	},
	"subtree": func(t *rapid.T) stringkernel.Kernel {
		return treekernel.Subtree{Lambda: drawDecay(t, "lambda"), Labels: drawLabels(t)}
	},
	"tag": func(t *rapid.T) stringkernel.Kernel {
		k := treekernel.Tag{Weight: substring.TFIDF, K: rapid.IntRange(0, 1<<20).Draw(t, "k"), Labels: drawLabels(t)}
		if rapid.Bool().Draw(t, "decay") {
			k.Weight, k.Lambda = substring.Decay, rapid.Float64Range(1e-9, 0.9999).Draw(t, "lambda")
			k.Count = rapid.SampledFrom([]stringkernel.Count{"", stringkernel.CountLog}).Draw(t, "count")
		}
		return k
	},
	"sst": func(t *rapid.T) stringkernel.Kernel {
		return treekernel.SST{Lambda: drawDecay(t, "lambda"), Depth: rapid.IntRange(0, 99).Draw(t, "depth"),
			Size:   rapid.IntRange(0, 32).Draw(t, "size"),
			Leaves: rapid.Bool().Draw(t, "leaves"), Labels: drawLabels(t)}
	},
	"ptk": func(t *rapid.T) stringkernel.Kernel {
		return treekernel.PTK{Lambda: drawDecay(t, "lambda"), Mu: drawDecay(t, "mu"), Terminal: 1,
			Depth: rapid.IntRange(0, 99).Draw(t, "depth"),
			Size:  rapid.IntRange(0, 32).Draw(t, "size"), Labels: drawLabels(t)}
	},
	"wl": func(t *rapid.T) stringkernel.Kernel { return treekernel.WL{Rounds: rapid.IntRange(0, 50).Draw(t, "h")} },
	"walk": func(t *rapid.T) stringkernel.Kernel {
		return treekernel.Walk{Length: rapid.IntRange(0, 16).Draw(t, "length"), Lambda: drawDecay(t, "lambda")}
	},
}

func drawDecay(t *rapid.T, name string) float64 { return rapid.Float64Range(1e-6, 1).Draw(t, name) }

func drawLabels(t *rapid.T) treekernel.Labels {
	affix := rapid.SampledFrom([]string{"", "##", "::", "="})
	return treekernel.Labels{Unordered: rapid.Bool().Draw(t, "unordered"), Cut: rapid.IntRange(0, 99).Draw(t, "cut"),
		Levels: rapid.IntRange(0, 99).Draw(t, "levels"),
		After:  affix.Draw(t, "after"), Before: affix.Draw(t, "before"),
		Keep: rapid.SampledFrom([][]string{nil, {"NP", "V*"}}).Draw(t, "keep")}
}

// drawWord draws a length of words that a table has room for.
func drawWord(t *rapid.T, a stringkernel.Alphabet) int {
	return rapid.IntRange(1, map[int]int{4: 13, 20: 6, 256: 3}[a.Size()]).Draw(t, "word length")
}

// drawSpec draws a valid specification.
func drawSpec(t *rapid.T) Term {
	e := rapid.SampledFrom(kernels).Draw(t, "entry")
	s := Term{Name: e.Name, Kernel: drawKernel[e.Name](t)}
	if s.Alphabet().Complementary() {
		s.RC = rapid.Bool().Draw(t, "rc")
		s.RBF = rapid.SampledFrom([]float64{0, 0, 0.25, 3}).Draw(t, "rbf")
		s.Rank = rapid.SampledFrom([]int{0, 0, 1, 1000}).Draw(t, "rank")
	}
	return s
}

// TestRoundTrips reads what is written as JSON and as text.
func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		text := must.Get(json.Marshal(s))(t)
		if back, err := decode(text); err != nil || !reflect.DeepEqual(back, s) {
			t.Fatalf("%s reads back as %+v, %v, was %+v", text, back, err, s)
		}
		if back, err := parse(s.String()); err != nil || !reflect.DeepEqual(back, s) {
			t.Fatalf("%q is parsed as %+v, %v, was %+v", s.String(), back, err, s)
		}
	})
}

func TestString(t *testing.T) {
	for text, want := range map[string]string{
		"spectrum":                     "spectrum:k=6",
		"spectrum:rc,alphabet=dna,k=2": "spectrum:k=2,alphabet=dna,rc",
		"spectrum:bounded=1,k=9":       "spectrum:k=9,bounded",
		"gapped:d=0,k=6":               "gapped:l=11,k=6,d=0,filter=truncated",
		"gapped:center=50:50,rc":       "gapped:l=11,k=7,d=3,filter=truncated,center=50:50,rc",
		"mismatch:m=0":                 "mismatch:k=5,m=0",
		"substring":                    "substring:weight=constant",
		"substring:weights=1.0:5e-1:1e-7,weight=length": "substring:weight=length,weights=1:0.5:1e-07",
	} {
		if got := mustParse(t, text).String(); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
	if got := (Term{Name: "spectrum"}).String(); got != "spectrum" {
		t.Errorf("a specification without kernel is written %s", got)
	}
	if got := (Term{}).Alphabet(); got != stringkernel.Bytes {
		t.Errorf("a specification without kernel has alphabet %q", got)
	}
}

func TestJSONOfAModelFile(t *testing.T) {
	for text, want := range map[string]string{
		"spectrum:k=6,rbf=0.5,alphabet=dna":    `{"name":"spectrum","rbf":0.5,"params":{"k":6,"alphabet":"dna"}}`,
		"spectrum:rbf=1,fourier=6,seed=3":      `{"name":"spectrum","rbf":1,"fourier":6,"seed":3,"params":{"k":6,"alphabet":""}}`,
		"spectrum:rank=7,alphabet=dna":         `{"name":"spectrum","rank":7,"params":{"k":6,"alphabet":"dna"}}`,
		"spectrum:k=6,rc,alphabet=dna":         `{"name":"spectrum","rc":true,"params":{"k":6,"alphabet":"dna"}}`,
		"spectrum:k=2,bounded":                 `{"name":"spectrum","params":{"k":2,"bounded":true,"alphabet":""}}`,
		"substring:weight=decay,lambda=0.5":    `{"name":"substring","params":{"weight":"decay","lambda":0.5}}`,
		"substring:weight=length,weights=1:.5": `{"name":"substring","params":{"weight":"length","weights":[1,0.5]}}`,
	} {
		if got, err := json.Marshal(mustParse(t, text)); err != nil || string(got) != want {
			t.Errorf("%s is stored as %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, `unknown kernel ""`},
		{`{"name":"spectral","params":{}}`, `unknown kernel "spectral", want one of: spectrum, substring`},
		{`{"name":"spectrum"}`, `kernel "spectrum" lacks the field params`},
		{`{"name":"spectrum","params":{"k":3,"l":4}}`, `parameters of kernel "spectrum": json: unknown field "l"`},
		{`{"name":"spectrum","params":{"k":"3"}}`, `parameters of kernel "spectrum": json: cannot unmarshal string`},
		{`{"name":"spectrum","params":[3]}`, `parameters of kernel "spectrum": json: cannot unmarshal array`},
		{`{"name":"spectrum","params":{"k":3},"more":1}`, `unknown field "more"`},
		{`{"name":"spectrum","params":{"k":0}}`, "spectrum: k = 0"},
		{`{"name":"spectrum","params":null}`, `"terms[0].params" is null`},
		{`{"name":"spectrum","params":{"k":3,"k":4}}`, `"terms[0].params.k" occurs twice`},
		{`{"name":"spectrum","rc":true,"params":{"k":3,"alphabet":"protein"}}`, "no complement"},
		{`{"name":"spectrum","rbf":-1,"params":{"k":3,"alphabet":"dna"}}`, "gamma = -1"},
		{`{"name":"spectrum","rank":-1,"params":{"k":3,"alphabet":"dna"}}`, "rank = -1"},
		{`{"name":"substring","params":{}}`, `weight = ""`},
		{`{"name":"substring","params":{"weight":"length","weights":[1,-1]}}`, "weight -1 of length 2"},
		{`{"name":"substring","params":{"weight":"decay","lambda":2}}`, "lambda = 2"},
		{`[]`, "cannot unmarshal array"},
	} {
		if _, err := decode([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
