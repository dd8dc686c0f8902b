package catalog

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// TestFormulas reads formulas and writes them back.
func TestFormulas(t *testing.T) {
	for text, want := range map[string]struct{ written, formula string }{
		"spectrum:k=2":                            {"spectrum:k=2", ""},
		"(spectrum:k=2)":                          {"spectrum:k=2", ""},
		"spectrum:k=2+wd:d=3":                     {"spectrum:k=2 + wd:d=3", ""},
		"(spectrum:k=2 + wd:d=3)":                 {"spectrum:k=2 + wd:d=3", ""},
		"2*spectrum:k=2+wd:d=3":                   {"2*spectrum:k=2 + wd:d=3", "2*#1 + #2"},
		"0.3 * spectrum:k=2 +1e-1*wd:d=3":         {"0.3*spectrum:k=2 + 0.1*wd:d=3", "0.3*#1 + 0.1*#2"},
		"1*spectrum:k=2 + 1*wd:d=3":               {"spectrum:k=2 + wd:d=3", ""},
		"spectrum:k=2*wd:d=3":                     {"spectrum:k=2 * wd:d=3", "#1 * #2"},
		"spectrum:k=2 * (wd:d=3 + spectrum:k=1)":  {"spectrum:k=2 * (wd:d=3 + spectrum:k=1)", "#1 * (#2 + #3)"},
		"spectrum:k=1 + (wd:d=3 + spectrum:k=2)":  {"spectrum:k=1 + (wd:d=3 + spectrum:k=2)", "#1 + (#2 + #3)"},
		"spectrum:k=2^3":                          {"(spectrum:k=2)^3", "(#1)^3"},
		"(spectrum:k=2)^3":                        {"(spectrum:k=2)^3", "(#1)^3"},
		"(spectrum:k=2) ^ 3":                      {"(spectrum:k=2)^3", "(#1)^3"},
		"spectrum:k=2 ^ 3 + wd:d=3":               {"(spectrum:k=2)^3 + wd:d=3", "(#1)^3 + #2"},
		"(spectrum:k=2 + 1)^3":                    {"(spectrum:k=2 + 1)^3", "(#1 + 1)^3"},
		"(spectrum:k=2 + wd:d=3 + 1)^2":           {"(spectrum:k=2 + wd:d=3 + 1)^2", "(#1 + #2 + 1)^2"},
		"(spectrum:k=2^2)^3":                      {"((spectrum:k=2)^2)^3", "((#1)^2)^3"},
		"spectrum:k=2^2:rank=5":                   {"(spectrum:k=2)^2:rank=5", "(#1)^2:rank=5"},
		"(spectrum:k=2,rc*wd:d=3):rank=9":         {"(spectrum:k=2,rc * wd:d=3):rank=9", "(#1 * #2):rank=9"},
		"(wd:d=3 + spectrum:k=2):rbf=median":      {"(wd:d=3 + spectrum:k=2):rbf=median", "(#1 + #2):rbf=median"},
		"((wd:d=3+wd:d=4):normalize)^2":           {"((wd:d=3 + wd:d=4):normalize)^2", "((#1 + #2):normalize)^2"},
		"(spectrum:k=2,raw):normalize,exp=2":      {"(spectrum:k=2,raw):normalize,exp=2", "(#1):normalize,exp=2"},
		"0.5*(spectrum:k=2^2):rbf=q0.1 + wd:d=3":  {"0.5*(spectrum:k=2)^2:rbf=q0.1 + wd:d=3", "0.5*(#1)^2:rbf=q0.1 + #2"},
		"((spectrum:k=2 + wd:d=3) + 1)^2":         {"((spectrum:k=2 + wd:d=3) + 1)^2", "((#1 + #2) + 1)^2"},
		"(spectrum:k=2*wd:d=3):pair,normalize":    {"(spectrum:k=2 * wd:d=3):pair,normalize", "(#1 * #2):pair,normalize"},
		"((spectrum:k=2+wd:d=3)*wd:d=2):pair":     {"((spectrum:k=2 + wd:d=3) * wd:d=2):pair", "((#1 + #2) * #3):pair"},
		"(spectrum:k=2):pair=symmetric,rank=9":    {"(spectrum:k=2):pair=symmetric,rank=9", "(#1):pair=symmetric,rank=9"},
		"words:stop=c+d:e*f:g)^,ngram=1":          {"words:ngram=1,stop=c+d:e*f:g)^", ""},
		"substring:weight=decay,lambda=5e-1":      {"substring:weight=decay,lambda=0.5", ""},
		"wd:to=9,d=3 + wd:from=10,d=3":            {"wd:d=3,to=9 + wd:d=3,from=10", ""},
		"wd:d=3 + 2*wd:d=4 * wd:d=5 + 3*wd:d=6^2": {"wd:d=3 + 2*wd:d=4 * wd:d=5 + 3*(wd:d=6)^2", "#1 + 2*#2 * #3 + 3*(#4)^2"},
	} {
		s, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		again, err := Parse(s.String())
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%s: reads %s as %+v, %v", text, s, again, err)
		}
		if s.Formula != want.formula {
			t.Errorf("%s has the formula %q, want %q", text, s.Formula, want.formula)
		}
		if s.String() != want.written {
			t.Errorf("%s is written %q, want %q", text, s, want.written)
		}
	}
}

