package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// windowsWith returns windows of two classes of other compositions, of which those of class 1 have a motif at a place,
// give or take some letters.
func windowsWith(rng *rand.Rand, n, length, place, play int) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	classes := make([]int, n)
	for i := range classes {
		classes[i] = i % 2
		x := make([]byte, length)
		for j := range x {
			x[j] = []string{"ACGT", "AACCCGGGTT"}[classes[i]][rng.IntN(4+6*classes[i])]
		}
		if classes[i] == 1 {
			copy(x[place+rng.IntN(1+2*play)-play:], "GTAAG")
		}
		b.Add(fmt.Sprint(i), x)
	}
	return b.Corpus().WithClasses(classes)
}

// TestSiteIsFound plants sites at places that are not the middle, and motifs that have none.
func TestSiteIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		place := 30 + rng.IntN(100)
		site := catalog.SiteOf(windowsWith(rng, 400, 200, place, 0), stringkernel.DNA)
		if !site.Aligned() || site.Place < place || site.Place > place+4 {
			t.Errorf("a site at %d to %d is found at %d, %.1f deviations", place, place+4, site.Place, site.Sharp)
		}
		if site := catalog.SiteOf(windowsWith(rng, 400, 200, place, 30), stringkernel.DNA); site.Aligned() {
			t.Errorf("windows with a motif in 60 places are aligned at %d, %.1f deviations", site.Place, site.Sharp)
		}
	}
}

// TestUsualKernels are those of the shipped sets.
func TestUsualKernels(t *testing.T) {
	for name, want := range map[string]string{
		"fasta/splice.fa": "wd:d=6+gapped:l=8,k=5,d=3", "fasta/promoters.fa": "wd:d=6+gapped:l=8,k=5,d=3",
		"protein/peptides.fa": "spectrum:k=3,bounded", "protein/variants.fa": "wd:d=1",
		"dna/guides.fa": "wd:d=6+gapped:l=8,k=5,d=3", "text/messages-topics.tsv": "words:sublinear,tfidf",
		"text/questions.tsv": "ptk:lambda=1,size=3",
	} {
		set := must.Get(seqio.ReadFile("../testdata/"+name, seqio.Options{OptionalLabels: true}))(t)
		corpus, classes := set.Corpus, map[string]int{}
		if name[:3] == "fas" {
			number := make([]int, corpus.Len())
			for i, label := range set.Labels {
				if _, known := classes[label]; !known {
					classes[label] = len(classes)
				}
				number[i] = classes[label]
			}
			corpus = corpus.WithClasses(number)
		}
		if got := catalog.Usual(corpus, seqio.DetectAlphabet(corpus)).Kernel; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestRecipesAtSites: parts of recipes lie around the site, inside of the windows, and cost what their letters do.
func TestRecipesAtSites(t *testing.T) {
	kernels := func(s catalog.Site) (all string) {
		for _, r := range catalog.Portfolio(catalog.NucleotideWindows, s) {
			all += r.Kernel + "\n"
		}
		return all
	}
	all, without := kernels(catalog.Site{Place: 59, Sharp: 9, Width: 150}), kernels(catalog.Site{})
	if !strings.Contains(all, ",from=30,to=90") || strings.Contains(all+without, "site") || strings.Contains(without, "from=") {
		t.Errorf("with a site\n%swithout\n%s", all, without)
	}
	if near := kernels(catalog.Site{Place: 19, Sharp: 9, Width: 150}); strings.Contains(near, "from=-") || strings.Contains(near, "from=0") {
		t.Errorf("beside the beginning\n%s", near)
	}
	whole, half := catalog.WorkOf([]string{"wd:d=6"}, 100), catalog.WorkOf([]string{"wd:d=6,from=51,anycase"}, 100)
	if half.Letter != whole.Letter/2 || half.Fixed != whole.Fixed {
		t.Errorf("work %+v of half, %+v of all", half, whole)
	}
}
