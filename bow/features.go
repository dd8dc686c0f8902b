package bow

import (
	"strings"

	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Len returns the number of nodes.
func (v *vocabulary) Len() int { return v.terms.Len() + len(v.pairs.Keys) }

// Name returns the terms of a node joined by spaces, or letters joined without; a dictionary entry as in the
// dictionary, folded.
func (v *vocabulary) Name(node int32, whole bool) string {
	terms := int32(v.terms.Len())
	if node >= terms {
		key := v.pairs.Keys[node-terms]
		between := " "
		if v.kernel.Letters {
			between = ""
		}
		return v.Name(int32(key>>32), whole) + between + v.Name(int32(uint32(key)), whole)
	}
	name := string(v.terms.At(int(node)))
	if v.phrases == nil {
		return name
	}
	words, isWords := strings.CutSuffix(name, " ")
	if !isWords {
		words += "*"
	}
	return words
}

// Worth returns the factor of a node in the corpus: the value of one occurrence if l = 1.
func (v *vocabulary) Worth(node int32) float64 { return v.global[node] }

// Borrow returns an idle weigher.
func (v *vocabulary) Borrow() rows.Reader { return v.borrow() }

// Return takes a weigher back.
func (v *vocabulary) Return(w rows.Reader) { v.idle.Put(w) }

// Read weighs the nodes of x.
func (w *weigher) Read(x []byte) error {
	w.read(x)
	w.grams.count(w.reader.ids)
	w.weigh()
	return nil
}

// Self returns k(x, x) by the nodes in the vocabulary.
func (w *weigher) Self() (sum float64) {
	for _, value := range w.values {
		sum += w.vocabulary.kernel.pair(value, value)
	}
	return sum
}

// Found returns the nodes. There are no others.
func (w *weigher) Found(bool) (rows.Found, error) {
	return rows.Found{IDs: w.touched, Values: w.values, Counts: w.counts}, nil
}

// Spread spreads the contribution of each feature evenly over its occurrences, and that of each occurrence over the
// bytes of its words.
func (w *weigher) Spread(dst, weights []float64) {
	shares := make(map[int32]float64, len(w.touched)) // of one occurrence
	for i, node := range w.touched {
		shares[node] = float64(w.values[i]*weights[i]) / float64(w.counts[i])
	}
	w.each(w.reader.ids, func(node int32) {
		length := 0
		for _, at := range w.path {
			length += w.spans[at].hi - w.spans[at].lo
		}
		for _, at := range w.path {
			for i := w.spans[at].lo; i < w.spans[at].hi; i++ {
				dst[i] += shares[node] / float64(length)
			}
		}
	})
}

// occurring is a vocabulary whose features are the occurrences of nodes, by the minimum and χ².
type occurring struct {
	*vocabulary
	occurrences *rows.Occurrences
}

// Len returns the number of occurrences that have a number.
func (v occurring) Len() int { return v.occurrences.Width() }

// Name is that of the node.
func (v occurring) Name(number int32, whole bool) string {
	return v.vocabulary.Name(v.occurrences.Feature(number), whole)
}

// Worth is that of the node.
func (v occurring) Worth(number int32) float64 {
	return v.vocabulary.Worth(v.occurrences.Feature(number))
}

// Borrow returns a reader of occurrences.
func (v occurring) Borrow() rows.Reader {
	return &occurrenceReader{weigher: v.borrow(), occurrences: v.occurrences}
}

// Return takes a reader back.
func (v occurring) Return(r rows.Reader) { v.idle.Put(r.(*occurrenceReader).weigher) }

// occurrenceReader finds the occurrences of the nodes of a text.
type occurrenceReader struct {
	*weigher
	occurrences *rows.Occurrences
	found       rows.Found
	ends        []int // in found, of each node
}

// Found returns the occurrences. Each has the count of its node.
func (r *occurrenceReader) Found(bool) (rows.Found, error) {
	for i, node := range r.touched {
		r.occurrences.Each(uint32(node), r.values[i], func(number uint32, value float64) {
			r.found.IDs, r.found.Values = append(r.found.IDs, int32(number)), append(r.found.Values, value)
			r.found.Counts = append(r.found.Counts, r.counts[i])
		})
		r.ends = append(r.ends, len(r.found.IDs))
	}
	return r.found, nil
}

// Spread gives each node the contributions of its occurrences.
func (r *occurrenceReader) Spread(dst, weights []float64) {
	of, from := make([]float64, len(r.ends)), 0
	for i, end := range r.ends {
		for ; from < end; from++ {
			of[i] += float64(r.found.Values[from]*weights[from]) / r.values[i]
		}
	}
	r.weigher.Spread(dst, of)
}

// Enumerator lists words and n-grams; nil if one is several features by what is made of its counts.
func (k Kernel) Enumerator() stringkernel.Enumerator {
	if !k.Count.Separable() {
		return nil
	}
	return enumerated(k)
}

type enumerated Kernel

// EachFeature lists the words and n-grams of x with φ, in order of first occurrence. It panics if the parameters fail
// Check.
func (k enumerated) EachFeature(x []byte, visit func(name string, value float64)) {
	v := Kernel(k).vocabularyOf(x)
	w := v.borrow()
	defer v.Return(w)
	w.eachOf(x, func(node int32, value float64) { visit(v.Name(node, true), value) })
}

// fold returns a row of weights for each feature of the vocabulary; nil unless that is known and words are a feature
// each.
func (k Kernel) fold(outputs int) (*stringkernel.Table, error) {
	if k.fitted == nil || !k.Count.Separable() {
		return nil, nil
	}
	t, err := rows.NewTable(k.fitted.vocabulary, outputs)
	return t, named(err)
}
