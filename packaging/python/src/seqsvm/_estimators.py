"""Estimators with the conventions of scikit-learn, on records that are strings."""

import io
import json

import numpy as np

from . import _worker
from ._records import as_list, class_names, encode, encode_labels, kernels_of, reads_text, refuse_missing

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, OutlierMixin, RegressorMixin, TransformerMixin
    from sklearn.exceptions import NotFittedError
except ImportError:  # scikit-learn is optional
    import inspect

    class NotFittedError(ValueError, AttributeError):
        pass

    class BaseEstimator:
        """Parameters by name, as scikit-learn has them."""

        @classmethod
        def _names(cls):
            return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in self._names()}

        def set_params(self, **params):
            for name, value in params.items():
                if name not in self._names():
                    raise ValueError(f"{type(self).__name__} has no parameter {name!r}, want one of {self._names()}")
                setattr(self, name, value)
            return self

    class ClassifierMixin:
        def score(self, X, y):
            return float(np.mean(self.predict(X) == np.asarray(y)))

    class RegressorMixin:
        def score(self, X, y):
            y = np.asarray(y, dtype=float)
            return float(1 - np.sum((y - self.predict(X)) ** 2) / np.sum((y - y.mean()) ** 2))

    class OutlierMixin:
        def fit_predict(self, X, y=None):
            return self.fit(X).predict(X)

    class TransformerMixin:
        def fit_transform(self, X, y=None):
            return self.fit(X, y).transform(X)


