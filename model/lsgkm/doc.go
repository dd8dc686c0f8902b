// Package lsgkm reads the model files of LS-GKM, the gapped k-mer SVM of regulatory genomics (Lee 2016), and
// converts them to models of this module that give the same scores.
//
// A file (gkmtrain's PREFIX.model.txt, gzip-compressed or not) is lines of a key and its values, then a line SV and one
// line per support vector, the coefficient y_i α_i and the sequence:
//
//	svm_type c_svc            classification; epsilon_svr is a regression, of gkmtrain-svr
//	kernel_type gkm_esttrunc  see below
//	L 11                      letters of an l-mer
//	k 7                       letters of it that count
//	d 3                       most mismatches
//	norc 0                    1: one strand; 0, or no such line: both
//	M 50                      with centre weights: the greatest weight, 1…255
//	H 50                      with centre weights: the distance of half the weight
//	gamma 2                   with an RBF
//	nr_class 2
//	total_sv 197
//	rho 0.289071              the decision is f(x) − rho
//	label 1 -1                the decision is positive for the first; not in a regression
//	probA …, probB …          the class probability 1/(1 + exp(A·decision + B)); not written by gkmtrain
//	nr_sv 98 99               support vectors of either class, in this order; not in a regression
//	SV
//	0.56038 TCCACTCAGCCGCC…
//
// The kernels, with the options of gkmtrain and of this module that make them:
//
//	gkm_cnt        -t 0   gapped:filter=gapped
//	gkm_estfull    -t 1   gapped:filter=full
//	gkm_esttrunc   -t 2   gapped:filter=truncated
//	wgkm           -t 4   gapped:filter=truncated,center=M:H
//	gkmrbf         -t 3   exp(−γ(1 − k)) of -t 2: gapped:filter=truncated,rbf=γ/2
//	wgkmrbf        -t 5   exp(−γ(1 − k)) of -t 4: gapped:filter=truncated,center=M:H,rbf=γ/2
//
// all of them normalised, on DNA, and of both strands unless norc is 1. In gkm_cnt l-mers beyond L − k mismatches
// share nothing, and a greater d means L − k.
//
// # Agreement
//
// Decisions are those of gkmpredict up to its rounding (rho is written with six digits, and scores are printed with
// six): 1e-5 relative in the tests. They differ by intent where LS-GKM does what a model should not do:
//
//   - LS-GKM reads every letter but A, C, G and T as A. In support vectors so does this package, since that is what was
//     learned ([File].Replaced counts such letters); in the sequences that a converted model scores, such a letter
//     breaks l-mers.
//   - LS-GKM cuts what it scores at 2,047 letters; here there is no limit.
//   - A support vector without an l-mer makes every score of LS-GKM not a number; here it is an error that names the
//     line. A sequence without an l-mer that is scored has f(x) = 0.
//
// # Cost
//
// Reading takes time and memory linear in the file. Conversion takes, per support vector, its norm in O(|x|²) of about
// 1 ns a pair of l-mers; a compiled model folds them into one table ([github.com/seqsvm/seqsvm/spectrum/gapped]), 1
// byte per letter before that.
//
// # Limits
//
// Two classes. l-mers as long as the gapped kernel allows; LS-GKM's have at most 12 letters. A line has at most 64 MiB.
//
// # Example
//
//	f, err := lsgkm.Read(nil, "ctcf.model.txt")
//	…
//	m, err := f.Model(ctx, model.Options{})
//	…
//	classifier, err := m.Classifier(ctx)
//
// # References
//
// D. Lee, LS-GKM: a new gkm-SVM for large-scale datasets, Bioinformatics 32 (2016), doi:10.1093/bioinformatics/btw142.
// M. Ghandi, D. Lee, M. Mohammad-Noori, M. A. Beer, Enhanced regulatory sequence prediction using gapped k-mer
// features, PLoS Computational Biology 10 (2014), doi:10.1371/journal.pcbi.1003711. The layout of the file is LIBSVM's:
// C.-C. Chang, C.-J. Lin, ACM TIST 2 (2011), doi:10.1145/1961189.1961199.
package lsgkm
