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
	"github.com/seqsvm/seqsvm/internal/must"
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

func (k share) SelfEval(x []byte) float64 { return k.Eval(x, x) }

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
	data := must.Get(promoters())(t)
	for _, terms := range [][]string{{"share"}, {"share:power=2,rbf=0.5"}, {"share:letters=A", "spectrum:k=2,rc"}} {
		spec := must.Get(own.Parse(terms...))(t)
		spec.Normalize = len(terms) > 1
		kernel := must.Get(spec.Compile(stringkernel.DNA))(t)
		trained := must.Get(classify.Trainer{Kernel: kernel}.Train(t.Context(), data))(t)
		if _, err := model.New(t.Context(), trained, model.Options{}); err == nil ||
			!strings.Contains(err.Error(), "model_test.share is not in the catalogue") {
			t.Errorf("%s: saved without the catalogue: %v", terms, err)
		}
		m := must.Get(model.New(t.Context(), trained, model.Options{Catalogue: own}))(t)
		if got, want := m.Kernel, spec.WithAlphabet(stringkernel.DNA); !reflect.DeepEqual(got.String(),
			want.String()) || got.Normalize != want.Normalize {
			t.Errorf("the model is of %s, want %s", got, want)
		}
		var file bytes.Buffer
		must.Succeed(t, m.Write(&file))
		if _, err := model.Read(file.Bytes()); err == nil || !strings.Contains(err.Error(), `unknown kernel "share"`) {
			t.Errorf("%s: read without the catalogue: %v", terms, err)
		}
		back := must.Get(model.Reader{Catalogue: own}.Bytes(file.Bytes()))(t)
		before := must.Get(trained.Classifier(t.Context()))(t)
		after := must.Get(back.Classifier(t.Context()))(t)
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
