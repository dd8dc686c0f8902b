// Package bow has the kernels of words: the bag of words, [Kernel], and sequences of words of any length, [Sequence].
// The bag is the kernel of weighted counts of words and word n-grams of texts,
//
//	k(x, y) = Σ_w φ_w(x)·φ_w(y),   φ_w(x) = l(tf_w(x))·g_w,
//
// where tf_w(x) is how often feature w occurs in x, l the weight within a document and g that within the corpus the
// kernel was fitted to:
//
//	count       l = tf                       tfidf       g = 1 + ln((1 + n)/(1 + df_w))
//	binary      l = 1                        logentropy  g = 1 + Σ_d p_wd ln p_wd / ln n,  p_wd = tf_w(d)/Σ_e tf_w(e)
//	sublinear   l = 1 + ln tf                otherwise   g = 1
//	logentropy  l = ln(1 + tf)
//	laplace     l = (tf + 1)/(T + V)
//
// with n documents in the corpus, df_w of them with w, T occurrences of features in x and V features. Features that do
// not occur have φ = 0 under laplace too, though their smoothed frequency is 1/(T + V): rows stay sparse. With L1, φ(x)
// is divided by Σ_w φ_w(x); length 1 is [stringkernel.Normalized]'s business, and the tool's default, under which
// laplace and l1 differ from other weights by direction only.
//
// A fitted kernel counts the features of its corpus alone, within the limits of document frequency: other words of a
// text add nothing to any value, k(x, x) included. That makes tf-idf the one of scikit-learn's TfidfVectorizer
// (smooth_idf), for the same words.
//
// # Words
//
// [EachWord] cuts text where Unicode's text segmentation (UAX #29) does, and keeps segments with a letter, a number or
// a pictograph. So
//
//   - numbers stay whole with their marks: 3.14 and 1,000.50 are one word each, as are letters with digits (mp3, x86_64) and with points or apostrophes
//     inside (U.S, don't); no number is changed, 1,000 and 1000 are two words;
//   - hyphens and slashes separate: well-known is two words (ngram=2 has the pair), 10-12 too;
//   - of #hashtags and @names the sign is dropped and the word kept; an underscore joins (snake_case is one word);
//   - Han and Hiragana characters are a word each, Katakana and Hangul run on; Thai, Lao and Khmer, which need a dictionary to be cut, are cut into characters
//     with their marks: n-grams of characters, which the substring kernel counts too;
//   - an emoji with its modifiers and joiners is a word; bytes that are not UTF-8, and NUL, separate.
//
// What a [Tokenizer] does to words comes next: NFKC, lower case, stop words, stems. An n-gram is a sequence of n terms
// with at most Skip others between its first and last, in all; stop words are gone by then, so that terms on both sides
// of one are neighbours.
//
// With Leaves, texts are trees in brackets, and words are the labels of their leaves, whole: see [Tokenizer].
//
// With Letters, features are n-grams of the characters (code points) of each word that is left, with a space before and
// behind it: " th", "he " of the. None spans two words. These tell languages apart, and make misspelt and inflected
// words alike. They are the features of scikit-learn's analyzer char_wb but that words are those of EachWord, and that
// a word shorter than n has none of length n.
//
// With a dictionary, features are its entries: from left to right the longest entry that begins at a term takes its
// terms, other terms count as unknown words, which no n-gram contains. The last word of an entry may be a prefix,
// immun*. Entries go through the same Tokenizer, prefixes without stemming.
//
// # Sequences of words
//
//	k(x, y) = Σ_s w_s #_s(x) #_s(y)          substring:unit=word,weight=decay,lambda=0.8
//
// over all sequences s of terms, of any length, under every weighting of the substring kernel; tfidf has the document
// frequency of every sequence. The terms are symbols of the suffix structures of [stringkernel.Substring]: its
// algorithms, its costs per term instead of per letter, its models of support vectors. Stop words are gone and
// punctuation is no break, as in n-grams. The vocabulary is open: words that the training texts lack have no part in
// scores and one in k(x, x), as letters have. With ends, two marks stand around each text that has a term, so that its
// first and last words are features of their own. A sequence's contribution is spread evenly over its terms, and a
// term's over the bytes of its word; a mark's goes to the word beside it.
//
// Sequence is [stringkernel.Substring], too: over bytes, the default, and over code points.
//
// # Algorithm
//
// A word as it stands in the text is hashed and compared with those met before; only a new one is folded, held against
// the stop words and stemmed, so that this is done once per word, not per occurrence. An n-gram is a node: the pair of
// the node of its first n − 1 terms and its last term, found in a table of pairs. Both tables compare what they find,
// so that two features never fall together. Counts of a document stand in an array by node.
//
// The Gram matrix is sparse rows; its own rows come from the inverted rows. A merged scorer has a row of weights per
// node, one number per output. A compiled model holds the terms, the pairs, g and the weights: no text.
//
// # Cost
//
// Fitting takes O(N) for N bytes, without skips, besides a table entry per feature. A corpus takes 12 bytes per feature
// of a document and 4 per token while it is counted. Scoring takes one look-up per token and one per n-gram; see
// BenchmarkScore. Sequences: see BenchmarkSequenceGram, BenchmarkSequenceProduct and BenchmarkSequenceScore; most of a
// normalised score is k(x, x), for which a suffix tree of the text is made.
//
// # References
//
// M. Davis, Unicode text segmentation, UAX #29. G. Salton, C. Buckley, Term-weighting approaches in automatic text
// retrieval, Information Processing & Management 24 (1988), doi:10.1016/0306-4573(88)90021-0. S. T. Dumais, Improving
// the retrieval of information from external sources, Behavior Research Methods 23 (1991), doi:10.3758/BF03203370
// (log-entropy). T. Joachims, Text categorization with support vector machines, ECML 1998, doi:10.1007/BFb0026683. N.
// Cancedda, E. Gaussier, C. Goutte, J.-M. Renders, Word-sequence kernels, JMLR 3 (2003) 1059–1082 (with gaps, of which
// there are none here). D. Guthrie et al., A closer look at skip-gram modelling, LREC 2006. M. F. Porter, An algorithm
// for suffix stripping, Program 14 (1980), doi:10.1108/eb046814.
package bow
