package catalog

import (
	"bytes"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/treekernel"
)

// Kind is what records are, as far as the choice of kernels depends on it.
type Kind string

// The kinds of records. Windows are all of one length, so that position can be compared with position.
const (
	Nucleotides       Kind = "nucleotides"
	NucleotideWindows Kind = "windows of nucleotides"
	NucleotideSites   Kind = "sites in upper case, between nucleotides in lower case"
	Proteins          Kind = "proteins"
	ProteinWindows    Kind = "windows of proteins"
	Texts             Kind = "texts"   // of several words
	Strings           Kind = "strings" // of letters, most without a space
	Trees             Kind = "trees"   // in brackets
	Graphs            Kind = "graphs"
	Pairs             Kind = "pairs of sequences"
)

// Costs are the values of C that are worth trying for a kind of records, ascending.
func (k Kind) Costs() []string {
	if k == Trees || k == Graphs {
		return []string{"1", "3", "10", "30", "100"} // fragments are many: records resemble few others
	}
	return []string{"0.1", "0.3", "1", "3", "10"}
}

// OfGenomes reports whether records are parts of genomes, which may overlap. Those of others resemble each other since
// they are related, as new ones will be.
func (k Kind) OfGenomes() bool { return slices.Contains(ofNucleotides, k) }

// KindOf guesses the kind of records whose letters are of an alphabet. O(letters).
func KindOf(c *stringkernel.Corpus, a stringkernel.Alphabet) Kind {
	if a != stringkernel.Bytes && ofPairs(c) {
		return Pairs
	}
	if a == stringkernel.Bytes && mostly(c, treekernel.Subtree{}) {
		return Trees
	}
	if a == stringkernel.Bytes && mostly(c, treekernel.WL{}) {
		return Graphs
	}
	spaced, windows := 0, c.Len() > 0
	for i := range c.Len() {
		record := bytes.TrimSpace(c.Seq(i))
		if bytes.ContainsAny(record, " \t\n") {
			spaced++
		}
		windows = windows && len(c.Seq(i)) == len(c.Seq(0))
	}
	switch {
	case a == stringkernel.Bytes && 2*spaced >= c.Len():
		return Texts
	case a == stringkernel.Bytes:
		return Strings
	case a == stringkernel.DNA || a == stringkernel.RNA:
		switch {
		case sites(c):
			return NucleotideSites
		case windows:
			return NucleotideWindows
		}
		return Nucleotides
	case windows:
		return ProteinWindows
	}
	return Proteins
}

// ofPairs reports whether all records are pairs.
func ofPairs(c *stringkernel.Corpus) bool {
	for i := range c.Len() {
		if stringkernel.CheckPair(c.Seq(i)) != nil {
			return false
		}
	}
	return c.Len() > 0
}

// sites reports whether all but one in twenty records have letters in both cases.
func sites(c *stringkernel.Corpus) bool {
	others := 0
	for i := 0; i < c.Len() && 20*others <= c.Len(); i++ {
		if x := c.Seq(i); bytes.Equal(x, bytes.ToUpper(x)) || bytes.Equal(x, bytes.ToLower(x)) {
			others++
		}
	}
	return 20*others < c.Len()
}

// mostly reports whether all but two in a hundred records are what a kernel reads.
func mostly(c *stringkernel.Corpus, k stringkernel.Kernel) bool {
	check, others := stringkernel.TraitsOf(k).CheckRecord, 0
	for i := 0; i < c.Len() && 50*others <= c.Len(); i++ {
		if check(c.Seq(i)) != nil {
			others++
		}
	}
	return 50*others <= c.Len()
}

// Recipe is a kernel that is worth trying, with what is known about it.
type Recipe struct {
	On     []Kind
	Kernel string // of one grid: A+B is the mean of two; from and to may have places around a [Site]
	Reason string
}

// Known reports whether the recipe is often best on many records without being so on few of them.
func (r Recipe) Known() bool { return r.Kernel == bindingSites || r.Kernel == bindingWindows }

