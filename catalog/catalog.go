// Package catalog is the list of kernels by name: one literal per kernel, from which come the specifications
// NAME:KEY=VALUE,FLAG of the tool's --kernel, their help, the search grids and the kernel's entry in a model file.
//
//	spec, err := catalog.Parse("spectrum:k=6,rc")
//	…
//	kernel, err := spec.Compile(stringkernel.DNA)
//
// A kernel's parameters are the exported fields of its struct: the json tag is the parameter's name, the doc tag its
// help. A number without omitempty in its tag has a default other than 0; a list needs omitempty, since a model file
// has no null. The tag above:"0" of a number with omitempty refuses a 0 that is given: the field's 0 means a default,
// or none. Besides its own parameters, a kernel with an alphabet takes the flag rc, which counts both strands of DNA or
// RNA, and every kernel the number rbf, which makes a Gaussian of it, the integers fourier and seed, which approximate
// that by random features, and the integer rank, which approximates it by that many records of training.
//
// # Your own kernels
//
// A [Catalogue] is a value. Append an entry to [Default], parse and compile specifications with the result, and give it
// to package model to save and load the models:
//
//	own := append(catalog.Default(), catalog.Entry{Name: "gc", Summary: "share of G and C", Defaults: GC{}})
//	spec, err := own.Parse("gc")
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/similarity"
	"github.com/seqsvm/seqsvm/internal/suggest"
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

// Entry is one kernel of a catalogue.
type Entry struct {
	Name     string
	Summary  string
	Example  string
	Defaults stringkernel.Kernel // a struct of parameters, without a corpus it was fitted to

	Alone string   // the specification that the name alone means, if not Defaults
	Grid  []string // the grid that the name alone means in a search, from simple to complex; empty: the name alone
	// Adjust changes defaults that the given parameters, by name, leave no room for. It may be nil.
	Adjust func(k stringkernel.Kernel, given map[string]bool) stringkernel.Kernel
	// Other is the entry that the name means where one of With is given, parameters that only that entry has. Of the
	// other parameters of both it takes the defaults of this one. It may be nil.
	Other *Entry
	With  []string
}

// Catalogue is a list of kernels; nil has those of [Default]. Names and Go types of the kernels are unique.
type Catalogue []Entry

// Default returns the kernels of this module.
func Default() Catalogue { return slices.Clone(kernels) }

