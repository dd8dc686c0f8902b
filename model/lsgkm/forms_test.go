package lsgkm_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/lsgkm"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestWeights: a record's number is the sum over its k-mers, by look-up on both strands.
func TestWeights(t *testing.T) {
	for _, c := range []struct {
		why, text, notes string
	}{
		{"header", "kmer\tweight\nACG\t1.5\nGAC\t-2\nTTA\t0.25\n", "line 1 is a header"},
		{"bias", "bias\t7\nACG 1.5\n# x\nbias 3\nGAC -2\nTTA 0.25", "line 1 is a header"},
		{"no header", "acg\t1.5\nGAC\t-2\r\n\nTTA\t0.25\n", "line 1 is a k-mer"},
		{"three columns", "# a\nk-mer\tother\tweight\nACG\tCGT\t1.5\nGAC\tGTC\t-2\nTAA\tTTA\t0.25\n", "line 1 is a header"},
		{"the last line counts", "ACG\t3\nGAC\t-2\nTTA\t0.25\nCGT\t1.5\n", "either strand: 1;"},
	} {
		f := must.Get(lsgkm.Open(strings.NewReader(c.text), "w"))(t)
		if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, c.notes) {
			t.Errorf("%s: %q", c.why, notes)
		}
		scorer, _ := classifierOf(t, f, model.Options{})
		table := map[string]float64{"ACG": 1.5, "CGT": 1.5, "GAC": -2, "GTC": -2, "TTA": 0.25, "TAA": 0.25}
		for _, x := range []string{"", "AC", "ACGTC", "TTAANGACGTCTTACGT", "CCCC"} {
			want := 0.0
			for i := 0; i+3 <= len(x); i++ {
				want += table[x[i:i+3]]
			}
			if got := scorer.Decide([]byte(x)).Scores[0]; got != want {
				t.Errorf("%s: %s has %v, want %v", c.why, x, got, want)
			}
		}
	}
}

// TestPalindromes: a k-mer that is its own reverse complement counts once a place, as any other.
func TestPalindromes(t *testing.T) {
	f := must.Get(lsgkm.Open(strings.NewReader("ACGT\t0.75\nAAAA\t3\n"), "w"))(t)
	scorer, _ := classifierOf(t, f, model.Options{KeepSequences: true})
	if got := scorer.Decide([]byte("ACGTACGTTTT")).Scores[0]; got != 0.75+0.75+3 {
		t.Errorf("%v, want 4.5", got)
	}
}

func TestWeightsRefuse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"ACG\t1\nACGT\t1\n", "w:2: a k-mer of 4 letters, want 3"},
		{"ACG\t1\nANG\t1\n", `w:2: "ANG", want a k-mer`},
		{"ACG\tnan\nACC\t1\n", `w:1: weight "nan"`},
		{"ACG\t1\nACC\tnan\n", `w:2: weight "nan"`},
		{"ACG\t1\nACC\tx\n", `w:2: weight "x"`},
		{"ACG\t1\nACC\n", "w:2: 1 columns, want a k-mer"},
		{"ACG\t1\nACC\tACC\t1\n", `w:2: "ACC", want the reverse complement`},
		{"ACG\t1\n" + strings.Repeat("A", 33) + "\t1\n", "want a k-mer: up to 32 letters"},
		{gzipped("ACG\t1\nACC\t2\n")[:25], "w: the gzip stream"},
	} {
		_, err := lsgkm.Open(strings.NewReader(c.text), "w")
		var located *seqio.Error
		if !errors.As(err, &located) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := lsgkm.Open(nil, "testdata/none"); err == nil {
		t.Error("a missing file: no error")
	}
}

const (
	classicSequences = ">a first\nACGTAAC\n>b\nCCgtNAA\n"
	classicAlphas    = "a\t5.0e-01\nb\t-1\n"
)

func readClassic(sequences, alphas, kernel string) (*lsgkm.File, error) {
	spec, err := catalog.Parse(kernel)
	if err != nil {
		return nil, err
	}
	return lsgkm.ReadClassic(strings.NewReader(sequences), strings.NewReader(alphas), "s", "a", spec)
}

