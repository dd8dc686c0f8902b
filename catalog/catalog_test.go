package catalog

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/table"
)

// smallExamples replace examples whose tables are too large to be filled a thousand times.
var smallExamples = map[string]string{"gapped": "gapped:l=5,k=3,d=2,rc"}

// example parses an entry's example and fills in DNA where the alphabet is open.
func example(t *testing.T, e Entry) Term {
	t.Helper()
	text := e.Example
	if small, there := smallExamples[e.Name]; there {
		text = small
	}
	spec := must.Get(parse(text))(t)
	spec = spec.withAlphabet(stringkernel.DNA)
	return spec
}

// windowLengths has the kernels that need sequences of one length, and a length.
var windowLengths = map[string]int{"wd": 20, "poly": 20, "locality": 20}

// conforms runs the suite, on sequences of one length if it is positive. Cut filters may be indefinite. Letters that
// make no features are outside the alphabet and separate words.
func conforms(t *testing.T, k stringkernel.Kernel, length int, of structure) {
	t.Helper()
	if of.draw != nil {
		kerneltest.Run(t, k, kerneltest.Options{Letters: of.letters, Draw: of.draw})
		return
	}
	kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "- ", Length: length, Indefinite: true})
}

// structure is a kind of records.
type structure struct {
	letters string
	draw    func(r *rand.Rand) []byte // nil for sequences
}

var sequences, trees, graphs = structure{}, structure{"(", drawTree}, structure{";", drawGraph}

// structureOf returns what a kernel reads.
func structureOf(e Entry) structure {
	check := stringkernel.TraitsOf(e.Defaults).CheckRecord
	switch {
	case !e.OfStructures():
		return sequences
	case check([]byte("(A)")) == nil:
		return trees
	}
	return graphs
}

// drawGraph draws a graph.
func drawGraph(r *rand.Rand) []byte {
	var text []byte
	n := r.IntN(8)
	for range n {
		text = append(text, "ACGT"[r.IntN(4)], ' ')
	}
	text = append(text, ';')
	for v := 1; v < n; v++ {
		text = fmt.Appendf(text, " %d-%d", v+1, 1+r.IntN(v))
	}
	return text
}

// drawTree draws a tree in brackets.
func drawTree(r *rand.Rand) []byte {
	tree := []byte("(A")
	for depth := 1; depth > 0; {
		switch r.IntN(5) {
		case 0, 1:
			tree = append(tree, ')')
			depth--
		case 2:
			tree = append(tree, '(', "ACGT"[r.IntN(4)])
			depth++
		default:
			tree = append(tree, ' ', "ACGT"[r.IntN(4)])
		}
	}
	return tree
}

// TestEveryEntryConforms runs the suite on every kernel, normalised; the package of each does so without.
func TestEveryEntryConforms(t *testing.T) {
	for _, e := range kernels {
		t.Run(e.Name, func(t *testing.T) {
			conforms(t, must.Get(build([]Term{example(t, e)}, true))(t), windowLengths[e.Name], structureOf(e))
		})
	}
}

func TestTheSumOfAllEntriesConforms(t *testing.T) {
	for _, of := range []structure{sequences, trees, graphs} {
		var specs []Term
		for _, e := range kernels {
			if structureOf(e).letters == of.letters {
				specs = append(specs, example(t, e))
			}
		}
		k := must.Get(build(specs, true))(t)
		conforms(t, k, 20, of)
	}
}

func TestEntriesAreComplete(t *testing.T) {
	names := map[string]bool{}
	for _, e := range kernels {
		if names[e.Name] || strings.ToLower(e.Name) != e.Name || strings.ContainsAny(e.Name, ":=, @+") {
			t.Errorf("kernel name %q: twice, or not a plain lower-case word", e.Name)
		}
		names[e.Name] = true
		if e.Summary == "" {
			t.Errorf("%s has no summary", e.Name)
		}
		if spec, err := parse(e.Example); err != nil || spec.Name != e.Name {
			t.Errorf("the example %q of %s: %v, %v", e.Example, e.Name, spec.Name, err)
		}
		if found, err := kernels.find(e.Name); err != nil || found.Example != e.Example {
			t.Errorf("kernels.find(%q) = %v, %v", e.Name, found, err)
		}
		spec, err := parse(e.Name)
		if err != nil {
			t.Errorf("%s without parameters: %v", e.Name, err)
		}
		spec = spec.withAlphabet(stringkernel.DNA)
		if _, err := build([]Term{spec}, false); err != nil {
			t.Errorf("the defaults of %s: %v", e.Name, err)
		}
	}
}

