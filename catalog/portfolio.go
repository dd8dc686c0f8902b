package catalog

import (
	"bytes"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kind is what records are, as far as the choice of kernels depends on it.
type Kind string

// The kinds of records. Windows are all of one length, so that position can be compared with position.
const (
	Nucleotides       Kind = "nucleotides"
	NucleotideWindows Kind = "windows of nucleotides"
	Proteins          Kind = "proteins"
	ProteinWindows    Kind = "windows of proteins"
	Texts             Kind = "texts"   // of several words
	Strings           Kind = "strings" // of letters, most without a space
)

// KindOf guesses the kind of records whose letters are of an alphabet. O(letters).
func KindOf(c *stringkernel.Corpus, a stringkernel.Alphabet) Kind {
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
		if windows {
			return NucleotideWindows
		}
		return Nucleotides
	case windows:
		return ProteinWindows
	}
	return Proteins
}

// Recipe is a kernel that is worth trying, with what is known about it.
type Recipe struct {
	On     []Kind
	Kernel string // of one grid: A+B is the mean of two
	Reason string
}

// Portfolio lists the recipes for a kind of records, those that are best most often first.
func Portfolio(kind Kind) (list []Recipe) {
	for _, r := range recipes {
		if slices.Contains(r.On, kind) {
			list = append(list, r)
		}
	}
	return list
}

var (
	ofNucleotides = []Kind{Nucleotides, NucleotideWindows}
	ofProteins    = []Kind{Proteins, ProteinWindows}
	ofBytes       = []Kind{Texts, Strings}
)

// composition compares records by their counts of up to three letters, so that one count may matter by another, as that
// of CG by GC: 44 numbers, of which few records tell all.
const composition = "spectrum:k=3,bounded,rc,rbf=median,rank=200"

// profile compares windows by what letters are where, give or take a dozen places, likewise: how composition, as of GC,
// changes along them.
const profile = "oligo:k=1,sigma=12,rbf=median,rank=100"

