package catalog

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// TestOptions pins what each kernel of the catalogue has beyond Kernel, Gram and Scorer: an option is a set of methods,
// so that one with a wrong name would be lost silently.
func TestOptions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	builders := map[string]*stringkernel.CorpusBuilder{sequences.letters: {}, trees.letters: {}, graphs.letters: {}}
	for i := range 4 {
		builders[sequences.letters].Add("", []byte("ACGTTGCAACGTACGTTGCA"[i:i+16]))
		builders[trees.letters].Add("", drawTree(rng))
		builders[graphs.letters].Add("", drawGraph(rng))
	}
	corpora := map[string]*stringkernel.Corpus{}
	for letters, b := range builders {
		corpora[letters] = b.Corpus()
	}
	want := map[string]string{
		// with rc
		"spectrum": "IndexSharer Enumerator Compare Restorer TrackSelf Folder Space FeatureRows " +
			"Explainer FeatureLister Tracker Substituter SelfScorer",
		"substring": "Enumerator Compare Restorer JointSelf TrackSelf Folder Explainer FeatureLister Tracker Substituter",
		"gapped": "Compare Restorer TrackSelf Stranded Folder Space Dense Explainer FeatureLister Tracker " +
			"Substituter",
		"mismatch": "Compare Restorer TrackSelf Stranded Folder Space Dense Explainer FeatureLister Tracker " +
			"Substituter",
		"spaced":      "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScorer",
		"subsequence": "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScorer",
		"wd":          "Compare BlockMul Explainer Tracker BatchScorer WindowLength",
		"poly":        "Compare RowBased WindowLength",
		"locality":    "Compare RowBased WindowLength",
		"oligo":       "Restorer Explainer",
		"markov":      "Fitter Restorer Stranded FeatureRows Explainer SelfScorer",
		"words":       "Fitter IndexSharer Enumerator Compare Restorer Folder FeatureRows Explainer FeatureLister SelfScorer",
		"subtree":     "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScorer",
		"tag":         "Compare BlockMul Explainer FeatureLister Substituter",
		"sst":         "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScorer",
		"ptk":         "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScorer",
		"wl":          "Compare Restorer FeatureRows Explainer FeatureLister SelfScorer",
		"table":       "RowBased",
		"walk":        "Compare Restorer FeatureRows Explainer FeatureLister SelfScorer",
	}
	for _, e := range kernels {
		k := must.Get(build([]Term{example(t, e)}, false))(t)
		if got := strings.Join(kerneltest.OptionsOf(t, k, corpora[structureOf(e).letters]), " "); got != want[e.Name] {
			t.Errorf("%s has the options\n%s, want\n%s", e.Name, got, want[e.Name])
		}
	}
	const scorer = "Explainer FeatureLister Tracker"
	for text, want := range map[string]string{
		"spectrum:k=6,count=sqrt,alphabet=dna,rc": "Enumerator Restorer TrackSelf Stranded Space FeatureRows " +
			scorer + " SelfScorer",
		"spectrum:k=4,count=presence,bounded,alphabet=dna,rc": "Enumerator Restorer TrackSelf Stranded " +
			scorer + " SelfScorer",
		"substring:weight=constant,count=sqrt,alphabet=dna,rc": "Stranded BlockMul",
		"spectrum:k=6,tfidf,alphabet=dna,rc": "Fitter Enumerator Compare Restorer Stranded FeatureRows " +
			"Explainer FeatureLister SelfScorer",
		"gapped:l=6,k=4,count=sqrt,alphabet=dna,rc": "Compare Restorer Stranded Space Dense Explainer " +
			"FeatureLister Substituter",
		"mismatch:k=3,m=1,count=presence,alphabet=dna": "Compare Restorer Stranded Space Dense Explainer " +
			"FeatureLister Substituter",
	} {
		k := must.Get(build([]Term{mustParse(t, text)}, false))(t)
		if got := strings.Join(kerneltest.OptionsOf(t, k, corpora[sequences.letters]), " "); got != want {
			t.Errorf("%s has the options\n%s, want\n%s", text, got, want)
		}
	}
}
