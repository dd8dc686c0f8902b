// Package poim computes positional oligomer importance matrices: what a k-mer at a position contributes to a score that
// is a sum of weights of k-mers at positions, such as that of a weighted degree kernel.
//
// A window has L letters, and a score is s(x) = Σ_{(u, i)} w(u, i)·[x[i:i+|u|] = u]. A single weight says little about
// a k-mer: longer, shorter and overlapping k-mers have weights too, and occur with it. The importance of a k-mer z at
// position j is what its presence adds to the expected score of a random window X whose letters are independent, with
// the frequencies π of a background (uniform by default),
//
//	Q(z, j) = E[s(X) | X[j:j+|z|] = z] − E[s(X)].
//
// Constants (such as a bias) do not matter. Importances of one length are comparable, and Σ_z π(z) Q(z, j) = 0.
//
// # Closed form
//
// Only k-mers that overlap z matter: the letters of the others are independent of it. A k-mer u at i has some of its
// letters in [j, j + |z|), where they must agree with z's, and others outside, each of which agrees with probability π.
// For a k-mer v at a, which covers [a, b), let
//
//	W(v, a)  the weight of v at a itself
//	R(v, a)  the weights of the k-mers that begin at a, agree with v and end at b or later,
//	         R(v, a) = W(v, a) + Σ_c π(c) R(vc, a)
//	L(v, a)  of those that end at b, agree with v and begin at a or earlier,
//	         L(v, a) = W(v, a) + Σ_c π(c) L(cv, a − 1)
//	B(v, a)  of those that begin at a or earlier and end at b or later,
//	         B(v, a) = R(v, a) + Σ_c π(c) B(cv, a − 1)
//
// each weight times the probability of the letters outside [a, b). By where the overlap with z begins and ends,
//
//	E[… | z at j] = B(z, j) + Σ_{prefixes v ≠ z} L(v, j) + Σ_{suffixes v ≠ z} R(v, j + |z| − |v|)
//	              + Σ_{v inside, neither} W(v, …) + constant.
//
// The three sums are also built letter by letter: that of a k-mer from that of the k-mer without its last or first
// letter. So each importance takes a constant number of additions. The recursions of Sonnenburg et al. (2008) rest on
// the same idea; this package computes the four sums above, each over all k-mers of a length at once.
//
// # Cost
//
// For k-mers of up to K letters over an alphabet of σ, time is O(Σ |u| over the weights + K·σ^K·L): linear in the
// weights of each length and in the importances. Memory is 8·σ/(σ − 1)·σ^K·L bytes for the importances and up to 56 %
// more for the sums, 150 MB for K = 8 and 141 bases; at most [MaxValues] importances are allowed. The weights of 1,000
// windows of 141 bases and degree 20, 2.6 million, take 0.18 s for K = 6 and 0.35 s for K = 8.
//
// S. Sonnenburg, A. Zien, P. Philips, G. Rätsch: POIMs: positional oligomer importance matrices – understanding support
// vector machine-based signal detectors. Bioinformatics 24(13):i6–i14, 2008. doi:10.1093/bioinformatics/btn170.
package poim
