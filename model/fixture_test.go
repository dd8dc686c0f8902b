package model

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// flavour is a kind of model: every kind of content, of decision and of kernel occurs among flavours, except those of
// trees.
type flavour struct {
	name       string
	kernels    []string
	raw        bool // not normalised
	keep       bool // keep sequences
	classes    int
	multiclass string
	window     int // letters of each sequence, 0 for any
	calibrated bool
	compiled   bool // what is expected
	reference  bool // what is expected
}

var flavours = []flavour{
	{name: "spectrum", kernels: []string{"spectrum:k=4,alphabet=dna"}, classes: 2, compiled: true},
	{name: "spectrum, not normalised", kernels: []string{"spectrum:k=2,alphabet=dna"}, raw: true, classes: 2,
		compiled: true},
	{name: "spectrum, kept", kernels: []string{"spectrum:k=4,alphabet=dna"}, keep: true, classes: 2},
	{name: "spectrum, long words", kernels: []string{"spectrum:k=20,alphabet=dna"}, classes: 2, compiled: true},
	{name: "spectrum, bounded", kernels: []string{"spectrum:k=11,bounded,alphabet=dna"}, classes: 2, compiled: true},
	{name: "spectrum, both strands", kernels: []string{"spectrum:k=5,rc,alphabet=dna"}, classes: 2, compiled: true},
	{name: "spectrum, both strands kept", kernels: []string{"spectrum:k=5,rc,alphabet=dna"}, keep: true, classes: 2},
	{name: "spectrum, bytes", kernels: []string{"spectrum:k=3"}, classes: 2, compiled: true},
	{name: "spectrum, calibrated", kernels: []string{"spectrum:k=4,alphabet=dna"}, classes: 2, calibrated: true,
		compiled: true},
	{name: "spectrum, one-vs-rest", kernels: []string{"spectrum:k=4,alphabet=dna"}, classes: 3,
		multiclass: decide.OneVsRest, compiled: true},
	{name: "spectrum, one-vs-one calibrated", kernels: []string{"spectrum:k=4,alphabet=dna"}, classes: 4,
		multiclass: decide.OneVsOne, calibrated: true, compiled: true},
	{name: "some records, linear term exact", kernels: []string{"spectrum:k=6,rbf=0.5,rank=9,alphabet=dna"}, classes: 3,
		calibrated: true, compiled: true},
	{name: "some records", kernels: []string{"spectrum:k=1,rc,rbf=0.5,rank=9,alphabet=dna"}, classes: 2, compiled: true},
	{name: "gapped", kernels: []string{"gapped:l=6,k=4,d=2,alphabet=dna"}, classes: 2, compiled: true},
	{name: "gapped, both strands kept", kernels: []string{"gapped:l=5,k=3,d=2,rc,alphabet=dna"}, keep: true,
		classes: 3, multiclass: decide.OneVsOne},
	{name: "mismatch", kernels: []string{"mismatch:k=4,m=1,alphabet=dna"}, raw: true, classes: 2, compiled: true},
	{name: "oligo", kernels: []string{"oligo:k=2,sigma=1.5,alphabet=dna"}, classes: 3, multiclass: decide.OneVsRest,
		compiled: true},
	{name: "weighted degree, tables", kernels: []string{"wd:d=3,alphabet=dna"}, classes: 3,
		multiclass: decide.OneVsRest, window: 24, compiled: true},
	{name: "weighted degree, a ramp and both strands",
		kernels: []string{"wd:d=4,shift=3,ramp=0.5,anchor=10,rc,alphabet=dna"}, classes: 2, window: 24, compiled: true},
	{name: "weighted degree, tries", kernels: []string{"wd:d=20,shift=2,alphabet=dna"}, raw: true, classes: 2,
		window: 24},
	{name: "weighted degree, protein", kernels: []string{"wd:d=12,alphabet=protein"}, classes: 3,
		multiclass: decide.OneVsOne, window: 33},
	{name: "weighted degree, bytes", kernels: []string{"wd:d=2"}, classes: 2, window: 24, calibrated: true},
	{name: "polynomial", kernels: []string{"poly:d=3,c=1,alphabet=dna"}, classes: 2, window: 24},
	{name: "locality", kernels: []string{"locality:window=3,alphabet=dna"}, classes: 2, window: 24},
	{name: "substring, bounded", kernels: []string{"substring:weight=bounded,k=6,alphabet=dna"}, compiled: true, classes: 2},
	{name: "substring, constant", kernels: []string{"substring:alphabet=dna"}, raw: true, classes: 2,
		compiled: true},
	{name: "substring, bytes kept", kernels: []string{"substring:weight=decay,lambda=0.8"}, keep: true, classes: 2},
	{name: "substring, decay of both strands", kernels: []string{"substring:weight=decay,lambda=0.5,rc,alphabet=dna"},
		classes: 2, calibrated: true, compiled: true},
	{name: "substring, a list", kernels: []string{"substring:weight=length,weights=0:0.5:0.25:1e-3,alphabet=dna"},
		classes: 2, compiled: true},
	{name: "substring, one-vs-rest calibrated", kernels: []string{"substring:weight=fixed,k=3"}, classes: 3,
		multiclass: decide.OneVsRest, calibrated: true, compiled: true},
	{name: "substring, one-vs-one", kernels: []string{"substring:weight=bounded,k=8,alphabet=dna"}, compiled: true, classes: 3,
		multiclass: decide.OneVsOne},
	{name: "Markov chain, both strands", kernels: []string{"markov:order=2,pseudo=0.5,rc,alphabet=dna"}, classes: 2,
		compiled: true},
	{name: "Markov chains of classes", kernels: []string{"markov:order=1,positional,top,odds=2,pseudo=1,alphabet=dna"},
		classes: 3, window: 24, calibrated: true, compiled: true},
	{name: "Markov chains of classes, a part",
		kernels: []string{"markov:order=1,top,pseudo=1,from=3,to=20,rc,alphabet=dna"}, classes: 2, compiled: true},
	{name: "Markov chains of classes, kept", kernels: []string{"markov:order=1,top,pseudo=1,rc,alphabet=dna"}, keep: true,
		classes: 3, reference: true},
	{name: "sum with Markov chains of classes", kernels: []string{"markov:order=0,positional,top,pseudo=1,alphabet=dna",
		"locality:window=3,alphabet=dna"}, classes: 2, window: 24, calibrated: true, reference: true},
	{name: "tfidf", kernels: []string{"substring:weight=tfidf,alphabet=dna"}, classes: 2, reference: true, compiled: true},
	{name: "tfidf, both strands", kernels: []string{"substring:weight=tfidf,lambda=0.7,rc,alphabet=dna"}, classes: 3,
		reference: true, compiled: true},
	{name: "k-mers by document frequency", kernels: []string{"spectrum:k=3,tfidf,count=sqrt,rc,alphabet=dna"}, classes: 3,
		calibrated: true, compiled: true},
	{name: "k-mers by document frequency, kept", kernels: []string{"spectrum:k=4,bounded,tfidf,alphabet=dna"}, keep: true,
		classes: 2, reference: true},
	{name: "sum with k-mers by document frequency", kernels: []string{"spectrum:k=3,tfidf,alphabet=dna",
		"gapped:l=5,k=3,count=sqrt,alphabet=dna"}, classes: 2, compiled: true},
	{name: "gapped, roots of counts", kernels: []string{"gapped:l=6,k=4,count=sqrt,rc,alphabet=dna"}, classes: 3,
		compiled: true},
	{name: "sum that folds", kernels: []string{"spectrum:k=3,alphabet=dna", "spectrum:k=5,rc,alphabet=dna"},
		classes: 2, compiled: true},
	{name: "sum of twelve that folds", kernels: repeated("spectrum:k=%d,alphabet=dna", 12), classes: 3, compiled: true},
	{name: "sum with long substrings", kernels: []string{"spectrum:k=3,alphabet=dna",
		"substring:weight=bounded,k=12,alphabet=dna"}, classes: 2, calibrated: true, compiled: true},
	{name: "sum that does not fold", kernels: []string{"spectrum:k=3,alphabet=dna", "locality:window=3,alphabet=dna"},
		classes: 2, window: 24, calibrated: true},
	{name: "sum with tfidf", kernels: []string{"spectrum:k=3,alphabet=dna", "substring:weight=tfidf,k=9,alphabet=dna",
		"substring:weight=tfidf,rc,alphabet=dna"}, classes: 3, multiclass: decide.OneVsOne, reference: true, compiled: true},
	{name: "words", kernels: []string{"words:ngram=1-2,tfidf"}, classes: 3, calibrated: true, compiled: true},
	{name: "words, all classes in one problem", kernels: []string{"words"}, classes: 4,
		multiclass: decide.CrammerSinger, compiled: true},
	{name: "several labels per record", kernels: []string{"spectrum:k=3,alphabet=dna"}, classes: 3,
		multiclass: decide.MultiLabel, compiled: true},
	{name: "a hierarchy of labels, kept", kernels: []string{"spectrum:k=3,alphabet=dna"}, keep: true, classes: 4,
		multiclass: decide.Hierarchy},
	{name: "words, kept", kernels: []string{"words:tfidf"}, keep: true, classes: 2, reference: true},
	{name: "words, a dictionary", kernels: []string{"words:dict=A*:C*:G*:T*,logentropy"}, raw: true, classes: 2,
		compiled: true},
	{name: "sum with words that folds", kernels: []string{"words:stop=n", "spectrum:k=3,alphabet=dna",
		"words:ngram=2,skip=1"}, classes: 2, compiled: true},
	{name: "word sequences", kernels: []string{"substring:unit=word,weight=decay,lambda=0.8,ends"}, classes: 3},
	{name: "word sequences, tfidf", kernels: []string{"substring:unit=word,weight=tfidf,stop=n,nfkc"}, classes: 2,
		calibrated: true, reference: true},
	{name: "substring, code points", kernels: []string{"substring:unit=rune,ends,weight=bounded,k=4"}, classes: 2},
	{name: "substring, ends of both strands", kernels: []string{"substring:ends,weight=fixed,k=3,rc,alphabet=dna"},
		classes: 2, compiled: true},
	{name: "sum with words that does not fold", kernels: []string{"words", "substring:weight=tfidf,alphabet=dna"},
		classes: 2, reference: true, compiled: true},
}

