// Package poim computes positional oligomer importance matrices: what a word at a position is worth to a score that is
// a sum of weights of words at positions, as that of a weighted degree kernel is.
//
// A window has L letters, and a score is s(x) = Σ_{(u, i)} w(u, i)·[x[i:i+|u|] = u]. A single weight says little about
// a word: longer and shorter words and those that overlap it have weights too, and occur with it. The importance of a
// word z at position j is what seeing it there adds to the expected score of a random window X whose letters are
// independent, with the frequencies π of a background (uniform, unless said otherwise),
//
//	Q(z, j) = E[s(X) | X[j:j+|z|] = z] − E[s(X)].
//
// Constants (a bias, a norm that is the same for all windows) do not matter. Importances of one length are comparable,
// and Σ_z π(z) Q(z, j) = 0.
//
// # Closed form
//
// Only words that overlap z matter, for the letters of others are independent of it. A word u at i has some of its
// letters in [j, j + |z|), where they must agree with z's, and others outside, each of which agrees with probability π.
// Let for a word v at a, which covers [a, b),
//
//	W(v, a)  the weight of v at a itself
//	R(v, a)  the weights of the words that begin at a, agree with v and end at b or behind:    R(v, a) = W(v, a) + Σ_c π(c) R(vc, a)
//	L(v, a)  of those that end at b, agree with v and begin at a or before:                    L(v, a) = W(v, a) + Σ_c π(c) L(cv, a − 1)
//	B(v, a)  of those that begin at a or before and end at b or behind:                        B(v, a) = R(v, a) + Σ_c π(c) B(cv, a − 1)
//
// each weight times the probability of the letters outside [a, b). By where the overlap with z begins and ends,
//
//	E[… | z at j] = B(z, j) + Σ_{prefixes v ≠ z} L(v, j) + Σ_{suffixes v ≠ z} R(v, j + |z| − |v|) + Σ_{v inside, neither} W(v, …) + constant.
//
// The three sums are built letter by letter, too: that of a word from that of the word without its last or first
// letter. So each importance takes a constant number of additions. This is the idea of the recursions of Sonnenburg et
// al. (2008); the four sums above, each over all words of a length at once, are how it is laid out here.
//
// # Cost
//
// For words of up to K letters over σ letters time is O(Σ |u| over the weights + K·σ^K·L): linear in the weights of
// each length and in the importances. Memory is 8·σ/(σ − 1)·σ^K·L bytes for the importances and up to 56 % more for the
// sums, 150 MB for K = 8 and 141 bases; there may be [MaxValues] importances. The weights of 1,000 windows of 141 bases
// and degree 20, 2.6 million, take 0.18 s for K = 6 and 0.35 s for K = 8 (BenchmarkCompute).
//
// S. Sonnenburg, A. Zien, P. Philips, G. Rätsch: POIMs: positional oligomer importance matrices – understanding support
// vector machine-based signal detectors. Bioinformatics 24(13):i6–i14, 2008. doi:10.1093/bioinformatics/btn170.
package poim