func TestParametersAreComplete(t *testing.T) {
	types := map[string]bool{"integer": true, "number": true, "flag": true, "word": true, "words": true,
		"numbers": true}
	for _, e := range kernels {
		names := map[string]bool{}
		for _, p := range e.Parameters() {
			if p.Name == "" || p.Name == "-" || strings.ContainsAny(p.Name, ":=, ") || names[p.Name] {
				t.Errorf("%s: parameter name %q is missing, twice or not a plain word", e.Name, p.Name)
			}
			names[p.Name] = true
			if p.Doc == "" || p.Default == "" || !types[p.Type] {
				t.Errorf("%s: parameter %+v is not complete", e.Name, p)
			}
		}
		spec := must.Get(parse(e.Name + ":rc"))(t)
		spec = spec.withAlphabet(stringkernel.DNA)
		if _, err := build([]Term{spec}, true); names["rc"] != (err == nil) {
			t.Errorf("%s: rc is listed: %v, and with it: %v", e.Name, names["rc"], err)
		}
		if !names["rbf"] || !names["rank"] {
			t.Errorf("%s: rbf or rank is not listed", e.Name)
		}
		kind := reflect.TypeOf(e.Defaults)
		for _, f := range reflect.VisibleFields(kind) {
			if f.IsExported() && !f.Anonymous && f.Tag.Get("json") == "" {
				t.Errorf("%s: field %s lacks its json tag", e.Name, f.Name)
			}
		}
		for _, f := range fields(kind) {
			if f.doc == "" {
				t.Errorf("%s: %s is not described", e.Name, f.name)
			}
			field := reflect.ValueOf(e.Defaults).FieldByIndex(f.index)
			if isNumber(field.Type()) && f.always == field.IsZero() {
				t.Errorf("%s: %s: omitempty in the json tag of a number says that its default is 0", e.Name, f.name)
			}
		}
	}
}

