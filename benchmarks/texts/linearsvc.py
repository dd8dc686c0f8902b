"""Prints a figure of scikit-learn's LinearSVC on tf-idf:

    linearsvc.py accuracy|mcc ANALYZER LEAST GREATEST sublinear|plain TRAIN.tsv TEST.tsv
    linearsvc.py accuracy|mcc ANALYZER LEAST GREATEST sublinear|plain ALL.tsv FOLDS

FOLDS is what seqsvm cv --predictions writes; the figure is the mean over its folds."""

import sys

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import accuracy_score, matthews_corrcoef
from sklearn.svm import LinearSVC


def read(path):
    lines = [line.rstrip("\n").split("\t", 1) for line in open(path, encoding="utf-8", newline="\n")]
    return np.array([l for l, _ in lines]), np.array([t for _, t in lines], dtype=object)


metric = {"accuracy": accuracy_score, "mcc": matthews_corrcoef}[sys.argv[1]]
analyzer, least, greatest, sublinear = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5] == "sublinear"


def figure(train, labels, test, truth):
    vectorizer = TfidfVectorizer(analyzer=analyzer, ngram_range=(least, greatest), sublinear_tf=sublinear,
                                 token_pattern=r"(?u)\b\w+\b")
    model = LinearSVC().fit(vectorizer.fit_transform(train), labels)
    return metric(truth, model.predict(vectorizer.transform(test)))


labels, texts = read(sys.argv[6])
header = open(sys.argv[7], encoding="utf-8").readline().rstrip("\n").split("\t")
if header[0] == "id" and header[-1] == "fold":
    fold = np.array([int(line.rsplit("\t", 1)[1]) for line in list(open(sys.argv[7], encoding="utf-8"))[1:]])
    print(np.mean([figure(texts[fold != f], labels[fold != f], texts[fold == f], labels[fold == f])
                   for f in np.unique(fold)]))
else:
    truth, test = read(sys.argv[7])
    print(figure(texts, labels, test, truth))
