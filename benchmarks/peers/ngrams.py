"""Fits scikit-learn's LinearSVC to L2-normalised counts of character n-grams and prints a label per test record:

ngrams.py TRAIN.fa TEST.fa N"""

import sys

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC


def read(path):
    sequences, labels = [], []
    for line in open(path):
        line = line.strip()
        if line.startswith(">"):
            labels.append(line.split("label=")[1].split()[0])
            sequences.append("")
        else:
            sequences[-1] += line
    return sequences, labels


if len(sys.argv) < 4:  # to measure how long Python and scikit-learn take to start
    sys.exit()
train, labels = read(sys.argv[1])
test, _ = read(sys.argv[2])
n = int(sys.argv[3])
vectorizer = CountVectorizer(analyzer="char", ngram_range=(n, n), lowercase=False)
counts = normalize(vectorizer.fit_transform(train).astype(float))
model = LinearSVC(C=1, loss="hinge", max_iter=100000).fit(counts, labels)
print("\n".join(model.predict(normalize(vectorizer.transform(test).astype(float)))))