// kernels is THE list of kernels.
var kernels = Catalogue{
	{
		Name: "spectrum", Example: "spectrum:k=6,rc", Grid: []string{"spectrum:k=2..8"},
		Summary:  "substrings of length k on packed k-mers (Leslie, Eskin & Noble 2002)",
		Defaults: spectrum.Kernel{K: 6},
		Other:    &mismatch, With: []string{"subst", "beta"},
	},
	{
		Name: "substring", Example: "substring:weight=bounded,k=8",
		Summary: "all common substrings of letters, code points or words under a weighting, by suffix arrays " +
			"(Vishwanathan & Smola 2002)",
		Defaults: bow.Sequence{Kernel: substring.Kernel{Weight: substring.Constant}},
		Grid: []string{
			"substring:weight=bounded,k=2/3/4/6/8/12", "substring:weight=decay,lambda=0.3/0.5/0.7/0.9",
			"substring:weight=constant",
		},
	},
	{
		Name: "gapped", Example: "gapped:l=11,k=7,rc",
		Summary:  "gapped k-mers, or l-mers counted as estimated from them (Ghandi et al. 2014, Lee 2016)",
		Defaults: gapped.Kernel{L: 11, K: 7, D: 3, Filter: gapped.Truncated},
		Grid:     []string{"gapped:l=6,k=4,d=2", "gapped:l=8,k=5/6,d=2", "gapped:l=10,k=6/7", "gapped:l=11,k=7"},
		Adjust:   fewerMismatches,
	},
	mismatch,
	{
		Name: "spaced", Example: "spaced:masks=1101:10011", Grid: []string{"spaced:pair=1/2/3,gap=5/10/20"},
		Summary:  "letters under masks: spaced seeds, or pairs of k-mers with a gap (Ma et al. 2002, Kuksa et al. 2008)",
		Defaults: spaced.Kernel{Pair: 1, Gap: 10},
		Adjust:   masksOrPairs,
	},
	{
		Name: "subsequence", Example: "subsequence:k=3,span=6,lambda=0.5",
		Grid:     []string{"subsequence:k=2/3/4,span=5/8,lambda=0.5/0.8"},
		Summary:  "k letters in order with gaps between, by λ^span (Lodhi et al. 2002)",
		Defaults: spaced.Subsequence{K: 3, Span: 6, Lambda: 0.5},
	},
	{
		Name: "wd", Example: "wd:d=20,shift=2", Grid: []string{"wd:d=5/10/20,shift=0/2"},
		Summary:  "weighted degree: position against position of windows of one length (Rätsch & Sonnenburg 2004)",
		Defaults: wdk.Kernel{D: 20},
		Adjust:   ofAminoAcids,
	},
	{
		Name: "poly", Example: "poly:d=3,c=1", Grid: []string{"poly:d=1..4"},
		Summary:  "matches at equal positions of windows of one length, plus c, to the power d",
		Defaults: locality.Polynomial{D: 3, C: 1},
	},
	{
		Name: "locality", Example: "locality:window=4,inner=4,outer=1",
		Grid: []string{"locality:window=2/4/8,inner=2/4"},
		Summary: "matches near each position of windows of one length, to a power, summed, to a power (Zien et al. " +
			"2000)",
		Defaults: locality.Locality{Window: 4, Inner: 4, Outer: 1, Weights: locality.Triangle},
	},
	{
		Name: "oligo", Example: "oligo:k=3,sigma=2", Grid: []string{"oligo:k=1..4,sigma=1/2/4"},
		Summary:  "k-mers at near positions (Meinicke et al. 2004)",
		Defaults: oligo.Kernel{K: 3, Sigma: 2},
		Adjust:   ofAminoAcids,
	},
	{
		Name: "markov", Example: "markov:order=1,positional", Grid: []string{"markov:order=0..3,-/positional,-/top"},
		Summary: "derivatives of the probabilities of a Markov chain (Fisher kernel, Jaakkola & Haussler 1999), or of the " +
			"log odds of one chain per class (TOP kernel, Tsuda et al. 2002)",
		Defaults: markov.Kernel{Order: 2, Pseudo: 1},
	},
	{
		Name: "words", Example: "words:ngram=1-2,tfidf,stem=english,stop=english", Alone: wordsAlone,
		Summary: "words and word n-grams of texts, " +
			"by UAX #29, weighted (Salton & Buckley 1988, Joachims 1998); by its name alone " + wordsAlone,
		Defaults: bow.Kernel{NGram: "1"},
		Grid:     []string{"words:ngram=1/1-2/1-3,-/sublinear/binary,-/tfidf", "words:ngram=1/1-2,logentropy"},
	},
	{
		Name: "subtree", Example: "subtree:lambda=0.8,unordered",
		Summary:  "equal complete subtrees of trees in brackets, weight λ^nodes (Vishwanathan & Smola 2002)",
		Defaults: treekernel.Subtree{Lambda: 1},
	},
	{
		Name: "tag", Example: "tag:weight=decay,lambda=0.7",
		Summary: "substrings of trees written as strings of labels and brackets, under a weighting (Vishwanathan & " +
			"Smola 2002)",
		Defaults: treekernel.Tag{Weight: substring.Constant},
	},
	{
		Name: "sst", Example: "sst:lambda=0.4,size=4",
		Summary: "subset trees: fragments with all children of a node or none, of bounded depth or size in linear " +
			"time (Collins & Duffy 2001)",
		Defaults: treekernel.SST{Lambda: 0.4},
	},
	{
		Name: "ptk", Example: "ptk:lambda=1,size=3",
		Summary: "partial trees: fragments with any children of a node in order, of bounded depth or size in " +
			"linear time (Moschitti 2006)",
		Defaults: treekernel.PTK{Lambda: 0.4, Mu: 0.4, Terminal: 1},
	},
	{
		Name: "wl", Example: "wl:h=3", Grid: []string{"wl:h=1..5"},
		Summary: "graphs such as RNA with pseudoknots and molecules: labels of vertices with those around them, round " +
			"by round (Shervashidze et al. 2011)",
		Defaults: treekernel.WL{Rounds: 3},
	},
	{
		Name: "walk", Example: "walk:length=4,lambda=0.5", Grid: []string{"walk:length=2/4/6,lambda=0.3/1"},
		Summary:  "graphs: labels along walks of up to length edges, weight λ^edges (Gärtner, Flach & Wrobel 2003)",
		Defaults: treekernel.Walk{Length: 4, Lambda: 0.5},
	},
	{
		Name: "table", Example: "table:columns=*",
		Summary:  "columns of numbers, alone or beside the letters: of a table, a file of their own, or NAME=NUMBER in headers",
		Defaults: table.Kernel{Columns: []string{"number"}},
	},
}

