// Package classify trains support vector machines on the Gram matrix of a corpus, and makes classifiers of them. It knows
// nothing of sequences and never imports a concrete kernel: all it asks for is the contract of package stringkernel.
//
// # The problem
//
// Given records x_1 … x_n with labels y_i = ±1 and a kernel k(x, x') = ⟨φ(x), φ(x')⟩, the C-SVM (Cortes & Vapnik 1995) is
//
//	min over w, b of  ½‖w‖² + Σ_i C_i max(0, 1 − y_i(⟨w, φ(x_i)⟩ + b))
//
// with a cost C_i per class and a bias b that is not regularised, as in LIBSVM. Its dual is
//
//	max over α of  Σ_i α_i − ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j)   subject to  0 ≤ α_i ≤ C_i,  Σ_i y_i α_i = 0
//
// and the solution is w = Σ_i y_i α_i φ(x_i): the decision value of x is Σ_i y_i α_i k(x_i, x) − ρ with ρ = −b.
//
// With the squared hinge, C_i max(0, …)² in place of C_i max(0, …) (LossSquaredHinge; the default of LIBLINEAR and of scikit-learn's LinearSVC), the bounds
// C_i go and Σ_i α_i²/(4 C_i) is subtracted from the dual. Large errors cost more and no error is free of charge at the margin's edge: more records are
// support vectors.
//
// Conventions: coefficients are signed (y_i α_i) everywhere; classes are numbered by their sorted labels from 0; records
// are numbered from 0. Every solution carries its primal and dual value and the relative gap (primal − dual)/|primal|,
// recomputed from the matrix at the end: for a positive semidefinite kernel that is a proof of how far from the optimum it
// can be at most.
//
// # Solvers
//
// [svm.SMO] asks for rows of the matrix, [svm.CuttingPlane] for products K·v, [svm.DualCoordinate] for explicit feature rows, [svm.Auto] chooses.
// [svm.CrammerSinger] solves the problem of all classes at once (Crammer & Singer 2001), from feature rows and without a bias.
// The others treat the bias exactly and reach the same objective. A Gram matrix of one's own serves as well as an indexed corpus; [svm.Precomputed] wraps a dense one.
//
//	solver          asks for                          time besides           memory besides
//	SMO             at most n rows, cached            n reads per step       CacheBytes + 60 n
//	CuttingPlane    10 to 50 products (C = 1)         n · planes per plane   9 n · planes + 100 n
//	DualCoordinate  10 to 40 passes of rows (C = 1)   nothing                8 features + 80 n
//
// On 2,000 sequences of 200 letters with a planted motif (400,000 letters, 6-spectrum, 10 % wrong labels, relative gap
// 1e-3, one core), the cutting planes take 33 products at C = 1 and 210 at C = 10, two thirds of the time in the products
// themselves: per product 1.8 ns per letter there. SMO takes 1,400 rows. Memory of the cutting planes: 2 to 12 MB, that is,
// 5 to 30 bytes per letter of short sequences, less of long ones.
//
// # From machines to classifiers
//
// A [Trainer] indexes a [Dataset] once and trains on it one machine (two classes), one per class against the rest, one
// per pair of classes, or one per class in one problem. The [Model] keeps the union of the support vectors; [Model.Classifier] merges them into one scorer
// that costs O(|x|) per sequence for all machines at once. A [Rule] is everything else a classifier needs, as plain
// data for a model file, and [NewClassifier] puts a stored one together again. Probabilities come from Platt's sigmoid,
// fitted to decision values of an internal cross-validation, and from pairwise coupling for one-vs-one. [CrossValidate]
// evaluates a trainer on [Dataset.StratifiedFolds], [Dataset.GroupedFolds] or folds of one's own.
//
// Records of several labels ([NewMultilabelDataset]) get a machine per label against all records without it, and a threshold each ([FitThreshold]). Labels that are paths
// in a hierarchy ([Dataset.SetHierarchy]) get machines for the children of each node, on the records below it. All of that is on the same index, and goes through the same
// [Trainer], [CrossValidate] and model file. [baseline.NaiveBayes] is the baseline to compare with.
//
// The same input and seed give the same bits, whatever the number of processors: problems are solved side by side, each by
// one goroutine, and nothing is summed across them. Where many problems run by cutting planes on a matrix that multiplies blocks
// ([stringkernel.BlockMul]), they do so in lock step and share products (on up to four processors), to the same bits. Long runs end soon after their context does.
//
// # The matrix in memory
//
// Where products are dear and all values at once are cheap ([stringkernel.Dense]: gapped k-mers on proteins), a [Trainer] whose solver is auto or smo computes the Gram matrix of up to 8,192 records once, holds it in
// 8 n² bytes, and all machines, folds, costs and calibrations take SMO's steps on its rows. It does so if that is estimated to take less time than the products that the cutting planes would ask for, which depends on
// the corpus, the kernel, C and the number of machines, not on the machine it runs on, as long as that has the memory; the rule stands at Trainer.hold. The optimum is the same, with the same certificate.
// On 5,959 proteins of 11 classes (gapped k-mers, l = 5, k = 3, C = 5, one against the rest) the machines take 76,000 steps in place of 2,405 products: see benchmarks/README.md.
//
// # Limits
//
// Training parts of a corpus (pairs of classes, folds) costs the cutting planes products of the whole corpus. At C ≥ 100 the cutting planes
// need several hundred products and SMO may be faster; on classes that overlap, SMO may run out of steps where kernel values
// times C exceed 1e6, and the cutting planes are the better choice. An indefinite kernel needs SMO, and its solution is then a
// stationary point only.
//
// # References
//
//   - Cortes & Vapnik 1995, doi:10.1007/BF00994018
//   - Fan, Chen & Lin 2005, Working set selection using second order information, J. Mach. Learn. Res. 6:1889–1918
//   - Teo, Vishwanathan, Smola & Le 2010, Bundle methods for regularized risk minimization, J. Mach. Learn. Res. 11:311–365
//   - Franc & Sonnenburg 2008, Optimized cutting plane algorithm, doi:10.1145/1390156.1390197
//   - Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, A dual coordinate descent method for large-scale linear SVM, doi:10.1145/1390156.1390208
//   - Keerthi, Sundararajan, Chang, Hsieh & Lin 2008, A sequential dual method for large scale multi-class linear SVMs, doi:10.1145/1401890.1401942
//   - Lin, Lin & Weng 2007, A note on Platt's probabilistic outputs, doi:10.1007/s10994-007-5018-6
//   - Wu, Lin & Weng 2004, Probability estimates for multi-class classification by pairwise coupling, J. Mach. Learn. Res. 5:975–1005
package classify