// Portfolio lists the recipes for a kind of records, those that are best most often first: without a site those for all
// of a record.
func Portfolio(kind Kind, s Site) (list []Recipe) {
	for _, r := range recipes {
		inside := false
		if r.Kernel, inside = s.place(r.Kernel); inside && slices.Contains(r.On, kind) {
			list = append(list, r)
		}
	}
	return list
}

// Usual is the kernel that is taken where none is chosen: the first recipe for the kind of records, but of windows of
// nucleotides longer motifs or, where they are aligned on a site ([SiteOf]) or are short and have numbers in place of
// classes, words by place. O(letters).
func Usual(c *stringkernel.Corpus, a stringkernel.Alphabet) Recipe {
	const short = 64
	kind := KindOf(c, a)
	list := Portfolio(kind, Site{})
	kernel := list[0].Kernel
	switch {
	case kind == ProteinWindows:
		kernel = "wd:d=1"
	case kind == NucleotideWindows && (SiteOf(c, a).Aligned() || c.Classes() == nil && len(c.Seq(0)) <= short):
		kernel = places
	case kind == NucleotideWindows:
		kernel = "gapped:l=10,k=6,d=4,rc"
	}
	return list[slices.IndexFunc(list, func(r Recipe) bool { return r.Kernel == kernel })]
}

// Terms are the texts of the terms of the kernel.
func (r Recipe) Terms() []string { return strings.Split(r.Kernel, "+") }

var (
	ofNucleotides = []Kind{Nucleotides, NucleotideWindows}
	ofProteins    = []Kind{Proteins, ProteinWindows}
	ofBytes       = []Kind{Texts, Strings}
	ofWindows     = []Kind{NucleotideWindows}
	ofSites       = []Kind{NucleotideSites}
	ofTexts       = []Kind{Texts}
	ofTrees       = []Kind{Trees}
	ofGraphs      = []Kind{Graphs}
)

// composition compares records by their counts of up to three letters, so that one count may matter by another, as that
// of CG by GC: 44 numbers, of which few records tell all.
const composition = "spectrum:k=3,bounded,rc,rbf=median,rank=200"

// bindingSites compares by motifs and composition.
const bindingSites = "gapped:l=10,k=6,rc+spectrum:k=6,bounded,rc"

// strand is composition on the strand that was read.
const strand = "spectrum:k=3,bounded,rbf=median,rank=200"

// Parts of long windows: around the site; at it, before and after it.
const (
	nearSite = "wd:d=10,shift=2,from=site-30,to=site+30"
	atSite   = "wd:d=10,shift=2,from=site-10,to=site+10+gapped:l=8,k=5,d=3,to=site+gapped:l=8,k=5,d=3,from=site+1"
)

// profile compares windows by what letters are where, give or take a dozen places, likewise: how composition, as of GC,
// changes along them.
const profile = "oligo:k=1,sigma=12,rbf=median,rank=100"

// bindingWindows compares by motifs of several lengths, by composition, and by where which letters are.
const bindingWindows = bindingSites + "+gapped:l=8,k=5,d=3,rc+spectrum:k=8,bounded,rc,count=sqrt+" + composition + "+" +
	profile

// start compares proteins by what letters and pairs are where from the beginning on, give or take a few places.
const start = "oligo:k=1,sigma=4+oligo:k=2,sigma=4"

// places compares words by place and, give or take some letters, anywhere.
const places = "wd:d=6+gapped:l=8,k=5,d=3"

