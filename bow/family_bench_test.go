package bow

import (
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// BenchmarkSiblings makes the matrices of twelve weightings, each fitted to five parts of the corpus, as a search by
// cross-validation does: by reading the texts for each, or from counts made once.
func BenchmarkSiblings(b *testing.B) {
	c := zipfTexts(1000, 100)
	var members []stringkernel.Kernel
	for _, ngram := range []string{"1", "1-2"} {
		for _, tfidf := range []bool{false, true} {
			members = append(
				members,
				Kernel{NGram: ngram, TFIDF: tfidf},
				Kernel{NGram: ngram, TFIDF: tfidf, Sublinear: true},
				Kernel{NGram: ngram, TFIDF: tfidf, Binary: true},
			)
		}
	}
	parts := make([][]int, 5)
	for i := range c.Len() {
		for p := range parts {
			if i%len(parts) != p {
				parts[p] = append(parts[p], i)
			}
		}
	}
	b.Run("alone", func(b *testing.B) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			for _, k := range members {
				for _, part := range parts {
					fitted, err := stringkernel.Fit(b.Context(), k, c.Subset(part))
					if err != nil {
						b.Fatal(err)
					}
					if _, err := fitted.Gram(b.Context(), c); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
	})
	b.Run("shared", func(b *testing.B) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			shared, err := stringkernel.Share(b.Context(), c, members)
			if err != nil {
				b.Fatal(err)
			}
			for _, k := range members {
				for _, part := range parts {
					if _, err := shared(b.Context(), k, part); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
	})
}
