"""Estimators with the conventions of scikit-learn, on records that are strings."""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from ._model import Model, _tokens_file, arguments
from ._records import Records, class_names, kernels_of, reads_text, refuse_missing
from ._worker import call

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


# Parameters are fields: their names, types and defaults, once, of which __init__ is made.
_parameters = dataclass(eq=False, repr=False)


@_parameters
class _Estimator(BaseEstimator):
    """What all estimators share."""

    _: KW_ONLY
    threads: int | None = None
    options: dict | Sequence[str] = ()

    def _more_tags(self):
        return {"X_types": ["string"], "requires_y": self._needs_labels, "no_validation": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = self._needs_labels
        tags.no_validation = True
        return tags

    _needs_labels = False  # no field, as it has no type

    def _general_args(self):
        args = arguments(self.options)
        if self.threads is not None:
            args += ["--threads", str(self.threads)]
        return args

    def _fitted(self, attribute):
        if not hasattr(self, attribute):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return getattr(self, attribute)


@_parameters
class _OnRecords(_Estimator):
    """Estimators with a kernel, and how they read records."""

    kernel: str | Sequence[str] = "spectrum:k=6"
    _: KW_ONLY
    normalize: bool = True
    text: bool | None = None

    def _text(self):
        return reads_text(self.kernel) if self.text is None else bool(self.text)

    def _kernel_args(self):
        args = [] if self.normalize else ["--no-normalize"]
        for spec in kernels_of(self.kernel):
            args += ["--kernel", spec]
        return args


def _of_model(*names):
    """A decorator of classes, which gives them methods of Model."""

    def add(cls):
        for name in names:
            def method(self, *args, _of=getattr(Model, name), **options):
                return _of(self.as_model(), *args, **options)

            setattr(cls, name, functools.wraps(getattr(Model, name))(method))
        return cls

    return add


@_parameters
class _Trained(_Estimator):
    """A model of the tool."""

    _: KW_ONLY
    seed: int = 1

    def as_model(self) -> Model:
        """The model alone, which can be called: model(X) → (records, outputs)."""
        return self._fitted("_machine")

    def save(self, path, format: str = "seqsvm") -> None:
        """Write the model to a file, which load and the tool read: see Model.save."""
        self.as_model().save(path, format)

    def _run(self, args, files, text, labels=None):
        """Train on files, the last of which are records."""
        out, written = call(
            ["train", "--seed", self.seed, *args, *self._general_args(), "--format", "json", "-o", "model"],
            files, ["model"])
        self.model_, self.summary_ = written["model"], json.loads(out)
        self._machine = Model(self.model_, labels, self.threads, text)
        return self


@_of_model("predict", "explain", "mutagenesis", "features", "report", "plot_contributions")
@_parameters
class _Machine(_OnRecords, _Trained):
    """A model with a kernel."""

    def _train(self, records, labels, args, names=None, **fields):
        if not len(records):
            raise ValueError("no records, want at least one")
        name, content = records.file(self._text(), **fields)
        files = {name: content}
        if labels is not None:
            files["labels"] = records.labels(labels, name.endswith(".jsonl"))
            args = [*args, "--labels", "labels"]
        return self._run([*self._kernel_args(), *args, name], files, self._text(), names)


@_of_model("decision_function", "predict_proba", "raw", "variants", "scan", "motifs", "kmers", "plot_motifs",
           "plot_scan")
@_parameters
class _Classifier(ClassifierMixin, _Machine):
    """Machines that predict a class."""

    _: KW_ONLY
    C: float = 1.0
    class_weight: str | None = None

    _needs_labels = True

    def _fit_classes(self, X, y, args):
        records = Records(X)
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
        args = ["--C", repr(float(self.C)), *args]
        if len(names) == 2:
            args.append("--positive=" + names[1])
        if self.class_weight:
            args += ["--class-weight", self.class_weight]
        return self._train(records, [names[i] for i in numbers], args, (names, self.classes_))


@_of_model("predict_set")
@_parameters
class SequenceSVC(_Classifier):
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
    conformal : bool
        Whether predict_set is there, which takes further trainings.
    normalize : bool
        Whether the kernel is divided by the norms of both records.
    text : bool or None
        Whether records are texts or trees, not sequences of letters; None: as the kernel has it.
    seed : int
        Of what is random.
    threads : int or None
        Number of processors; None: all. Results do not depend on it.
    options : dict or sequence of str
        Further options of "seqsvm train", such as {"multiclass": "ovo"} or ("--multiclass", "ovo").

    Attributes
    ----------
    classes_ : array of the classes, sorted. Decisions above 0 speak for the second of two.
    model_ : bytes of the model file. Its classes have the texts of classes_, or are c0, c1, … where one of these cannot
        be a label: if it is empty, begins or ends with a space or has a character that cannot be printed.
    as_model() : the Model, which can be called, and has more methods.
    summary_ : dict of what "seqsvm train" says: support vectors, objective, duality gap and more.
    """

    _: KW_ONLY
    probability: bool = False
    conformal: bool = False

    def fit(self, X, y) -> SequenceSVC:
        """Train on records X, strings or a one-hot array (records, 4, positions), with classes y: (records,)."""
        return self._fit_classes(X, y, arguments({"probability": self.probability, "conformal": self.conformal}))


@_parameters
class SequenceLogistic(_Classifier):
    """Kernel logistic regression on strings: decisions are log odds, and predict_proba is there; parameters as of
    SequenceSVC."""

    def fit(self, X, y) -> SequenceLogistic:
        """Train on records X with classes y: (records,)."""
        return self._fit_classes(X, y, ["--task", "logistic"])


@_parameters
class _Numbers(RegressorMixin, _Machine):
    """Machines that predict a number."""

    _needs_labels = True

    def _fit_numbers(self, X, y, args, **fields):
        refuse_missing(y)
        records, y = Records(X), np.asarray(y, dtype=float)
        if y.shape != (len(records),):
            raise ValueError(f"y has shape {y.shape}, want ({len(records)},): a number for each record")
        return self._train(records, [repr(float(v)) for v in y], args, **fields)


@_parameters
class _WithCost(_Numbers):
    """Those with a cost of errors."""

    _: KW_ONLY
    C: float = 1.0

    def _fit_numbers(self, X, y, args, **fields):
        return super()._fit_numbers(X, y, ["--C", repr(float(self.C)), *args], **fields)


@_of_model("variants", "scan", "raw", "plot_scan", "predict_interval")
@_parameters
class SequenceSVR(_WithCost):
    """Support vector regression on strings: parameters as of SequenceSVC; epsilon, the error that costs nothing; and
    conformal, whether predict_interval is there, which takes further trainings."""

    _: KW_ONLY
    epsilon: float = 0.1
    conformal: bool = False

    def fit(self, X, y) -> SequenceSVR:
        """Train on records X with numbers y: (records,)."""
        return self._fit_numbers(X, y, ["--task", "regress", "--epsilon", repr(float(self.epsilon)),
                                        *arguments({"conformal": self.conformal})])


@_parameters
class SequenceGaussianProcess(_Numbers):
    """Gaussian process regression on strings: numbers with standard deviations, predict(X, return_std=True).

    noise is the variance of the noise over that of the process, None the value of greatest evidence; other parameters
    are as of SequenceSVC. The kernel must be normalised.

    >>> process = SequenceGaussianProcess("wd:d=1,rbf=1").fit(sequences, numbers)      # doctest: +SKIP
    >>> values, deviations = process.predict(sequences, return_std=True)               # doctest: +SKIP
    """

    _: KW_ONLY
    noise: float | None = None

    def fit(self, X, y) -> SequenceGaussianProcess:
        """Train on records X with numbers y: (records,)."""
        return self._fit_numbers(X, y, ["--task", "gaussian-process", *arguments({"lambda": self.noise})])


@_parameters
class SequenceQuantile(_WithCost):
    """Quantile regression on strings: the number that a share of the numbers lie below; parameters as of SequenceSVR.

    >>> upper = SequenceQuantile("spectrum:k=4", quantile=0.9).fit(sequences, numbers)      # doctest: +SKIP
    """

    _: KW_ONLY
    quantile: float = 0.5

    def fit(self, X, y) -> SequenceQuantile:
        """Train on records X with numbers y: (records,)."""
        return self._fit_numbers(X, y, ["--task", f"quantile={float(self.quantile)!r}"])

    def score(self, X, y) -> float:
        """Minus the mean pinball loss, which the quantile minimises."""
        off = np.asarray(y, dtype=float) - self.predict(X)
        return -float(np.mean(np.maximum(self.quantile * off, (self.quantile - 1) * off)))


@_parameters
class SequenceRanker(_WithCost):
    """An order of records: of numbers y only the order counts, within a query; parameters as of SequenceSVR."""

    def fit(self, X, y, query=None) -> SequenceRanker:
        """Train on records X with grades y: (records,). query: (records,), which are compared with one another."""
        if query is None:
            return self._fit_numbers(X, y, ["--task", "rank"])
        refuse_missing(query)
        _, numbers = np.unique(np.asarray(query), return_inverse=True)
        if numbers.shape != (len(y),):
            raise ValueError(f"query has shape {numbers.shape}, want ({len(y)},): a query for each record")
        return self._fit_numbers(X, y, ["--task", "rank", "--query", "query"], query=numbers.tolist())

    def score(self, X, y) -> float:
        """The share of pairs of different grades that are in the right order."""
        y, found = np.asarray(y, dtype=float), self.predict(X)
        above = y[:, None] > y[None, :]
        difference = found[:, None] - found[None, :]
        return float(np.mean((difference[above] > 0) + 0.5 * (difference[above] == 0)))


@_of_model("decision_function")
@_parameters
class SequenceNovelty(OutlierMixin, _Machine):
    """One-class machine on strings: what is unlike the records of training. nu bounds the share of these that are
    taken to be novel; other parameters are as of SequenceSVC."""

    _: KW_ONLY
    nu: float = 0.1

    def fit(self, X, y=None) -> SequenceNovelty:
        """Train on records X; y is not used."""
        return self._train(Records(X), None, ["--task", "novelty", "--nu", repr(float(self.nu))])

    def score_samples(self, X) -> np.ndarray:
        """As decision_function."""
        return self.decision_function(X)


@_of_model("decision_function", "predict_proba")
@_parameters
class SequenceMultiLabel(_Machine):
    """A machine for each label, of which a record may have several; parameters as of SequenceSVC.

    >>> machine = SequenceMultiLabel("words").fit(texts, [["grain", "trade"], [], ["crude"]])      # doctest: +SKIP
    """

    kernel: str | Sequence[str] = "words"
    _: KW_ONLY
    C: float = 1.0
    probability: bool = False

    _needs_labels = True

    def fit(self, X, y) -> SequenceMultiLabel:
        """Train on records X. y has 0 and 1, (records, labels), or is a list of lists of labels, as predict has it."""
        records = Records(X)
        if len(y) != len(records):
            raise ValueError(f"y has {len(y)} rows, want {len(records)}: the labels of each record")
        self._indicator = getattr(y, "ndim", 1) == 2
        if self._indicator:
            self.classes_ = np.asarray(getattr(y, "columns", np.arange(y.shape[1])))
            sets = [[self.classes_[i] for i in np.flatnonzero(row)] for row in np.asarray(y)]
        else:
            sets = [list(labels) for labels in y]
            for labels in sets:
                refuse_missing(labels)
            self.classes_ = np.unique([label for labels in sets for label in labels])
        names = dict(zip(self.classes_.tolist(), class_names(self.classes_)))
        separator = next((c for c in "|;¦§" if not any(c in name for name in names.values())), "|")
        args = ["--C", repr(float(self.C)), "--multilabel", separator, *(["--probability"] if self.probability else [])]
        labels = [[names[np.asarray(label).item()] for label in own] for own in sets]
        return self._train(records, None, args, (list(names.values()), self.classes_), label=labels)

    def predict(self, X):
        """The labels of each record: 0 and 1, (records, labels), or a list of tuples."""
        sets = self.as_model().predict(X)
        return np.array([np.isin(self.classes_, own) for own in sets], dtype=int).reshape(
            len(sets), len(self.classes_)) if self._indicator else sets


@_of_model("predict")
@_parameters
class SequenceTagger(_Trained):
    """A tag for each token of a sequence, or a state for each letter.

    Parameters
    ----------
    features : str or None
        What of a token and its neighbours is seen, such as "words:window=2" or "letters"; None: as the records are.
    C : float
        Cost of errors.
    learner : str
        "margin", "likelihood", "perceptron" or "windows".

    >>> tagger = SequenceTagger().fit([["the", "cat"], ["a", "dog"]], [["O", "B-PET"], ["O", "B-PET"]])
    >>> tagger.predict([["the", "dog"]])
    [['O', 'B-PET']]
    """

    features: str | None = None
    _: KW_ONLY
    C: float = 1.0
    learner: str = "margin"

    _needs_labels = True

    def fit(self, X, y) -> SequenceTagger:
        """Train on X, a list of lists of tokens or of strings of letters, and y, tags or states of the same lengths."""
        for i, (tokens, tags) in enumerate(zip(X, y)):
            if len(tokens) != len(tags):
                raise ValueError(f"y[{i}] has {len(tags)} tags, and X[{i}] {len(tokens)} tokens, want a tag for each")
            refuse_missing(tags)
        if len(X) != len(y) or not len(X):
            raise ValueError(f"X has {len(X)} sequences and y {len(y)}, want as many, and one at least")
        args = ["--task", "tag", "--C", repr(float(self.C)), "--learner", self.learner]
        if self.features is not None:
            args += ["--features", self.features]
        name, content = _tokens_file(X, y)
        files = {name: content}
        if name == "records.fa":
            files["states.fa"] = Records(list(map("".join, y))).file()[1]
            args += ["--states", "states.fa"]
        return self._run([*args, name], files, None)

    def score(self, X, y) -> float:
        """The share of tokens with the right tag."""
        right = [a == b for found, tags in zip(self.predict(X), y) for a, b in zip(found, tags)]
        return float(np.mean(right))


@_parameters
class _Against(TransformerMixin, _OnRecords):
    """Records by what they share with those of training."""

    def fit(self, X, y=None):
        """Remember the records X; y is not used."""
        records = Records(X)
        if not len(records):
            raise ValueError("no records, want at least one")
        self._training_ = records.file(self._text())[1]
        self._size_ = len(records)
        return self

    def _files(self, records):
        """The files of records and of those of training, and their names."""
        training = self._fitted("_training_")
        name, content = records.file(self._text())
        return {name: content, "training-" + name: training}


class SequenceKernel(_Against):
    """Values of a kernel with the records of training, for machines that take them: SVC(kernel="precomputed")."""

    def transform(self, X):
        """A row for each record of X, a column for each record of training: float64."""
        records = Records(X)
        if not len(records):
            return np.zeros((0, self._fitted("_size_")))
        files = self._files(records)
        out, _ = call(
            ["matrix", "gram", *self._kernel_args(), *self._general_args(), "--format", "npy", *files], files)
        return np.load(io.BytesIO(out))


class SequenceFeatures(_Against):
    """Explicit features, such as k-mers and words, as a sparse matrix of SciPy. Columns are features of training."""

    def fit(self, X, y=None):
        """Find the features of the records X; y is not used."""
        super().fit(X)
        name = Records([]).file(self._text())[0]
        _, written = call(
            ["matrix", "features", *self._kernel_args(), *self._general_args(), "--names", "names", "--format", "mtx",
             "-o", "matrix", name],
            {name: self._training_}, ["names", "matrix"])
        self._features = written["names"].decode("utf-8", "surrogateescape").splitlines()
        return self

    def transform(self, X):
        """A scipy.sparse.csr_matrix with a row for each record of X and a column for each feature of training."""
        import scipy.sparse

        records = Records(X)
        if not len(records):
            return scipy.sparse.csr_matrix((0, len(self._fitted("_features"))))
        files = self._files(records)
        out, _ = call(
            ["matrix", "features", *self._kernel_args(), *self._general_args(), "--format", "npz", *files], files)
        return scipy.sparse.load_npz(io.BytesIO(out))

    def get_feature_names_out(self, input_features=None):
        """The names of the columns."""
        return np.array(self._fitted("_features"), dtype=object)
