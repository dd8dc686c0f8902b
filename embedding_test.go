package seqsvm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// How good is a kernel on these records? The figures are those of “seqsvm cv”.
func ExampleCrossValidate() {
	promoters := seqsvm.Files("testdata/fasta/promoters.fa")
	cv, err := seqsvm.CrossValidate(context.Background(), "spectrum:k=4", promoters, 10, seqsvm.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("AUROC %.2f\n", cv.Mean.Value("auroc"))
	// Output:
	// AUROC 0.98
}

// fit learns promoters, for the examples.
func fit(kernel string, o seqsvm.Options) *seqsvm.Model {
	m, err := seqsvm.Fit(context.Background(), kernel, seqsvm.Files("testdata/fasta/promoters.fa"), o)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// A handler of one's own: a model is safe for concurrent use. Package model/serve is a whole service.
func ExampleModel_Decide() {
	m := fit("spectrum:k=6", seqsvm.Options{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := m.Decide([]byte(r.FormValue("sequence")))
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"label": p.Label, "score": p.Scores[0]})
	})
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/?sequence=GCGTTATTGACATTCGCGGAATAGCTGTATAATGCGCACCA", nil))
	fmt.Println(w.Body.String()[:26])
	// Output:
	// {"label":"+1","score":0.71
}

// A stream of any length: batches of records in the memory of one.
func ExampleModel_Predict() {
	ctx := context.Background()
	m := fit("spectrum:k=6", seqsvm.Options{})
	stream := strings.NewReader(strings.Repeat(">a\nGCGTTATTGACATTCGCGGAATAGCTGTATAATGCGCACCA\n", 1000))
	options := m.File.ReadOptions()
	options.RepeatedIDs = true
	positive := 0
	err := seqio.AllBatches(ctx, []seqio.Input{{Path: "stream", Reader: stream}}, options, 1<<12,
		func(batch *seqio.Collection) error {
			predictions, err := m.Classifier.Predict(ctx, batch.Corpus)
			for _, p := range predictions {
				if m.Classifier.Classes[p.Class] == "+1" {
					positive++
				}
			}
			return err
		})
	fmt.Println(positive, err)
	// Output:
	// 1000 <nil>
}

// composition is a kernel of one's own: the inner product of the counts of letters. All it has is Eval; DirectGram and
// DirectScorer do the rest, at the cost of a value for each pair.
type composition struct {
	Alphabet stringkernel.Alphabet `json:"alphabet" doc:"letters that count"`
}

func (k composition) Check() error { return k.Alphabet.Check() }

func (k composition) SelfEval(x []byte) float64 { return k.Eval(x, x) }

func (k composition) Eval(x, y []byte) float64 {
	var counts [256][2]float64
	for side, z := range [][]byte{x, y} {
		for _, letter := range z {
			counts[letter][side]++
		}
	}
	sum := 0.0
	codes := k.Alphabet.Codes()
	for letter, c := range counts {
		if codes[letter] != stringkernel.Outside {
			sum += c[0] * c[1]
		}
	}
	return sum
}

func (k composition) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return stringkernel.DirectGram{Kernel: k, Corpus: c}, nil
}

func (k composition) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: c}, c.Check(sv)
}

// A kernel from outside is trained, saved and loaded like those of this module: the file is one of “seqsvm”, which
// says what it lacks.
func Example_kernelFromOutside() {
	kernels := append(catalog.Default(), catalog.Entry{
		Name: "composition", Summary: "counts of letters", Example: "composition", Defaults: composition{},
	})
	m := fit("composition", seqsvm.Options{Catalogue: kernels})
	var file bytes.Buffer
	if err := m.File.Write(&file); err != nil {
		log.Fatal(err)
	}
	read, err := model.Reader{Catalogue: kernels}.Bytes(file.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	loaded, err := seqsvm.Load(context.Background(), read)
	if err != nil {
		log.Fatal(err)
	}
	x := []byte("ATATATTTGCA")
	fmt.Println(read.Kernel, loaded.Decide(x).Label, loaded.Decide(x).Scores[0] == m.Decide(x).Scores[0])
	_, err = model.Read(file.Bytes())
	fmt.Println(err != nil)
	// Output:
	// composition:alphabet=dna +1 true
	// true
}