func TestFormulasRefused(t *testing.T) {
	for text, want := range map[string]string{
		"0.3*spectrum:k=2":                  `kernel "0.3*spectrum:k=2": 0.3*… is a part of a sum of one kernel`,
		"(0.3*spectrum:k=2) + wd":           "a weight 0.3 in parentheses of one kernel",
		"0*spectrum:k=2 + wd":               `"0" is no weight`,
		"1.2.3*spectrum:k=2 + wd":           `"1.2.3" is no weight`,
		"spectrum:k=2 + 1":                  "a constant stands in a power alone",
		"(spectrum:k=2 + 1)":                "a constant stands in a power alone",
		"(spectrum:k=2 + 1)*wd":             "a constant stands in a power alone",
		"(1)^2":                             "a constant stands in a power alone",
		"spectrum:k=2^0":                    `a power of "0"`,
		"spectrum:k=2^99999999999999999999": `a power of "99999999999999999999"`,
		"(spectrum:k=2":                     `a ) is missing, to close "(spectrum:k=2"`,
		"wd + (wd * (wd + 1)^2":             `a ) is missing, to close "(wd * (wd + 1)^2"`,
		"(wd) (wd)":                         `"(wd)" after "(wd)", want +, * or ^ between`,
		"((wd) wd)":                         `"wd)" after "((wd)", want +, *, ^ or ) between`,
		"(wd)/2":                            `"/2" after "(wd)", want +, * or ^ between`,
		"wd:d=2^1.5":                        `a power of "1.5", want an integer of at least 1`,
		"wd:d=2 ^ 1.5":                      `a power of "1.5", want an integer of at least 1`,
		"(wd:d=2)^1.5 + wd":                 `a power of "1.5", want an integer of at least 1`,
		"(wd:d=2)^-1":                       `a power of "-1", want an integer of at least 1`,
		"(wd:d=2)^":                         `a power of "", want an integer of at least 1`,
		"wd ^ wd":                           `a power of "wd", want an integer of at least 1`,
		"exp(wd:d=2)":                       "exp(…) is no function of kernels, want what is made of one after it, as in (A):exp=1",
		"wd + sqrt(wd + wd)":                "sqrt(…) is no function of kernels",
		"wd(d=2)":                           "wd(… has its parameters in parentheses, want them after a colon, as in wd:KEY=VALUE",
		"-1*wd":                             `"-1" is no weight, want a number > 0`,
		"wd + -1*wd":                        `"-1" is no weight, want a number > 0`,
		"wd+-1*wd":                          `"-1" is no weight, want a number > 0`,
		"2 wd":                              `"wd" after the number 2, want * between a weight and its kernel`,
		"wd * 2":                            "the number 2 where a kernel should be, want a weight before its kernel",
		"(wd + wd)*2":                       "the number 2 where a kernel should be, want a weight before its kernel",
		"spectrum:k=2)":                     `k = "2)", want an integer; a ) in it closes no (`,
		"(spectrum:k=2))":                   `the ) at ")" closes no (`,
		"spectrum:k=2 + ":                   `a kernel is missing after "spectrum:k=2 + "`,
		"spectrum:k=2 +":                    `a kernel is missing after "spectrum:k=2 +"`,
		"spectrum:k=2 *":                    `a kernel is missing after "spectrum:k=2 *"`,
		"* wd":                              `a kernel is missing before "* wd"`,
		"spectrum:k=2 + (":                  `a kernel is missing after "spectrum:k=2 + ("`,
		"spectrum:k=2 + spektrum:k=3":       `kernel "spektrum:k=3": unknown kernel "spektrum"`,
		"(wd):rank=0":                       "rank = 0, want at least 1",
		"(wd):rank":                         `parameter "rank" has no value`,
		"(wd):rbf=0":                        "rbf = 0, want γ > 0",
		"(wd):rbf=q1":                       `rbf = "q1", want q and a number between 0 and 1`,
		"(wd):exp=-1":                       "exp = -1, want a number > 0",
		"(wd):exp=1,rbf=1":                  "exp and rbf after the same parentheses",
		"(wd):rc":                           `"rc" after parentheses, want one of: pair, normalize, exp, rbf, fourier, seed, rank`,
		"(wd):normalise":                    `did you mean "normalize"?`,
		"(wd):rank=2,rank=2":                "is given twice",
		"(wd):":                             `"" after parentheses`,
		"pair:wd:d=2*wd:d=2":                "pair wants a kernel for each side, as in (A * B):pair",
		"(wd * wd):pair=both":               `pair = "both", want the flag alone or symmetric`,
		"wd:rbf=q":                          `rbf = "q", want q and a number`,
		strings.Repeat("(", 40) + "wd":      "more than 32 parentheses",
		"wd:rbf=median,fourier=20":          "fourier = 20 with rbf=median, want a number",
		"spectrum:k=2 + 2*substring:k=":     `kernel "substring:k=": parameter "k" has no value`,
	} {
		if s, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", text, s, err, want)
		}
	}
	for text, want := range map[string]string{
		"(spectrum:k=2,rank=4 * spectrum:k=3)": "approximate the whole",
		"(spectrum:k=2,rank=4):normalize":      "approximate the whole",
		"spectrum:k=2^101":                     "degree = 101, want an integer from 1 to 100",
		"(spectrum:k=2):pair":                  "pair wants a kernel for each side",
		"(wd:d=2 * wd:d=2):pair=symmetric":     "or one for both whose order does not count",
		"(table:columns=a * wd:d=2):pair":      "columns of numbers beside pairs",
	} {
		s, err := Parse(text)
		if err == nil {
			_, err = s.Compile(stringkernel.DNA)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for formula, want := range map[string]string{
		"#1":          "1 kernels of 2",
		"#2 * #1":     `"#2", want #1 to #2`,
		"#1 * #1":     `"#1", want #1 to #2`,
		"#1 * #2 #3":  `"#2 #3", want #1 to #2`,
		"#1 + #2":     "of a mean, want none",
		"#1 * #2 * x": `"x", want #1 to #2`,
	} {
		text := `{"terms":[{"name":"spectrum","params":{"k":2}},{"name":"spectrum","params":{"k":3}}],` +
			`"normalize":true,"formula":` + fmt.Sprintf("%q", formula) + `}`
		if s, err := kernels.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("formula %s: %v, %v, want %s", formula, s, err, want)
		}
	}
}

