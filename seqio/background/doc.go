// Package background makes sequences without a signal from those that have it, to train and test classifiers against:
// shuffles that keep the counts of short k-mers, and windows of a genome that match the positives in everything that is
// not to be learnt.
//
// # Shuffles
//
// A random sequence of the same letters differs from a real one in its dinucleotides (CpG, runs of A), and a kernel
// learns that first. [Shuffler] rearranges a sequence so that every k-mer, and every shorter one, occurs as often as
// before. With a node per (k−1)-mer and an edge per occurrence of a k-mer, the sequence is a path that uses every edge
// once (an Euler path), and all sequences of the same counts are the Euler paths of the same graph, from the same first
// node to the same last one. One is drawn uniformly: the edges by which the path leaves each node but the last for the
// last time are a spanning tree towards the last node; every tree goes with as many orders of the other edges (de
// Bruijn & van Aardenne-Ehrenfest 1951). So a tree is drawn uniformly, by loop-erased random walks (Wilson 1996), and
// the other edges of each node are permuted, which is the shuffle of Altschul & Erickson (1985) without their rejection
// of sets of edges that are not a tree, for any k as in uShuffle (Jiang et al. 2008).
//
// Letters outside the alphabet (N, masked bases) keep their places, and the runs between them are shuffled one by one.
// The alternative, treating N as a letter, would move the gaps of an assembly and create k-mers that the sequence does
// not have. The price is that each run keeps its first and last letters, so a sequence with many N is shuffled less.
//
// Time is O(n) for n letters plus the walks. These are short for k = 2 (4 or 20 nodes); on the graph of a random
// sequence they take O(n) steps for any k, and never more than O(n · nodes) on average. Measured: 5 ns per
// letter for k = 1, 14 to 19 for k = 2; for k = 6 100 with 200 letters and 15 with a million, for k = 12 150. Memory is
// 8 bytes per letter of the run, and for k > 2 up to 80 more per distinct (k−1)-mer.
//
// # Matched windows
//
// [Matcher] draws windows of a genome with the length of a positive and, within tolerances, its share of G and C and
// its share of soft-masked letters, which is how repeats are marked (lower case). They have known letters only and
// overlap neither positives nor excluded pieces nor each other. For a window, places are drawn uniformly from the
// genome and tested until one passes, so every place that passes is as likely as any other; the number of tries is
// bounded, and windows that are not found are counted by the last test that some place reached. Two biases remain, both
// inherent to the problem: within the tolerance, windows tend to the side on which the genome has more of them; and
// where windows are dense, later ones take the room that is left. [Matches.WriteReport] shows both.
//
// An [Atlas] makes a test O(1), 40 ns in a genome of 16 Mb and 190 in one of 270 Mb, which is beyond the caches:
// three bits per base with counts every 256 bases are 0.44 bytes per base, 1.4 GB for 3.1 Gb; the
// letters stay on disk.
//
// # References
//
// S. F. Altschul, B. W. Erickson: Significance of nucleotide sequence alignments: a method for random sequence
// permutation that preserves dinucleotide and codon usage. Molecular Biology and Evolution 2, 1985, 526–538.
// doi:10.1093/oxfordjournals.molbev.a040370.
//
// D. B. Wilson: Generating random spanning trees more quickly than the cover time. STOC 1996, 296–303.
// doi:10.1145/237814.237880.
//
// D. Kandel, Y. Matias, R. Unger, P. Winkler: Shuffling biological sequences. Discrete Applied Mathematics 71, 1996,
// 171–185. doi:10.1016/S0166-218X(97)81456-4.
//
// M. Jiang, J. Anderson, J. Gillespie, M. Mayne: uShuffle: a useful tool for shuffling biological sequences while
// preserving the k-let counts. BMC Bioinformatics 9, 2008, 192. doi:10.1186/1471-2105-9-192.
//
// T. van Aardenne-Ehrenfest, N. G. de Bruijn: Circuits and trees in oriented linear graphs. Simon Stevin 28, 1951,
// 203–217.
//
// M. Ghandi et al.: gkmSVM: an R package for gapped-kmer SVM. Bioinformatics 32, 2016, 2205–2207.
// doi:10.1093/bioinformatics/btw203 (windows matched in GC and repeats).
package background
