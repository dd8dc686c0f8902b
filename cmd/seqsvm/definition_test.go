package main_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// defined are kernels by their specification and their definition: the longest substring and the weight of one. The
// weight may depend on the corpus.
var defined = []struct {
	kernel string
	most   int
	weight func(corpus [][]byte) func(s string) float64
}{
	{"spectrum:k=3", 3, lengthWeight(func(n int) float64 { return indicator(n == 3) })},
	{"spectrum:k=4,bounded", 4, lengthWeight(func(int) float64 { return 1 })},
	{"substring:weight=fixed,k=2", 2, lengthWeight(func(n int) float64 { return indicator(n == 2) })},
	{"substring:weight=bounded,k=5", 5, lengthWeight(func(int) float64 { return 1 })},
	{"substring:weight=constant", 0, lengthWeight(func(int) float64 { return 1 })},
	{"substring:weight=constant,k=3", 3, lengthWeight(func(int) float64 { return 1 })},
	{"substring:weight=decay,lambda=0.6", 0, lengthWeight(func(n int) float64 { return math.Pow(0.6, float64(n)) })},
	{"substring:weight=decay,lambda=1.5,k=4", 4, lengthWeight(func(n int) float64 {
		return math.Pow(1.5,
			float64(n))
	})},
	{"substring:weight=length,weights=0.5:0:2", 3, lengthWeight(func(n int) float64 {
		return []float64{0.5, 0,
			2}[n-1]
	})},
	{"substring:weight=tfidf", 0, func(corpus [][]byte) func(string) float64 {
		return oracle.SquaredIDF(corpus,
			"ACGT")
	}},
}

func lengthWeight(w func(n int) float64) func([][]byte) func(string) float64 {
	return func([][]byte) func(string) float64 { return func(s string) float64 { return w(len(s)) } }
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// The matrix the tool prints is the sum over all common substrings, letter by letter, for random sequences with
// letters outside the alphabet, normalised or not, one kernel or the mean of two.
func TestKernelByDefinition(t *testing.T) {
	t.Chdir(t.TempDir())
	rapid.Check(t, func(r *rapid.T) {
		sequences := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("ACGTTTN")), 0, 14, -1), 1, 5).Draw(r,
			"sequences")
		first := rapid.IntRange(0, len(defined)-1).Draw(r, "kernel")
		terms := []int{first}
		if rapid.Bool().Draw(r, "two kernels") {
			terms = append(terms, rapid.IntRange(0, len(defined)-1).Draw(r, "other kernel"))
		}
		normalize := rapid.Bool().Draw(r, "normalize")
		writeFiles(t, map[string]string{"in.fa": fastaOf(sequences)})
		args := []string{"--alphabet", "dna", "in.fa"}
		if !normalize {
			args = append(args, "--no-normalize")
		}
		for _, term := range terms {
			args = append(args, "--kernel", defined[term].kernel)
		}
		got, want := readMatrix(t, args...), meanMatrix(sequences, terms, normalize)
		for i := range want {
			for j := range want {
				if math.Abs(got[i][j]-want[i][j]) > 1e-12*max(1, math.Abs(want[i][j])) {
					r.Fatalf("%q: K(%d, %d) = %v, want %v", args, i+1, j+1, got[i][j], want[i][j])
				}
			}
		}
	})
}

// meanMatrix computes the mean of the terms by brute force.
func meanMatrix(sequences []string, terms []int, normalize bool) [][]float64 {
	corpus := make([][]byte, len(sequences))
	for i, s := range sequences {
		corpus[i] = []byte(s)
	}
	mean := make([][]float64, len(corpus))
	for i := range mean {
		mean[i] = make([]float64, len(corpus))
	}
	for _, term := range terms {
		weight := defined[term].weight(corpus)
		k := func(x, y []byte) float64 { return oracle.Substring(x, y, "ACGT", defined[term].most, weight) }
		for i, x := range corpus {
			for j, y := range corpus {
				value := k(x, y)
				if root := math.Sqrt(k(x, x) * k(y, y)); normalize && root > 0 {
					value /= root
				}
				mean[i][j] += value / float64(len(terms))
			}
		}
	}
	return mean
}

// Where no sequence has a feature (k beyond all of them, nothing but letters outside the alphabet) the kernel is 0
// everywhere, and there is nothing to learn.
func TestKernelOfNothing(t *testing.T) {
	inGoodFolder(t)
	writeFiles(t, map[string]string{
		"short.fa": ">a A\nACG\n>b A\nAC\n>c A\nG\n>d B\nGT\n>e B\nGGT\n>f B\n\n>g B\nNNNNNNNNNN\n",
	})
	for _, kernel := range []string{"spectrum:k=8", "spectrum:k=4,rc", "substring:weight=fixed,k=1000",
		"spectrum:k=16 --no-normalize"} {
		for _, command := range []string{"train -o x.seqsvm", "train -o x.seqsvm --probability", "cv --folds 3"} {
			for _, solver := range []string{"smo", "cutting-plane", "auto"} {
				checkBad(t, badCase{args: command + " --solver " + solver + " --kernel " + kernel + " short.fa",
					code: cli.ExitFailed, want: []string{"short.fa: ", "no record has any feature of the kernel"}})
			}
		}
		for i, row := range readMatrix(t, strings.Fields("--kernel "+kernel+" short.fa")...) {
			if text := fmt.Sprint(row); text != "[0 0 0 0 0 0 0]" {
				t.Errorf("%s: row %d is %s", kernel, i+1, text)
			}
		}
	}
}

// A matrix that is computed all at once equals k(x, y) pair by pair, for one file and for one against another.
func TestWholeMatrix(t *testing.T) {
	t.Chdir(t.TempDir())
	k := gapped.Kernel{L: 10, K: 6, D: 3, Filter: gapped.Plain, Alphabet: stringkernel.DNA}
	var corpus stringkernel.CorpusBuilder
	rng := rand.New(rand.NewPCG(4, 4))
	sequences := make([]string, 60)
	for i := range sequences {
		for range rng.IntN(100) {
			sequences[i] += string("AACGTN"[rng.IntN(6)])
		}
		corpus.Add("", []byte(sequences[i]))
	}
	g, err := k.Gram(t.Context(), corpus.Corpus())
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := svm.Whole(t.Context(), g, 30); err != nil || whole == g {
		t.Fatalf("not all at once (%v)", err)
	}
	writeFiles(t, map[string]string{"rows.fa": fastaOf(sequences[:30]), "columns.fa": fastaOf(sequences[30:]),
		"all.fa": fastaOf(sequences)})
	for files, columns := range map[string][]string{"rows.fa columns.fa": sequences[30:], "rows.fa": sequences[:30],
		"all.fa": sequences} {
		args := append([]string{"--alphabet", "dna", "--no-normalize", "--kernel",
			"gapped:l=10,k=6,d=3,filter=gapped"}, strings.Fields(files)...)
		for i, row := range readMatrix(t, args...) {
			for j, got := range row {
				if want := k.Eval([]byte(sequences[i]), []byte(columns[j])); got != want {
					t.Errorf("%s: K(%d, %d) = %v, want %v", files, i+1, j+1, got, want)
				}
			}
		}
	}
}