// repeated formats the numbers 1 … n.
func repeated(format string, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(format, i+1)
	}
	return texts
}

// everyFlavour runs a subtest for each.
func everyFlavour(t *testing.T, test func(t *testing.T, f flavour)) {
	for _, f := range flavours {
		t.Run(f.name, func(t *testing.T) { test(t, f) })
	}
}

// labelled draws n sequences around length letters, of which class c prefers one letter; some hold an N, two
// are empty or short.
func labelled(t testing.TB, seed uint64, n, length, classes int) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	var b stringkernel.CorpusBuilder
	labels := make([]string, n)
	for i := range n {
		c := i % classes
		labels[i] = "class " + string(rune('a'+c))
		seq := make([]byte, length/2+rng.IntN(length+1))
		for j := range seq {
			seq[j] = "ACGT"[rng.IntN(4)]
			if rng.IntN(5) == 0 {
				seq[j] = "ACGT"[c%4]
			}
			if rng.IntN(60) == 0 {
				seq[j] = 'N'
			}
		}
		switch i {
		case 5:
			seq = nil
		case 6:
			seq = seq[:1]
		}
		b.Add(fmt.Sprintf("record %d", i), seq)
	}
	return must.Get(dataset.New(b.Corpus(), labels, nil))(t)
}

// data draws n sequences around length letters, or windows, for a model of the flavour.
func (f flavour) data(t testing.TB, seed uint64, n, length int) *dataset.Dataset {
	t.Helper()
	d := labelled(t, seed, n, length, f.classes)
	if f.window == 0 {
		return d
	}
	var b stringkernel.CorpusBuilder
	labels := make([]string, n)
	for i := range n {
		x := append(bytes.Clone(d.Corpus.Seq(i)), bytes.Repeat([]byte("N"), f.window)...)
		b.Add(d.Corpus.Name(i), x[:f.window])
		labels[i] = d.Classes[d.Y[i]]
	}
	d = must.Get(dataset.New(b.Corpus(), labels, nil))(t)
	return d
}