// TestFormulaValues compares random formulas with their values by definition, and with what comes back from a
// compiled kernel and from JSON.
func TestFormulaValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := []byte("GATTACATTAGA"), []byte("ATTACCATAGGA")
	for range long.Or(300, 150) {
		text, value := randomFormula(rng, 3)
		s, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		k, err := s.Compile(stringkernel.DNA)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, want := k.Eval(x, y), value(x, y); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s is %v, by definition %v", text, got, want)
		}
		back, err := SpecOf(k)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := back.Compile("")
		if err != nil || again.Eval(x, y) != k.Eval(x, y) {
			t.Errorf("%s comes back as %s, with another value: %v", text, back, err)
		}
		encoded := must.Get(json.Marshal(back))(t)
		decoded, err := kernels.Decode(encoded)
		if err != nil || decoded.String() != back.String() {
			t.Errorf("%s: %s is decoded as %s, %v", text, encoded, decoded, err)
		}
		if read, err := Parse(back.String()); err != nil || read.Formula != back.Formula {
			t.Errorf("%s: %s is read as %s, %v", text, back, read, err)
		}
	}
}

type valueOf func(x, y []byte) float64

// randomFormula returns a formula and its value by definition.
func randomFormula(rng *rand.Rand, depth int) (string, valueOf) {
	if depth == 0 || rng.IntN(4) == 0 {
		text := []string{"spectrum:k=2", "spectrum:k=3,rc", "substring:weight=decay,lambda=0.5", "spectrum:k=1,raw"}[rng.IntN(4)]
		t, err := parse(text)
		if err != nil {
			panic(err)
		}
		k, err := Spec{Terms: []Term{t}, Normalize: true}.Compile(stringkernel.DNA)
		if err != nil {
			panic(err)
		}
		return text, k.Eval
	}
	a, f := randomFormula(rng, depth-1)
	b, g := randomFormula(rng, depth-1)
	switch rng.IntN(7) {
	case 0:
		return "(" + a + ") + 0.5*(" + b + ")", func(x, y []byte) float64 { return (f(x, y) + 0.5*g(x, y)) / 1.5 }
	case 1:
		return "(" + a + ") * (" + b + ")", func(x, y []byte) float64 { return f(x, y) * g(x, y) }
	case 2:
		return "(" + a + ")^3", func(x, y []byte) float64 { return math.Pow(f(x, y), 3) }
	case 3:
		return "(" + a + " + 2)^2", func(x, y []byte) float64 {
			weights := map[bool]float64{true: 1.5, false: 1}[strings.Contains(topLevel(a), " + 0.5*")]
			return math.Pow((weights*f(x, y)+2)/(weights+2), 2)
		}
	case 4:
		return "(" + a + "):normalize", func(x, y []byte) float64 { return f(x, y) / math.Sqrt(f(x, x)*f(y, y)) }
	case 5:
		return "(" + a + "):normalize,exp=2", func(x, y []byte) float64 {
			return math.Exp(2 * (f(x, y)/math.Sqrt(f(x, x)*f(y, y)) - 1))
		}
	default:
		return "(" + a + "):normalize,rbf=0.7", func(x, y []byte) float64 {
			return math.Exp(-1.4 * (1 - f(x, y)/math.Sqrt(f(x, x)*f(y, y))))
		}
	}
}

