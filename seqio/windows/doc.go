// Package windows cuts labelled training windows from a genome and an annotation: windows around true sites (splice
// donors and acceptors, translation and transcription starts, any list of places), and decoys, which look like sites
// and are not annotated as such.
//
// # Anchor and window
//
// Every site has an anchor, one letter of one strand. A window is U letters upstream of the anchor, in the direction of
// the strand, and D letters from the anchor on: L = U + D letters, the anchor at letter U (0-based). Windows are
// written in the direction of their strand. The consensus of a site begins at the anchor. A scan with the consensus as
// motif and U as offset scores the same windows.
//
//	donor     first letter of an intron            consensus GT
//	acceptor  last letters of an intron, as many as the consensus AG has
//	start     first coding letter                  consensus ATG
//	tss       first letter of a transcript         no consensus
//
// For a site at forward position p (0-based) the window covers forward letters p − U … p + D − 1 on the plus strand and
// p − D + 1 … p + U on the minus strand, where it is the reverse complement.
//
// # Decoys
//
// A decoy is a position with the same consensus, on transcribed regions in their direction or anywhere on both strands,
// that is not a site of any transcript, even one that cannot be used, and that is at least a given distance from every
// site. Of n candidates, N are drawn uniformly without replacement: a hash of the seed and the position gives every
// candidate a random key, and those with the N smallest keys are taken. So the draw does not depend on the order of the
// genome's records, and a larger sample contains the smaller ones.
//
// # Training and test
//
// The genome is split, not the windows: whole records, or blocks of equal length. A window belongs to a part if all of
// its letters do; one that crosses the border between training and test is dropped. So no test window shares a position
// of the genome with a training window, on either strand. Identical letters at different positions are removed by
// comparison: of several windows with the same letters one is kept, true ones before decoys and those of the test part
// before those of the training part.
//
// # Cost
//
// One pass over the genome finds the true sites and one the candidates, with a step per letter and strand each
// (BenchmarkCut); records with drawn windows are read once more per part. Memory is that of the longest record and
// about 1 KB per window of 141 letters that is kept: 420,000 windows of 100 million bases take 3.5 s and 540 MB.
//
// # References
//
// S. Sonnenburg et al., Accurate splice site prediction using support vector machines, BMC Bioinformatics 8 (2007),
// doi:10.1186/1471-2105-8-S10-S7 (decoys with the consensus; windows of 141 letters); M. G. Reese et al., Improved
// splice site detection in Genie, Journal of Computational Biology 4 (1997), doi:10.1089/cmb.1997.4.311; R. Dreos et
// al., EPD and EPDnew, high-quality promoter resources in the next-generation sequencing era, Nucleic Acids Research 41
// (2013), doi:10.1093/nar/gks1233 (windows of transcription starts); P. S. Efraimidis and P. G. Spirakis, Weighted
// random sampling with a reservoir, Information Processing Letters 97 (2006), doi:10.1016/j.ipl.2005.11.003 (sampling
// by least keys).
package windows
