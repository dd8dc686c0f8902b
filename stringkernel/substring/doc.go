// Package substring is the kernel k(x, y) = Σ_s w_s #_s(x) #_s(y) over all substrings s (Vishwanathan & Smola 2002),
// under any weighting by length and under squared inverse document frequency.
//
// Its index is the generalised suffix tree of the corpus as flat arrays (package suffix): the suffix array, longest
// common prefixes capped at document ends and at letters outside the alphabet, and their intervals in level order.
//
//   - Eval: matching statistics of one sequence against the structure of the other, O(|x| + |y|).
//   - Gram: leaves carry v of their document, c(t) is the sum over the leaves below node t,
//     val(t) = val(parent) + ω(t)·c(t) with ω(t) the weight of the edge above t, and (K·v)_j is the sum of val over the
//     leaves of document j. Substrings that only one document has are added to a diagonal beforehand and are never
//     walked. Two passes up, two down, all streams (Teo & Vishwanathan 2006).
//   - Merge: the tree of the support vectors with base(t) and slope(t) per node, so that a match that ends on the edge
//     below t costs one multiplication: O(|x|) per query whatever the number of support vectors. That of letters is
//     compressed (suffix.Compact) and can be stored; explanations build the whole tree when first asked for.
//
// Symbols are letters of an alphabet, code points of UTF-8 (unit=rune; of the text in NFC, so that é is one however it
// is written; a byte that belongs to none is a break, as letters outside the alphabet are, so that invalid text is not
// an error here; readers of documents report it) or what another package passes to [Kernel.Over]: words in package bow.
// Letters take a byte each in the index, other symbols four. With Ends, each record that has a symbol is put between
// marks, two symbols that no text can contain, so that prefixes and suffixes of records are separate features. Like the
// spaces of scikit-learn's char_wb they count as symbols, in lengths and alone. What a feature contributes at a mark
// goes, in an explanation, to the symbol beside it.
//
// With Count a function g of counts takes their place. What it makes of the occurrences of a document below a node of
// the suffix tree is a sum over its leaves and their lowest common ancestors there (Hui's correction for counting
// documents, in general), so that products are the same two passes; a query is scored by its own tree. Such kernels
// have neither contributions of positions nor a stored form, and share no index.
//
// Weights of length j are used through Ω_j = Σ_{i ≤ j} w_i, so changing the weighting rebuilds no index. A bound on the
// length cuts the tree there.
//
// Counts and sums are float64: sums of integer weights are exact below 2⁵³. The order of summation is fixed.
//
// # Cost
//
// See benchmarks/README.md for times and their commands. A Gram operator keeps 8 bytes per node and 8 per leaf, or 2
// per leaf of a node with many, and nothing for substrings of one document only: measured on random DNA, 11 bytes per
// letter of the corpus, 2 to 4 with fixed or bounded k ≤ 8 and 10⁶ letters or more, and never more than 16. A scorer of
// letters keeps 7 bytes per letter of the support vectors, and 2.5 or 2 (k ≤ 8) more for each further output; of
// other symbols the whole tree: 65 bytes per symbol, 17 to 20 with k ≤ 8, and 10 more for each output.
// TestHeapPerLetter holds both to that. With tfidf there are the letters of the reference too, and 2.5 bytes more for
// each. A fitted kernel keeps its reference, and once normalised an index of it.
//
// # Limits
//
// A corpus has fewer than 2³¹ letters, separators between sequences included: beyond that Gram and Merge return an
// error, while Eval and SelfEval, which cannot, panic. Values are finite: length weights sum to 1e-100 … 1e100.
//
// # References
//
// S. V. N. Vishwanathan, A. J. Smola, Fast kernels for string and tree matching, NIPS 15 (2002). C. H. Teo,
// S. V. N. Vishwanathan, Fast and space efficient string kernels using suffix arrays, ICML 2006,
// doi:10.1145/1143844.1143961. C. Leslie, E. Eskin, W. S. Noble, The spectrum kernel, Pacific Symposium on Biocomputing
// 2002, doi:10.1142/9789812799623_0053. W. I. Chang, E. L. Lawler, Sublinear approximate string matching and biological
// applications, Algorithmica 12 (1994), doi:10.1007/BF01185431.
package substring
