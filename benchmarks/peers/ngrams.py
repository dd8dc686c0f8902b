"""Fits scikit-learn's LinearSVC to L2-normalised counts of character n-grams: ngrams.py FILE.fa N."""

import sys

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

path, n = sys.argv[1], int(sys.argv[2])
sequences, labels = [], []
for line in open(path):
    line = line.strip()
    if line.startswith(">"):
        labels.append(line.split("label=")[1].split()[0])
        sequences.append("")
    else:
        sequences[-1] += line
counts = CountVectorizer(analyzer="char", ngram_range=(n, n), lowercase=False).fit_transform(sequences)
model = LinearSVC(C=1, loss="hinge", max_iter=100000).fit(normalize(counts.astype(float)), labels)
print(model.coef_.shape)
