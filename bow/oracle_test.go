package bow_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The definition on maps from n-grams, written as words with spaces between, to numbers: as slow and as plain as can
// be.

// oracleGrams lists the n-grams of a sequence of words, none of which is empty but for unknown ones.
func oracleGrams(words []string, shortest, longest, skip int) (list []string) {
	var extend func(gram []string, last, left int)
	extend = func(gram []string, last, left int) {
		if len(gram) >= shortest {
			list = append(list, strings.Join(gram, " "))
		}
		for next := last + 1; len(gram) < longest && next < len(words) && next-last-1 <= left; next++ {
			if words[next] != "" {
				extend(append(append([]string(nil), gram...), words[next]), next, left-(next-last-1))
			}
		}
	}
	for i, w := range words {
		if w != "" {
			extend([]string{w}, i, skip)
		}
	}
	return list
}

// oracle has the values φ_w(x) of all texts, the first n of which are the reference corpus.
func oracle(k bow.Kernel, texts []string, n int) []map[string]float64 {
	if k.Open { // every n-gram is a feature, whatever was known before
		n = len(texts)
	}
	shortest, longest := 1, 1
	if n, _ := fmt.Sscanf(k.NGram, "%d-%d", &shortest, &longest); n < 2 {
		longest = shortest
	}
	counts := make([]map[string]float64, len(texts))
	df, total := map[string]float64{}, map[string]float64{}
	for i, text := range texts {
		counts[i] = map[string]float64{}
		for _, tokens := range oracleTokens(k, text) {
			for _, g := range oracleGrams(tokens, shortest, longest, k.Skip) {
				counts[i][g]++
			}
		}
		for g, tf := range counts[i] {
			if i < n {
				df[g]++
				total[g] += tf
			}
		}
	}
	global := map[string]float64{}
	for g, d := range df {
		if k.MinDF >= 1 && d < k.MinDF || k.MinDF < 1 && d < k.MinDF*float64(n) || k.MaxDF > 1 && d > k.MaxDF ||
			k.MaxDF > 0 && k.MaxDF <= 1 && d > k.MaxDF*float64(n) {
			continue
		}
		global[g] = 1
		if k.TFIDF {
			global[g] = 1 + math.Log((1+float64(n))/(1+d))
		}
		if k.LogEntropy && n > 1 {
			sum := 0.0
			for _, c := range counts[:n] {
				if tf := c[g]; tf > 0 {
					sum += tf / total[g] * math.Log(tf/total[g])
				}
			}
			if global[g] = 1 + sum/math.Log(float64(n)); global[g] < 1e-9 {
				delete(global, g)
			}
		}
	}
	for _, c := range counts {
		occurrences, sum := 0.0, 0.0
		for g, tf := range c {
			if global[g] != 0 {
				occurrences += tf
			}
		}
		for g, tf := range c {
			switch {
			case k.Count == stringkernel.CountSqrt:
				c[g] = global[g] * math.Sqrt(tf)
			case k.Count == stringkernel.CountLog:
				c[g] = global[g] * math.Log(1+tf)
			case k.Binary || k.Count == stringkernel.CountPresence:
				c[g] = global[g]
			case k.Sublinear || k.Count == stringkernel.CountSublinear:
				c[g] = global[g] * (1 + math.Log(tf))
			case k.LogEntropy:
				c[g] = global[g] * math.Log(1+tf)
			case k.Laplace:
				c[g] = global[g] * (tf + 1) / (occurrences + float64(len(global)))
			default:
				c[g] = global[g] * tf
			}
			sum += c[g]
		}
		for g := range c {
			if k.L1 && sum > 0 {
				c[g] /= sum
			}
		}
	}
	return counts
}

// oracleTokens has sequences of tokens between which there are no n-grams: the words of a text, or the letters of each,
// with a mark on both sides.
func oracleTokens(k bow.Kernel, text string) (sequences [][]string) {
	words := oracleWords(k, text)
	if !k.Letters {
		return [][]string{words}
	}
	for _, w := range words {
		sequences = append(sequences, strings.Split("|"+w+"|", ""))
	}
	return sequences
}