// relabelled gives every third record a second label, or makes a hierarchy of the classes: the first two are below one
// node.
func relabelled(t testing.TB, d *dataset.Dataset, scheme string) *dataset.Dataset {
	t.Helper()
	labels, sets := make([]string, d.Len()), make([][]string, d.Len())
	for i, c := range d.Y {
		labels[i], sets[i] = "other/"+d.Classes[c], []string{d.Classes[c]}
		if c < 2 {
			labels[i] = "first/" + d.Classes[c]
		}
		if i%3 == 0 {
			sets[i] = append(sets[i], "third")
		}
	}
	var err error
	if scheme == decide.MultiLabel {
		d, err = dataset.NewMultilabel(d.Corpus, sets, nil)
	} else if d, err = dataset.New(d.Corpus, labels, nil); err == nil {
		err = d.SetHierarchy("/")
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// train trains a model of the flavour.
func (f flavour) train(t testing.TB, d *dataset.Dataset) (*decide.Model, *Model) {
	t.Helper()
	spec := must.Get(catalog.Parse(f.kernels...))(t)
	spec.Normalize = !f.raw
	kernel := must.Get(spec.Compile(""))(t)
	scheme := f.multiclass
	if scheme == decide.MultiLabel || scheme == decide.Hierarchy {
		d, scheme = relabelled(t, d, scheme), ""
	}
	trained := must.Get(classify.Trainer{Kernel: kernel, Multiclass: scheme, Probability: f.calibrated,
		Seed: 3}.Train(context.Background(), d))(t)
	m := must.Get(New(t.Context(), trained, Options{KeepSequences: f.keep}))(t)
	m.Input = Input{Reading: reading.Spec{SoftMask: reading.MaskBreak}}
	m.Training = Training{Sequences: d.Len(), Letters: d.Corpus.Letters(), Checksum: "0123abcd"}
	m.Generator = Generator{Version: "0.1.0", Options: "--C 1 <&> é \xff"} // what JSON escapes, and what is no UTF-8
	return trained, m
}

// write returns the file of a model.
func write(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, m.Write(&b))
	return b.Bytes()
}

// read reads a valid file.
func read(t testing.TB, data []byte) *Model {
	t.Helper()
	return must.Get(Read(data))(t)
}

// writeUnchecked writes a file with correct checksums whatever the model holds, as only a hostile writer would.
func writeUnchecked(t testing.TB, m *Model, arrays []stringkernel.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, m.writeWith(&b, arrays))
	return b.Bytes()
}

