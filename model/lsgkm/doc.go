// Package lsgkm converts models of gkm-SVM programs, gapped k-mer SVMs of regulatory genomics, to models of this module
// that give the same scores: files of LS-GKM (Lee 2016), which it writes too ([Of]), pairs of files of gkm-SVM (Ghandi
// et al. 2014) and tables of k-mers of deltaSVM (Lee et al. 2015).
//
// # LS-GKM
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
//	gkm_cnt_rbf    -t 6   exp(−γ(1 − k)) of -t 0: gapped:filter=gapped,rbf=γ/2 (kundajelab/lsgkm alone)
//
// all of them normalised, on DNA, and of both strands unless norc is 1. In gkm_cnt l-mers beyond L − k mismatches share
// nothing, and a greater d means L − k.
//
// Decisions are those of gkmpredict: to 1e-11 in the tests, where it prints 12 digits in place of 6. They differ by
// intent where LS-GKM does what a model should not do:
//
//   - LS-GKM reads every letter but A, C, G and T as A. In support vectors so does this package, since that is what was
//     learned ([File].Replaced counts such letters); in the sequences that a converted model scores, such a letter
//     breaks l-mers.
//   - LS-GKM cuts what it scores at 2,047 letters; here there is no limit.
//   - A support vector without an l-mer makes every score of LS-GKM not a number; here it is an error that names the
//     line. A sequence without an l-mer that is scored has f(x) = 0.
//
// # gkm-SVM
//
// [ReadClassic] reads the support sequences (FASTA) and their coefficients (lines of a name, a tab and a number) of
// gkmsvm_train, of C++ or R. They name neither l, k and d nor the filter, and there is no constant: f(x) = Σ α K(x,
// sv). In K pairs of l-mers count up to d mismatches, in both norms all pairs. The norm of a support vector is put into
// its coefficient; that of x cannot be, so scores differ by the factor of the two norms of x (up to 1 % for l = 10, k =
// 6, d = 3; 1 if uncut h is 0 beyond d), which changes no sign. Letters other than A, C, G and T are dropped and what
// is around them joined: here as well in support vectors, while in x such a letter breaks l-mers.
//
// # deltaSVM
//
// [Open] reads [Weights], lines of a k-mer, perhaps its reverse complement, and a weight. The model has the number Σ
// w(u) over the k-mers u of a record, so that [github.com/seqsvm/seqsvm/model/kmers] gives deltaSVM of variants. Two
// differences from deltasvm.pl, which drops the first line unread: here it counts if it is a k-mer ([Weights].Header);
// and a k-mer may be in lower case.
//
// # Cost
//
// Reading takes time and memory linear in the file. Conversion takes, per support vector, its norm in O(|x|²) of about
// 1 ns a pair of l-mers; a compiled model folds them into one table ([github.com/seqsvm/seqsvm/spectrum/gapped]), 1
// byte per letter before that.
//
// # Limits
//
// Two classes, or numbers. l-mers as long as the gapped kernel allows; LS-GKM's have at most 12 letters. A line has at
// most 64 MiB.
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
// D. Lee, D. U. Gorkin, M. Baker, B. J. Strober, A. L. Asoni, A. S. McCallion, M. A. Beer, A method to predict the
// impact of regulatory variants from DNA sequence, Nature Genetics 47 (2015), doi:10.1038/ng.3331. D. Lee, LS-GKM: a
// new gkm-SVM for large-scale datasets, Bioinformatics 32 (2016), doi:10.1093/bioinformatics/btw142. M. Ghandi, D. Lee,
// M. Mohammad-Noori, M. A. Beer, Enhanced regulatory sequence prediction using gapped k-mer features, PLoS
// Computational Biology 10 (2014), doi:10.1371/journal.pcbi.1003711. The layout of the file is LIBSVM's: C.-C. Chang,
// C.-J. Lin, ACM TIST 2 (2011), doi:10.1145/1961189.1961199.
package lsgkm
