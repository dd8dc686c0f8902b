package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Variants are scored by models of this kernel, whatever they were trained on. Site, decision and importance see reach
// letters on either side of an allele: 35 in all for a substitution, as many as the CTCF set has.
const kernel, l, reach = "gapped:l=10,k=6,rc", 10, 17

// others are sets of sites and promoters that tell nothing of variants, in the data folder.
var others = [][]string{
	{"tfbs-fastsk-a/CTCF.train.fa.gz", "tfbs-fastsk-a/CTCF.test.fa.gz"},
	{"tfbs-fastsk-a/EP300.train.fa.gz", "tfbs-fastsk-a/EP300.test.fa.gz"},
	{"tfbs-fastsk-a/JUND.train.fa.gz", "tfbs-fastsk-a/JUND.test.fa.gz"},
	{"gue/tf-0.train.fa.gz"}, {"gue/tf-1.train.fa.gz"}, {"gue/tf-3.train.fa.gz"},
	{"gue/mouse-0.train.fa.gz"}, {"gue/mouse-2.train.fa.gz"}, {"gue/mouse-4.train.fa.gz"},
	{"gue/prom-core-all.train.fa.gz"}, {"gue/prom-300-tata.train.fa.gz"}, {"enhancer-layer1/train.fa.gz"},
}

// scorer scores variants by a classifier of sequences.
type scorer struct {
	whole, raw stringkernel.Scorer
	scale      float64 // root mean square of ref over the variants that were scored first
}

// learn trains on the records of files for which keep returns letters.
func learn(keep func(x []byte) []byte, files ...string) *scorer {
	letters, labels := [][]byte{}, []string{}
	for _, file := range files {
		records := must(seqio.ReadFile(filepath.Join(data, file), seqio.Options{RepeatedIDs: true}))
		for i := range records.Len() {
			if x := keep(records.Corpus.Seq(i)); x != nil {
				letters, labels = append(letters, x), append(labels, records.Label(i))
			}
		}
	}
	d := must(dataset.New(must(stringkernel.NewCorpus(letters, nil)), labels, nil))
	whole := must(seqsvm.FitDataset(background, kernel, d, seqsvm.Options{})).Classifier.Scorer
	return &scorer{whole: whole, raw: compose.Raw(whole)}
}

// around returns two alleles with at most n letters on either side, and how many these are.
func around(ref, alt []byte, n int) (r, a []byte, left, right int) {
	shorter, before, after := min(len(ref), len(alt)), 0, 0
	for before < shorter && ref[before] == alt[before] {
		before++
	}
	for after < shorter-before && ref[len(ref)-1-after] == alt[len(alt)-1-after] {
		after++
	}
	left, right = min(before, n), min(after, n)
	return ref[before-left : len(ref)-after+right], alt[before-left : len(alt)-after+right], left, right
}

// sums are what a model says of a variant. ref and alt are divided by the scale of the model.
type sums struct {
	ref, alt             float64 // sums over the k-mers that overlap the allele
	site                 float64 // the larger decision on the context, but for the bias
	decision, importance float64 // differences
	deltaRank, siteRank  float64 // ranks among the variants that are scored together, from 0 to 1
}

func score(s stringkernel.Scorer, x []byte) float64 {
	var value [1]float64
	s.ScoreTo(value[:], x)
	return value[0]
}

// score scores variants, of which the alleles are 2i and 2i + 1.
func (m *scorer) score(alleles [][]byte) []sums {
	all := make([]sums, len(alleles)/2)
	must(0, parallel.Do(background, len(all), func(i int) error {
		ref, alt, _, _ := around(alleles[2*i], alleles[2*i+1], l-1)
		all[i] = sums{ref: score(m.raw, ref), alt: score(m.raw, alt)}
		ref, alt, left, right := around(alleles[2*i], alleles[2*i+1], reach)
		before, after := score(m.whole, ref), score(m.whole, alt)
		all[i].site, all[i].decision = max(before, after), after-before
		all[i].importance = m.importance(alt, left, right) - m.importance(ref, left, right)
		return nil
	}))
	if m.scale == 0 {
		m.scale = rms(each(all, func(s sums) float64 { return s.ref }))
	}
	deltas := ranks(each(all, func(s sums) float64 { return math.Abs(s.alt - s.ref) }))
	sites := ranks(each(all, func(s sums) float64 { return s.site }))
	for i := range all {
		all[i].deltaRank, all[i].siteRank = deltas[i], sites[i]
		all[i].ref, all[i].alt = all[i].ref/m.scale, all[i].alt/m.scale
	}
	return all
}

// rms is the root mean square.
func rms(values []float64) float64 { return floats.Norm(values, 2) / math.Sqrt(float64(len(values))) }

// importance sums contributions to the decision on a context over the positions of the k-mers that overlap the allele.
// left and right are the numbers of letters before and after the allele.
func (m *scorer) importance(context []byte, left, right int) (sum float64) {
	shares := make([]float64, len(context))
	stringkernel.ExplainerOf(m.whole).ExplainTo(shares, 0, context)
	for _, share := range shares[max(0, left-l+1) : len(shares)-max(0, right-l+1)] {
		sum += share
	}
	return sum
}

// occupancy is log(1 + eˣ): about 0 for a score far below 0, where no site is, and about x far above.
func occupancy(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// forms are the scores that are compared. The absolute value tells variants with an effect from others.
var forms = []struct {
	name string
	of   func(s sums) float64
}{
	{"delta", func(s sums) float64 { return s.alt - s.ref }},
	{"decision", func(s sums) float64 { return s.decision }},
	{"importance", func(s sums) float64 { return s.importance }},
	{"occupancy", func(s sums) float64 { return occupancy(s.alt) - occupancy(s.ref) }},
	{"max", func(s sums) float64 { return math.Exp(max(s.alt, s.ref)) }},
	{"site", func(s sums) float64 { return s.siteRank }},
	{"rank of |delta| + rank of site", func(s sums) float64 { return s.deltaRank + s.siteRank }},
}

// ranks returns the share of the values that are smaller, or equal and earlier.
func ranks(values []float64) []float64 {
	order, ranks := make([]int, len(values)), make([]float64, len(values))
	floats.ArgsortStable(slices.Clone(values), order)
	for rank, i := range order {
		ranks[i] = float64(rank) / float64(len(values))
	}
	return ranks
}

// chooseForm compares the forms on the training parts of the CAGI sets, by the mean over all models of the areas under
// both curves, and returns the index of the best.
func chooseForm(models []*scorer, four, five *set) (best int) {
	means, areas := make([][2]figures, len(forms)), make([]float64, len(forms))
	for _, m := range models {
		for k, s := range []*set{four, five} {
			scored := m.score(s.alleles)
			for i, f := range forms {
				for j, v := range s.measure(each(scored, f.of), s.groups) {
					means[i][k][j] += v / float64(len(models))
				}
			}
		}
	}
	fmt.Fprintln(out, "\nchoice of a score, mean of 12 models: cagi4"+heading+"\tcagi5"+heading+"\tmean of areas")
	for i, f := range forms {
		areas[i] = (means[i][0][0] + means[i][0][1] + means[i][1][0] + means[i][1][1]) / 4
		fmt.Fprintf(out, "%s\t%v\t\t%v\t%.4f\n", f.name, means[i][0], means[i][1], areas[i])
	}
	return slices.Index(areas, slices.Max(areas))
}
