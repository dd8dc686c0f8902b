// Package stringkernel is the contract of seqsvm, and its first kernel.
//
// # The one idea
//
// A kernel is an inner product k(x, y) = ⟨φ(x), φ(y)⟩ of sparse counts over a feature space that an index can walk. So
// there are two primitives, and everything is made of them:
//
//	scatter  w = Σ_i α_i φ(x_i)      spread a coefficient per sequence over the features
//	gather   f(x) = ⟨w, φ(x)⟩        score a sequence against the features
//
// [Kernel.Merge] scatters and returns the [Scorer] that gathers. [Gram.MulVecTo] is the same walk for the whole corpus at once: K·v is
// Merge with coefficients v, followed by scoring the corpus. Training needs K·v and nothing else, prediction needs f, an explanation is f before
// the sum is taken. Each costs time linear in letters; no n × n matrix and no loop over support vectors is in it.
//
// The contract is [Kernel], [Gram] and [Scorer]. What a kernel may offer beyond it are small interfaces found by type assertion:
// [Explainer], [SelfEvaluator], [Fitter], [Storable] with [Restorer]. A kernel that has nothing but Eval is complete with [DirectGram] and [DirectScorer].
// [Normalized], [BothStrands] and [Sum] compose kernels and keep what they can do. Package kerneltest is the conformance suite.
//
// # The substring kernel
//
// [Substring] is k(x, y) = Σ_s w_s #_s(x) #_s(y) over all substrings s (Vishwanathan & Smola 2002), under any weighting by length and
// under squared inverse document frequency. Its index is the generalised suffix tree of the corpus as flat arrays (package suffix): the suffix array, longest
// common prefixes capped at document ends and at letters outside the alphabet, and their intervals in level order.
//
//   - Eval: matching statistics of one sequence against the structure of the other, O(|x| + |y|).
//   - Gram: leaves carry v of their document, c(t) is the sum over the leaves below node t, val(t) = val(parent) + ω(t)·c(t) with
//     ω(t) the weight of the edge above t, and (K·v)_j is the sum of val over the leaves of document j. Substrings that one document has for
//     itself go to a diagonal beforehand and are never walked. Two passes up, two down, all streams (Teo & Vishwanathan 2006).
//   - Merge: the tree of the support vectors with base(t) and slope(t) per node, so that a match that ends on the edge below t costs one
//     multiplication: O(|x|) per query whatever the number of support vectors.
//
// Weights of length j are used through Ω_j = Σ_{i ≤ j} w_i, so changing the weighting rebuilds no index. A bound on the length cuts the tree there.
//
// Counts and sums are float64: sums of integer weights are exact below 2⁵³. Order of summation is fixed.
//
// # Cost
//
// See benchmarks/README.md for the figures and commands. Per letter of the corpus, a Gram operator keeps 8 bytes a leaf and 12 a node, at most
// 8 + 12·0.63 ≈ 16 bytes on DNA and much less with bounded lengths; a scorer keeps about 40 bytes per letter of the support vectors plus 16 per node and output.
//
// # Example
//
//	kernel := stringkernel.Normalized{Kernel: stringkernel.Substring{
//		Weight: stringkernel.Decay, Lambda: 0.5, Alphabet: stringkernel.DNA}}
//	similarity := kernel.Eval([]byte("GATTACA"), []byte("ATTAC"))
//
// # Limits
//
// A corpus has fewer than 2³¹ letters. Sequences without features have k = 0 with everything, normalised or not.
//
// # References
//
// S. V. N. Vishwanathan, A. J. Smola, Fast kernels for string and tree matching, NIPS 15 (2002). C. H. Teo, S. V. N. Vishwanathan,
// Fast and space efficient string kernels using suffix arrays, ICML 2006, doi:10.1145/1143844.1143961. C. Leslie, E. Eskin, W. S. Noble, The spectrum kernel,
// Pacific Symposium on Biocomputing 2002, doi:10.1142/9789812799623_0053. W. I. Chang, E. L. Lawler, Sublinear approximate string matching and biological applications,
// Algorithmica 12 (1994), doi:10.1007/BF01185431.
package stringkernel