// recipes is THE portfolio. benchmarks/portfolio compares it with the best kernel known for each of many data sets.
var recipes = []Recipe{
	{
		On: ofNucleotides, Kernel: "gapped:l=8,k=5,d=3,rc",
		Reason: "motifs on either strand, from some hundred records on: binding sites, enhancers",
	},
	{
		On: ofNucleotides, Kernel: "gapped:l=8,k=5,d=3",
		Reason: "motifs on the strand that was read: promoters",
	},
	{
		On: ofNucleotides, Kernel: "gapped:l=10,k=6,d=4,rc",
		Reason: "longer motifs, from some thousand records on, as gkm-SVM has them",
	},
	{
		On: ofNucleotides, Kernel: "gapped:l=6,k=4,d=2,rc",
		Reason: "short motifs with changes, of few records or for little work",
	},
	{
		On: ofNucleotides, Kernel: "spectrum:k=6,bounded",
		Reason: "composition and short motifs; in means it adds to gapped words",
	},
	{
		On: ofNucleotides, Kernel: "spectrum:k=4,bounded,rc",
		Reason: "composition on either strand, of few records",
	},
	{
		On: ofNucleotides, Kernel: "spectrum:k=6,rc,count=sqrt",
		Reason: "long regions, where each k-mer more should count less: enhancers",
	},
	{
		On: ofNucleotides, Kernel: "gapped:rc",
		Reason: "words of 11 with 7 that count: long motifs that are rarely changed, as of CTCF",
	},
	{
		On: ofNucleotides, Kernel: "gapped:l=12,k=6,d=4",
		Reason: "binding sites from ten thousand records on, for large budgets: the table has 4^12 words",
	},
	{
		On: ofNucleotides, Kernel: "gapped:l=10,k=6,rc+spectrum:k=6,bounded,rc",
		Reason: "binding sites: motifs and composition, from some thousand records on",
	},
	{
		On:     ofNucleotides,
		Kernel: "gapped:l=10,k=6,rc+spectrum:k=6,bounded,rc+spectrum:k=8,bounded,rc,count=sqrt+" + composition,
		Reason: "the same, long words that repeat, and composition that is not additive, from ten thousand records on",
	},
	{
		On: []Kind{NucleotideWindows},
		Kernel: "gapped:l=10,k=6,rc+gapped:l=8,k=5,d=3,rc+spectrum:k=6,bounded,rc+spectrum:k=8,bounded,rc,count=sqrt+" +
			composition + "+" + profile,
		Reason: "the same, shorter motifs with changes, and where in the window which letters are: binding sites",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "wd:d=6",
		Reason: "windows around a site: each position has its own letters",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "wd:d=20",
		Reason: "windows around a site with long conserved runs: methylation",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "wd:d=6,shift=1",
		Reason: "windows around a site with a little play: methylation",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "wd:d=10,shift=5",
		Reason: "windows around a site with a motif that moves some letters: splice sites, TATA boxes",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "wd:d=8,shift=20",
		Reason: "windows with motifs that have a region: branch points, bacterial promoters",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "oligo:k=3,sigma=2",
		Reason: "windows in which short words have blurred places: splice sites, for little work",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "wd:d=6+gapped:l=8,k=5,d=3",
		Reason: "windows with motifs in places and motifs anywhere: promoters",
	},
	{
		On:     []Kind{NucleotideWindows},
		Kernel: "wd:d=6+gapped:l=8,k=5,d=3+spectrum:k=4,bounded,rc+" + composition,
		Reason: "the same and composition, by words and by what goes with what: core promoters",
	},
	{
		On:     []Kind{NucleotideWindows},
		Kernel: "wd:d=6+gapped:l=8,k=5,d=3+spectrum:k=4,bounded,rc+" + composition + "+" + profile,
		Reason: "the same, and where in the window which letters are",
	},
	{
		On: ofProteins, Kernel: "spectrum:k=3,bounded",
		Reason: "composition and short words: location, peptides",
	},
	{
		On: ofProteins, Kernel: "spectrum:k=3",
		Reason: "short words alone, of few changed places",
	},
	{
		On: ofProteins, Kernel: "spaced:pair=1,gap=10",
		Reason: "pairs of amino acids at a distance: helices, coiled coils, peptides",
	},
	{
		On: ofProteins, Kernel: "spectrum:k=3,bounded+spaced:pair=1,gap=10",
		Reason: "short words and pairs at a distance",
	},
	{
		On: ofProteins, Kernel: "mismatch:k=3,subst=blosum62",
		Reason: "words of amino acids that replace each other",
	},
	{
		On: ofProteins, Kernel: "mismatch:k=4,m=1",
		Reason: "words that changed in a place (Leslie et al. 2004)",
	},
	{
		On: ofProteins, Kernel: "gapped:l=6,k=3,d=3,filter=gapped",
		Reason: "words of which half changed: location",
	},
	{
		On: ofProteins, Kernel: "gapped:l=8,k=4,d=4,filter=gapped",
		Reason: "longer words of which half changed: distant families",
	},
	{
		On: ofProteins, Kernel: "substring:weight=bounded,k=4,ends",
		Reason: "peptides, whose ends tell",
	},
	{
		On: []Kind{ProteinWindows}, Kernel: "wd:d=1",
		Reason: "variants of one protein: each position adds its effect",
	},
	{
		On: []Kind{ProteinWindows}, Kernel: "poly:d=3",
		Reason: "variants of one protein, by pairs and triples of positions",
	},
	{
		On: []Kind{ProteinWindows}, Kernel: "wd:d=1,rbf=1",
		Reason: "variants of one protein whose positions act together",
	},
	{
		On: []Kind{NucleotideWindows}, Kernel: "wd:d=2,rbf=0.5",
		Reason: "few short windows whose positions act together: guides of CRISPR",
	},
	{
		On: ofBytes, Kernel: "words:sublinear,tfidf",
		Reason: "topics",
	},
	{
		On: []Kind{Texts}, Kernel: "words:stem=english,sublinear,tfidf",
		Reason: "topics of English texts",
	},
	{
		On: []Kind{Texts}, Kernel: "words:ngram=1-2,binary,tfidf",
		Reason: "opinions: pairs of words tell what one leaves open",
	},
	{
		On: []Kind{Texts}, Kernel: "words:ngram=1-2,binary",
		Reason: "questions and sentences, where common words tell the class",
	},
	{
		On: ofBytes, Kernel: "words:letters,ngram=2-5,sublinear,tfidf",
		Reason: "misspelt or inflected words",
	},
	{
		On: ofBytes, Kernel: "spectrum:k=5,bounded",
		Reason: "letters across the ends of words: spam, codes",
	},
	{
		On: ofBytes, Kernel: "spectrum:k=3,count=presence",
		Reason: "languages",
	},
	{
		On: ofBytes, Kernel: "substring:weight=tfidf,k=4,ends",
		Reason: "names, whose beginnings and ends tell",
	},
	{
		On: ofBytes, Kernel: "substring:weight=decay,lambda=0.5,ends",
		Reason: "names and other single words",
	},
	{
		On: ofBytes, Kernel: "substring:weight=constant",
		Reason: "sentences that share long parts: relations between names",
	},
	{
		On: ofBytes, Kernel: "words:letters,ngram=1-3,sublinear,tfidf",
		Reason: "languages, names",
	},
	{
		On: ofBytes, Kernel: "substring:weight=tfidf,k=6",
		Reason: "codes and phrases of any length",
	},
	{
		On: []Kind{Texts}, Kernel: "words:ngram=1-2,binary,tfidf+spectrum:k=5,bounded",
		Reason: "documents by words and by letters",
	},
}
