// Package classify trains support vector machines on the Gram matrix of a corpus, and makes classifiers of them. It
// knows nothing of sequences and never imports a concrete kernel: all it asks for is the contract of package
// stringkernel.
//
// The binary machines are support vector machines; package [svm] states their problem, solves it and certifies the
// solution. Classes are numbered by their sorted labels from 0, records from 0.
//
// # From machines to classifiers
//
// A [Trainer] indexes a [dataset.Dataset] once and trains on it one machine (two classes), one per class against the
// rest, one per pair of classes, or one per class in one problem. The [decide.Model] keeps the union of the support
// vectors; [decide.Model.Classifier] merges them into one scorer that costs O(|x|) per sequence for all machines at
// once. A [decide.Rule] is everything else a classifier needs, as plain data for a model file, and
// [decide.NewClassifier] puts a stored one together again. Probabilities come from Platt's sigmoid, fitted to decision
// values of an internal cross-validation, and from pairwise coupling for one-vs-one. [CrossValidate] evaluates a
// trainer on [dataset.Dataset.StratifiedFolds], [dataset.Dataset.GroupedFolds] or given folds.
//
// Records of several labels ([dataset.NewMultilabel]) get a machine per label against all records without it, and a
// threshold each ([Trainer].Thresholds). Labels that are paths in a hierarchy ([dataset.Dataset.SetHierarchy]) get
// machines for the children of each node, on the records below it. All of that is on the same index, and goes through
// the same [Trainer], [CrossValidate] and model file. Package baseline has simple methods to compare with.
//
// The same input and seed give the same bits, whatever the number of processors: problems are solved side by side, each
// by one goroutine, and nothing is summed across them. Long runs end soon after their context does.
//
// # The matrix in memory
//
// Where products are expensive and all values at once are cheap ([stringkernel.Dense]: gapped k-mers on proteins), a
// [Trainer] whose solver takes rows ([smo.Solver], [auto.Solver]) computes the Gram matrix of up to 8,192 records once,
// holds it in 8 n² bytes, and all machines, folds, costs and calibrations take SMO's steps on its rows. It does so if
// that is estimated to take less time than the products that the cutting planes would ask for, which depends on the
// corpus, the kernel, C and the number of machines, not on the computer it runs on, as long as that has the memory; see
// Trainer.hold. The optimum is the same, with the same certificate. On 5,959 proteins of 11 classes (gapped k-mers, l =
// 5, k = 3, C = 5, one against the rest) the machines take 76,000 steps in place of 2,405 products: see
// benchmarks/README.md.
//
// # Limits
//
// Training parts of a corpus (pairs of classes, folds) costs the cutting planes products of the whole corpus. Those of
// the solvers are in package svm.
package classify