// TestClassic: the model is one of LS-GKM without a constant, whose support vectors lack other letters.
func TestClassic(t *testing.T) {
	f := must.Get(readClassic(classicSequences, classicAlphas, "gapped:l=4,k=3,d=1,filter=gapped,rc"))(t)
	scorer, _ := classifierOf(t, f, model.Options{})
	if f.Dropped != 1 || string(f.Support.Seq(1)) != "CCGTAA" {
		t.Errorf("%d letters dropped, %q", f.Dropped, f.Support.Seq(1))
	}
	for _, x := range []string{"ACGTTGCA", "CCGTA", "A"} {
		want := 0.5*cosine("ACGTAAC", x, true) - cosine("CCGTAA", x, true)
		if got := scorer.Decide([]byte(x)).Scores[0]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", x, got, want)
		}
	}
}

func TestClassicRefuses(t *testing.T) {
	const kernel = "gapped:l=4,k=3,d=1,rc"
	for _, c := range []struct{ sequences, alphas, kernel, want string }{
		{classicSequences, classicAlphas, "spectrum:k=3", "LS-GKM has no kernel spectrum:k=3"},
		{classicSequences, classicAlphas, kernel + ",rbf=1", "want one without rbf and center"},
		{classicSequences, classicAlphas, "gapped:l=4,k=5,d=1,rc", "k = 5, want 1…4"},
		{classicAlphas, classicSequences, kernel, "s:1: expected '>'"},
		{classicSequences, "a\t1\n", kernel, `a:1: "", want the coefficient of record "b", number 2 of s`},
		{classicSequences, "b\t1\na\t2\n", kernel, `a:1: "b\t1", want the coefficient of record "a"`},
		{classicSequences, "a\tinf\nb\t2\n", kernel, `a:1: coefficient "inf"`},
		{classicSequences, classicAlphas + "c\t1\n", kernel, `a:3: "c\t1" after the coefficients of the 2 records`},
		{">a\nACNG\n", "a\t1\n", kernel, "a support sequence of 3 letters A, C, G and T, want at least l = 4"},
	} {
		if _, err := readClassic(c.sequences, c.alphas, c.kernel); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

// train trains a model on eight records, of which the last two have no 4-mer.
func train(t *testing.T, kernel string, labels []string, o model.Options) *model.Model {
	t.Helper()
	spec := must.Get(catalog.Parse(kernel))(t)
	seqs := [][]byte{[]byte("ACGTTGCAAT"), []byte("TTGCAACGTA"), []byte("GGACGTTGCC"), []byte("CCCTAGATCT"),
		[]byte("TAGATCTGGA"), []byte("AATAGATCTC"), []byte("ACC"), []byte("ACG")}
	corpus := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	data, trainer := must.Get(dataset.New(corpus, labels, nil))(t), classify.Trainer{}
	if labels[0] == "0.5" {
		data = must.Get(dataset.NewTargets(corpus, labels, nil))(t)
	}
	trainer.Kernel = must.Get(spec.Compile(stringkernel.DNA))(t)
	trained := must.Get(trainer.Train(t.Context(), data))(t)
	return must.Get(model.New(t.Context(), trained, o))(t)
}

var (
	names   = strings.Fields("bound bound bound free free free free bound")
	signs   = strings.Fields("7 7 7 -3 -3 -3 7 -3")
	numbers = strings.Fields("0.5 1 2 -0.25 -1 -2 3 4")
	kept    = model.Options{KeepSequences: true}
)

// TestOf: the file written of a trained model has its scores.
func TestOf(t *testing.T) {
	for _, kernel := range []string{"gapped:l=4,k=3,d=1,filter=gapped,rc", "gapped:l=4,k=3,d=1,filter=full",
		"gapped:l=4,k=2,d=2,rc", "gapped:l=4,k=2,d=1,center=20:3.5,rc", "gapped:l=4,k=3,d=1,rbf=0.7",
		"gapped:l=4,k=2,d=2,center=20:3,rbf=2,rc", "gapped:l=4,k=3,d=0,filter=gapped,rbf=1,rc"} {
		for _, labels := range [][]string{names, signs, numbers} {
			m := train(t, kernel, labels, kept)
			f := must.Get(lsgkm.Of(m))(t)
			var b, again bytes.Buffer
			must.Succeed(t, f.Write(&b))
			back := must.Get(lsgkm.Read(bytes.NewReader(b.Bytes()), ""))(t)
			if must.Succeed(t, back.Write(&again)); again.String() != b.String() {
				t.Errorf("%s, %s: written and read\n%swant\n%s", kernel, labels[0], &again, &b)
			}
			want := [2]string{"1", "-1"}
			if labels[0] == "7" {
				want = [2]string{"7", "-3"}
			}
			if !f.Regression && f.Labels != want {
				t.Errorf("%s, %s: labels %q", kernel, labels[0], f.Labels)
			}
			before, after := must.Get(m.Classifier(t.Context()))(t), classifierFor(t, back)
			for _, x := range []string{"ACGTTGCAAT", "TAGACGTT", "GGGNACGT", "A"} {
				p, q := before.Decide([]byte(x)).Scores[0], after.Decide([]byte(x)).Scores[0]
				if math.Abs(p-q) > 1e-12 {
					t.Errorf("%s, %s: %s has %v, as a file %v", kernel, labels[0], x, p, q)
				}
			}
		}
	}
}

func classifierFor(t *testing.T, f lsgkm.Foreign) *decide.Classifier {
	t.Helper()
	c, _ := classifierOf(t, f, model.Options{})
	return c
}

func TestOfRefuses(t *testing.T) {
	three := strings.Fields("a a a b b b c c")
	with := func(x string) *model.Model {
		m := train(t, "gapped:l=4,k=3,d=1,rc", names, kept)
		m.Support = must.Get(stringkernel.NewCorpus([][]byte{[]byte("ACGT"), []byte(x)}, nil))(t)
		m.Coef = [][]float64{{1, -1}}
		return m
	}
	raw := train(t, "gapped:l=4,k=3,d=1", names, kept)
	raw.Kernel.Normalize = false
	for _, c := range []struct {
		m    *model.Model
		want string
	}{
		{train(t, "spectrum:k=3,rc", names, kept), "LS-GKM has no kernel spectrum:k=3"},
		{train(t, "gapped:l=4,k=3,d=1,filter=full,rbf=1", names, kept), "LS-GKM has no kernel gapped:l=4"},
		{train(t, "gapped:l=4,k=3,d=1,filter=wildcard,lambda=0.5", names, kept), "LS-GKM has no kernel"},
		{train(t, "gapped:l=4,k=3,d=1,count=log", names, kept), "LS-GKM has no kernel"},
		{train(t, "gapped:l=4,k=3,d=1,clip", names, kept), "LS-GKM has no kernel"},
		{train(t, "gapped:l=4,k=3,d=1 + spectrum:k=3", names, kept), "LS-GKM has no kernel"},
		{raw, "LS-GKM has no kernel"},
		{train(t, "gapped:l=4,k=3,d=4", names, kept), "l = 4 and d = 4: LS-GKM has l = 2…12 and d = 0…l − k"},
		{train(t, "gapped:l=4,k=3,d=1", three, kept), "the model's scheme is one-vs-rest"},
		{train(t, "gapped:l=4,k=3,d=1", names, model.Options{}), "make it with --keep-sequences"},
		{with("ACGTN"), "support vector 2 has letters other than A, C, G and T"},
		{with(strings.Repeat("A", 2048)), "support vector 2 has 2048 letters: LS-GKM has room for 2047"},
	} {
		if _, err := lsgkm.Of(c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

// FuzzOpen reads any bytes as a table or, in two parts, as a model of gkm-SVM: an error of one line, or a model that
// scores.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("kmer\tweight\nACG\t1\nTTA\tTAA\t-2\n"))
	f.Add([]byte(classicSequences + "\n" + classicAlphas))
	spec := must.Get(catalog.Parse("gapped:l=4,k=3,d=1,rc"))(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var found []lsgkm.Foreign
		file, err := lsgkm.Open(bytes.NewReader(data), "w")
		if w, isWeights := file.(*lsgkm.Weights); checkOneLine(t, err) && isWeights && w.Length <= 8 {
			found = append(found, w)
		}
		sequences, alphas, _ := bytes.Cut(data, []byte("\n\n"))
		classic, err := lsgkm.ReadClassic(bytes.NewReader(sequences), bytes.NewReader(alphas), "s", "a", spec)
		if checkOneLine(t, err) {
			found = append(found, classic)
		}
		for _, f := range found {
			m, err := f.Model(t.Context(), model.Options{KeepSequences: len(data)%2 == 0})
			if err != nil {
				continue // scores too great for a table
			}
			c := must.Get(m.Classifier(t.Context()))(t)
			if score := c.Decide([]byte("ACGTNACGTTA")).Scores[0]; math.IsNaN(score) {
				t.Fatalf("the score is NaN")
			}
		}
	})
}

// checkOneLine reports whether there is no error; one that there is has one line.
func checkOneLine(t *testing.T, err error) bool {
	t.Helper()
	var located *seqio.Error
	if err != nil && (!errors.As(err, &located) || strings.ContainsAny(err.Error(), "\n\r\x00")) {
		t.Fatalf("error %T %q", err, err)
	}
	return err == nil
}
