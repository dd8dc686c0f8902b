package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/benchmarks/articles"
)

// A corpus of the size of 20 newsgroups: 18,846 documents of 20 classes, of which Rennie's division by date trains on 11,314.
const (
	articlesAll   = 18_846
	articlesTrain = 11_314
	newsgroups    = 20
)

// writeDocuments writes NAME.train.tsv and NAME.test.tsv of the generated corpus and, if it is there, of Reuters R8, uncompressed.
func writeDocuments(dir string) error {
	set, err := articles.Generate(articlesAll, newsgroups, 1)
	if err != nil {
		return err
	}
	for part, bounds := range map[string][2]int{"train": {0, articlesTrain}, "test": {articlesTrain, articlesAll}} {
		if err := writeArticles(filepath.Join(dir, "articles."+part+".tsv"), set, bounds[0], bounds[1]); err != nil {
			return err
		}
		packed := filepath.Join(os.Getenv("SEQSVM_DATA"), "text-reuters-r8", part+".tsv.gz")
		if err := unpack(filepath.Join(dir, "r8."+part+".tsv"), packed); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// writeArticles writes documents from to to−1 as lines of label and text.
func writeArticles(path string, set *articles.Set, from, to int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for i := from; i < to; i++ {
		fmt.Fprintf(w, "%s\t%s\n", set.Labels[i], set.Texts[i])
	}
	return w.Flush()
}

// unpack writes the content of a gzip file.
func unpack(path, packed string) error {
	in, err := os.Open(packed)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s: %w", packed, err)
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, text); err != nil {
		return fmt.Errorf("%s: %w", packed, err)
	}
	return nil
}

// documentTasks lists what is compared on documents, by the clock: words and word pairs, tf-idf, one linear machine per class.
func documentTasks(dir, scripts string) []task {
	script := filepath.Join(scripts, "documents.py")
	var list []task
	for _, set := range []struct{ name, title string }{
		{"r8", "Reuters R8, 5,485 and 2,189 documents, words and pairs"},
		{"articles", "generated, 11,314 and 7,532 documents, words and pairs"},
	} {
		train, test := filepath.Join(dir, set.name+".train.tsv"), filepath.Join(dir, set.name+".test.tsv")
		if _, err := os.Stat(train); err != nil {
			fmt.Printf("%s: skipped, $SEQSVM_DATA has no such set\n", set.title)
			continue
		}
		predicted, model := filepath.Join(dir, "predicted"), filepath.Join(dir, "m")
		list = append(list, task{title: set.title, wall: true, programs: []program{
			{name: "seqsvm train and predict, words:ngram=1-2,tfidf", steps: []step{
				{timed: true, args: []string{filepath.Join(dir, "seqsvm"), "train", "--quiet", "--kernel", "words:ngram=1-2,tfidf", "-o", model, train}, stdout: filepath.Join(dir, "summary")},
				{timed: true, args: []string{filepath.Join(dir, "seqsvm"), "predict", "-m", model, "-o", predicted, test}},
			}, accuracy: func() (float64, error) { return accuracyOfDocuments(predicted, test, 1, true) }},
			{name: "scikit-learn TfidfVectorizer, LinearSVC", steps: []step{
				{timed: true, args: []string{python, script, train, test}, stdout: predicted},
			}, accuracy: func() (float64, error) { return accuracyOfDocuments(predicted, test, 0, false) }},
			{name: "of which starting Python and importing it", steps: []step{{timed: true, args: []string{python, script}}}},
		}})
	}
	return list
}

// accuracyOfDocuments compares a column of predictions with the labels of a file of lines of label and text.
func accuracyOfDocuments(path, test string, column int, header bool) (float64, error) {
	predictions, err := readLines(path)
	if err != nil {
		return 0, err
	}
	documents, err := readLines(test)
	if err != nil {
		return 0, err
	}
	if header && len(predictions) > 0 {
		predictions = predictions[1:]
	}
	if len(predictions) != len(documents) {
		return 0, fmt.Errorf("%d predictions for %d documents", len(predictions), len(documents))
	}
	right := 0
	for i, document := range documents {
		label, _, _ := strings.Cut(document, "\t")
		if strings.Split(predictions[i], "\t")[column] == label {
			right++
		}
	}
	return float64(right) / float64(len(documents)), nil
}
