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
		"spectrum": "IndexSharer Enumerator Compare Restorer TrackSelf Fold Space FeatureRows " +
			"Explainer FeatureLister Tracker SelfScoreTo",
		"substring": "Enumerator Compare Restorer JointSelf TrackSelf Fold Explainer FeatureLister Tracker Around " +
			"SelfScoreTo",
		"gapped": "Compare Restorer TrackSelf Stranded Fold Space Dense Explainer FeatureLister Tracker " +
			"Around",
		"mismatch": "Compare Restorer TrackSelf Stranded Fold Space Dense Explainer FeatureLister Tracker " +
			"Around",
		"spaced":      "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScoreTo",
		"subsequence": "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScoreTo",
		"wd":          "Compare Explainer Tracker ScoreBatchTo WindowLength",
		"poly":        "Compare RowBased WindowLength",
		"locality":    "Compare RowBased WindowLength",
		"oligo":       "Restorer Explainer",
		"markov":      "Fitter Restorer Stranded FeatureRows Explainer SelfScoreTo",
		"words":       "Fitter IndexSharer Enumerator Compare Restorer Fold FeatureRows Explainer FeatureLister SelfScoreTo",
		"subtree":     "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScoreTo",
		"tag":         "Compare Explainer FeatureLister",
		"sst":         "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScoreTo",
		"ptk":         "Enumerator Compare Restorer FeatureRows Explainer FeatureLister SelfScoreTo",
		"wl":          "Compare Restorer FeatureRows Explainer FeatureLister SelfScoreTo",
		"table":       "Enumerator Compare Restorer FeatureRows FeatureLister SelfScoreTo",
		"walk":        "Compare Restorer FeatureRows Explainer FeatureLister SelfScoreTo",
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
			scorer + " SelfScoreTo",
		"spectrum:k=4,count=presence,bounded,alphabet=dna,rc": "Enumerator Restorer TrackSelf Stranded " +
			scorer + " SelfScoreTo",
		"substring:weight=constant,count=sqrt,alphabet=dna,rc": "Stranded",
		"spectrum:k=6,tfidf,alphabet=dna,rc": "Fitter Enumerator Compare Restorer Stranded FeatureRows " +
			"Explainer FeatureLister SelfScoreTo",
		"gapped:l=6,k=4,count=sqrt,alphabet=dna,rc": "Compare Restorer Stranded Space Dense Explainer " +
			"FeatureLister",
		"mismatch:k=3,m=1,count=presence,alphabet=dna": "Compare Restorer Stranded Space Dense Explainer " +
			"FeatureLister",
	} {
		k := must.Get(build([]Term{mustParse(t, text)}, false))(t)
		if got := strings.Join(kerneltest.OptionsOf(t, k, corpora[sequences.letters]), " "); got != want {
			t.Errorf("%s has the options\n%s, want\n%s", text, got, want)
		}
	}
}
