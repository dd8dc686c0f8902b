"""Prints the metrics of scikit-learn's LinearSVC on counts of k-mers of up to 3 letters, each record scaled to length
1, as seqsvm cv and evaluate print them:

python3 linearsvc.py POSITIVE C TRAIN.fa FOLDS
python3 linearsvc.py POSITIVE C TRAIN.fa TEST.fa

FOLDS is a file of seqsvm cv --predictions; the metrics are means over its folds.
Labels are the first word after an id. POSITIVE is the class of AUROC and AUPRC, or - for several classes."""

import sys

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, matthews_corrcoef, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import LinearSVC

positive, cost = sys.argv[1], float(sys.argv[2])


def read(path):
    ids, labels, sequences = [], [], []
    for line in open(path, encoding="utf-8"):
        if line.startswith(">"):
            words = line[1:].split()
            ids.append(words[0])
            labels.append(words[1])
            sequences.append("")
        else:
            sequences[-1] += line.strip()
    return ids, np.array(labels), np.array(sequences, dtype=object)


def figures(train, labels, test, truth):
    words = CountVectorizer(analyzer="char", ngram_range=(1, 3), lowercase=False)
    model = make_pipeline(words, Normalizer(), LinearSVC(C=cost, random_state=1)).fit(train, labels)
    predicted = model.predict(test)
    row = [accuracy_score(truth, predicted), f1_score(truth, predicted, average="macro"),
           matthews_corrcoef(truth, predicted)]
    if positive == "-":
        return row
    score = model.decision_function(test)
    if model.classes_[1] != positive:
        score = -score
    return row + [roc_auc_score(truth == positive, score), average_precision_score(truth == positive, score)]


ids, labels, sequences = read(sys.argv[3])
lines = open(sys.argv[4], encoding="utf-8").read().splitlines()
if lines[0].startswith(">"):
    _, truth, test = read(sys.argv[4])
    values = figures(sequences, labels, test, truth)
else:
    column = lines[0].split("\t").index("fold")
    fold_of = {line.split("\t")[0]: line.split("\t")[column] for line in lines[1:]}
    fold = np.array([fold_of[name] for name in ids])
    values = np.mean([figures(sequences[fold != f], labels[fold != f], sequences[fold == f], labels[fold == f])
                      for f in np.unique(fold)], axis=0)
print(*(f"{name} {value:.4f}" for name, value in zip(["accuracy", "f1_macro", "mcc", "auroc", "auprc"], values)))
