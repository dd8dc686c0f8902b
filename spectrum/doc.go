// Package spectrum is the k-spectrum kernel and its bounded form on packed k-mers: the fastest of the exact-matching
// string kernels for short k-mers.
//
// With #_s(x) the number of (overlapping) occurrences of s in x,
//
//	k(x, y) = Σ_{|s| = k} #_s(x) #_s(y)          spectrum:k=K
//	k(x, y) = Σ_{1 ≤ |s| ≤ k} #_s(x) #_s(y)      spectrum:k=K,bounded
//
// With count=F a function of each count takes its place, presence, root or logarithm: see [stringkernel.Count].
// With tfidf each k-mer has a factor squared besides, by how few records of a corpus have it: see tfidf.go.
//
// A k-mer holds only letters of the alphabet; any other letter ends a run, and no k-mer reaches across it. A sequence
// without a k-mer (empty, shorter than K, or all breaks) has φ(x) = 0. Values are counted in integers: up to 2⁵³ they
// equal any other exact count to the last bit, those of the substring kernel with weights fixed and bounded too.
// Normalisation, both strands and sums are wrappers in package stringkernel/compose.
//
// # K-mers
//
// A letter takes 2 bits (dna, rna), 5 (protein) or 8 (bytes), the first letter highest, and a k-mer must fit 64: k ≤
// 32, 12 or 8. Longer ones are counted by the substring kernel. The prefix of a k-mer is a shift of its code, so
// numeric order is alphabetical order, and every position has one longest k-mer: of k letters, or of fewer where its
// run ends. The bounded kernel walks longest k-mers only and folds: scattered coefficients go from each k-mer to its
// prefix (k → 1), and values back from each prefix to the k-mers that extend it (1 → k), V_k[c] = Σ_{l ≤ k}
// w(prefix_l(c)), so that one look-up per position serves all lengths.
//
// # Two regimes
//
// Short k-mers are in arrays indexed by the code. For the Gram matrix that is up to 2²⁰ entries and no more than the
// corpus has letters; for a scorer 2²⁰ values (4¹⁰ k-mers of dna with one output), or 2²⁴ if a sixteenth of the k-mers
// have a weight, bounded a sixty-fourth. Beyond that, k-mers are sorted by radix. In the Gram matrix those that several
// sequences share get dense ids, and those of a single sequence only add to the diagonal. The bounded kernel sorts the
// k-mers of each longer length, of up to four lengths of nucleotides. For more, for other letters, of whose k-mers
// records share and repeat many, up to 2²⁴ letters, and by counts through a function, its matrix is the suffix tree of
// the corpus, at the cost that package substring states. In a scorer the sorted k-mers of a length are found by a
// filter of 8 to 16 bits per k-mer and a hash table.
//
// # Cost
//
// N letters, n sequences; 300 random bases each, dna, on two busy cores of a server, best of several runs. They are
// wall times, and K·v and part of the index use both cores. The benchmarks of this package measure all but the largest
// corpora and several outputs.
//
//	index     3–7 ns per letter in arrays, bounded 12–16; sorted 15–35 and more for large corpora, for each length
//	K·v       0.5–0.7 ns per letter for k ≤ 8, bounded the same; k = 10: 0.4–2, bounded 2; sorted, 1–3 ns per
//	          occurrence of a shared k-mer, each length
//	φ(x_i)    one row read or written: 0.25–0.4 ns per letter for k ≤ 8 (dual coordinate descent; not bounded)
//	row       k = 4: 100 ns per entry, k = 6: 11, k = 8: 2.6, k = 10: 0.6; bounded: 70 for k ≤ 6, 120 at 8 and beyond
//	score     0.55 ns per letter for k ≤ 8, k = 10: 0.9, beyond 5–10; bounded the same up to k = 12, beyond 20;
//	          3 outputs 5–13 for k ≤ 10, 10 outputs 7–36; bounded beyond, 50–90
//	k(x, x)   2 ns per letter for k ≤ 8, 4 beyond; bounded 4–15
//
// All windows of a sequence (TrackTo, TrackSelfTo), windows of 200 letters, per window: a score 2.5–3.5 ns for k ≤ 8, 4
// to 10 beyond, bounded 6 to 13 for k-mers in arrays and 150 to 270 for k = 14; k(w, w) 5 ns for k ≤ 8, 12 beyond,
// bounded 35 to 130. The length of the window hardly matters.
//
// All but the row are linear, O(N) or O(|x|); Merge costs O(N) per length. The cost of a score does not depend on the
// number of support vectors but through the caches: in arrays of up to 2²⁰ values it is the same for 1,000 and 8,000 of
// them; beyond, where the k-mers found are more and lie further apart, 1.4 to 3 times as much.
//
// Memory of the Gram matrix: 2 bytes per letter up to 2¹⁶ k-mers (dna k ≤ 8, bytes k ≤ 2), else 4 per occurrence, or 4
// and 6 per distinct k-mer of a sequence if that is less; in the sorted regime only shared occurrences take memory.
// Large corpora also have an inverted index, 4 bytes per distinct k-mer of a sequence: of k-mers in arrays from the
// first product or Row on, of sorted ones from the start, for each length. Where products are by it, sorted k-mers are
// listed by sequence for the first Row or row of features only. Building sorts records of 16 bytes, one per letter of
// up to 2²⁰ letters; of more an eighth at a time, 2 bytes per letter, in which long runs of a k-mer count once. So an
// index of dna takes at most 8 bytes per letter at any moment, half of it where few k-mers are shared. A product
// borrows 8 bytes per k-mer of the array, or per shared k-mer, and for every part that the scatter is divided into.
//
// Merge makes 8 bytes per k-mer with a weight and 8 for each output of it, which is what a model stores. Until they are
// there it holds 8 bytes per letter, the support vectors by k-mer, and while these are found 2 to sort: so that k-mers
// of many letters are merged with at most 8 bytes per letter beyond the weights, whatever the number of outputs. Before
// the first score, and not for a model that is only stored, a scorer adds 8 bytes per array entry or 26 to 50 per
// sorted k-mer.
//
// A row takes the cheaper of two ways, decided once for the corpus by Σ_f df_f²/n against N: the postings of the k-mers
// of the sequence, or a scatter of the one sequence and a gather of all. The bounded kernel has rows by products with
// unit vectors.
//
// # Order of summation
//
// Results depend on the input alone, not on the number of processors: scatters go by sequence and position, gathers
// into four partial sums by number mod 4, and parallel parts write what is theirs alone or are added in a fixed
// order. Their number depends on the letters and k-mers: adding takes a fiftieth of a product. See
// [stringkernel.Scorer].
//
// # Example
//
//	k := spectrum.Kernel{K: 8, Alphabet: stringkernel.DNA}
//	g, err := k.Gram(ctx, corpus)                   // train on it
//	s, err := stringkernel.Merge(ctx, k, sv, alpha) // score with it
//
// # References
//
// C. Leslie, E. Eskin, W. S. Noble: The spectrum kernel: a string kernel for SVM protein classification. PSB 2002,
// 564–575. doi:10.1142/9789812799623_0053.
//
// S. V. N. Vishwanathan, A. J. Smola: Fast kernels for string and tree matching. NIPS 15, 2002, 585–592.
//
// S. Sonnenburg, G. Rätsch, K. Rieck: Large-scale learning with string kernels. In: Large-Scale Kernel Machines, MIT
// Press 2007, 73–103. doi:10.7551/mitpress/7496.003.0006.
package spectrum