// mismatch is also what spectrum means with weights of letters.
var mismatch = Entry{
	Name: "mismatch", Example: "mismatch:k=5,m=1", Grid: []string{"mismatch:k=4..8,m=1"},
	Summary:  "k-mers with up to m mismatches (Leslie et al. 2004); with subst, letters that resemble each other",
	Defaults: gapped.Mismatch{K: 5, M: 1},
	Adjust:   allMismatches,
}

// wordsAlone is the usual choice for texts.
const wordsAlone = "words:ngram=1-2,sublinear,tfidf"

// masksOrPairs drops the default of pair where masks are given.
func masksOrPairs(k stringkernel.Kernel, given map[string]bool) stringkernel.Kernel {
	s := k.(spaced.Kernel)
	if given["masks"] && !given["pair"] {
		s.Pair = 0
	}
	if s.Pair == 0 && !given["gap"] {
		s.Gap = 0
	}
	return s
}

// ofAminoAcids settles the alphabet by the weights of letters.
func ofAminoAcids(k stringkernel.Kernel, _ map[string]bool) stringkernel.Kernel {
	switch k := k.(type) {
	case wdk.Kernel:
		k.Alphabet = similarity.Alphabet(k.Subst, k.Alphabet)
		return k
	case oligo.Kernel:
		k.Alphabet = similarity.Alphabet(k.Subst, k.Alphabet)
		return k
	}
	return k
}

// fewerMismatches lowers the default of d to l − k, so that gapped:l=5,k=3 need not say d=2. The alphabet is that of
// the weights of letters.
func fewerMismatches(k stringkernel.Kernel, given map[string]bool) stringkernel.Kernel {
	g := k.(gapped.Kernel)
	if !given["d"] && g.K <= g.L {
		g.D = min(g.D, g.L-g.K)
	}
	g.Alphabet = similarity.Alphabet(g.Subst, g.Alphabet)
	return g
}

// allMismatches raises the default of m to k where letters have weights, so that no pair of k-mers is left out. The
// alphabet is that of the weights.
func allMismatches(k stringkernel.Kernel, given map[string]bool) stringkernel.Kernel {
	m := k.(gapped.Mismatch)
	if given["subst"] && !given["m"] {
		m.M = m.K
	}
	m.Alphabet = similarity.Alphabet(m.Subst, m.Alphabet)
	return m
}

func (c Catalogue) entries() []Entry {
	if c == nil {
		return kernels
	}
	return c
}

// find returns the entry with a name.
func (c Catalogue) find(name string) (Entry, error) {
	var names []string
	for _, e := range c.entries() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Entry{}, fmt.Errorf("unknown kernel %q, want one of: %s%s", name, strings.Join(names, ", "),
		suggest.Hint(name, names))
}

// CheckName returns an error that lists the kernels unless one of them has the name.
func (c Catalogue) CheckName(name string) error {
	_, err := c.find(name)
	return err
}