func TestParametersOfTheKernels(t *testing.T) {
	entry := must.Get(kernels.find("spectrum"))(t)
	got := entry.Parameters()
	for i := range got {
		got[i].Doc = ""
	}
	want := []Parameter{
		{Name: "k", Type: "integer", Default: "6"},
		{Name: "bounded", Type: "flag", Default: "off"},
		{Name: "count", Type: "word", Default: "raw"},
		{Name: "tfidf", Type: "flag", Default: "off"},
		{Name: "alphabet", Type: "word", Default: "inferred from the data"},
		{Name: "subst", Type: "words", Default: "none"},
		{Name: "beta", Type: "number", Default: "none"},
		{Name: "rc", Type: "flag", Default: "off"},
		{Name: "from", Type: "integer", Default: "1"},
		{Name: "to", Type: "integer", Default: "the last"},
		{Name: "anycase", Type: "flag", Default: "off"},
		{Name: "raw", Type: "flag", Default: "off"},
		{Name: "rbf", Type: "number", Default: "none"},
		{Name: "fourier", Type: "integer", Default: "none"},
		{Name: "seed", Type: "integer", Default: "0"},
		{Name: "rank", Type: "integer", Default: "none"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("spectrum: %+v, want %+v", got, want)
	}
}

func TestWithAlphabet(t *testing.T) {
	for _, c := range []struct {
		text string
		want stringkernel.Alphabet // after withAlphabet(RNA)
	}{
		{"spectrum:k=3", stringkernel.RNA},
		{"spectrum:k=3,alphabet=protein", stringkernel.Protein},
		{"substring:weight=length,weights=1:2", stringkernel.RNA},
		{"substring:alphabet=bytes", stringkernel.Bytes},
		{"substring:unit=byte", stringkernel.RNA},
		{"substring:unit=word", stringkernel.Bytes}, // text has no alphabet to tell
		{"substring:unit=rune", stringkernel.Bytes},
		{"words", stringkernel.Bytes},
	} {
		spec := must.Get(parse(c.text))(t)
		before, open := spec, spec.Alphabet()
		spec = spec.withAlphabet(stringkernel.RNA)
		if got := spec.Alphabet(); got != c.want {
			t.Errorf("%s: alphabet %q, want %q", c.text, got, c.want)
		}
		if before.Alphabet() != open {
			t.Errorf("%s: withAlphabet changes a copy made before", c.text)
		}
		again := spec
		spec = spec.withAlphabet(stringkernel.DNA)
		if !reflect.DeepEqual(spec, again) {
			t.Errorf("%s: withAlphabet changes an alphabet that is not open", c.text)
		}
	}
}

func TestCompile(t *testing.T) {
	spectrum := stringkernel.Kernel(mustParse(t, "spectrum:k=3,alphabet=dna").Kernel)
	for _, c := range []struct {
		why       string
		texts     []string
		normalize bool
		want      stringkernel.Kernel
	}{
		{"one", []string{"spectrum:k=3,alphabet=dna"}, false, spectrum},
		{"normalised", []string{"spectrum:k=3,alphabet=dna"}, true, compose.Normalized(spectrum)},
		{"both strands", []string{"spectrum:k=3,rc,alphabet=dna"}, false,
			compose.BothStrands(spectrum, stringkernel.DNA)},
		{"both strands, normalised", []string{"spectrum:k=3,rc,alphabet=dna"}, true,
			compose.Normalized(compose.BothStrands(spectrum, stringkernel.DNA))},
		{"a kernel that counts both strands itself", []string{"mismatch:k=3,m=1,rc,alphabet=dna"}, false,
			mustParse(t, "mismatch:k=3,m=1,alphabet=dna").Kernel.(compose.Stranded).BothStrands()},
		{"a sum", []string{"spectrum:k=3,alphabet=dna", "spectrum:k=3,rc,alphabet=dna"}, true,
			compose.Mean([]stringkernel.Kernel{
				compose.Normalized(spectrum),
				compose.Normalized(compose.BothStrands(spectrum, stringkernel.DNA))}, nil),
		},
	} {
		var specs []Term
		var err error
		for _, text := range c.texts {
			specs = append(specs, mustParse(t, text))
		}
		c.want = must.Get(stringkernel.Compile(c.want))(t)
		got, err := build(specs, c.normalize)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.why, got, err, c.want)
		}
	}
	for _, c := range []struct{ why, text, want string }{
		{"k = 0", "spectrum:k=0,alphabet=dna", "spectrum: k = 0, want 1…32 for alphabet dna"},
		{"k = 33", "spectrum:k=33,alphabet=dna",
			"spectrum: k = 33, want 1…32 for alphabet dna; substring:weight=fixed counts longer k-mers"},
		{"strands of protein", "spectrum:k=3,rc,alphabet=protein",
			`rc: alphabet "protein" has no complement, want dna or rna`},
		{"strands of protein, itself", "mismatch:k=3,m=1,rc,alphabet=protein",
			`rc: alphabet "protein" has no complement, want dna or rna`},
		{"more mismatches than gaps", "gapped:l=6,k=4,d=3,filter=gapped,alphabet=dna",
			"gapped: d = 3, want 0…l − k = 2: k-mers further apart share no gapped k-mer"},
		{"more mismatches than gaps, estimated", "gapped:l=11,k=7,d=5,alphabet=dna",
			"gapped: d = 5, want 0…l − k = 4, since k-mers further apart share no gapped k-mer, or 11 for the whole " +
				"estimate"},
		{"strands of what is not said", "spectrum:k=3,rc", `rc: alphabet "bytes" has no complement, want dna or rna`},
		{"an alphabet", "substring:alphabet=dnq",
			`substring: alphabet "dnq" is unknown, want dna, rna, protein, bytes, ` +
				"dayhoff6, hsdm17, murphy10, murphy15, murphy4, murphy8, sdm12"},
		{"a weighting", "substring:weight=heavy",
			`substring: weight = "heavy", want fixed, bounded, constant, decay, length or tfidf`},
		{"lambda", "substring:weight=decay,lambda=1", "substring: lambda = 1, want < 1 unless k bounds the length"},
		{"a unit", "substring:unit=line", `substring: unit = "line", want byte, rune or word`},
		{"an alphabet of words", "substring:unit=word,alphabet=dna",
			"substring: alphabet = dna with unit=word, want none: only bytes are letters of an alphabet"},
		{"stems of letters", "substring:stem=english",
			"substring: case, nfkc, stem, stop and delimiters need unit=word"},
		{"stems with case", "substring:unit=word,stem=english,case",
			"substring: stem cannot be used with case: stems are in lower case"},
		{"strands of words", "substring:unit=word,rc", `rc: alphabet "bytes" has no complement, want dna or rna`},
		{"negative weights", "substring:weight=length,weights=1:-1",
			"substring: weight -1 of length 2, want finite and ≥ 0"},
	} {
		if _, err := build([]Term{mustParse(t, c.text)}, false); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.why, err, c.want)
		}
	}
	if _, err := build(nil, true); err == nil || err.Error() != "no kernel" {
		t.Errorf("nothing: %v", err)
	}
	if _, err := build([]Term{mustParse(t, "spectrum"), {Name: "spectrum"}}, true); err == nil ||
		err.Error() != "kernel 2 of 2 is empty; make it with Parse" {
		t.Errorf("an empty specification: %v", err)
	}
}