// oracleWords splits at spaces: the texts drawn have nothing else between words. Of a dictionary it takes the longest
// entry, by trying all.
func oracleWords(k bow.Kernel, text string) (words []string) {
	for _, w := range strings.Fields(text) {
		stopped := false
		for _, s := range k.Stop {
			stopped = stopped || w == s
		}
		if !stopped {
			words = append(words, w)
		}
	}
	if len(k.Dict) == 0 {
		return words
	}
	var tokens []string
	for at := 0; at < len(words); {
		best, taken, letters := "", 1, -1
		for _, entry := range k.Dict {
			n := len(strings.Fields(entry))
			if at+n > len(words) {
				continue
			}
			here := strings.Join(words[at:at+n], " ")
			prefix, isPrefix := strings.CutSuffix(entry, "*")
			if length := len(prefix); isPrefix && strings.HasPrefix(here, prefix) || here == entry {
				if !isPrefix {
					length++ // the whole word is longer than the same prefix
				}
				if length > letters {
					best, taken, letters = strings.ReplaceAll(entry, " ", "+"), n, length
				}
			}
		}
		tokens = append(tokens, best)
		at += taken
	}
	return tokens
}

// kernelOf is the kernel of two texts by their values.
func kernelOf(k bow.Kernel, a, b map[string]float64) (sum float64) {
	for g, x := range a {
		switch y := b[g]; {
		case k.Count == stringkernel.CountMin:
			sum += min(x, y)
		case k.Count == stringkernel.CountChi2 && y > 0:
			sum += 2 * x * y / (x + y)
		default:
			sum += x * y
		}
	}
	return sum
}

// defined returns the features of a kernel by definition.
func defined(k bow.Kernel) func(*stringkernel.Corpus) func(x []byte) map[string]float64 {
	return func(c *stringkernel.Corpus) func(x []byte) map[string]float64 {
		texts := make([]string, c.Len()+1)
		for i := range c.Len() {
			texts[i] = string(c.Seq(i))
		}
		return func(x []byte) map[string]float64 {
			texts[c.Len()] = string(x)
			return oracle(k, texts, c.Len())[c.Len()]
		}
	}
}

func corpusOf(texts []string) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for _, text := range texts {
		b.Add("", []byte(text))
	}
	return b.Corpus()
}

// TestPairsOfCountsOfShortTexts compares matrices and scores, of merged and of restored models, of all texts of up to
// five words with the definition; so of trees that have the words as leaves.
func TestPairsOfCountsOfShortTexts(t *testing.T) {
	var texts []string
	var coef []float64
	for n := range 6 {
		for code := range 1 << n {
			words := make([]string, n)
			for i := range words {
				words[i] = "ab"[code>>i&1:][:1]
			}
			texts, coef = append(texts, strings.Join(words, " ")), append(coef, float64(code%5)-2)
		}
	}
	for _, k := range []bow.Kernel{
		{Count: stringkernel.CountMin}, {Count: stringkernel.CountChi2},
		{NGram: "1-3", Skip: 2, Count: stringkernel.CountMin, Open: true},
		{NGram: "1-2", Count: stringkernel.CountChi2, Open: true},
	} {
		phi := oracle(k, texts, len(texts))
		comparePairs(t, k, texts, phi, coef)
		k.Leaves, k.After, k.Before = true, "##", "::"
		comparePairs(t, k, treesOf(texts), phi, coef)
	}
}

// treesOf returns trees with the words of texts as leaves, among nodes and leaves that have none.
func treesOf(texts []string) (trees []string) {
	for _, text := range texts {
		tree := "(a"
		for i, word := range strings.Fields(text) {
			tree += []string{" LEX##" + word + "::b", " (b (a ##" + word + "::))", " " + word}[i%3]
		}
		trees = append(trees, tree+" a##::b)")
	}
	return trees
}

func comparePairs(t *testing.T, k bow.Kernel, texts []string, phi []map[string]float64, coef []float64) {
	c := corpusOf(texts)
	fitted := must.Get(stringkernel.Fit(t.Context(), k, c))(t)
	k = fitted.(bow.Kernel)
	g := must.Get(k.Gram(t.Context(), c))(t)
	merged := must.Get(stringkernel.Merge(t.Context(), k, c, coef))(t)
	restored := must.Get(k.Restore(k.Arrays(merged)))(t)
	row, score := make([]float64, c.Len()), make([]float64, 1)
	for i := range texts {
		g.Row(row, i)
		sum := 0.0
		for j, got := range row {
			want := kernelOf(k, phi[i], phi[j])
			if math.Abs(got-want) > 1e-12*(1+want) {
				t.Fatalf("%+v: k(%q, %q) = %v, by definition %v", k, texts[i], texts[j], got, want)
			}
			sum += coef[j] * want
		}
		for name, s := range map[string]stringkernel.Scorer{"merged": merged, "restored": restored} {
			s.ScoreTo(score, c.Seq(i))
			if math.Abs(score[0]-sum) > 1e-11*(1+math.Abs(sum)) {
				t.Fatalf("%+v: score of %q, %s, is %v, by definition %v", k, texts[i], name, score[0], sum)
			}
		}
	}
}
