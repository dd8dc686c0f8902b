// Package catalog is the list of kernels: one line each, from which come --kernel NAME:KEY=VALUE,FLAG, its help text and the
// kernel's entry in a model file. Adding a kernel to seqsvm is a package and a line in [Entries].
//
// A kernel's parameters are the exported fields of its struct: the `json` tag is the parameter's name, the `doc` tag its help. Besides
// those a kernel with an alphabet takes the flag rc, which counts both strands of DNA or RNA, and every kernel the number rbf, which makes a Gaussian of it.
package catalog

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/treekernel"
	"github.com/seqsvm/seqsvm/wdk"
	"github.com/seqsvm/seqsvm/wdk/locality"
	"github.com/seqsvm/seqsvm/wdk/oligo"
)

// Entry is one kernel of the catalogue.
type Entry struct {
	Name    string
	Summary string
	Example string
	kernel  stringkernel.Kernel // a value with the defaults
}

// Entries is THE list of kernels.
var Entries = []Entry{
	{"spectrum", "substrings of length k on packed k-mers (Leslie, Eskin & Noble 2002)", "spectrum:k=6,rc",
		spectrum.Kernel{K: 6}},
	{"substring", "all common substrings of letters, code points or words under a weighting, by suffix arrays (Vishwanathan & Smola 2002)", "substring:weight=bounded,k=8",
		bow.Sequence{Kernel: substring.Kernel{Weight: substring.Constant}}},
	{"gapped", "gapped k-mers, or l-mers counted as estimated from them (Ghandi et al. 2014, Lee 2016)", "gapped:l=11,k=7,rc",
		gapped.Kernel{L: 11, K: 7, D: 3, Filter: gapped.Truncated}},
	{"mismatch", "words of k letters with up to m mismatches (Leslie et al. 2004)", "mismatch:k=5,m=1",
		gapped.Mismatch{K: 5, M: 1}},
	{"wd", "weighted degree: position against position of windows of one length (Rätsch & Sonnenburg 2004)", "wd:d=20,shift=2",
		wdk.Kernel{D: 20}},
	{"poly", "matches at equal positions of windows of one length, plus c, to the power d", "poly:d=3,c=1",
		locality.Polynomial{D: 3, C: 1}},
	{"locality", "matches near each position of windows of one length, to a power, summed, to a power (Zien et al. 2000)", "locality:window=4,inner=4,outer=1",
		locality.Locality{Window: 4, Inner: 4, Outer: 1, Weights: locality.Triangle}},
	{"oligo", "words of length k at near positions (Meinicke et al. 2004)", "oligo:k=3,sigma=2",
		oligo.Kernel{K: 3, Sigma: 2}},
	{"words", "words and word n-grams of texts, by UAX #29, weighted (Salton & Buckley 1988, Joachims 1998); by its name alone " + usual["words"], "words:ngram=1-2,tfidf,stem=english,stop=english",
		bow.Kernel{NGram: "1"}},
	{"subtree", "equal complete subtrees of trees in brackets, weight λ^nodes (Vishwanathan & Smola 2002)", "subtree:lambda=0.8,unordered",
		treekernel.Subtree{Lambda: 1}},
	{"tag", "substrings of trees written as strings of labels and brackets, under a weighting (Vishwanathan & Smola 2002)", "tag:weight=decay,lambda=0.7",
		treekernel.Tag{Weight: substring.Constant}},
	{"sst", "subset trees: fragments with all children of a node or none, of bounded depth or size in linear time (Collins & Duffy 2001)", "sst:lambda=0.4,size=4",
		treekernel.SST{Lambda: 0.4}},
	{"ptk", "partial trees: fragments with any children of a node in order, of bounded depth or size in linear time (Moschitti 2006)", "ptk:lambda=1,size=3",
		treekernel.PTK{Lambda: 0.4, Mu: 0.4, Terminal: 1}},
}

// usual is what a name without parameters stands for, where the defaults of the parameters, one by one, are not what one would choose.
var usual = map[string]string{"words": "words:ngram=1-2,sublinear,tfidf"}

// fitting changes a default that what is given leaves no room for, so that gapped:l=5,k=3 need not say d=2.
var fitting = map[string]func(k stringkernel.Kernel, given map[string]bool) stringkernel.Kernel{
	"gapped": func(k stringkernel.Kernel, given map[string]bool) stringkernel.Kernel {
		g := k.(gapped.Kernel)
		if !given["d"] && g.K <= g.L {
			g.D = min(g.D, g.L-g.K)
		}
		return g
	},
}

// OfTrees reports whether the kernel's records are trees in brackets, so that it takes no plain sequences.
func (e Entry) OfTrees() bool {
	k, picky := e.kernel.(interface{ CheckRecord(x []byte) error })
	return picky && k.CheckRecord([]byte("A")) != nil
}

// Parameter describes one parameter of a kernel.
type Parameter struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // integer, number, flag, word, words or numbers
	Default string `json:"default"`
	Doc     string `json:"doc"`
}

// Parameters lists the parameters of a kernel in the order of its fields, then rc, if its letters may be DNA or RNA, and rbf.
func (e Entry) Parameters() []Parameter {
	var list []Parameter
	stranded := false
	value := reflect.ValueOf(e.kernel)
	for _, f := range fields(value.Type()) {
		stranded = stranded || f.name == "alphabet"
		list = append(list, Parameter{
			Name:    f.name,
			Type:    typeName(f.kind),
			Default: defaultText(f.name, value.FieldByIndex(f.index)),
			Doc:     f.doc,
		})
	}
	if stranded {
		list = append(list, Parameter{Name: "rc", Type: "flag", Default: "off", Doc: "of dna and rna, count both strands: a sequence and its reverse complement are the same"})
	}
	return append(list,
		Parameter{Name: "rbf", Type: "number", Default: "none", Doc: "γ of exp(−γ·distance²), the Gaussian of the kernel; costs a kernel value per support vector"})
}

// find returns the entry with a name.
func find(name string) (Entry, error) {
	names := make([]string, len(Entries))
	for i, e := range Entries {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	return Entry{}, fmt.Errorf("unknown kernel %q, want one of: %s", name, strings.Join(names, ", "))
}

// field is a parameter as reflection sees it.
type field struct {
	name, doc string
	index     []int
	kind      reflect.Type
}

// fields lists the exported fields of a kernel's struct, those of an embedded kernel among them.
func fields(kernel reflect.Type) []field {
	var list []field
	for _, f := range reflect.VisibleFields(kernel) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		list = append(list, field{name: name, doc: f.Tag.Get("doc"), index: f.Index, kind: f.Type})
	}
	return list
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "flag"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "words"
		}
		return "numbers"
	default:
		return "word"
	}
}

func defaultText(name string, v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Bool:
		return "off"
	case name == "alphabet":
		return "told from the data"
	case v.IsZero():
		return "none"
	default:
		return fmt.Sprint(v.Interface())
	}
}
