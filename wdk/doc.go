// Package wdk has kernels on windows of one length, in which position i is compared with position i: for signals with
// an anchor, such as splice sites, translation starts and promoters.
//
// # The weighted degree kernel
//
// [Kernel] counts the k-mers, k = 1 … d, that two windows x and y have at the same position (Rätsch & Sonnenburg 2004),
// with shifts also nearby (Rätsch, Sonnenburg & Schölkopf 2005):
//
//	k(x, y) = Σ_{k=1..d} β_k Σ_i γ_i [x_i … x_{i+k−1} = y_i … y_{i+k−1}],  β_k = 2(d − k + 1)/(d(d + 1)) wd:d=D
//	        + Σ_k β_k Σ_{i<j} √(γ_i γ_j) δ_{j−i} ([x at i = y at j] + [x at j = y at i]),  k-mers      wd:d=D,shift=S
//
// over pairs with j − i ≤ S(i) and j − i ≤ S(j), where δ_s = 1/(2(s + 1)), or 1/(2s) as in SHOGUN with Shogun. S(i) is
// S everywhere, or with a ramp R and an anchor A the smaller of S and R·|i − A|: the further from the anchor, the less
// exact the position. γ_i are position weights, 1 by default. Positions count from 0. A letter outside the alphabet
// matches nothing, not even itself.
//
// Shifts of a constant S keep the kernel positive semidefinite: the sums 1 + Σ_{s ≤ S} cos(sθ)/(s + 1) and 1 + Σ
// cos(sθ)/s are never negative (Rogosinski & Szegő 1928, Young 1913). For ramps the tests compute eigenvalues of the
// matrix of position pairs: all those tried are positive.
//
// All windows have one length L. Gram and Merge return an error that names the first record of another length; Eval of
// sequences of different lengths is 0, and so is the score of a sequence that is not L letters long.
//
// With Subst, the weights B of pairs of letters, a match counts ∏ B(x_{i+l}, y_{j+l}), whether letters are equal or
// not. No index serves: Eval takes O((2S + 1)·d·L), products are of rows, and scores of values with the support
// vectors. What follows is without.
//
// # Values by bits
//
// The weights of lengths are whole numbers times 2/(d(d + 1)), so sums are exact. A run of m matches adds a cubic
// polynomial in m: Eval takes one term per run. A row of the matrix needs no runs: windows are bit planes, two for DNA,
// five for protein, eight for bytes, and one more for letters that match nothing; the planes of two windows give the
// mask m_1 of matching positions, m_{k+1} is m_k AND m_k moved by one position, and the value is Σ_{k ≤ d} S_k with S_k
// = Σ_{j ≤ k} popcount(m_j): no multiplications. Most masks are empty after a few steps.
// Eight windows lie word by word, for vector instructions. With position weights or a
// ramp, a table of 256 sums for each byte of a mask replaces popcount.
//
// # Products in linear time
//
// The k-mers at one position of all n windows form a tree, and K·v is a sum over positions of products on these trees:
// up, down, and out to the leaves. Windows come in order, two or three bytes for each letter name the node at which its
// k-mer ends, and only the nodes of one position are visited at random. The trees come from the positional
// Burrows–Wheeler transform (Durbin 2014): the order of the k-mers at position p, and the common prefixes of
// neighbours, follow from those at p + 1 by a counting sort. With shifts, the tree of the k-mers at two positions s
// apart, minus the trees of each, gives the matches in both directions, so that time and memory are 2S + 1 times those
// without. A product uses all processors: a tree is a task, and then a range of windows.
//
// Short words of many windows, of up to 16 bits (8 letters of DNA) and a quarter as many windows as there are words,
// need no trees: with shifts, the sums over windows that have a word at a position are in a table of all words, what a
// word scores at a position is the weighted sum of the tables around it, and 2S + 1 of them are there at a time. Then
// the memory is 2 bytes per letter whatever S.
//
// # Scores
//
// [Kernel.Merge] makes a table per position of all k-mers of up to h letters with the sums over prefixes folded in, so
// that one look-up serves all lengths. The longer k-mers of the support vectors are stored below it in a
// path-compressed trie (Morrison 1968) with the sums of coefficients at its edges: a match of n letters takes one step
// per branching node it passes, most often one. Bits with population counts say which k-mers of h + 1 letters exist and
// where their nodes are (Jacobson 1989), so that most positions never touch the trie. Shifts change what is folded, not
// how many look-ups a position takes. Many windows (a batch, or those of a long sequence, see [Scorer.TrackTo]) are
// scored position by position, so that a position's tables stay in the cache. A scorer of tables only (d ≤ 6 or so) is
// stored as such in a model file; others are stored as support vectors, one byte per letter where tables and tries take
// 25 to 40.
//
// # Cost
//
// N = nL letters of DNA, L = 141 and d = 20 unless said otherwise, one core of a busy server; BenchmarkRow and
// BenchmarkProduct are among what was measured.
//
//	row       1.6 ns per value with AVX-512, 1.1 for L = 60, 1.9 for L = 251, 4.4 if windows are similar; 6, 3, 8 and 19
//	          with AVX2; 15, 7, 21 and 34 by Go; 2S + 1 times that with shifts
//	index     60–75 ns per letter for products, built at the first one; rows need a third of a byte per letter only
//	K·v       1.7–2.2 ns per letter for n = 300 … 80,000; 2S + 1 times that with shifts; by tables, S = 8: 2.5 ns for
//	          d = 5 and n = 40,000, and for d = 8 about 1 ms per position, 20 ns per letter for 40,000
//	memory    3 bytes per letter, 4 from 100,000 windows on; (2S + 1) times that with shifts; by tables 2, and for
//	          d = 8 0.7 MB for each of 2S + 1 tables
//	merge     100 ns per letter of 8,000 support vectors, 110 of 80,000; 2S + 1 times that with shifts; at first score
//	score     O(L): 1,900,000 random windows per second against 8,000 support vectors, 1,400,000 of C. elegans
//	          (whose k-mers are less random), 490,000 against 80,000, all in batches and by processor time;
//	          6,500,000 windows of 80 bases with d = 6, 8,700,000 along a sequence
//
// A scorer takes 8 to 11 bytes per entry of its tables, of which a position has up to five times as many as there are
// support vectors, and 20 bytes per k-mer that continues below them; 8 bytes more for each with every further output.
//
// # Example
//
//	k := wdk.Kernel{D: 20, Alphabet: stringkernel.DNA}
//	g, err := k.Gram(ctx, windows)                  // train on it
//	s, err := stringkernel.Merge(ctx, k, sv, alpha) // score with it
//
// # References
//
// G. Rätsch, S. Sonnenburg: Accurate splice site prediction for Caenorhabditis elegans. In: Kernel Methods in
// Computational Biology, MIT Press 2004, 277–298.
//
// G. Rätsch, S. Sonnenburg, B. Schölkopf: RASE: recognition of alternatively spliced exons in C. elegans.
// Bioinformatics 21 Suppl 1 (2005), i369–i377. doi:10.1093/bioinformatics/bti1053.
//
// S. Sonnenburg, G. Rätsch, K. Rieck: Large-scale learning with string kernels. In: Large-Scale Kernel Machines, MIT
// Press 2007, 73–103. doi:10.7551/mitpress/7496.003.0006.
//
// R. Durbin: Efficient haplotype matching and storage using the positional Burrows–Wheeler transform (PBWT).
// Bioinformatics 30 (2014), 1266–1272. doi:10.1093/bioinformatics/btu014.
//
// D. R. Morrison: PATRICIA – practical algorithm to retrieve information coded in alphanumeric. Journal of the ACM 15
// (1968), 514–534. doi:10.1145/321479.321481.
//
// G. Jacobson: Space-efficient static trees and graphs. In: 30th Annual Symposium on Foundations of Computer Science,
// IEEE 1989, 549–554. doi:10.1109/SFCS.1989.63533.
package wdk
