"""Writes golden.json beside itself: metrics of random predictions by scikit-learn and SciPy.

    python3 metrics/testdata/golden.py

The inputs come from a small linear congruential generator, so the file depends
only on scikit-learn's answers, whose version it records.
"""
import json
import pathlib
import warnings

import numpy
import scipy
import sklearn
from scipy import stats
from sklearn import metrics

warnings.simplefilter("ignore")
state = 1


def below(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % n


def labels(n, classes, skew):
    """Class numbers; with skew, class 0 takes about three quarters."""
    return [0 if skew and below(4) else below(classes) for _ in range(n)]


def noisy(truth, classes):
    """Predictions that are right about two times in three."""
    return [t if below(3) else below(classes) for t in truth]


def ranking(n, steps, skew):
    """A two-class case; few steps make many ties."""
    truth = labels(n, 2, skew)
    truth[0], truth[1] = 0, 1
    score = [(below(steps) + t * (below(steps) // 2)) / steps - 0.25 for t in truth]
    probability = [(below(999) + 1 + 300 * t) / 1400 for t in truth]
    return {
        "positive": [bool(t) for t in truth],
        "scores": score,
        "probability": probability,
        "auroc": metrics.roc_auc_score(truth, score),
        "auprc": metrics.average_precision_score(truth, score),
        "log_loss": metrics.log_loss(truth, probability),
        "brier": metrics.brier_score_loss(truth, probability),
    }


def classification(n, classes, skew):
    """A case of several classes, all of which occur, with a distribution each."""
    truth = list(range(classes)) + labels(n - classes, classes, skew)
    predicted = noisy(truth, classes)
    weight = numpy.array([[1 + below(20) + (25 if c == t else 0) for c in range(classes)] for t in truth])
    probability = weight / weight.sum(axis=1, keepdims=True)
    indicator = numpy.array([[int(c == t) for c in range(classes)] for t in truth])
    precision, recall, f1, support = metrics.precision_recall_fscore_support(
        truth, predicted, labels=range(classes))
    one = probability[:, 1] if classes == 2 else probability
    return {
        "classes": classes,
        "truth": truth,
        "predicted": predicted,
        "probability": probability.T.tolist(),
        "confusion": metrics.confusion_matrix(truth, predicted, labels=range(classes)).tolist(),
        "accuracy": metrics.accuracy_score(truth, predicted),
        "balanced_accuracy": metrics.balanced_accuracy_score(truth, predicted),
        "f1_macro": metrics.f1_score(truth, predicted, average="macro"),
        "f1_micro": metrics.f1_score(truth, predicted, average="micro"),
        "mcc": metrics.matthews_corrcoef(truth, predicted),
        "precision": precision.tolist(),
        "recall": recall.tolist(),
        "f1": f1.tolist(),
        "predicted_count": numpy.bincount(predicted, minlength=classes).tolist(),
        "auroc": metrics.roc_auc_score(truth, one, multi_class="ovr"),
        "auprc": metrics.average_precision_score(
            indicator[:, 1] if classes == 2 else indicator, one, average="macro"),
        "log_loss": metrics.log_loss(truth, probability),
        "brier": float(((probability - indicator) ** 2).sum(axis=1).mean()),
    }


def numbers(n, steps, offset):
    """Numbers and predictions; few steps make ties."""
    truth = [below(steps) / 7 + offset for _ in range(n)]
    predicted = [(t + below(steps) / 7) / 2 for t in truth]
    width = [below(steps) / 9 for _ in range(n)]
    lower, upper = ([p + sign * w for p, w in zip(predicted, width)] for sign in (-1, 1))
    return {
        "truth": truth,
        "predicted": predicted,
        "lower": lower,
        "upper": upper,
        "spearman": stats.spearmanr(truth, predicted)[0],
        "pearson": stats.pearsonr(truth, predicted)[0],
        "rmse": metrics.mean_squared_error(truth, predicted) ** 0.5,
        "mae": metrics.mean_absolute_error(truth, predicted),
        "r2": metrics.r2_score(truth, predicted),
        "pinball": metrics.mean_pinball_loss(truth, predicted, alpha=0.3),
        "below": float(numpy.mean(numpy.array(truth) <= predicted)),
        "coverage95": float(numpy.mean((numpy.array(truth) >= lower) & (numpy.array(truth) <= upper))),
    }


def graded(n, grades, steps, queries, divisor):
    """Grades and scores of records of several queries; a divisor other than 1 makes grades that are not integers."""
    grade = [below(grades) / divisor for _ in range(n)]
    score = [(g * divisor + below(steps)) / 4 for g in grade]
    query = ["q%d" % below(queries) for _ in range(n)]
    gain = numpy.array([2**g - 1 if divisor == 1 else g for g in grade])
    values = []
    for q in sorted(set(query)):
        of = [i for i in range(n) if query[i] == q]
        if gain[of].max() > 0:
            values.append(1.0 if len(of) == 1 else metrics.ndcg_score([gain[of]], [numpy.array(score)[of]]))
    return {"grades": grade, "scores": score, "queries": query, "ndcg": float(numpy.mean(values))}


def ordinal(n, classes):
    truth = labels(n, classes, False)
    predicted = noisy(truth, classes)
    return {
        "classes": classes,
        "truth": truth,
        "predicted": predicted,
        "mae": metrics.mean_absolute_error(truth, predicted),
        "kappa": metrics.cohen_kappa_score(truth, predicted, labels=range(classes), weights="quadratic"),
        "accuracy": metrics.accuracy_score(truth, predicted),
    }


golden = {
    "source": "scikit-learn %s, numpy %s, SciPy %s; multi-class Brier score, coverage95 and below by numpy from their "
    "definitions" % (sklearn.__version__, numpy.__version__, scipy.__version__),
    "ranking": [ranking(n, steps, skew) for n, steps, skew in
                [(4, 3, False), (12, 2, False), (25, 4, True), (40, 1000, False), (60, 7, True), (80, 1, False)]],
    "classification": [classification(n, classes, skew) for n, classes, skew in
                       [(10, 2, False), (40, 2, True), (12, 3, False), (60, 3, True), (60, 5, False), (30, 8, True)]],
    "numbers": [numbers(n, steps, offset) for n, steps, offset in
                [(2, 1000, 0), (5, 3, -1), (30, 4, 0), (40, 1000, 1e6), (100, 1 << 30, 0)]],
    "queries": [graded(*arguments) for arguments in
                [(10, 2, 3, 1, 1), (40, 5, 4, 6, 1), (60, 5, 1000, 20, 1), (50, 9, 5, 4, 3), (30, 6, 1, 3, 7)]],
    "ordinal": [ordinal(n, classes) for n, classes in [(10, 2), (40, 4), (100, 7)]],
}
path = pathlib.Path(__file__).with_name("golden.json")
path.write_text(json.dumps(golden, indent=None, separators=(",", ":")).replace('},{', '},\n{') + "\n")
print(golden["source"], path.stat().st_size, "bytes")
