// Package gapped holds the kernels on k-mers that need not match exactly: gapped k-mers and mismatches.
//
// Each is a function h of the Hamming distance between k-mers u of x and v of y of one length l,
//
//	k(x, y) = Σ_{u ∈ x} Σ_{v ∈ y} w_u w_v h(d(u, v))
//
//	gapped:filter=gapped     h(m) = C(l−m, k)    common gapped k-mers (Ghandi et al. 2014)
//	gapped:filter=full       h of the projection on functions of at most k letters at a time: l-mer counts as
//	                         estimated from gapped k-mers by the pseudo-inverse; eigenvalues 1 up to k letters
//	                         and 0 beyond
//	gapped:filter=truncated  h = g ∗ g, g the full filter up to its first value that is not positive
//	gapped:filter=wildcard   h(m) = Σ_{s ≥ k} λ^{2(l−s)} C(l−m, s)    common k-mers with at most l − k
//	                         wildcards (Leslie & Kuang 2004)
//	mismatch                 h(m) = |k-mers within M mismatches of both| (Leslie et al. 2004)
//
// with h(m) = 0 for m > d, and w_u = 1 or a weight of the place of u in its sequence (center=M:H). With count=F a k-mer
// that occurs c times in a sequence, on both strands if both count, is one with the weight F(c) (weights.go). A letter
// outside the alphabet breaks k-mers: a window that holds one is not a k-mer. A sequence shorter than l has no k-mers,
// and k = 0 with everything.
//
// These are the kernels -t 0, 1, 2 and 4 of LS-GKM (Lee 2016), whose defaults are the catalogue's (l 11, k 7, d 3,
// truncated). LS-GKM reads a letter such as N as A, cuts sequences at 2,047 letters and lets a sequence without k-mers
// ruin a model; here each has the rule above.
//
// With subst, letters resemble each other: a pair counts h(d(u, v)) · ∏ B(u_i, v_i), with a positive semidefinite
// matrix B of letters, 1 on the diagonal, and an h without negative eigenvalues (alike.go). It needs the table of all
// k-mers: a product takes l·σ·σ^l multiplications, and with an h that is no constant as many for each distance it
// reaches; masks and neighbours are of no use. Contributions are even over the letters of a k-mer.
//
// # Linear time
//
// A function of Hamming distance on all σ^l k-mers is a matrix with l + 1 eigenspaces: the functions of exactly j
// letters of a k-mer, with the eigenvalue λ_j = Σ_m h(m) P_m(j) by Krawtchouk polynomials (package hadamard). So a
// product K·v is a scatter of v on the table of k-mers, a convolution in O(l σ^l) whatever h is, and a gather; a scorer
// is a table, and prediction one look-up per letter. Nothing is enumerated and nothing approximated: every mismatch up
// to d counts.
//
// # K-mers beyond the table
//
// A table has room for 10⁸ k-mers: l ≤ 13 on DNA and RNA, 6 on protein, 3 on bytes. Longer k-mers, up to 64 bits (l ≤
// 32, 12, 8), are served as exactly by choices of positions: any h is Σ_s a_s C(l−m, s), so that
//
//	K = Σ_s a_s Σ_{|S| = s} (number of pairs of k-mers that agree on the positions S)
//
// is a sum of spectrum kernels, one per mask S with a_s ≠ 0. Uncut gapped k-mers need s = k alone, C(l, k) masks; an h
// that is cut at d needs s ≥ l − d, that is C(l, 0) + … + C(l, d). The a_s are computed in fractions, so that one that
// is 0 is known to be. With both strands a mask serves for its mirror image too. In the index, masked k-mers of one
// document only add to its diagonal. Small corpora take this way below the table's limit too, where it is faster.
//
// A scorer beyond the table has a table of weights per mask, or where that is less work (long k-mers, small d) finds
// the k-mers within d of each query k-mer: k-mers are divided into B > d blocks of letters, and sorted by each choice
// of B − d blocks; two k-mers within d agree on one choice at least. The first costs the same whatever the number of
// support vectors, the second about C(B, d) look-ups and W/σ^(l(B−d)/B) comparisons for each on W k-mers, B being
// chosen for the least. The choice depends only on what is stored, and so is the same after loading.
//
// The signs of a_s alternate if h is cut: terms are larger than their sum, up to 320,000 times. The error of products
// against pairs of k-mers counted one by one stayed below 2e-12 of √(k(x,x)k(y,y)) for ordinary parameters; kernels for
// which it could exceed 1e-6 are refused. Neighbours have no such terms.
//
// # All values at once
//
// K-mers that 64 bits do not hold, of more than 12 amino acids, have no codes: values are counted pair by pair along
// the diagonals of two sequences, in O(|x|·|y|) whatever l and d, and products are made of rows.
//
// The whole matrix is a sum over masks, too (stringkernel.Dense): documents are listed by masked k-mer, and every
// document meets those before it in the lists of its k-mers. With df documents in the list of a masked k-mer that takes
// Σ df²/2 steps of a nanosecond or less, plus 45 ns per k-mer and mask, and 50 bytes per k-mer for the current mask; n
// rows would be n products. Package classify holds the matrix in memory where machines, folds or costs would ask for
// more products than that. It is for corpora of at most 16 million k-mers.
//
// # Contributions
//
// What a common gapped k-mer adds to a score is spread over its k letters and not over the wildcards: a letter of a
// k-mer gets from each k-mer of a support vector that agrees on it (h(m) − h(l))/(l − m), and every letter h(l)/l,
// which is 0 but for uncut full filters. The sum is exact. With the table this takes two more convolutions with other
// functions of distance, once, and then l·(σ + 1) look-ups per k-mer (explain.go): 300 bases at l = 11 on both strands
// in 22 µs. By masks or neighbours it takes a few times the work of a score.
//
// # Definiteness
//
// Cutting h at d can make it indefinite: see the least eigenvalue ([Kernel.SmallestEigenvalue]). LS-GKM's default has
// −2.9e-4 of the greatest. That hardly matters on a few thousand sequences; clip sets negative eigenvalues
// to 0 for certainty. The mismatch kernel, and the uncut filters (d = l; gapped and wildcard: d = l − k), are
// semidefinite.
//
// # Cost
//
//	product   O(N + l σ^l)         the convolution of package hadamard, and 1 to 3 ns per letter
//	score     O(|x|)               a look-up per letter: 4 ns at l = 11, 6 of letters like none before
//	k(x, x)   O(|x|²), or O(|x|)   what normalised scores of long sequences cost: see below
//	row       as a product
//	matrix    O(masks·N + Σ df²), see above
//
// Memory: 2 to 5 bytes per letter of the corpus; 8 σ^l bytes (32 MB at l = 11 on DNA) per product under way, half of
// that with both strands and an odd l, and per output of a scorer; 16 σ^l more per output that was explained.
//
// With both strands a product lists the k-mers of one, and the convolution adds the other ([hadamard.Strands]). The
// k-mers are listed by regions of the table that fit into a processor's own cache (table_gram.go), which are also the
// tasks of several processors: no sum depends on how many there are.
//
// Pairs of k-mers of DNA and RNA without centre weights are counted some 50 at a time, bit-sliced along diagonals, each
// unordered pair once and with both strands once for both: 0.18 ns per pair for d ≤ 3, 0.35 to 0.5 beyond. k(x, x) of
// 300 bases on both strands takes 16 µs at l = 11, d = 3 (19 million bases per second, normalised; half of that for d =
// 4), and grows with the length of the sequence per base. Other alphabets and centre weights take about 1 ns per pair.
// Where it is less work, as for proteins and from 20,000 bases on, k(x, x) is counted at once, in linear time: by the
// table of all k-mers, or mask by mask in about 8 ns per k-mer and mask.
//
// All windows of a sequence (TrackTo, TrackSelfTo) take one look-up each for scores, 5 ns at l = 10. k(w, w) takes the
// distances of the k-mer that enters, and of the one that leaves, from all k-mers of the window, lane by lane: 75 ns at
// l = 10, d = 3 and windows of 200 letters, 180 with both strands at l = 11. Centre weights depend on the place in the
// window, and through a function on the other k-mers there: such windows are scored one by one.
//
// Counts through a function take 1.5 times the time of training of raw ones on 4,785 promoters of 251 bases (l = 11),
// and 1.8 times that of normalised scores: k-mers are sorted, and k(x, x) is that of raw counts, corrected for k-mers
// that recur.
//
// By masks, on one core of a server: indexing 15 to 40 ns per k-mer and mask, a product 0.3 to 0.8 ns (without the
// k-mers that are dropped), a score 25 to 70 ns per letter and mask; both strands count as one k-mer twice and half the
// masks. 250,000 k-mers of DNA on both strands at l = 16, d = 3 (697 masks): product 26 ms, score by neighbours 1.9 µs
// per letter. A row counts pairs, or is a product if sequences are long. Memory: 4 bytes per k-mer that is shared and
// mask, with weights 8; per mask of a scorer 8 σ^s bytes per output, or 24 to 48 and 8 per output for each k-mer
// where that is less; by neighbours 20 bytes per k-mer and choice.
//
// # Limits
//
// At most 32 letters of DNA, 12 of protein, 8 of bytes. Beyond the table at most 16,384 masks (such as l = 16, d = 6,
// or l = 32, d = 3), and an index of at most 4 GiB, estimated from one mask of each size before the work begins. More
// is refused with the numbers.
//
// # References
//
// M. Ghandi, D. Lee, M. Mohammad-Noori, M. A. Beer, Enhanced regulatory sequence prediction using gapped k-mer
// features, PLoS Computational Biology 10 (2014), doi:10.1371/journal.pcbi.1003711. D. Lee, LS-GKM: a new gkm-SVM for
// large-scale datasets, Bioinformatics 32 (2016), doi:10.1093/bioinformatics/btw142. C. Leslie, E. Eskin, A. Cohen, J.
// Weston, W. S. Noble, Mismatch string kernels for discriminative protein classification, Bioinformatics 20 (2004),
// doi:10.1093/bioinformatics/btg431. C. Leslie, R. Kuang, Fast string kernels using inexact matching for protein
// sequences, Journal of Machine Learning Research 5 (2004) 1435–1455. S. V. N. Vishwanathan, A. J. Smola, Fast kernels
// for string and tree matching, Advances in Neural Information Processing Systems 15 (2002).
package gapped