class _OnRecords(BaseEstimator):
    """What all estimators share: a kernel, and how records are read."""

    def _more_tags(self):
        return {"X_types": ["string"], "requires_y": self._needs_labels, "no_validation": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = self._needs_labels
        tags.no_validation = True
        return tags

    _needs_labels = False

    def _text(self):
        return reads_text(self.kernel) if self.text is None else bool(self.text)

    def _encode(self, records):
        return encode(records, self._text())

    def _kernel_args(self):
        args = [] if self.normalize else ["--no-normalize"]
        for spec in kernels_of(self.kernel):
            args += ["--kernel", spec]
        return args

    def _general_args(self):
        args = [str(a) for a in self.options]
        if self.threads is not None:
            args += ["--threads", str(self.threads)]
        return args

    def _fitted(self, attribute):
        if not hasattr(self, attribute):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return getattr(self, attribute)


class _Machine(_OnRecords):
    """A model of the tool."""

    def _train(self, records, labels, args):
        if not records:
            raise ValueError("no records, want at least one")
        content, name = self._encode(records)
        files = {name: content}
        if labels is not None:
            files["labels"] = encode_labels(labels)
            args = [*args, "--labels", "labels"]
        out, written = _worker.run(
            ["train", *self._kernel_args(), "--seed", self.seed, *args, *self._general_args(),
             "--format", "json", "-o", "model", name],
            files, ["model"],
        )
        self.model_ = written["model"]
        self.summary_ = json.loads(out)
        return self

    def _rows(self, X):
        """What predict says of each record."""
        model = self._fitted("model_")
        records = as_list(X)
        if not records:
            return []
        content, name = self._encode(records)
        threads = [] if self.threads is None else ["--threads", self.threads]
        out, _ = _worker.run(
            ["predict", "-m", "model", "--format", "json", *threads, name], {name: content, "model": model}
        )
        return json.loads(b"[" + out.strip().replace(b"\n", b",") + b"]")

    def save(self, path):
        """Write the model to a file, which the tool reads, too."""
        model = self._fitted("model_")
        with open(path, "wb") as file:
            file.write(model)


class SequenceSVC(ClassifierMixin, _Machine):
    """Support vector machine on strings, with a kernel in linear time.

    Parameters
    ----------
    kernel : str or list of str
        Specification, such as "gapped:rc" or "words:tfidf"; the mean of several. "seqsvm about kernels" lists them.
    C : float
        Cost of errors.
    class_weight : None or "balanced"
        Costs of the classes, which "balanced" makes inversely proportional to their numbers of records.
    probability : bool
        Whether predict_proba is there, which takes further trainings.
    normalize : bool
        Whether the kernel is divided by the norms of both records.
    text : bool or None
        Whether records are texts or trees, not sequences of letters; None: as the kernel has it.
    seed : int
        Of what is random.
    threads : int or None
        Number of processors; None: all. Results do not depend on it.
    options : sequence of str
        Further options of "seqsvm train", such as ("--multiclass", "ovo").

    Attributes
    ----------
    classes_ : array of the classes, sorted. Decisions above 0 speak for the second of two.
    model_ : bytes of the model file. Its classes have the texts of classes_, or are c0, c1, … where one of these cannot
        be a label: if it is empty, begins or ends with a space or has a character that cannot be printed.
    summary_ : dict of what "seqsvm train" says: support vectors, objective, duality gap and more.
    """

    _needs_labels = True

    def __init__(self, kernel="spectrum:k=6", C=1.0, class_weight=None, probability=False, normalize=True, text=None,
                 seed=1, threads=None, options=()):
        self.kernel = kernel
        self.C = C
        self.class_weight = class_weight
        self.probability = probability
        self.normalize = normalize
        self.text = text
        self.seed = seed
        self.threads = threads
        self.options = options

    def fit(self, X, y):
        """Train on records X with classes y."""
        records = as_list(X)
        refuse_missing(y)  # before NumPy makes a text of NaN among texts
        y = np.asarray(y)
        if y.shape != (len(records),):
            raise ValueError(f"y has shape {y.shape}, want ({len(records)},): a class for each record")
        if self.class_weight not in (None, "balanced"):
            raise ValueError(f"class_weight = {self.class_weight!r}, want None or 'balanced'")
        self.classes_, numbers = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has {len(self.classes_)} class, want 2 or more")
        names = class_names(self.classes_)
        args = ["--C", repr(float(self.C))]
        if len(names) == 2:
            args.append("--positive=" + names[1])
        if self.class_weight:
            args += ["--class-weight", self.class_weight]
        if self.probability:
            args.append("--probability")
        return self._train(records, [names[i] for i in numbers], args)

    def predict(self, X):
        """The class of each record."""
        number = {name: i for i, name in enumerate(self._fitted_names())}
        return self.classes_[np.array([number[row["class"]] for row in self._rows(X)], dtype=int)]

    def decision_function(self, X):
        """The decision of classes_[1] of two for each record, else a column for each class."""
        names = self._fitted_names()
        rows = self._rows(X)
        if len(names) == 2:
            return np.array([row["decision"] for row in rows], dtype=float)
        return np.array([[row["scores"][name] for name in names] for row in rows]).reshape(len(rows), len(names))

    def predict_proba(self, X):
        """A column of probabilities for each class. Needs probability=True."""
        names = self._fitted_names()
        if not self.probability:
            raise AttributeError("predict_proba needs probability=True when the model is fitted")
        rows = self._rows(X)
        return np.array([[row["probabilities"][name] for name in names] for row in rows]).reshape(
            len(rows), len(names))

    def _fitted_names(self):
        self._fitted("model_")
        return class_names(self.classes_)


class SequenceSVR(RegressorMixin, _Machine):
    """Support vector regression on strings: parameters as of SequenceSVC, and epsilon, the error that costs nothing."""

    _needs_labels = True

    def __init__(self, kernel="spectrum:k=6", C=1.0, epsilon=0.1, normalize=True, text=None, seed=1, threads=None,
                 options=()):
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.normalize = normalize
        self.text = text
        self.seed = seed
        self.threads = threads
        self.options = options

    def fit(self, X, y):
        """Train on records X with numbers y."""
        refuse_missing(y)
        records, y = as_list(X), np.asarray(y, dtype=float)
        if y.shape != (len(records),):
            raise ValueError(f"y has shape {y.shape}, want ({len(records)},): a number for each record")
        args = ["--task", "regress", "--C", repr(float(self.C)), "--epsilon", repr(float(self.epsilon))]
        return self._train(records, [repr(float(v)) for v in y], args)

    def predict(self, X):
        """The number of each record."""
        return np.array([row["value"] for row in self._rows(X)], dtype=float)


class SequenceNovelty(OutlierMixin, _Machine):
    """One-class machine on strings: what is unlike the records of training. nu bounds the share of these that are
    taken to be novel; other parameters are as of SequenceSVC."""

    def __init__(self, kernel="spectrum:k=6", nu=0.1, normalize=True, text=None, seed=1, threads=None, options=()):
        self.kernel = kernel
        self.nu = nu
        self.normalize = normalize
        self.text = text
        self.seed = seed
        self.threads = threads
        self.options = options

    def fit(self, X, y=None):
        """Train on records X; y is not used."""
        return self._train(as_list(X), None, ["--task", "novelty", "--nu", repr(float(self.nu))])

    def predict(self, X):
        """1 for a record that is like those of training, -1 for one that is not."""
        return np.array([1 if row["class"] == "known" else -1 for row in self._rows(X)], dtype=int)

    def decision_function(self, X):
        """How much a record is like those of training: negative for novel ones."""
        return -np.array([row["decision"] for row in self._rows(X)], dtype=float)

    def score_samples(self, X):
        """As decision_function."""
        return self.decision_function(X)


class _Against(TransformerMixin, _OnRecords):
    """Records by what they share with those of training."""

    def __init__(self, kernel="spectrum:k=6", normalize=True, text=None, threads=None, options=()):
        self.kernel = kernel
        self.normalize = normalize
        self.text = text
        self.threads = threads
        self.options = options

    def fit(self, X, y=None):
        """Remember the records X; y is not used."""
        records = as_list(X)
        if not records:
            raise ValueError("no records, want at least one")
        self._training_ = self._encode(records)[0]
        self._size_ = len(records)
        return self

    def _files(self, records):
        """The files of records and of those of training, and their names."""
        training = self._fitted("_training_")
        content, name = self._encode(records)
        return {name: content, "training-" + name: training}


class SequenceKernel(_Against):
    """Values of a kernel with the records of training, for machines that take them: SVC(kernel="precomputed")."""

    def transform(self, X):
        """A row for each record of X, a column for each record of training: float64."""
        records = as_list(X)
        if not records:
            return np.zeros((0, self._fitted("_size_")))
        files = self._files(records)
        out, _ = _worker.run(
            ["matrix", "gram", *self._kernel_args(), *self._general_args(), "--format", "npy", *files], files)
        return np.load(io.BytesIO(out))


class SequenceFeatures(_Against):
    """Explicit features, such as k-mers and words, as a sparse matrix of SciPy. Columns are features of training."""

    def fit(self, X, y=None):
        """Find the features of the records X; y is not used."""
        super().fit(X)
        name = self._encode([])[1]
        _, written = _worker.run(
            ["matrix", "features", *self._kernel_args(), *self._general_args(), "--names", "names", "--format", "mtx",
             "-o", "matrix", name],
            {name: self._training_}, ["names", "matrix"])
        self._features = written["names"].decode("utf-8", "surrogateescape").splitlines()
        return self

    def transform(self, X):
        """A scipy.sparse.csr_matrix with a row for each record of X and a column for each feature of training."""
        import scipy.sparse

        records = as_list(X)
        if not records:
            return scipy.sparse.csr_matrix((0, len(self._fitted("_features"))))
        files = self._files(records)
        out, _ = _worker.run(
            ["matrix", "features", *self._kernel_args(), *self._general_args(), "--format", "npz", *files], files)
        return scipy.sparse.load_npz(io.BytesIO(out))

    def get_feature_names_out(self, input_features=None):
        """The names of the columns."""
        return np.array(self._fitted("_features"), dtype=object)
