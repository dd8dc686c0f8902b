package bow

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// reuters reads a part of R8: the single-topic documents of eight classes of Reuters-21578 (github.com/yao8839836/text_gcn, data/R8), as
// $SEQSVM_DATA/text-reuters-r8/PART.tsv.gz with lines of label, tab, text.
func reuters(tb testing.TB, part string) *stringkernel.Corpus {
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
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	var b stringkernel.CorpusBuilder
	for lines.Scan() {
		_, text, _ := bytes.Cut(lines.Bytes(), []byte{'\t'})
		b.Add("", text)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return b.Corpus()
}

// BenchmarkReuters fits to the training documents of R8 and scores the test documents for eight classes, normalised. One goroutine scores.
func BenchmarkReuters(b *testing.B) {
	train, test := reuters(b, "train"), reuters(b, "test")
	k := stringkernel.Normalized{Kernel: Kernel{NGram: "1-2", TFIDF: true}}
	b.Run("fit", func(b *testing.B) {
		b.SetBytes(int64(train.Letters()))
		for b.Loop() {
			if _, err := k.Fit(train); err != nil {
				b.Fatal(err)
			}
		}
	})
	f, err := k.Fit(train)
	if err != nil {
		b.Fatal(err)
	}
	scorer, err := f.Merge(train, eightOutputs(train.Len())...)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("score", func(b *testing.B) {
		b.SetBytes(int64(test.Letters()))
		dst := make([]float64, 8)
		for b.Loop() {
			for i := range test.Len() {
				scorer.ScoreTo(dst, test.Seq(i))
			}
		}
	})
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