// TestPairsByDefinition compares pairs, inside of other formulas too, with the products of the kernels of their sides,
// and asks for pairs alone.
func TestPairsByDefinition(t *testing.T) {
	compiled := func(text string) stringkernel.Kernel {
		return must.Get(must.Get(Parse(text))(t).Compile(stringkernel.DNA))(t)
	}
	one, two := compiled("spectrum:k=1,rc"), compiled("spectrum:k=2,raw")
	a, b, c, d := []byte("GATTACA"), []byte("CCAT"), []byte("TTACG"), []byte("ATAGGA")
	pair := func(x, y []byte) []byte { return slices.Concat(x, []byte{stringkernel.PairBreak}, y) }
	ordered := one.Eval(a, c) * two.Eval(b, d)
	either := func(a, b, c, d []byte) float64 { return two.Eval(a, c)*two.Eval(b, d) + two.Eval(a, d)*two.Eval(b, c) }
	cosine := either(a, b, c, d) / math.Sqrt(either(a, b, a, b)*either(c, d, c, d))
	for text, want := range map[string]float64{
		"(spectrum:k=1,rc * spectrum:k=2,raw):pair":     ordered,
		"(spectrum:k=2,raw):pair=symmetric":             either(a, b, c, d),
		"((spectrum:k=2,raw):pair=symmetric):normalize": cosine,
		"((spectrum:k=1,rc * spectrum:k=2,raw):pair)^2 + spectrum:k=1,rc": (ordered*ordered +
			one.Eval(pair(a, b), pair(c, d))) / 2,
	} {
		k := compiled(text)
		if got := k.Eval(pair(a, b), pair(c, d)); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
		spec := must.Get(SpecOf(k))(t)
		if again := must.Get(spec.Compile(""))(t); again.Eval(pair(a, b), pair(c, d)) != k.Eval(pair(a, b), pair(c, d)) {
			t.Errorf("%s comes back as %s, with another value", text, spec)
		}
		for x, fits := range map[string]bool{"A\tC": true, "AC": false, "A\tC\tG": false} {
			corpus := must.Get(stringkernel.NewCorpus([][]byte{[]byte(x)}, nil))(t)
			if err := spec.CheckCorpus(corpus, 0); (err == nil) != fits {
				t.Errorf("%s of %q: %v", text, x, err)
			}
		}
	}
}

// TestPartsByDefinition compares kernels of parts, both of whose ends may be beyond the records, with those of records
// that are cut.
func TestPartsByDefinition(t *testing.T) {
	compiled := func(text string) stringkernel.Kernel {
		s := must.Get(Parse(text))(t)
		return must.Get(s.Compile(stringkernel.DNA))(t)
	}
	cut := func(x string, from, to int) []byte { return []byte(x[min(from-1, len(x)):min(to, len(x))]) }
	const x, y = "GATTACATTAGA", "ATTACCATA"
	for _, name := range strings.Fields(
		"spectrum:k=2 substring:weight=decay,lambda=0.5 spaced:masks=101,rc oligo:k=2,sigma=1") {
		whole := compiled(name)
		for from := 1; from <= len(x)+2; from++ {
			for to := from; to <= len(x)+2; to++ {
				got := compiled(fmt.Sprintf("%s,from=%d,to=%d", name, from, to)).Eval([]byte(x), []byte(y))
				if want := whole.Eval(cut(x, from, to), cut(y, from, to)); got != want {
					t.Fatalf("%s from %d to %d: %v, by definition %v", name, from, to, got, want)
				}
			}
		}
	}
}

