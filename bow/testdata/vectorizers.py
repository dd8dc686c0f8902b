# Writes vectorizers.json: values of scikit-learn's vectorizers, to which sklearn_test.go holds this package.
# Run with: python3 vectorizers.py > vectorizers.json (scikit-learn 1.2.1, Debian 12's python3-sklearn 1.2.1+dfsg-1)
# token_pattern keeps words of one letter, which scikit-learn drops by default; the texts have no marks inside words, at
# which the definitions of a word differ.
import json
import re

import sklearn
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

train = [
    "The cat sat on the mat, and the cat slept.",
    "A dog chased THE cat; the cat ran.",
    "Der Hund jagte die Katze über die Straße!",
    "Кошка спала на коврике. Собака бежала.",
    "η γάτα και ο σκύλος και η γάτα",
    "cat cat cat dog 42 42 7",
    "",
    "one",
]
test = [
    "the unseen cat sat on a mat", "Собака и кошка", "", "42 dogs and a dog", "nothing known here", "cat dog cat dog",
]
pattern = r"(?u)\b\w+\b"


def words(text):
    return " ".join(re.findall(pattern, text.lower()))


cases = []
for spec, vectorizer in [
    ("ngram=1", CountVectorizer(token_pattern=pattern)),
    ("ngram=1-2", CountVectorizer(token_pattern=pattern, ngram_range=(1, 2))),
    ("ngram=2-3", CountVectorizer(token_pattern=pattern, ngram_range=(2, 3))),
    ("binary", CountVectorizer(token_pattern=pattern, binary=True)),
    ("case", CountVectorizer(token_pattern=pattern, lowercase=False)),
    ("mindf=2", CountVectorizer(token_pattern=pattern, min_df=2)),
    ("maxdf=0.25,ngram=1-2", CountVectorizer(token_pattern=pattern, max_df=0.25, ngram_range=(1, 2))),
    ("stop=the:and:a,ngram=1-2",
     CountVectorizer(token_pattern=pattern, stop_words=["the", "and", "a"], ngram_range=(1, 2))),
    ("tfidf", TfidfVectorizer(token_pattern=pattern, norm=None)),
    ("tfidf,sublinear,ngram=1-2",
     TfidfVectorizer(token_pattern=pattern, norm=None, sublinear_tf=True, ngram_range=(1, 2))),
    ("tfidf,l1", TfidfVectorizer(token_pattern=pattern, norm="l1")),
    ("tfidf,binary,mindf=2", TfidfVectorizer(token_pattern=pattern, norm=None, binary=True, min_df=2)),
    ("letters,ngram=1-4", CountVectorizer(analyzer="char_wb", preprocessor=words, ngram_range=(1, 4))),
    ("letters,tfidf,sublinear,ngram=2-3",
     TfidfVectorizer(analyzer="char_wb", preprocessor=words, norm=None, sublinear_tf=True, ngram_range=(2, 3))),
    ("delimiters=comma:.:o,ngram=1-2", CountVectorizer(token_pattern=r"[^\s,.o]+", ngram_range=(1, 2))),
    ("tfidf,ngram=1-2,normalized", TfidfVectorizer(token_pattern=pattern, norm="l2", ngram_range=(1, 2))),
]:
    x = vectorizer.fit_transform(train)
    y = vectorizer.transform(test)
    train_values, test_values = (x @ x.T).toarray().tolist(), (y @ x.T).toarray().tolist()
    cases.append({"spec": spec, "features": len(vectorizer.vocabulary_), "train": train_values, "test": test_values})
values = {"version": sklearn.__version__, "train": train, "test": test, "cases": cases}
print(json.dumps(values, ensure_ascii=False, indent=None))
