package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/benchmarks/articles"
	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

const (
	testSize   = 1000 // sequences
	wordLength = 6    // of the k-mers that LIBLINEAR gets as features

	// A corpus of the size of 20 newsgroups: Rennie's division by date trains on 11,314 of 18,846 documents.
	articlesAll, articlesTrain, newsgroups = 18_846, 11_314, 20
)

// writeSequences writes large and small training sets and a test set of one motif: NAME.fa, the classes alone as LS-GKM
// wants them, NAME.pos.fa and NAME.neg.fa, and NAME.svm with sparse vectors.
func writeSequences(dir string, n, small int) error {
	for _, s := range []struct {
		name string
		n    int
		seed uint64
	}{{"train", n, 1}, {"small", small, 1}, {"test", testSize, 2}} {
		set, err := planted.Generate(planted.Options{N: s.n, Length: 300, Motif: "TGACTCAGCA", Mutations: 1,
			Seed: s.seed})
		if err != nil {
			return err
		}
		texts := map[string][]byte{s.name + ".svm": []byte(sparse(set))}
		for i, seq := range set.Seqs {
			class := map[string]string{"+1": ".pos.fa", "-1": ".neg.fa"}[set.Labels[i]]
			for _, name := range []string{s.name + ".fa", s.name + class} {
				texts[name] = fmt.Appendf(texts[name], ">%s label=%s\n%s\n", set.Names[i], set.Labels[i], seq)
			}
		}
		if err := writeAll(dir, texts); err != nil {
			return err
		}
	}
	return nil
}

// sparse returns the sequences as LIBSVM's sparse vectors: counts of k-mers, in Euclidean norm 1, as the normalised
// spectrum kernel has them.
func sparse(set *planted.Set) string {
	var text strings.Builder
	for i, x := range set.Seqs {
		counts := map[int]float64{}
		var words []int
		for at := 0; at+wordLength <= len(x); at++ {
			word := 0
			for _, b := range x[at : at+wordLength] {
				word = 4*word + strings.IndexByte("ACGT", b)
			}
			if counts[word+1]++; counts[word+1] == 1 {
				words = append(words, word+1)
			}
		}
		slices.Sort(words)
		norm := 0.0
		for _, w := range words {
			norm += counts[w] * counts[w]
		}
		text.WriteString(set.Labels[i])
		for _, w := range words {
			fmt.Fprintf(&text, " %d:%.17g", w, counts[w]/math.Sqrt(norm))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// writeDocuments writes NAME.train.tsv and NAME.test.tsv of the generated corpus and, if it is there, of Reuters R8.
func writeDocuments(dir string) error {
	set, err := articles.Generate(articlesAll, newsgroups, 1)
	if err != nil {
		return err
	}
	texts := map[string][]byte{}
	for i, text := range set.Texts {
		name := "articles.train.tsv"
		if i >= articlesTrain {
			name = "articles.test.tsv"
		}
		texts[name] = fmt.Appendf(texts[name], "%s\t%s\n", set.Labels[i], text)
	}
	for _, part := range []string{"train", "test"} {
		text, err := beside.ReadGzip(filepath.Join(os.Getenv("SEQSVM_DATA"), "text-reuters-r8", part+".tsv.gz"))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if err == nil {
			texts["r8."+part+".tsv"] = text
		}
	}
	return writeAll(dir, texts)
}

// writeAll writes files of a folder.
func writeAll(dir string, texts map[string][]byte) error {
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