// Files, each of which names only what those before it declare:
//
//	filter.go       h of each filter
//	coder.go        a k-mer as a code of 64 bits, and as a place in a table
//	weights.go      what a k-mer weighs: by its place, or by its count
//	engine.go       the kernel as h and weights, which all below work on; the weighed k-mers of a record
//	alike.go        letters that resemble each other
//	costs.go        which way takes how long and how much memory
//	wide.go         values of k-mers that 64 bits do not hold
//	diagonal.go     values of nucleotides, bit-sliced
//	windows.go      k(w, w) of all windows of a sequence
//	masks.go        choices of positions; k-mers listed under one
//	values.go       k(x, y) and k(x, x)
//	mask_gram.go    products, and the whole matrix, by masks
//	table_gram.go   products by the table of all k-mers
//	kmer_scores.go  scores of k-mers without a table: by masks, or by neighbours
//	scorer.go       scores of sequences and their windows
//	explain.go      what letters and k-mers contribute to a score
//	letters.go      scores and contributions with another letter; gkmexplain's numbers
//	selfsubstituted.go  k(x, x) with another letter
//	merge.go        support vectors to a scorer
//	stored.go       its stored form
//	space.go        the table of all k-mers: for package compose, and to add records to
//	contract.go     what both kernels do alike; products by table or masks
//	gapped.go       Kernel, its features by name
//	mismatch.go     Mismatch
