package model_test

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// share is a kernel of another module: the product of the shares of some letters, to a power.
type share struct {
	Letters string  `json:"letters" doc:"the letters that count"`
	Power   float64 `json:"power" doc:"an exponent above 0"`
}

func (k share) Check() error {
	if !(k.Power > 0) {
		return errPower
	}
	return nil
}

var errPower = stringError("share: power is not above 0")

type stringError string

func (e stringError) Error() string { return string(e) }

func (k share) Eval(x, y []byte) float64 {
	product := 1.0
	for _, z := range [][]byte{x, y} {
		n := 0
		for _, b := range z {
			n += strings.Count(k.Letters, string(b))
		}
		product *= math.Pow(float64(n)/float64(max(1, len(z))), k.Power)
	}
	return product
}

func (k share) Gram(_ context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return stringkernel.DirectGram{Kernel: k, Corpus: c}, k.Check()
}

func (k share) Merge(
	_ context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: c}, k.Check()
}

// TestKernelOfAnotherModule: a kernel that this module does not know is parsed, trained, saved and loaded with a
// catalogue of the caller's, alone and with others.
func TestKernelOfAnotherModule(t *testing.T) {
	own := append(catalog.Default(), catalog.Entry{
		Name: "share", Summary: "shares of letters", Example: "share:power=2",
		Defaults: share{Letters: "GC", Power: 1}, Grid: []string{"share:power=1..3"},
	})
	data, err := promoters()
	if err != nil {
		t.Fatal(err)
	}
	for _, terms := range [][]string{{"share"}, {"share:power=2,rbf=0.5"}, {"share:letters=A", "spectrum:k=2,rc"}} {
		spec, err := own.Parse(terms...)
		if err != nil {
			t.Fatal(err)
		}
		spec.Normalize = len(terms) > 1
		kernel, err := spec.Compile(stringkernel.DNA)
		if err != nil {
			t.Fatal(err)
		}
		trained, err := classify.Trainer{Kernel: kernel}.Train(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := model.New(t.Context(), trained, model.Options{}); err == nil ||
			!strings.Contains(err.Error(), "model_test.share is not in the catalogue") {
			t.Errorf("%s: saved without the catalogue: %v", terms, err)
		}
		m, err := model.New(t.Context(), trained, model.Options{Catalogue: own})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.Kernel, spec.WithAlphabet(stringkernel.DNA); !reflect.DeepEqual(got.String(),
			want.String()) || got.Normalize != want.Normalize {
			t.Errorf("the model is of %s, want %s", got, want)
		}
		var file bytes.Buffer
		if err := m.Write(&file); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Read(file.Bytes()); err == nil || !strings.Contains(err.Error(), `unknown kernel "share"`) {
			t.Errorf("%s: read without the catalogue: %v", terms, err)
		}
		back, err := model.Reader{Catalogue: own}.Bytes(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		before, err := trained.Classifier(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		after, err := back.Classifier(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range data.Len() {
			x := data.Corpus.Seq(i)
			if got, want := after.Decide(x), before.Decide(x); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, before saving %+v", terms, got, want)
			}
		}
	}
	if _, err := own.Parse("share:power=x"); err == nil {
		t.Error("a power that is no number is taken")
	}
	if spec, err := own.Parse("share:power=0"); err != nil || spec.Check("") != errPower {
		t.Errorf("power 0: %v, %v", err, spec.Check(""))
	}
	if grid, err := own.ParseGrid("share"); err != nil || len(grid) != 3 {
		t.Errorf("the grid is %q, %v", grid, err)
	}
}
