package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// set is variants of two alleles each, 2i and 2i + 1, and what is known of them.
type set struct {
	alleles  [][]byte
	columns  [][]float64 // of each allele: its occupancy by other models, times a weight
	activity []float64   // of each allele: what is learned
	effects  []float64   // of each variant
	changes  []bool      // it has an effect
	groups   [][]int     // variants that figures are of
	names    []string    // of the groups
}

func (s *set) add(ref, alt []string) {
	for i := range ref {
		s.alleles = append(s.alleles, []byte(ref[i]), []byte(alt[i]))
	}
}

// columnWeight, like the kernel and the 1 of joint, was chosen among some 130 settings on folds of cagi4; 0.05 to 0.3
// are about as good.
const columnWeight = 0.17

// describe computes the columns.
func (s *set) describe(models []*scorer) *set {
	s.columns = make([][]float64, len(s.alleles))
	for _, m := range models {
		for i, v := range m.score(s.alleles) {
			s.columns[2*i] = append(s.columns[2*i], columnWeight*occupancy(v.ref))
			s.columns[2*i+1] = append(s.columns[2*i+1], columnWeight*occupancy(v.alt))
		}
	}
	return s
}

// figures compare predictions with effects: the areas under the ROC and the precision-recall curve of |prediction| for
// which variants have an effect, and Pearson's correlation with the effects.
type figures [3]float64

func (f figures) String() string { return fmt.Sprintf("%.3f\t%.3f\t%.3f", f[0], f[1], f[2]) }

// print prints figures of all groups, and of each that has a name.
func (s *set) print(title string, predicted []float64) {
	fmt.Fprintf(out, "%s\t%v\n", title, s.measure(predicted, s.groups))
	for k, name := range s.names {
		fmt.Fprintf(out, "  %s\t%v\n", name, s.measure(predicted, s.groups[k:k+1]))
	}
}

// measure returns means over groups.
func (s *set) measure(predicted []float64, groups [][]int) (mean figures) {
	for _, group := range groups {
		p, truth, with := []float64{}, []float64{}, []bool{}
		for _, i := range group {
			p, truth, with = append(p, predicted[i]), append(truth, s.effects[i]), append(with, s.changes[i])
		}
		mean[0] += must(metrics.AUROC(each(p, math.Abs), with)) / float64(len(groups))
		mean[1] += must(metrics.AUPRC(each(p, math.Abs), with)) / float64(len(groups))
		mean[2] += stat.Correlation(truth, p, nil) / float64(len(groups))
	}
	return mean
}

// joint is the matrix of alleles: that of their letters, plus 1 where two are of one variant, which stands for all that
// both have in common, plus the product of their columns. Only products are those of this matrix.
type joint struct {
	stringkernel.Gram
	columns [][]float64
}

func (g joint) MulVecTo(dst, v []float64) {
	g.Gram.MulVecTo(dst, v)
	w := make([]float64, len(g.columns[0]))
	for i, row := range g.columns {
		floats.AddScaled(w, v[i], row)
	}
	for i, row := range g.columns {
		dst[i] += v[i] + v[i^1] + floats.Dot(w, row)
	}
}

func (s *set) joint() joint {
	k := must(must(catalog.Parse("spectrum:k=6,rc", "gapped:l=8,k=5,rc")).Compile(stringkernel.DNA))
	return joint{must(k.Gram(background, must(stringkernel.NewCorpus(s.alleles, nil)))), s.columns}
}

// lambdas are the noises that are tried.
var lambdas = []float64{0.1, 0.3, 1, 3}

// predict fits ridge machines to the activities of all alleles but those of variants that are held out, and returns the
// difference between the alleles of each variant, for each of lambdas.
func (g joint) predict(activity []float64, held func(i int) bool) [][]float64 {
	p := process.Regression{Targets: activity, Weights: make([]float64, len(activity)), Tol: 1e-4}
	for i := range activity {
		if !held(i / 2) {
			p.Weights[i] = 1
		}
	}
	all, scores := make([][]float64, len(lambdas)), make([]float64, len(activity))
	for m, machine := range must(process.Ridge{}.SolveAll(background, g, p, lambdas)) {
		g.MulVecTo(scores, machine.Coef)
		for i := 0; i < len(scores); i += 2 {
			all[m] = append(all[m], scores[i+1]-scores[i])
		}
	}
	return all
}

// crossValidate predicts the variants of each fold by the others, with the λ that has the highest correlation with what
// is learned on the other folds. It returns the index of the λ that is best on all folds, too.
func (s *set) crossValidate(fold []int) (joined []float64, taken int) {
	g, learned := s.joint(), make([]float64, len(fold))
	all := g.predict(s.activity, func(i int) bool { return fold[i] == 0 })
	for f := 1; f <= slices.Max(fold); f++ {
		for m, predicted := range g.predict(s.activity, func(i int) bool { return fold[i] == f }) {
			for i, p := range predicted {
				learned[i] = s.activity[2*i+1] - s.activity[2*i]
				if fold[i] == f {
					all[m][i] = p
				}
			}
		}
	}
	best := func(f int) int {
		others := each(fold, func(g int) float64 { return float64(min(1, max(g-f, f-g))) })
		return floats.MaxIdx(each(all, func(p []float64) float64 { return stat.Correlation(p, learned, others) }))
	}
	for i, f := range fold {
		joined = append(joined, all[best(f)][i])
	}
	return joined, best(-1)
}