// mustParse parses a valid specification.
func mustParse(t *testing.T, text string) Term {
	t.Helper()
	return must.Get(parse(text))(t)
}

func TestSpecWithAlphabet(t *testing.T) {
	spec := must.Get(Parse("spectrum:k=3,rc", "substring:alphabet=protein"))(t)
	if _, err := spec.Compile(""); err == nil {
		t.Error("both strands of an open alphabet are taken")
	}
	dna := spec.WithAlphabet(stringkernel.DNA)
	if got, want := dna.String(),
		"spectrum:k=3,alphabet=dna,rc + substring:weight=constant,alphabet=protein"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if spec.Terms[0].Alphabet() != "" {
		t.Error("WithAlphabet changes its receiver")
	}
	for _, s := range []Spec{spec, dna} {
		if _, err := s.Compile(stringkernel.DNA); err != nil {
			t.Error(err)
		}
	}
	if _, err := Parse("spectrum:k=3", "spectral"); err == nil ||
		!strings.Contains(err.Error(), `unknown kernel "spectral"`) {
		t.Errorf("Parse: %v", err)
	}
}

// TestSpecOf: the specification of a compiled kernel is the one it was compiled from, fitted or not.
func TestSpecOf(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("(A (C) (G))"), []byte("(A (C) (T))")}, nil))(t)
	for _, e := range kernels {
		for _, normalize := range []bool{false, true} {
			for _, more := range [][]Term{nil, {mustParse(t, "words"), mustParse(t, "spectrum:k=2,rbf=0.5")}} {
				term := example(t, e)
				if numbers, ok := term.Kernel.(table.Kernel); ok { // else it learns parameters
					numbers.Plain = true
					term.Kernel = numbers
				}
				want := Spec{Terms: append([]Term{term}, more...), Normalize: normalize}.WithAlphabet(stringkernel.DNA)
				k := must.Get(want.Compile(""))(t)
				if fitted, err := stringkernel.Fit(t.Context(), k, c); err != nil {
					t.Errorf("%s: %v", e.Name, err)
				} else {
					k = fitted
				}
				if got, err := SpecOf(k); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %+v, %v, want %+v", e.Name, got, err, want)
				}
			}
		}
	}
	spectrum, gapped := mustParse(t, "spectrum:k=3,alphabet=dna").Kernel,
		mustParse(t, "gapped:l=5,k=3,alphabet=dna").Kernel
	for want, k := range map[string]stringkernel.Kernel{
		"is not in the catalogue": struct{ stringkernel.Kernel }{spectrum},
		"Function is not in the catalogue": compose.Mean([]stringkernel.Kernel{spectrum,
			compose.BothStrands(compose.RBF(spectrum, 1), stringkernel.DNA)}, nil),
		"both strands of rna": compose.BothStrands(spectrum, stringkernel.RNA),
		"counts both strands itself": compose.BothStrands(
			gapped.(compose.Stranded).BothStrands(), stringkernel.DNA),
		"no kernel": compose.Mean(nil, nil),
	} {
		if got, err := SpecOf(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, %v, want %s", k, got, err, want)
		}
	}
}
