// Package metrics measures how well predictions agree with the truth: areas
// under curves for scores, a confusion matrix and what follows from it for
// predicted classes, log loss and Brier score for probabilities, correlations and
// errors for numbers, and a Report that holds them together with its mean and
// spread over cross-validation folds.
// Everything is a pure function of slices; nothing here knows of sequences,
// kernels or models.
//
// # Formulas
//
// Write P and N for the numbers of positive and negative records, s for scores.
//
//	AUROC = (#{(i,j) : s_i > s_j} + ½ #{(i,j) : s_i = s_j}) / (P·N),  i positive, j negative
//	AUPRC = Σ_t (R_t − R_{t−1})·Q_t,  t over the distinct scores, largest first
//
// where R_t and Q_t are recall and precision of "score ≥ t is positive". AUROC is
// the Mann–Whitney statistic: the chance that a positive outscores a negative.
// AUPRC is the average precision, a step function without interpolation; records
// with equal scores enter together, so no order of the input changes it.
//
// With C the confusion matrix (rows true, columns predicted), n its sum, t_k its
// row sums, p_k its column sums:
//
//	accuracy    Σ_k C_kk / n
//	recall_k    C_kk / t_k           precision_k   C_kk / p_k
//	F1_k        2 C_kk / (t_k + p_k)
//	balanced    mean of recall_k over the classes that occur
//	F1 macro    mean of F1_k over the classes that occur or are predicted
//	F1 micro    2 ΣC_kk / Σ(t_k + p_k), which is the accuracy when every record has one class
//	MCC         (n ΣC_kk − Σ t_k p_k) / √((n² − Σ p_k²)(n² − Σ t_k²))
//
// The last is Gorodkin's R_K; with two classes it is Matthews' coefficient.
//
// # Numbers, rankings, ordered classes, novelty
//
// [EvaluateNumbers] compares numbers: Spearman's and Pearson's correlation, root mean square and mean absolute error,
// R². [Report.AddCoverage] adds how often intervals hold the truth, [Report.AddQuantile] the pinball loss.
// [EvaluateRanking] compares the order of scores with grades, query by query: NDCG, precision at k, pairs in order.
// [EvaluateOrdinal] takes the distance between classes into account.
// [NumberMetrics], [RankMetrics] and [OrdinalMetrics] define them.
//
// # Uncertainty
//
// [Bootstrap] measures samples of the records, of which [Replicates.Intervals] makes 95 % intervals of every metric;
// [Replicates.Differences] compares two models on the same samples. [DeLong] does so for areas under ROC curves,
// without samples.
//
// # Conventions
//
// Classes are numbers 0 … K−1. A higher score speaks for the class. Scores of
// several classes are laid out [class][record].
//
// An undefined value, a ratio of the form 0/0, is NaN in Go and null in JSON,
// never 0: AUROC without a positive or without a negative, AUPRC without a
// positive, recall of a class that does not occur, precision of one never
// predicted, F1 of one that neither occurs nor is predicted, MCC where all
// truths or all predictions are one class, a correlation where all truths or all
// predictions are equal, everything on no records. Means over
// classes or folds pass over undefined members and are undefined when all are.
//
// Where a value is defined it equals scikit-learn's roc_auc_score,
// average_precision_score, balanced_accuracy_score, f1_score, matthews_corrcoef,
// log_loss and brier_score_loss with their default arguments (the tests hold
// golden values). That library gives 0 or an error where this package says NaN.
//
// Bad input, such as slices of unequal length, a NaN score or a class out of
// range, is an error which names what was expected. Infinite scores are
// allowed: they have a rank.
//
// # Cost
//
// AUROC and AUPRC sort: O(n log n) time and 16 bytes per record, 0.14 µs per record
// for a million records in random order (one server core). A
// confusion matrix takes O(n + K²) time and 8K² bytes; its metrics O(K²). Losses
// take O(n) time and no memory. Counts are exact integers until the final division,
// so the order of the records never changes a bit of AUROC, AUPRC or a confusion
// metric.
//
// # Example
//
// Scores 0.9, 0.8, 0.7, 0.6 for truths +, −, +, −: three of the four pairs are in
// order, so AUROC = 0.75; precision at the two positives is 1 and 2/3, so
// AUPRC = (1 + 2/3)/2 = 0.8333.
//
// # Limits
//
// Two-class metrics describe the class called positive; with more classes AUROC
// and AUPRC of a Report are one-vs-rest, averaged with equal weight. Records carry
// no weights. Up to 2³¹ − 1 records.
//
// # Several labels, hierarchies
//
// [EvaluateLabels] compares sets of labels: micro- and macro-averaged F1, break-even points of precision and recall,
// hamming loss and the share of exact sets.
// [LevelAccuracies] looks at paths of a hierarchy level by level.
//
// # References
//
//   - Hanley, McNeil (1982) The meaning and use of the area under a ROC curve. Radiology 143.
//     doi:10.1148/radiology.143.1.7063747
//   - Davis, Goadrich (2006) The relationship between precision-recall and ROC curves. ICML.
//     doi:10.1145/1143844.1143874
//   - Gorodkin (2004) Comparing two K-category assignments by a K-category correlation coefficient. Comput. Biol.
//     Chem. 28. doi:10.1016/j.compbiolchem.2004.09.006
//   - Matthews (1975) Comparison of the predicted and observed secondary structure of T4 phage lysozyme. Biochim.
//     Biophys. Acta 405. doi:10.1016/0005-2795(75)90109-9
//   - Brier (1950) Verification of forecasts expressed in terms of probability. Mon. Weather Rev. 78.
//     doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2
package metrics