// testPart predicts the variants of a test part.
func (s *set) testPart(test *set, lambda int) []float64 {
	both := set{alleles: slices.Concat(s.alleles, test.alleles), columns: slices.Concat(s.columns, test.columns)}
	activity := slices.Concat(s.activity, make([]float64, len(test.alleles)))
	known := len(s.alleles) / 2
	return both.joint().predict(activity, func(i int) bool { return i >= known })[lambda][known:]
}

// blocks are lengths of blocks of chromosomes; the last is longer than all chromosomes.
var blocks = [...]int{1_000_000, 10_000_000, 1_000_000_000}

// readCagi4 returns the training part of the set of expression in lymphoblastoid cells. Figures are of the hits,
// variants in active sequences. Folds are of blocks of chromosomes, none of which divides variants within 300 bases.
func readCagi4(models []*scorer) (s *set, folds [len(blocks)][]int) {
	t := columns("cagi4", "train.tsv.gz", "ref", "alt", "logskew", "regulatory_hit", "emvar_hit", "chrom",
		"log2fc_ref", "log2fc_alt", "pos")
	ref, alt, position := numbers(t[6]), numbers(t[7]), numbers(t[8])
	s = &set{effects: numbers(t[2]), groups: make([][]int, 1)}
	s.add(t[0], t[1])
	for i := range ref {
		s.activity, s.changes = append(s.activity, ref[i], alt[i]), append(s.changes, t[4][i] == "1")
		if t[3][i] == "1" {
			s.groups[0] = append(s.groups[0], i)
		}
		chromosome, _ := strconv.Atoi(t[5][i]) // 0 of X
		for k, block := range blocks {
			folds[k] = append(folds[k], (chromosome+int(position[i])/block)%5)
		}
	}
	return s.describe(models), folds
}

func runCagi4(models []*scorer, s *set, folds [len(blocks)][]int) {
	fmt.Fprintf(out, "\ncagi4, published, on its test set 2%s\ngkm-SVM of open chromatin\t%v\n"+
		"gkm-SVM of this training part\t%v\nensemble of KSM, DeepSEA, DeepBind, chromatin\t%v\n"+
		"\ncagi4, training part, five folds; no block of the genome, of the length given, is in two%s\n", heading,
		figures{0.627, 0.413, 0.310}, figures{0.577, 0.373, 0.333}, figures{0.655, 0.456, 0.407}, heading)
	alone, lambda := set{alleles: s.alleles, activity: s.activity, columns: make([][]float64, len(s.alleles))}, 0
	for k, fold := range folds {
		joined, _ := alone.crossValidate(fold)
		s.print(fmt.Sprint(blocks[k], ", k-mers of this set"), joined)
		joined, lambda = s.crossValidate(fold)
		s.print(fmt.Sprint(blocks[k], ", the same and 12 models of other sets"), joined)
	}
	if *output != "" {
		names := []string{"id", "chrom", "pos", "ref_allele", "alt_allele", "regulatory_hit", "ref", "alt"}
		t, test := columns("cagi4", "test.tsv.gz", names...), new(set)
		test.add(t[6], t[7])
		write("cagi4", names, t, s.testPart(test.describe(models), lambda))
	}
}

// readCagi5 returns a part of the set of saturation mutagenesis. Figures are means over experiments. A fold has two
// elements, or every fourth stretch of contiguous positions of each. What is learned are effects over their root mean
// square in the experiment.
func readCagi5(part string, names []string, models []*scorer) (s *set, t [][]string, element, stretch []int) {
	t, s = columns("cagi5", part+".tsv.gz", names...), new(set)
	sequences := must(seqio.ReadFile(filepath.Join(data, "variants-cagi5/elements.fa.gz"), seqio.Options{}))
	elements := map[string]int{}
	for i := range sequences.Len() {
		elements[sequences.Corpus.Name(i)] = i
	}
	position, number := numbers(t[2]), 0
	for i, alt := range t[4] {
		x, at := sequences.Corpus.Seq(elements[t[1][i]]), int(position[i])-1
		from, to := max(0, at-75), min(len(x), at+76)
		s.alleles = append(s.alleles, x[from:to], slices.Concat(x[from:at], []byte(alt), x[at+1:to]))
		switch {
		case i == 0 || t[0][i] != t[0][i-1]:
			s.groups, s.names, number = append(s.groups, nil), append(s.names, t[0][i]), 0
		case position[i] > position[i-1]+1:
			number++
		}
		s.groups[len(s.groups)-1] = append(s.groups[len(s.groups)-1], i)
		element, stretch = append(element, elements[t[1][i]]%7), append(stretch, number%4)
	}
	if part == "train" {
		s.effects = numbers(t[5])
		sure := numbers(t[6])
		for _, group := range s.groups {
			scale := rms(s.effects[group[0] : group[len(group)-1]+1])
			for _, i := range group {
				s.activity, s.changes = append(s.activity, 0, s.effects[i]/scale), append(s.changes, sure[i] >= 0.1)
			}
		}
	}
	return s.describe(models), t, element, stretch
}

var cagi5Columns = []string{"experiment", "element", "position", "ref", "alt"}

func runCagi5(models []*scorer, s *set, element, stretch []int) {
	fmt.Fprintln(out, "\ncagi5, training part, mean of 15 experiments"+heading)
	joined, _ := s.crossValidate(element)
	s.print("whole elements held out", joined)
	joined, lambda := s.crossValidate(stretch)
	s.print("stretches held out", joined)
	if *output != "" {
		test, t, _, _ := readCagi5("test", cagi5Columns, models)
		write("cagi5", cagi5Columns, t, s.testPart(test, lambda))
	}
}
