package catalog

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// A kernel whose scorers have few outputs is an error before training, whatever wraps it.
func TestOutputsToldBeforehand(t *testing.T) {
	for _, text := range []string{"gapped:l=6,k=4,d=2,alphabet=dna", "mismatch:k=4,m=1,alphabet=dna"} {
		spec := must.Get(parse(text))(t)
		kernel := must.Get(build([]Term{spec, spec}, true))(t)
		if err := checkOutputs(kernel, 256); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if err := checkOutputs(kernel, 257); err == nil || !strings.Contains(err.Error(),
			"257 outputs, want at most 256") {
			t.Errorf("%s: error %v for 257 outputs", text, err)
		}
	}
}

// Every kernel with tables of features times outputs returns an error if they exceed the memory limit, whatever wraps
// it.
func TestMergeRefusesTooManyOutputs(t *testing.T) {
	const n, outputs = 40, 200
	var seqs [][]byte
	for i := range n {
		word := strings.Repeat("ACGT"[i%4:i%4+1], 3) + strings.Repeat("ACGT"[i/4%4:i/4%4+1], 3) +
			strings.Repeat("ACGT"[i/16%4:i/16%4+1], 3)
		seqs = append(seqs, []byte(fmt.Sprintf("(S (A %s) (B b%d))", word, i)))
	}
	c := must.Get(stringkernel.NewCorpus(seqs, make([]string, n)))(t)
	coef := make([][]float64, outputs)
	for m := range coef {
		coef[m] = make([]float64, n)
		coef[m][m%n] = 1
	}
	for _, text := range []string{
		"words", "words:ngram=1", "spectrum:k=8,alphabet=bytes", "spectrum:k=4,bounded,alphabet=bytes",
		"substring:weight=constant,alphabet=bytes", "substring:weight=constant,unit=word", "subtree",
		"oligo:k=2,sigma=1,alphabet=dna",
	} {
		spec, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		kernel := must.Get(build([]Term{spec}, true))(t)
		kernel = must.Get(stringkernel.Fit(t.Context(), kernel, c))(t)
		if _, err := stringkernel.Merge(t.Context(), kernel, c, coef...); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		before := memory.SetLimit(1 << 12)
		_, err = stringkernel.Merge(t.Context(), kernel, c, coef...)
		early := checkOutputs(kernel, outputs)
		memory.SetLimit(before)
		var large *memory.Error
		if !errors.As(err, &large) {
			t.Errorf("%s: Merge for %d outputs says %v, want that it takes too much memory", text, outputs, err)
		}
		if strings.HasPrefix(text, "words:") && (early == nil || early.Error() != err.Error()) {
			t.Errorf("%s: told beforehand %v, afterwards %v", text, early, err)
		}
	}
}

// Every kernel refuses an index that exceeds the memory limit.
func TestGramRefusesLargeIndexes(t *testing.T) {
	letters := strings.Repeat("ACGTTGCA", 40)
	examples := map[string]string{trees.letters: "(S (A a) (B (C c) (D d)))", graphs.letters: "C C O; 1-2 2-3"}
	for _, entry := range Default() {
		record, alphabet := letters, stringkernel.DNA
		if entry.OfStructures() {
			record, alphabet = examples[structureOf(entry).letters], stringkernel.Bytes
		}
		c, err := stringkernel.NewCorpus([][]byte{[]byte(record), []byte(record)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		spec := must.Get(Parse(entry.Example))(t)
		kernel := must.Get(spec.Compile(alphabet))(t)
		gram := func() (err error) {
			fitted, err := stringkernel.Fit(t.Context(), kernel, c)
			if err == nil {
				_, err = fitted.Gram(t.Context(), c)
			}
			return err
		}
		if err := gram(); err != nil {
			t.Errorf("%s: %v", entry.Name, err)
		}
		before := memory.SetLimit(64)
		err = gram()
		memory.SetLimit(before)
		if index := new(stringkernel.IndexError); !errors.As(err, &index) {
			t.Errorf("%s: under a limit of 64 bytes Gram says %v, want an IndexError", entry.Name, err)
		}
	}
}

// checkOutputs returns a kernel's error about a number of outputs before training.
func checkOutputs(k stringkernel.Kernel, outputs int) error {
	if check := stringkernel.TraitsOf(k).CheckOutputs; check != nil {
		return check(outputs)
	}
	return nil
}