// recipes is THE portfolio. benchmarks/portfolio compares it with the best kernel known for each of many data sets.
var recipes = []Recipe{
	{ofNucleotides, "gapped:l=8,k=5,d=3,rc", "motifs on either strand: binding sites, enhancers"},
	{ofNucleotides, "gapped:l=8,k=5,d=3", "motifs on the strand that was read: promoters"},
	{ofNucleotides, "gapped:l=8,k=6,d=2,filter=gapped,rc", "motifs of six letters with two between, as they are counted"},
	{ofNucleotides, "gapped:l=10,k=6,d=4,rc", "longer motifs, as gkm-SVM has them"},
	{ofNucleotides, "gapped:l=6,k=4,d=2,rc", "short motifs with changes, of few records or for little work"},
	{ofNucleotides, "spectrum:k=6,bounded", "composition and short motifs; in means it adds to gapped words"},
	{ofNucleotides, "spectrum:k=4,bounded,rc", "composition on either strand, of few records"},
	{ofNucleotides, "spectrum:k=6,rc,count=sqrt", "long regions, where each k-mer more should count less: enhancers"},
	{ofNucleotides, "gapped:rc", "words of 11 with 7 that count: long motifs that are rarely changed, as of CTCF"},
	{ofNucleotides, "gapped:l=12,k=6,d=4",
		"binding sites, of many records and for large budgets: the table has 4^12 words"},
	{ofNucleotides, "gapped:l=8,k=5,d=3,rc+" + composition, "motifs, and composition that is not additive: histone marks"},
	{ofNucleotides, bindingSites, "binding sites: motifs and composition"},
	{ofNucleotides, bindingSites + "+" + composition, "the same, and composition that is not additive"},
	{ofNucleotides, bindingSites + "+spectrum:k=8,bounded,rc,count=sqrt+" + composition,
		"the same, and long words that repeat, of many records"},
	{ofWindows, bindingWindows,
		"the same, shorter motifs with changes, and where in the window which letters are: binding sites"},
	{ofWindows, "wd:d=6,shift=1+gapped:l=8,k=5,d=3", "windows around a base, and motifs anywhere: methylation"},
	{ofWindows, "wd:d=8,shift=8+gapped:l=8,k=5,d=3", "windows with motifs that move, and motifs anywhere: promoters"},
	{ofWindows, "wd:d=8,shift=8+gapped:l=8,k=5,d=3+spectrum:k=6,bounded", "the same and composition: core promoters"},
	{ofWindows, "wd:d=6", "windows around a site: each position has its own letters"},
	{ofWindows, "wd:d=20", "windows around a site with long conserved runs: methylation"},
	{ofWindows, "wd:d=6,shift=1", "windows around a site with a little play: methylation"},
	{ofWindows, "wd:d=10,shift=5",
		"windows around a site with a motif that moves some letters: splice sites, TATA boxes"},
	{ofWindows, "wd:d=8,shift=20", "windows with motifs that have a region: branch points, bacterial promoters"},
	{ofWindows, "oligo:k=3,sigma=2", "windows in which short words have blurred places: splice sites, for little work"},
	{ofWindows, nearSite, "a site that has its place in long windows: splice sites"},
	{ofWindows, nearSite + "+" + atSite, "the same, what is at it more than what is beside it, and motifs on either side"},
	{ofWindows, nearSite + "+" + atSite +
		"+gapped:l=8,k=5,d=3,from=site-70,to=site+gapped:l=8,k=5,d=3,from=site+1,to=site+70",
		"the same, and motifs beside it more than those far from it"},
	{ofWindows, nearSite + "+" + atSite + "+" + composition,
		"a site, motifs on either side, and composition: TATA boxes and other starts of genes"},
	{ofWindows, places, "windows with motifs in places and motifs anywhere: promoters"},
	{ofWindows, "wd:d=6+gapped:l=8,k=5,d=3+spectrum:k=4,bounded,rc+" + composition,
		"the same and composition, by words and by what goes with what: core promoters"},
	{ofWindows, "wd:d=6+gapped:l=8,k=5,d=3+spectrum:k=4,bounded,rc+" + composition + "+" + profile,
		"the same, and where in the window which letters are"},
	{ofSites, "gapped:l=8,k=5,d=3", "motifs of the site alone"},
	{ofSites, "gapped:l=8,k=5,d=3+gapped:l=8,k=5,d=3,anycase", "motifs of the site, and with what is around it"},
	{ofSites, "gapped:l=8,k=5,d=3+gapped:l=6,k=4,d=2,anycase+spectrum:k=4,bounded", "the same by shorter words"},
	{ofSites, "gapped:l=8,k=5,d=3+gapped:l=8,k=5,d=3,anycase+" + strand + "+" + strand + ",anycase",
		"motifs and composition of the site, and with what is around it"},
	{ofProteins, "spectrum:k=3,bounded", "composition and short words: location, peptides"},
	{ofProteins, "spectrum:k=3", "short words alone, of few changed places"},
	{ofProteins, "spaced:pair=1,gap=10", "pairs of amino acids at a distance: helices, coiled coils, peptides"},
	{ofProteins, "spectrum:k=3,bounded+spaced:pair=1,gap=10", "short words and pairs at a distance"},
	{ofProteins, "mismatch:k=3,subst=blosum62", "words of amino acids that replace each other"},
	{ofProteins, "mismatch:k=4,m=1", "words that changed in a place (Leslie et al. 2004)"},
	{ofProteins, "gapped:l=6,k=3,d=3,filter=gapped", "words of which half changed: location"},
	{ofProteins, "gapped:l=8,k=4,d=4,filter=gapped", "longer words of which half changed: distant families"},
	{ofProteins, "substring:weight=bounded,k=4,ends", "peptides, whose ends tell"},
	{ofProteins, "substring:weight=bounded,k=4,ends+spaced:pair=1,gap=10",
		"peptides: their ends, and pairs at a distance"},
	{ofProteins, start, "what is at the beginning, give or take some letters: signal peptides"},
	{ofProteins, "mismatch:k=3,subst=blosum62+" + start, "the same and words of amino acids that replace each other"},
	{[]Kind{ProteinWindows}, "wd:d=1", "variants of one protein: each position adds its effect"},
	{[]Kind{ProteinWindows}, "poly:d=3", "variants of one protein, by pairs and triples of positions"},
	{[]Kind{ProteinWindows}, "wd:d=1,rbf=1", "variants of one protein whose positions act together"},
	{ofWindows, "wd:d=2,rbf=0.5", "few short windows whose positions act together: guides of CRISPR"},
	{ofBytes, "words:sublinear,tfidf", "topics"},
	{ofTexts, "words:stem=english,sublinear,tfidf", "topics of English texts"},
	{ofTexts, "words:ngram=1-2,binary,tfidf", "opinions: pairs of words tell what one leaves open"},
	{ofTexts, "words:ngram=1-2,binary", "questions and sentences, where common words tell the class"},
	{ofBytes, "words:letters,ngram=2-5,sublinear,tfidf", "misspelt or inflected words"},
	{ofBytes, "spectrum:k=5,bounded", "letters across the ends of words: spam, codes"},
	{ofBytes, "spectrum:k=3,count=presence", "languages"},
	{ofBytes, "substring:weight=tfidf,k=4,ends", "names, whose beginnings and ends tell"},
	{ofBytes, "substring:weight=decay,lambda=0.5,ends", "names and other single words"},
	{ofBytes, "substring:weight=constant", "sentences that share long parts: relations between names"},
	{ofBytes, "words:letters,ngram=1-3,sublinear,tfidf", "languages, names"},
	{ofBytes, "substring:weight=tfidf,k=6", "codes and phrases of any length"},
	{ofTexts, "words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded", "documents by words and by letters"},
	{ofTrees, "ptk:lambda=1,size=3", "partial trees: which nodes are above and beside which"},
	{ofTrees, "sst:lambda=0.4,size=3,leaves", "subset trees and leaves: parse trees, with all their children"},
	{ofTrees, "subtree:lambda=0.4", "complete subtrees: structures that recur whole"},
	{ofTrees, "tag:weight=bounded,k=12", "paths through the brackets, for little work"},
	{ofTrees, "sst:lambda=0.4,size=3,leaves+tag:weight=bounded,k=12", "parse trees by fragments and by order"},
	{ofTrees, "sst:lambda=0.4,leaves", "all subset trees, of few records"},
	{ofGraphs, "wl:h=3", "vertices with what is up to three edges around them"},
	{ofGraphs, "wl:h=1", "vertices and their neighbours, of few graphs"},
	{ofGraphs, "walk:length=4,lambda=0.5", "walks along the edges"},
	{[]Kind{Pairs}, "(spectrum:k=3,bounded * spectrum:k=3,bounded):pair", "short words of one side by those of the other"},
	{[]Kind{Pairs}, "(spectrum:k=1 * spectrum:k=1):pair", "composition of one side by that of the other"},
	{[]Kind{Pairs}, "(spectrum:k=3,bounded):pair=symmetric", "two sequences of a kind, in any order: interactions"},
}
