// Package stringkernel is the contract of seqsvm: what a kernel on sequences must have, and what it may have.
//
// # The one idea
//
// A kernel is an inner product k(x, y) = ⟨φ(x), φ(y)⟩ of sparse counts over a feature space that an index can walk. So
// there are two primitives, and everything is made of them:
//
//	scatter  w = Σ_i α_i φ(x_i)      spread a coefficient per sequence over the features
//	gather   f(x) = ⟨w, φ(x)⟩        score a sequence against the features
//
// [Kernel.Merge] scatters and returns the [Scorer] that gathers. [Gram.MulVecTo] is the same walk for the whole corpus
// at once: K·v is Merge with coefficients v, followed by scoring the corpus. Training needs K·v and nothing else,
// prediction needs f, and an explanation is f before the sum is taken. Each costs time linear in letters; there is no n
// × n matrix and no loop over support vectors in it.
//
// # Options
//
// The contract is [Kernel], [Gram] and [Scorer]. A kernel that has nothing but Eval is complete with [DirectGram] and
// [DirectScorer]. Everything else is an option. An option for one call is a function among the [Traits], nil if it is
// missing: a shorter way to norms of windows, to comparisons, to products in blocks, to scores in batches. Any other
// option is a small interface that the value implements, with an accessor that returns it or nil. Always call the
// accessor, never assert the type: a wrapper, such as those of package compose, has an option only if the wrapped value
// has it, and answers by a method with the name of the option (see [Lookup]).
//
//	option         of       with it
//	Fitter         Kernel   weights are learned from the training corpus
//	IndexSharer    Kernel   a search over kernels of one family indexes the corpus once
//	Enumerator     Kernel   features have names: they can be selected, and counted by naive Bayes
//	Restorer       Kernel   a model holds the merged structure in place of support vectors
//	FeatureRows    Gram     dual coordinate descent: an update costs a row, not a product
//	Dense          Gram     all entries at once are faster than row by row
//	Explainer      Scorer   contributions of positions to a score
//	FeatureLister  Scorer   the strongest features of a model or of a sequence
//	Tracker        Scorer   all windows of a long sequence at once
//	Describer      all      facts about the value and shorter ways: see Traits
//
// and in package compose
//
//	Stranded       Kernel   both strands of DNA or RNA cost less than in a wrapper
//	Space          Kernel   features are tables of numbers: records may be on disk, or elsewhere
//
// Package kerneltest is the conformance suite, of kernels and of wrappers.
//
// # Example
//
//	kernel := compose.Normalized(substring.Kernel{
//		Weight: substring.Decay, Lambda: 0.5, Alphabet: stringkernel.DNA})
//	similarity := kernel.Eval([]byte("GATTACA"), []byte("ATTAC"))
//
// Sequences without features have k = 0 with everything, normalised or not.
package stringkernel
