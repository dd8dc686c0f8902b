// Package planted generates classification problems on DNA whose answer is known: half of the sequences carry a motif,
// half do not, and everything else is random. Benchmarks scale them to any size, tests check that
// a learner finds what was planted, explanations can be compared with the true sites.
//
// # Model
//
// Bases of the background are drawn uniformly. A positive sequence gets a copy of the motif at a place drawn uniformly:
// one reading of it (a degenerate letter becomes one of its bases, all equally likely) in which exactly Mutations bases,
// at places drawn uniformly, are replaced by another base; with BothStrands it is then reverse-complemented with
// probability ½. Negative sequences are background only; a copy that arises there by chance (about Length·4^−width of
// them) stays.
//
// Of N records ⌈N/2⌉ are positive, in random order. Label noise then inverts the labels of a share Flip of each class,
// rounded to whole records, so that an even N stays balanced.
//
// # Determinism
//
// The same Options give the same bytes on every platform and Go version: random numbers are the 64-bit outputs of the
// PCG-DXSM generator of math/rand/v2, whose algorithm is fixed, seeded with (Seed, 0x73657173766d); all draws from them
// are made here in integer arithmetic. Other Options with the same Seed give unrelated sets.
//
// # Cost
//
// Time O(N·Length), and one byte of memory per base beside about
// 100 bytes per record.
//
// # Example
//
//	set, err := planted.Generate(planted.Options{N: 2000, Length: 300, Motif: "TGACTCAWNN", Mutations: 1, Seed: 1})
//
// gives 1,000 sequences of each label, +1 and −1, named seq1 … seq2000.
//
// # Limits
//
// DNA only; all sequences have equal length; one motif per set; substitutions, no insertions or deletions.
//
// # References
//
//   - Pevzner, Sze (2000) Combinatorial approaches to finding subtle signals in DNA sequences (the planted motif
//     problem). ISMB 8, 269–278.
//   - O'Neill (2014) PCG: a family of simple fast space-efficient statistically good algorithms for random number
//     generation. Harvey Mudd College HMC-CS-2014-0905.
package planted
