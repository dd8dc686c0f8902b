// Package motif joins the strongest k-mers of a model into motifs, position weight matrices, and writes them in the
// formats of MEME and JASPAR.
//
// # From k-mers to motifs
//
// The k-mer of the greatest weight begins a motif. The others, in the order of their weights, join it at the offset,
// and on the strand, where their log-odds against the motif so far,
//
//	s(u, o) = Σ_j log₂(p_{o+j}(u_j)/q(u_j)),
//
// are greatest, if these come to half of what |u| columns of a single letter each would give. Columns count a letter by
// the weights of the k-mers that have it, with a tenth of the motif's weight spread over all letters as in the
// background q; letters of a k-mer beside the motif widen it. What joins no motif begins the next. At the ends, columns
// are cut off whose relative entropy to the background is less than a quarter of a bit.
//
// # From motifs to sites
//
// With records and the contributions of their positions (package stringkernel, Explainer), motifs are refined by where
// they occur, the strongest first. A site is a window whose log-odds are so high that a random window of the background
// exceeds them with a probability of at most 10⁻⁴ (or the best there is, if the motif is too short for that), and whose
// positions contribute to the score more than nothing in all. Of overlapping sites the highest counts. The columns of
// the next round, three more at each end before they are cut again, are the letters of the sites weighted by their
// contributions, until the sites stay; a column at the end needs as many bits more as so many random letters are
// expected to have. Positions of a site belong to no other motif, so the shares of the decision that motifs explain,
// the part of all positive contributions that is within their sites, sum to at most 1.
//
// With both strands a motif is shown on the one where A and C have more of its columns in all than G and T; of
// as much, on the one whose most probable letters come first in the alphabet.
//
// Without records the share of a motif is that of its k-mers in the weights of all that were given.
//
// # Information
//
// The information of a column is log₂ σ + Σ_b p(b) log₂ p(b) bits, the height of its stack in a sequence logo; without
// correction for small samples.
//
// # Cost
//
// For n k-mers of l letters and m motifs of w columns, joining takes O(m·n·w·l) and refining O(m·w·N) per round for N
// letters on both strands; at most ten rounds. Most windows are left after one word of six bases, the most informative
// one of the matrix, since the best that the other columns could add is not enough. Memory: eight bytes per letter for
// the contributions, which the caller has, and four for the codes of words.
//
// # References
//
// T. D. Schneider, R. M. Stephens, Sequence logos: a new way to display consensus sequences, Nucleic Acids Research 18
// (1990), doi:10.1093/nar/18.20.6097. C. E. Grant, T. L. Bailey, W. S. Noble, FIMO: scanning for occurrences of a given
// motif, Bioinformatics 27 (2011), doi:10.1093/bioinformatics/btr064, whose threshold this is. A. Shrikumar et al.,
// Technical note on transcription factor motif discovery from importance scores (TF-MoDISco), arXiv:1811.00416, whose
// sites are cut by contributions as well.
package motif
