// Package spaced counts letters that need not stand side by side: under masks, such as spaced seeds and gappy pairs,
// and as subsequences.
//
// A mask is a choice of places: 1101 chooses the first, second and fourth of four letters. [Kernel] counts the letters
// under each of its masks,
//
//	k(x, y) = Σ_m Σ_u #_{m,u}(x) #_{m,u}(y),
//
// where #_{m,u}(x) is the number of places of x at which the letters under mask m are u (Ma, Tromp & Li 2002 for the
// masks; Kuksa, Huang & Pavlovic 2008 and Bodenhofer et al. 2009 for gappy pairs). What stands at a 0 does not count,
// and may be outside the alphabet. [Subsequence] counts subsequences wherever their letters stand, each occurrence by
// λ^span (Lodhi et al. 2002).
//
// # Cost
//
// A record of n letters has up to n·M features, M masks or choices of places within a span; it takes O(n) for each
// letter under each mask to list them. Rows are explicit, 12 bytes per feature: training and products are linear in
// them, and a score is a look-up for each. Subsequences of any span have no features to list: values come from a
// recurrence in O(k·|x|·|y|), pair by pair.
//
// # References
//
// B. Ma, J. Tromp, M. Li: PatternHunter: faster and more sensitive homology search. Bioinformatics 18 (2002) 440–445.
// H. Lodhi, C. Saunders, J. Shawe-Taylor, N. Cristianini, C. Watkins: Text classification using string kernels. Journal
// of Machine Learning Research 2 (2002) 419–444. U. Bodenhofer, K. Schwarzbauer, M. Ionescu, S. Hochreiter: Modeling
// position specificity in sequence kernels by fuzzy equivalence relations. IFSA-EUSFLAT 2009, 1376–1381. P. Kuksa,
// P.-H. Huang, V. Pavlovic: Fast protein homology and fold detection with sparse spatial sample kernels. ICPR 2008.
package spaced