// The files from the bottom up: methods apart, none uses what one further down declares.
//
//	ladder.go         arrays for the k-mers of every length up to one: where they lie, how they fold
//	counter.go        counts of the k-mers of one sequence: those that repeat, those of windows
//	level.go          weights of the k-mers of one length
//	lookup.go         how one of many is found
//	scorer.go         scores by weights of raw counts
//	explain.go        what such a score consists of
//	kernel.go         Kernel: its parameters, and what it says of itself
//	tfidf.go          a kernel that weights k-mers by the records that have them
//	listing.go        the k-mers of a corpus, by record and by k-mer
//	eval.go           k(x, y), k(x, x), φ(x)
//	comparison.go     k(x, ·) of a corpus
//	flatpart.go       part of a Gram matrix: k-mers of one length
//	foldpart.go       part of a Gram matrix: short k-mers of every length, in arrays that fold
//	gram.go           Kernel.Gram: the matrix, a sum of parts
//	densegram.go      all entries of a matrix at once
//	treegram.go       the matrix by a suffix tree
//	windows.go        scores and norms of all windows of a sequence
//	countedscorer.go  scores where a function sees the counts
//	supportscorer.go  scores by support vectors, where weights would be far more
//	merge.go          Kernel.Merge: from support vectors to a scorer
//	arrays.go         a scorer as arrays, and back
//	table.go          weights of all k-mers, for machines that learn by them
//	space.go          vectors of weights of all k-mers, for records in shards
