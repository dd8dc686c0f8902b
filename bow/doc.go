// Package bow has kernels on words: the bag of words, [Kernel], and sequences of words of any length, [Sequence]. The
// bag of words is the inner product of weighted counts of words and word n-grams of texts,
//
//	k(x, y) = Σ_w φ_w(x)·φ_w(y),   φ_w(x) = l(tf_w(x))·g_w,
//
// where tf_w(x) is the number of occurrences of feature w in x, l its weight within a document and g its weight in the
// corpus that the kernel was fitted to:
//
//	count       l = tf                       tfidf       g = 1 + ln((1 + n)/(1 + df_w))
//	presence    l = 1                        logentropy  g = 1 + Σ_d p_wd ln p_wd / ln n,  p_wd = tf_w(d)/Σ_e tf_w(e)
//	sublinear   l = 1 + ln tf                otherwise   g = 1
//	logentropy  l = ln(1 + tf)
//	laplace     l = (tf + 1)/(T + V)
//	sqrt        l = √tf
//	log         l = ln(1 + tf)
//	min, chi2   φ_w(x)·φ_w(y) is min(tf, tf') or 2·tf·tf'/(tf + tf')
//
// where presence, sublinear, sqrt, log, min and chi2 are functions of counts, count=NAME ([stringkernel.Count]; binary
// and sublinear are flags for two), with n documents in the corpus, df_w of which have w, T occurrences of features in
// x and V features. Features that do not occur have φ = 0 under laplace too, though their smoothed frequency is 1/(T +
// V): rows stay sparse. With L1, φ(x) is divided by Σ_w φ_w(x); scaling to length 1 is done by a wrapper
// (compose.Normalized), the default of the command, under which laplace and l1 differ from other weights only in
// direction. By the minimum and χ² a feature is several: its first occurrence, its second, …, as many as a text has,
// each with a value so that these multiply to the last line (internal/countof).
//
// A fitted kernel counts the features of its corpus alone, within the limits of document frequency: other words of a
// text contribute nothing to any value, not even to k(x, x). For the same words, tf-idf is then that of scikit-learn's
// TfidfVectorizer (smooth_idf). With Open nothing is fitted: all n-grams are features, and those that training lacks
// count in k(x, x), so that a normalised score falls with their number. That is what novelty is about; no weight can
// then depend on a corpus.
//
// # Words
//
// [EachWord] splits text by Unicode text segmentation (UAX #29), and keeps segments with a letter, a number or a
// pictograph. So
//
//   - numbers keep their punctuation: 3.14 and 1,000.50 are one word each, as are letters with digits (mp3, x86_64)
//     and with full stops or apostrophes inside (U.S, don't); numbers are not normalised, 1,000 and 1000 are two words;
//   - hyphens and slashes separate: well-known is two words (ngram=2 has the pair), 10-12 too;
//   - #hashtags and @names lose the sign; an underscore joins (snake_case is one word);
//   - Han and Hiragana characters are one word each, runs of Katakana and Hangul one word; Thai, Lao and Khmer, whose
//     words only a dictionary can find, are split into characters with their marks: the substring kernel can count
//     n-grams of characters, too;
//   - an emoji with its modifiers and joiners is a word; bytes that are not UTF-8, and NUL, separate.
//
// With Delimiters, words are what is between these, whatever it holds: names of system calls, codes, columns of a log.
//
// A [Tokenizer] then maps words to terms: NFC or NFKC, lower case, stop words, stems. Canonically equivalent texts,
// such as é and e with a combining accent, have equal terms. An n-gram is a sequence of n terms with at most Skip other
// terms in total between its first and last; stop words are removed before, so that the terms on both sides of one are
// adjacent.
//
// With Leaves, texts are trees in brackets, and words are the labels of their leaves, whole: see [Tokenizer].
//
// With Letters, features are n-grams of the characters (code points) of each remaining word, with a space before and
// after it: " th" and "he " of "the". None spans two words. They distinguish languages, and make misspelt and inflected
// words similar. They are the features of scikit-learn's analyzer char_wb, except that words are those of EachWord, and
// that a word shorter than n has no n-gram of length n.
//
// With a dictionary, features are its entries: scanning from left to right, the longest entry that begins at a term
// consumes its terms; other terms are unknown words, which no n-gram contains. The last word of an entry may be a
// prefix, immun*. Entries go through the same Tokenizer, prefixes without stemming.
//
// # Sequences of words
//
//	k(x, y) = Σ_s w_s #_s(x) #_s(y)          substring:unit=word,weight=decay,lambda=0.8
//
// over all sequences s of terms, of any length, under every weighting of the substring kernel; tfidf uses the document
// frequency of every sequence. The terms are the symbols of the suffix structures of the substring kernel: the same
// algorithms, costs per term instead of per letter, and models of support vectors. Stop words are removed and
// punctuation does not break sequences, as in n-grams. The vocabulary is open: words absent from the training texts do
// not count in scores but do count in k(x, x), as letters do. With ends, two marks surround each text that has a term,
// so that first and last words are separate features. A sequence's contribution is spread evenly over its terms, and a
// term's over the bytes of its word; a mark's goes to the adjacent word.
//
// Sequence is also the plain substring kernel: over bytes, the default, or over code points.
//
// # Algorithm
//
// A word of the text is hashed and compared with those seen before; only a new one is folded, compared with the stop
// words and stemmed: once per word, not once per occurrence. An n-gram is a node: the pair of the node of its first n −
// 1 terms and its last term, found in a table of pairs. Both tables compare their keys, so that features never collide.
// The counts of a document are in an array indexed by node.
//
// The Gram matrix is stored as sparse feature rows; its rows are computed from the inverted ones. A merged scorer has a
// row of weights per node, one per output. A compiled model holds the terms, the pairs, g and the weights: no text.
//
// # Cost
//
// Without skips, fitting takes O(N) for N bytes, and memory for a table entry per feature. A corpus takes 12 bytes per
// feature of a document, and 4 per token while it is counted. Scoring takes one look-up per token and one per n-gram;
// see BenchmarkScore. Most of the time of a normalised score of sequences is for k(x, x), which needs a suffix tree of
// the text.
//
// # References
//
// M. Davis, Unicode text segmentation, UAX #29. G. Salton, C. Buckley, Term-weighting approaches in automatic text
// retrieval, Information Processing & Management 24 (1988), doi:10.1016/0306-4573(88)90021-0. S. T. Dumais, Improving
// the retrieval of information from external sources, Behavior Research Methods 23 (1991), doi:10.3758/BF03203370
// (log-entropy). T. Joachims, Text categorization with support vector machines, ECML 1998, doi:10.1007/BFb0026683. N.
// Cancedda, E. Gaussier, C. Goutte, J.-M. Renders, Word-sequence kernels, JMLR 3 (2003) 1059–1082 (with gaps, which are
// not supported here). D. Guthrie et al., A closer look at skip-gram modelling, LREC 2006. M. F. Porter, An algorithm
// for suffix stripping, Program 14 (1980), doi:10.1108/eb046814.
package bow