// TestAnyCase: the kernel of records with lower-case letters is that of the records in upper case, in all its parts:
// values, scores and explanations.
func TestAnyCase(t *testing.T) {
	const x, y = "gattACATTAGAcct", "ATtaccATAGATtacA"
	for _, name := range strings.Fields("spectrum:k=2 substring:weight=decay,lambda=0.5,rc spectrum:k=2,from=3,to=9 poly:d=2") {
		spec := must.Get(Parse(name))(t)
		whole := must.Get(spec.Compile(stringkernel.DNA))(t)
		spec = must.Get(Parse(name + map[bool]string{true: ",anycase", false: ":anycase"}[strings.Contains(name, ":")]))(t)
		folded := must.Get(spec.Compile(stringkernel.DNA))(t)
		upper := func(s string) []byte { return []byte(strings.ToUpper(s)) }
		if got, want := folded.Eval([]byte(x), []byte(y)), whole.Eval(upper(x), upper(y)); got != want {
			t.Errorf("%s: %v, in upper case %v", name, got, want)
		}
		if back, err := SpecOf(folded); err != nil || back.String() != spec.WithAlphabet(stringkernel.DNA).String() {
			t.Errorf("%s comes back as %s, %v", spec, back, err)
		}
		score := func(k stringkernel.Kernel, support, query []byte) (out []float64) {
			corpus := must.Get(stringkernel.NewCorpus([][]byte{support}, []string{"a"}))(t)
			scorer := must.Get(k.Merge(t.Context(), corpus, stringkernel.NewCoefficients(1, [][]float64{{1}})))(t)
			out = make([]float64, 1, len(query)+1)
			scorer.ScoreTo(out, query)
			if e := stringkernel.ExplainerOf(scorer); e != nil {
				out = out[:len(query)+1]
				e.ExplainTo(out[1:], 0, query)
			}
			return out
		}
		if got, want := score(folded, []byte(x), []byte(y)), score(whole, upper(x), upper(y)); !slices.Equal(got, want) {
			t.Errorf("%s scores %v, in upper case %v", name, got, want)
		}
	}
}

// topLevel returns a formula without what is in parentheses.
func topLevel(text string) string {
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}

func TestFormulasConform(t *testing.T) {
	for _, text := range []string{
		"0.2*spectrum:k=3 + 0.7*spectrum:k=3 + substring:weight=decay,lambda=0.5",
		"spectrum:k=2 * (spectrum:k=3 + substring:weight=constant)",
		"(spectrum:k=2 + 1)^3",
		"(spectrum:k=2,raw):normalize,exp=2",
		"spectrum:k=2,rbf=median + spectrum:k=3",
		"(spectrum:k=2 * substring:weight=tfidf):rbf=q0.9",
		"(spectrum:k=2 * spectrum:k=3):rank=4",
		"spectrum:k=2,from=3,to=9,rc + substring:weight=decay,lambda=0.5,from=5",
		"substring:weight=tfidf,to=12 + spectrum:k=2,from=2,to=20,raw",
		"spectrum:k=2,from=2,to=20,anycase,rc + substring:weight=decay,lambda=0.5",
		"spectrum:k=3,subst=transitions",
		"spectrum:k=2,subst=transitions,beta=0.5,count=log,rc",
	} {
		t.Run(text, func(t *testing.T) {
			s := must.Get(Parse(text))(t)
			k := must.Get(s.Compile(stringkernel.DNA))(t)
			kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "N"})
		})
	}
}

// FuzzFormula reads anything; what it accepts, it writes and reads back.
func FuzzFormula(f *testing.F) {
	for _, text := range []string{
		"0.3*spectrum:k=2 + wd", "(spectrum + 1)^3:rank=2", "((wd):normalize)^2 * oligo", "spectrum:rbf=q0.1*(wd+wd)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "@") {
			t.Skip("reads files")
		}
		s, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := s.formula(); err != nil {
			t.Fatalf("%q: formula %q: %v, %v", text, s.Formula, again, err)
		}
		for _, term := range s.Terms { // lists may hold what are operators elsewhere
			if strings.ContainsAny(term.String(), "()*^ ") {
				return
			}
		}
		if again, err := Parse(s.String()); err != nil || !reflect.DeepEqual(again, s) {
			t.Fatalf("%q is written %q, which is read as %+v, %v", text, s, again, err)
		}
	})
}
