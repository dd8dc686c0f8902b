package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seqsvm/seqsvm/benchmarks/articles"
	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
)

// A corpus of the size of 20 newsgroups: 18,846 documents of 20 classes, of which Rennie's division by date trains on
// 11,314.
const (
	articlesAll   = 18_846
	articlesTrain = 11_314
	newsgroups    = 20
)

// writeDocuments writes NAME.train.tsv and NAME.test.tsv of the generated corpus and, if it is there, of Reuters R8,
// uncompressed.
func writeDocuments(dir string) error {
	set, err := articles.Generate(articlesAll, newsgroups, 1)
	if err != nil {
		return err
	}
	for part, bounds := range map[string][2]int{"train": {0, articlesTrain}, "test": {articlesTrain, articlesAll}} {
		if err := writeArticles(filepath.Join(dir, "articles."+part+".tsv"), set, bounds[0], bounds[1]); err != nil {
			return err
		}
		text, err := beside.ReadGzip(filepath.Join(os.Getenv("SEQSVM_DATA"), "text-reuters-r8", part+".tsv.gz"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "r8."+part+".tsv"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeArticles writes documents from to to−1 as lines of label and text.
func writeArticles(path string, set *articles.Set, from, to int) error {
	var text bytes.Buffer
	for i := from; i < to; i++ {
		fmt.Fprintf(&text, "%s\t%s\n", set.Labels[i], set.Texts[i])
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

// documentTasks lists what is compared on documents, by the clock: words and word pairs, tf-idf, the linear machines
// that each program makes by default (Crammer and Singer's of seqsvm, one against the rest with the squared hinge of
// LinearSVC).
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
			}, accuracy: compare(seqsvmClasses(predicted), documentLabels(test))},
			{name: "scikit-learn TfidfVectorizer, LinearSVC", steps: []step{
				{timed: true, args: []string{beside.Python, script, train, test}, stdout: predicted},
			}, accuracy: compare(plainLines(predicted), documentLabels(test))},
			{name: "of which starting Python and importing it", steps: []step{{timed: true, args: []string{beside.Python, script}}}},
		}})
	}
	return list
}
