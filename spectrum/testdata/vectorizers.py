# Writes vectorizers.json: values of scikit-learn's TfidfVectorizer on characters, to which frequencies_test.go holds
# this package. Run with: python3 vectorizers.py > vectorizers.json
import json
import random

import sklearn
from sklearn.feature_extraction.text import TfidfVectorizer

r = random.Random(7)


def record(letters):
    return "".join(r.choice(letters) for _ in range(r.randrange(60))) + "A" * r.randrange(5)


train = [record("ACGT") for _ in range(9)] + ["ACAC" * 9, ""]
test = [record("ACGT") for _ in range(4)] + ["", "AC", "TTTTTTTT"]
cases = []
for spec, options in [
    ("k=1", dict(ngram_range=(1, 1))),
    ("k=3", dict(ngram_range=(3, 3))),
    ("k=7", dict(ngram_range=(7, 7))),
    ("k=14", dict(ngram_range=(14, 14))),
    ("k=4,bounded", dict(ngram_range=(1, 4))),
    ("k=3,count=sublinear", dict(ngram_range=(3, 3), sublinear_tf=True)),
    ("k=2,count=presence", dict(ngram_range=(2, 2), binary=True)),
    ("k=3,normalized", dict(ngram_range=(3, 3), norm="l2")),
    ("k=3,bounded,count=sublinear,normalized", dict(ngram_range=(1, 3), sublinear_tf=True, norm="l2")),
]:
    vectorizer = TfidfVectorizer(analyzer="char", lowercase=False, **{"norm": None, **options})
    a = vectorizer.fit_transform(train)
    b = vectorizer.transform(test)
    cases.append({"spec": spec, "features": len(vectorizer.vocabulary_),
                  "train": (a @ a.T).toarray().tolist(), "test": (b @ a.T).toarray().tolist(),
                  "self": (b.multiply(b)).sum(axis=1).ravel().tolist()[0]})
print(json.dumps({"version": sklearn.__version__, "train": train, "test": test, "cases": cases}))
