package bow_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// reuters reads a part of R8: the single-topic documents of eight classes of Reuters-21578
// (github.com/yao8839836/text_gcn, data/R8), as $SEQSVM_DATA/text-reuters-r8/PART.tsv.gz with lines of label, tab,
// text.
func reuters(tb testing.TB, part string) (texts *stringkernel.Corpus, labels []string) {
	tb.Helper()
	folder := os.Getenv("SEQSVM_DATA")
	if folder == "" {
		tb.Skip("SEQSVM_DATA is not set: the folder with text-reuters-r8")
	}
	file, err := os.Open(filepath.Join(folder, "text-reuters-r8", part+".tsv.gz"))
	if err != nil {
		tb.Skip(err)
	}
	defer file.Close()
	unpacked := must.Get(gzip.NewReader(file))(tb)
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	var b stringkernel.CorpusBuilder
	for lines.Scan() {
		label, text, _ := bytes.Cut(lines.Bytes(), []byte{'\t'})
		labels = append(labels, string(label))
		b.Add("", text)
	}
	must.Succeed(tb, lines.Err())
	return b.Corpus(), labels
}

// eightOutputs returns coefficients none of which is special.
func eightOutputs(n int) [][]float64 {
	coef := make([][]float64, 8)
	for m := range coef {
		coef[m] = make([]float64, n)
		for i := range coef[m] {
			coef[m][i] = float64((i+m)%7 - 3)
		}
	}
	return coef
}

// accuracyOnReuters trains on the training documents of R8 and returns the share of the test documents that are
// classified right.
func accuracyOnReuters(t *testing.T, trainer classify.Trainer) float64 {
	t.Helper()
	texts, labels := reuters(t, "train")
	test, truth := reuters(t, "test")
	data := must.Get(dataset.New(texts, labels, nil))(t)
	m := must.Get(trainer.Train(t.Context(), data))(t)
	c := must.Get(m.Classifier(t.Context()))(t)
	predictions := must.Get(c.Predict(t.Context(), test))(t)
	right := 0
	for i, p := range predictions {
		if data.Classes[p.Class] == truth[i] {
			right++
		}
	}
	return float64(right) / float64(len(truth))
}

// Words and pairs of words under tf-idf, untuned, classify R8 about as well as scikit-learn 1.2.1 does: its
// TfidfVectorizer and LinearSVC are right on 0.974 of the same documents by the same words, by squared hinge loss.
func TestAccuracyOnReuters(t *testing.T) {
	words := compose.Normalized(bow.Kernel{NGram: "1-2", TFIDF: true})
	if accuracy := accuracyOnReuters(t,
		classify.Trainer{Kernel: words, Solver: descent.Solver{Seed: 1}}); accuracy < 0.972 {
		t.Errorf("accuracy %.4f, want 0.972", accuracy)
	}
}
