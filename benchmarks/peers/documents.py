"""Fits scikit-learn's LinearSVC to tf-idf of words and word pairs, and prints a label per test record:

documents.py TRAIN.tsv TEST.tsv"""

import sys

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC


def read(path):
    labels, texts = [], []
    for line in open(path, encoding="utf-8", newline="\n"):
        label, text = line.rstrip("\n").split("\t", 1)
        labels.append(label)
        texts.append(text)
    return labels, texts


if len(sys.argv) < 3:  # to measure how long Python and scikit-learn take to start
    sys.exit()
labels, train = read(sys.argv[1])
_, test = read(sys.argv[2])
vectorizer = TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"(?u)\b\w+\b")
model = LinearSVC().fit(vectorizer.fit_transform(train), labels)
print("\n".join(model.predict(vectorizer.transform(test))))
