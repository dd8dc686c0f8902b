package model_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// promoters is a labelled corpus in miniature: two sequences with a TATA box, two without.
func promoters() (*dataset.Dataset, error) {
	corpus, err := stringkernel.NewCorpus([][]byte{
		[]byte("GCTATAAAGGC"), []byte("CCTATAAATCC"), []byte("GCGGCCAGGCC"), []byte("CCAGGCGTCGC"),
	}, []string{"p1", "p2", "n1", "n2"})
	if err != nil {
		return nil, err
	}
	return dataset.New(corpus, []string{"promoter", "promoter", "other", "other"}, nil)
}

// Train on a small corpus, save the model, here to a buffer, load it, and score from several goroutines, which share
// the classifier.
func Example() {
	data, err := promoters()
	if err != nil {
		panic(err)
	}
	spec, err := catalog.Parse("spectrum:k=3")
	if err != nil {
		panic(err)
	}
	kernel, err := spec.Compile(stringkernel.DNA)
	if err != nil {
		panic(err)
	}
	trained, err := classify.Trainer{Kernel: kernel, C: 1}.Train(context.Background(), data)
	if err != nil {
		panic(err)
	}
	m, err := model.New(context.Background(), trained, model.Options{})
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		panic(err)
	}
	fmt.Println(m.Kernel, "of classes", m.Decision.Classes)
	fmt.Println("support vectors:", trained.Support.Len(), "in the file:", !m.Compiled())

	loaded, err := model.Read(file.Bytes())
	if err != nil {
		panic(err)
	}
	classifier, err := loaded.Classifier(context.Background())
	if err != nil {
		panic(err)
	}
	queries := []string{"AATATAAAGTC", "GGCCAGGCCGC", "TTTATAAACCC"}
	answers := make([]string, len(queries))
	var wait sync.WaitGroup
	for i, q := range queries {
		wait.Go(func() { answers[i] = classifier.Classes[classifier.Decide([]byte(q)).Class] })
	}
	wait.Wait()
	fmt.Println(answers)
	// Output:
	// spectrum:k=3,alphabet=dna of classes [other promoter]
	// support vectors: 4 in the file: false
	// [promoter other promoter]
}
