"""Writes golden.json beside itself: metrics of random predictions by scikit-learn.

    python3 metrics/testdata/golden.py

The inputs come from a small linear congruential generator, so the file depends
only on scikit-learn's answers, whose version it records.
"""
import json
import pathlib
import warnings

import numpy
import sklearn
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


golden = {
    "source": "scikit-learn %s, numpy %s; multi-class Brier score by numpy from its definition"
    % (sklearn.__version__, numpy.__version__),
    "ranking": [ranking(n, steps, skew) for n, steps, skew in
                [(4, 3, False), (12, 2, False), (25, 4, True), (40, 1000, False), (60, 7, True), (80, 1, False)]],
    "classification": [classification(n, classes, skew) for n, classes, skew in
                       [(10, 2, False), (40, 2, True), (12, 3, False), (60, 3, True), (60, 5, False), (30, 8, True)]],
}
path = pathlib.Path(__file__).with_name("golden.json")
path.write_text(json.dumps(golden, indent=None, separators=(",", ":")).replace('},{', '},\n{') + "\n")
print(golden["source"], path.stat().st_size, "bytes")
