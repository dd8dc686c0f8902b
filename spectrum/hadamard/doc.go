// Package hadamard multiplies a table over all words of one length by any function of Hamming distance, in time linear
// in the table but for a factor of the length.
//
// With words u, v of length l on an alphabet of σ letters, d_H their Hamming distance and h any l+1 numbers, [Convolve]
// computes
//
//	y_u = Σ_v h(d_H(u, v)) x_v
//
// in O(l σ^l) additions instead of the O(σ^2l) of the definition. Gapped k-mer, mismatch and wildcard kernels are such
// functions: the values of a whole corpus at once are a scatter of coefficients onto the table, one convolution and a
// gather.
//
// # Method
//
// The matrices of all functions of Hamming distance (the Hamming scheme H(l, σ)) have the same eigenvectors. These are
// products over the l positions of a vector in the letter of that position, which is either constant or sums to zero,
// and the eigenvalue depends only on the number j of positions where it is not constant:
//
//	λ_j = Σ_m h(m) P_m(j),   P_m(j) = Σ_s (−1)^s (σ−1)^(m−s) C(j, s) C(l−j, m−s)
//
// with the Krawtchouk polynomials P_m. [Eigenvalues] computes them, correctly rounded. They tell too whether the
// function is positive semidefinite, which it is if and only if none of them is negative. Convolve transforms the table
// to coordinates for such vectors, one position (digit) after the other, multiplies each coordinate by its λ_j and
// transforms back. Which vectors of sum zero are taken is free, and the cheapest are:
//
//   - Four letters: (1, 1, −1, −1), (1, −1, 0, 0) and (0, 0, 1, −1), a Haar basis. It takes 6 additions per digit and
//     four values each way, where the Walsh–Hadamard transform on 2l bits takes 8. Both are orthogonal. Lengths differ
//     by powers of two, which the factors absorb: there is no multiplication but the one by λ_j.
//   - Others: close to the reflection that exchanges the constant vector and a unit vector. It takes 2σ additions per
//     digit and σ values each way, where a matrix takes σ², and enlarges errors no more than an orthogonal one does.
//
// # Conventions
//
// A letter is a digit 0 … σ−1, the first letter of a word is its highest digit, and the word Σ_i d_i σ^(l−1−i) is its
// index in the table (0-based): alphabetical order. With σ = 4 that is 2 bits per letter. Tables have at most
// [MaxWords] entries, σ^l ≤ 10⁸: 13 letters of DNA, 6 of protein. [Size] refuses more.
//
// # Cost
//
// 8 bytes per word, in place: nothing is allocated in proportion to the table. Milliseconds per convolution on one core
// of a server (4 GHz class), medians of BenchmarkConvolve:
//
//	σ = 4,  l = 8   (65,536 words,  0.5 MB)    0.20
//	σ = 4,  l = 9   (262,144 words,   2 MB)    0.91
//	σ = 4,  l = 10  (1.0 million,     8 MB)    4.1
//	σ = 4,  l = 11  (4.2 million,    32 MB)   18.3
//	σ = 4,  l = 12  (16.8 million,  128 MB)   84
//	σ = 20, l = 5   (3.2 million,    26 MB)   16
//	σ = 5,  l = 9   (2.0 million,    16 MB)   21
//
// For four letters those are figures without vector instructions, 0.4 ns per word and letter. With those of package
// simd a convolution takes a quarter of that at l = 8, and at l = 11 0.39. Two cores take 0.52 to 0.6 times as long
// from l = 10 on; tables of less than 16,384 words are done by one. The last six digits are done on blocks of 32 KB in
// the first-level cache; the others two at a time, part by part, so that a table in main memory is swept three times,
// and any part of it that fits a cache is swept in that cache.
//
// Where a word of nucleotides and its reverse complement count as one, [Strands] takes half the work, and for an odd
// length half the memory: at l = 11 it takes 0.65 of the time of a table of all words, with AVX2 0.52.
//
// # Errors
//
// Four letters: if h and x are integers and Σ_m |h(m)| C(l, m) (σ−1)^m · Σ_v |x_v| ≤ 2⁵³, the result is exact. Every
// intermediate value is then a power of two times a sum with signs of distinct entries of x or of y, and no such sum
// exceeds that bound.
//
// Else errors are of the order of 10⁻¹⁶ times the largest |y_u|, for all alphabets (at most 2·10⁻¹⁵ in the tests, which
// compare with exact sums). They are relative to the whole table, not to the entry: where y_u is a difference of large
// terms, or tiny beside others, its relative error is larger, as in any transform.
//
// The order of operations on each entry is fixed, and parallel tasks share none, so that the result is the same to the
// last bit for any number of processors.
//
// # Example
//
// For every 11-mer, how many of those of a genome are within three mismatches:
//
//	words, err := hadamard.Size(4, 11)              // 4,194,304
//	x := make([]float64, words)
//	for _, code := range codes { x[code]++ }        // 2 bits per letter
//	h := make([]float64, 12)
//	h[0], h[1], h[2], h[3] = 1, 1, 1, 1
//	hadamard.Convolve(x, 4, 11, hadamard.Eigenvalues(4, 11, h))
//	// x[u] is now that number for the word u
//
// Several functions h of one table need a copy of it each; several tables with one h share the eigenvalues.
//
// # References
//
// M. Krawtchouk: Sur une généralisation des polynomes d'Hermite. Comptes rendus de l'Académie des sciences 189, 1929,
// 620–622.
//
// P. Delsarte: An algebraic approach to the association schemes of coding theory. Philips Research Reports Supplements
// 10, 1973.
//
// M. Ghandi, D. Lee, M. Mohammad-Noori, M. A. Beer: Enhanced regulatory sequence prediction using gapped k-mer
// features. PLoS Computational Biology 10(7), 2014, e1003711. doi:10.1371/journal.pcbi.1003711. (The kernels, as
// functions of Hamming distance.)
package hadamard