// tinySpectrum returns a compiled model small enough to damage in every way: one support vector GATTACA, 2-mers.
func tinySpectrum(t testing.TB) *Model { return tiny(t, false, "spectrum:k=2,alphabet=dna") }

// tinySubstring returns a model of support vectors and a reference.
func tinySubstring(t testing.TB) *Model {
	return tiny(t, true, "substring:unit=rune,weight=tfidf,k=3")
}

// tinyClasses returns such a model with a kernel that is fitted to classes.
func tinyClasses(t testing.TB) *Model {
	return tiny(t, true, "substring:unit=rune,weight=tfidf,k=3", "markov:top,alphabet=dna")
}

// tiny makes a model without training: the machine, its coefficients and the certificate are made up.
func tiny(t testing.TB, reference bool, kernels ...string) *Model {
	t.Helper()
	spec := must.Get(catalog.Parse(kernels...))(t)
	spec.Normalize = false
	kernel := must.Get(spec.Compile(""))(t)
	sv := must.Get(stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("CAT")}, nil))(t)
	if reference {
		kernel = must.Get(stringkernel.Fit(t.Context(), kernel, sv.WithClasses([]int{1, 0})))(t)
	}
	trained := &decide.Model{
		Rule: decide.Rule{
			Classes: []string{"no", "yes"}, Scheme: decide.TwoClass, Positive: 1,
			Machines: []decide.Binary{{Positive: 1, Rho: 0.25, SupportVectors: 2, Solver: "smo", Primal: 2, Dual: 2,
				Iterations: 1}},
		},
		Kernel: kernel, Support: sv, Index: []int{0, 1}, Coef: stringkernel.NewCoefficients(2, [][]float64{{1, -1}}),
	}
	m := must.Get(New(t.Context(), trained, Options{}))(t)
	m.Training = Training{Sequences: 2, Letters: 10, Checksum: Checksum(sv, []string{"yes", "no"})}
	m.Generator = Generator{Version: "0.1.0"}
	return m
}

// sameBits compares two vectors bit by bit.
func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}
