// Package kmers looks at a model one k-mer at a time: the score of every k-mer of the kernel's length, and the
// difference that a variant of a genome makes.
//
// A kernel that sums over pairs of k-mers of one length l (spectrum, gapped and mismatch kernels) gives a raw score
// that is a sum over the k-mers of the sequence,
//
//	f(x) = Σ_i c_i k(x_i, x) / √k(x_i, x_i) = Σ_{u ∈ x} w(u),   w(u) = f(u) of the k-mer alone,
//
// with the division if the kernel is normalised, and neither the norm of x nor the bias. With both strands w(u) = w(rc
// u). A letter outside the alphabet breaks k-mers: a window that holds one has the score 0.
//
// [Scorer.WriteRows] writes w, as the file that deltaSVM (Lee et al. 2015) reads: lines k-mer, tab, score, in
// alphabetical order. With both strands only the alphabetically first of a k-mer and its reverse complement is listed,
// as LS-GKM's nrkmers.py does. The scores that users of LS-GKM compute by running gkmpredict on those k-mers are
// w(u)/√k(u, u) − ρ: ρ cancels in differences, and √k(u, u) is one factor for all k-mers but those within d
// mismatches of their own reverse complement.
//
// [Scorer.Deltas] is deltaSVM: the sum of w over the k-mers of the sequence with the alternative allele that overlap
// it, less that of the reference. Since k-mers that do not overlap it cancel, it is the difference f(alternative) −
// f(reference) of raw scores of the whole chromosome. [Scorer.Decision] and [Scorer.Importance] are differences of
// normalised scores and of contributions in a context, [Null] compares with variants at random.
//
// Centre-weighted kernels weigh k-mers by their place in a sequence. A k-mer alone is in the centre: w has the greatest
// weight, everywhere.
//
// # Cost
//
// A k-mer costs one look-up (two with both strands) and the overhead of a call, and a line of the table the printing of
// its score as well. A delta of a nucleotide takes 2l look-ups, 0.5 µs at l = 11, where many are asked for at once. A
// decision takes two scores with their norms, which are most of it: 40 µs for contexts of 300 letters. Writing a table
// takes about 25 MB whatever its length, besides the scorer's own; a [Set] takes σ^l bits, or 8 bytes per k-mer (16
// while it grows) where there are more than 2³⁰ k-mers.
//
// # Limits
//
// Two classes; one kernel, not a sum; alphabets dna, rna and protein, since k-mers of bytes may hold tabs and line
// ends. All k-mers are listed up to 10⁸ of them.
//
// # Example
//
//	s, err := kmers.NewScorer(ctx, m)
//	…
//	sites := make([]kmers.Site, 1)
//	err = sites[0].Look(genome, variant, s.Length()-1)
//	…
//	deltas := s.Deltas(nil, sites) // of its alleles
//
// # References
//
// D. Lee, D. U. Gorkin, M. Baker, B. J. Strober, A. L. Asoni, A. S. McCallion, M. A. Beer, A method to predict the
// impact of regulatory variants from DNA sequence, Nature Genetics 47 (2015), doi:10.1038/ng.3331. M. Ghandi, D. Lee,
// M. Mohammad-Noori, M. A. Beer, Enhanced regulatory sequence prediction using gapped k-mer features, PLoS
// Computational Biology 10 (2014), doi:10.1371/journal.pcbi.1003711.
package kmers
