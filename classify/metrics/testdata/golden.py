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
    "classification": [classification(n, classes, skew) for n, classes, skew in
                       [(10, 2, False), (40, 2, True), (12, 3, False), (60, 3, True), (60, 5, False), (30, 8, True)]],
    "numbers": [numbers(n, steps, offset) for n, steps, offset in
                [(2, 1000, 0), (5, 3, -1), (30, 4, 0), (40, 1000, 1e6), (100, 1 << 30, 0)]],
    "ordinal": [ordinal(n, classes) for n, classes in [(10, 2), (40, 4), (100, 7)]],
}
path = pathlib.Path(__file__).with_name("golden.json")
path.write_text(json.dumps(golden, indent=None, separators=(",", ":")).replace('},{', '},\n{') + "\n")
print(golden["source"], path.stat().st_size, "bytes")
