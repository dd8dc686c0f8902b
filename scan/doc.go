// Package scan scores every window of long sequences with a classifier, and chooses among the windows.
//
// A window of L letters begins at each position p of a record, 0 ≤ p ≤ n − L, or at multiples of a step, and is read on
// the plus strand or, as its reverse complement, on the minus strand. Its score is that of the classifier for these L
// letters alone, up to rounding: norms are those of the window, and letters outside the alphabet break k-mers.
// Positions are 0-based and count on the plus strand for both strands.
//
//	source (genome.Stream)         a genome in chunks that share L − 1 letters, so that each window is in one
//	Scanner.Run                    scores chunks on all processors, and hands over hits in order
//	Suppressor, Top, Merger        choose among hits, chained
//	Scanner.EstimateFDR            q-values of the best windows, from shuffles or from sequences without sites
//
// # Sliding windows
//
// Scores of windows come from [stringkernel.Track]. If the scorer is a Tracker, each k-mer is looked up once per
// strand, a window is a sliding sum over k-mers without subtraction, and the norms of windows follow from the k-mers
// that enter and leave. Other kernels are scored window by window. If few windows are wanted (an anchor, a step), they
// are scored one by one if that is less work; a score may differ in the last bits between the two.
//
// # Cost
//
// Time is that of the kernel per window, and memory that of a few chunks of 2¹⁵ windows (or 4 L letters if that is
// more) per processor, whatever the length of records: 1 to 6 MB for each of them. Among the sinks, Top keeps N regions
// and Suppressor some neighbours. E. coli K-12 (4.6 million bases), both strands, windows of 200 letters, one core,
// million windows per second:
//
//	                       raw    normalised
//	spectrum:k=8           227    128
//	spectrum:k=8,bounded   134    39
//	gapped:l=10,k=6        124    17
//
// by go test -bench Genome -cpu 1 ./scan; a window counts on each strand.
//
// Results do not depend on the number of processors, to the last bit.
package scan
