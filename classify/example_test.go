package classify_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Solve a two-class problem given nothing but a Gram matrix, here of four points on a line: −2, −1, 1 and 3.
func Example_gram() {
	x := []float64{-2, -1, 1, 3}
	y := []float64{-1, -1, 1, 1}
	rows := make([][]float64, len(x))
	for i := range x {
		for j := range x {
			rows[i] = append(rows[i], x[i]*x[j])
		}
	}
	k, err := svm.NewPrecomputed(rows)
	if err != nil {
		log.Fatal(err)
	}
	p, err := svm.Classify(y, svm.Costs{Positive: 10, Negative: 10})
	if err != nil {
		log.Fatal(err)
	}
	p.Tol = 1e-9
	s, err := smo.Solver{}.Solve(context.Background(), k, p)
	if err != nil {
		log.Fatal(err)
	}
	// The two inner points support the widest margin: f(x) = x.
	fmt.Printf("α = %.3f\n", s.Coef)
	fmt.Printf("‖w‖²/2 = %.3f, certified to %.0e\n", s.Primal, max(s.Gap, 1e-9))
	// Output:
	// α = [0.000 -0.500 0.500 0.000]
	// ‖w‖²/2 = 0.500, certified to 1e-09
}

// Train with a kernel, then classify from several goroutines at once.
func ExampleTrainer() {
	corpus, err := stringkernel.NewCorpus([][]byte{
		[]byte("GCGCGGCA"), []byte("GGCCGCTG"), []byte("CGCGATGC"), []byte("ATTATAAC"), []byte("TTAATGAT"),
		[]byte("AATCATTA"),
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	data, err := dataset.New(corpus, []string{"rich", "rich", "rich", "poor", "poor", "poor"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	trainer := classify.Trainer{Kernel: spectrum.Kernel{K: 1, Alphabet: stringkernel.DNA}, C: 10}
	model, err := trainer.Train(context.Background(), data)
	if err != nil {
		log.Fatal(err)
	}
	classifier, err := model.Classifier(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	queries := []string{"GGGCC", "ATATAT", "GCGCA"}
	answers := make([]string, len(queries))
	var wait sync.WaitGroup
	for i, q := range queries {
		wait.Add(1)
		go func() {
			defer wait.Done()
			answers[i] = classifier.Classes[classifier.Decide([]byte(q)).Class]
		}()
	}
	wait.Wait()
	fmt.Println(answers)
	// Output:
	// [rich poor rich]
}

// Cross-validate in three folds that each hold one record of either class.
func ExampleCrossValidate() {
	corpus, err := stringkernel.NewCorpus([][]byte{
		[]byte("GCGCGGCA"), []byte("GGCCGCTG"), []byte("CGCGATGC"), []byte("ATTATAAC"), []byte("TTAATGAT"),
		[]byte("AATCATTA"),
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	data, err := dataset.New(corpus, []string{"rich", "rich", "rich", "poor", "poor", "poor"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	folds, err := data.StratifiedFolds(3, 1)
	if err != nil {
		log.Fatal(err)
	}
	trainer := classify.Trainer{Kernel: spectrum.Kernel{K: 1, Alphabet: stringkernel.DNA}}
	outcome, err := classify.CrossValidate(context.Background(), trainer, data, folds)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, p := range outcome.Predictions {
		if p.Class == data.Y[i] {
			right++
		}
	}
	fmt.Printf("%d of %d right in %d folds\n", right, data.Len(), outcome.Folds)
	// Output:
	// 6 of 6 right in 3 folds
}
