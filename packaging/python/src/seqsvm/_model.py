"""Models: what they predict and why, on records and on genomes."""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
import json
import os

import numpy as np

from ._records import Records
from ._shown import SVG, Page, json_lines, table
from ._worker import call

_OWN = b"SEQSVM", b"SEQTAG", b"\x28\xb5\x2f\xfd"  # how own models begin, and files of zstd

# The methods of explain, and how the tool is asked for each.
_GKMEXPLAIN = ("hypothetical", "deep-hypothetical", "perturbation", "deep-perturbation")
METHODS = {
    "contributions": {},
    "hypothetical": {"hypothetical": True},
    "gkmexplain": {"method": "gkmexplain"},
    **{f"gkmexplain-{mode}": {"method": "gkmexplain", "mode": mode} for mode in _GKMEXPLAIN},
}

_TREES = {"words", "subtree", "sst", "ptk", "tag", "wl", "walk"}


def load(path, *more, kernel: str | None = None, keep_sequences: bool = False, threads: int | None = None) -> Model:
    """Open a model file: one of this package or of the tool, or of gkm-SVM programs.

    Parameters
    ----------
    path : str or os.PathLike
        A model that save, or the tool, wrote; a model of LS-GKM (gzip or not); a table of k-mers and weights for
        deltaSVM; or the file of support vectors of the classic gkm-SVM or its R package, with that of the weights as
        second argument.
    kernel : str
        Of the classic gkm-SVM, whose files do not name it: "gapped:l=10,k=6,d=3,rc" is its default.
    keep_sequences : bool
        Whether the support vectors of other programs are kept, which save(format="lsgkm") needs.
    threads : int
        Number of processors; None: all. Results do not depend on it.

    >>> model = seqsvm.load("nanog.model.txt.gz")              # doctest: +SKIP
    >>> model(["ACGTACGTACGTACGT"]).shape                      # doctest: +SKIP
    (1, 1)
    """
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError) as err:
            raise ValueError(f"{os.fspath(path)}: {err}") from None
    if content.startswith(_OWN) and not more:
        return _opened(content, threads)
    args = ["model", "convert", "-q", "-o", "model", *_arguments(kernel=kernel, keep_sequences=keep_sequences)]
    return _opened(call([*args, *map(os.path.abspath, (path, *more))], outputs=["model"])[1]["model"], threads)


def _opened(content, threads):
    model = Model(content, threads=threads)
    model.info  # which finds what is wrong with it
    return model


class Model:
    """A model that was trained, here or elsewhere. It is called with records: model(X) → (records, outputs).

    X is a list of str or bytes, an array, a series of pandas or polars, or a one-hot array of the shape (records, 4,
    positions): any numbers, NumPy or torch, in the order A, C, G, T; a column of zeros is N.

    labels are the names of classes that the tool knows and the classes themselves, text says whether records are texts:
    where they are not given, the model says it.
    """

    training = False  # of tools that take models of torch

    def __init__(self, content: bytes, labels: tuple | None = None, threads: int | None = None,
                 text: bool | None = None):
        self._content, self._threads, self._given, self._reads = bytes(content), threads, labels, text
        self._name = "model-" + hashlib.blake2b(self._content, digest_size=8).hexdigest()

    @functools.cached_property
    def info(self) -> dict:
        """All that the tool says of the model."""
        return json.loads(self._call("model info")[0])

    @property
    def task(self) -> str:
        """What was learned: "classify", "regress", "quantile=0.9", "novelty", "rank", "tag" and others."""
        return self.info["task"]

    @property
    def classes_(self) -> np.ndarray | None:
        """The classes, of two the one last that decisions above 0 speak for; None if it predicts none."""
        return self._labels[1]

    @functools.cached_property
    def _labels(self):
        """The names that the tool knows of classes, and the classes that they stand for."""
        if self._given:
            return self._given
        rule = self.info.get("decision")
        if not rule or rule["scheme"] in ("regression", "gaussian-process", "ranking", "novelty"):
            return [], None
        names = list(rule["classes"])
        if len(names) == 2 and rule["scheme"] != "multi-label" and rule.get("positive", 1) == 0:
            names.reverse()
        return names, np.array(names)

    @property
    def _names(self):
        return self._labels[0]

    @functools.cached_property
    def _number(self):
        return {name: i for i, name in enumerate(self._names)}

    @functools.cached_property
    def _alphabet(self):
        return _alphabet_of(self.info["kernel"]) if "kernel" in self.info else None

    @property
    def _text(self):
        return self._alphabet in (None, "bytes", "text") if self._reads is None else self._reads

    def __repr__(self):
        of = "" if self.classes_ is None else f", classes {', '.join(map(str, self.classes_[:5]))}"
        return f"<seqsvm.Model: {', '.join(filter(None, [self.task, self.kernel]))}{of}>"

    def __call__(self, X):
        """The outputs for records: an array (records, outputs), or a tensor if X is one.

        Of two classes the decision of the second, of more one for each, of ordered ones their score; of a regression
        the number.

        >>> model(np.eye(4)[[[0, 1, 2, 3, 0, 1, 2, 3]]].transpose(0, 2, 1)).shape      # doctest: +SKIP
        (1, 1)
        """
        self._refuse_tags("outputs")
        values = self.predict(X) if self.classes_ is None and self.task != "novelty" else self.decision_function(X)
        values = values[:, None] if values.ndim == 1 else values
        return X.new_tensor(values) if hasattr(X, "new_tensor") else values

    def parameters(self):
        """None: what tools that take models of torch ask for."""
        return iter(())

    def to(self, *args, **kwargs) -> Model:
        """The model as it is."""
        return self

    eval = to

    @property
    def kernel(self) -> str:
        """The kernel as the tool writes it."""
        for line in self._call("model info", format=None)[0].decode().splitlines():
            if line.startswith("kernel\t"):
                return line.split("\t", 1)[1]
        return ""

    def predict(self, X, return_std: bool = False):
        """The class or number of each record: an array (records,).

        Of several labels for each record a list of tuples; of novelty 1 for what is like the records of training and -1
        for what is not; of tags a list of lists. A Gaussian process gives the standard deviations, too, if asked for.
        """
        if self.classes_ is None and self.task not in ("tag", "novelty") and not return_std:
            return self._outputs(X)[:, 0]
        rows = self._predicted(X)
        if self.task == "tag":
            return [row["tags"] for row in rows]
        if self.task == "novelty":
            return np.array([1 if row["class"] == "known" else -1 for row in rows], dtype=int)
        if self.classes_ is None:
            return tuple(np.array([row[field] for row in rows], dtype=float) for field in ("value", "sd"))
        if self.info["decision"]["scheme"] == "multi-label":
            return [tuple(self.classes_[self._number[name]] for name in row["classes"]) for row in rows]
        return self.classes_[np.array([self._number[row["class"]] for row in rows], dtype=int)]

    def decision_function(self, X) -> np.ndarray:
        """Decisions: (records,) of the second of two classes or of ordered ones, else (records, classes).

        Of novelty, how much a record is like those of training: negative for novel ones.
        """
        if self.task == "novelty":
            return -self._outputs(X)[:, 0]
        if self.classes_ is None:
            raise AttributeError(f"decision_function is of classes and novelty, and this model is of {self.task}")
        values = self._outputs(X)
        if values.shape[1] != len(self._names):
            return values[:, 0]
        return values[:, [self.info["decision"]["classes"].index(name) for name in self._names]]

    def predict_proba(self, X) -> np.ndarray:
        """Probabilities (records, classes), in the order of classes_: of a model that was trained to have them."""
        rows = self._predicted(X)
        if self.task == "tag" or self.classes_ is None or rows and "probabilities" not in rows[0]:
            raise AttributeError("predict_proba needs probability=True when the model is fitted")
        return self._by_class(rows, "probabilities")

    def predict_set(self, X, confidence: float = 0.95) -> list[tuple]:
        """The classes of each record that hold the right one with a probability: none, one or several.

        Of a model that was trained with conformal=True.
        """
        return [tuple(self.classes_[self._number[name]] for name in row["set"])
                for row in self._regions(X, confidence, "set")]

    def predict_interval(self, X, confidence: float = 0.95) -> np.ndarray:
        """An interval for each record that holds its number with a probability: (records, 2), its ends.

        Of a regression that was trained with conformal=True.
        """
        rows = self._regions(X, confidence, "lower")
        return np.array([[row["lower"], row["upper"]] for row in rows], dtype=float).reshape(len(rows), 2)

    def _regions(self, X, confidence, field):
        rows = self._predicted(X, confidence=confidence)
        if rows and field not in rows[0]:
            raise AttributeError(f"predict_{'set' if field == 'set' else 'interval'} is of "
                                 f"{'classes' if field == 'set' else 'numbers'}, and this model is of {self.task}")
        return rows

    def raw(self, X) -> np.ndarray:
        """Raw scores (records,) or (records, machines): without the norm of the record and the bias.

        >>> delta = model.raw(alternatives) - model.raw(references)       # doctest: +SKIP
        """
        self._refuse_tags("scores")
        values = self._outputs(X, raw=True)
        return values[:, 0] if values.shape[1] == 1 else values

    def explain(self, X, method: str = "contributions", label=None):
        """What each letter adds to the decision.

        Of DNA and RNA an array (records, 4, positions), in the order A, C, G, T or U: a list of arrays (4, positions)
        if the records have several lengths. Of other letters a list of arrays (positions,), of texts a list of lists
        of word and contribution. Of two classes, positive values speak for the second.

        method is "contributions", which with the bias sum to the decision, "hypothetical", those that other bases would
        have at each position, or, of gapped and mismatch kernels, one of gkmexplain: "gkmexplain",
        "gkmexplain-hypothetical", "gkmexplain-deep-hypothetical", "gkmexplain-perturbation" and
        "gkmexplain-deep-perturbation". label is the class to explain, by default the predicted one of several.

        >>> model.explain(["ACGTACGT", "GGGTACGT"]).shape                 # doctest: +SKIP
        (2, 4, 8)
        """
        self._refuse_tags("contributions")
        if method not in METHODS:
            raise ValueError(f"method = {method!r}, want one of {', '.join(METHODS)}")
        if self._alphabet in ("dna", "rna") and not self._text or method != "contributions":
            return self._arrays(X, label, **METHODS[method])
        rows = json_lines(self._on_records("explain", X, label=label)[0])
        return [list(zip(row["words"], row["contributions"])) if "words" in row else np.array(row["contributions"])
                for row in rows]

    def mutagenesis(self, X, label=None):
        """The change of the decision by each base at each position: (records, 4, positions), of shapes as explain."""
        return self._arrays(X, label, mutagenesis=True)

    def features(self, X=None, top: int = 10, **options):
        """The strongest features, such as k-mers, of the model or of each record: a table."""
        rows = json_lines(self._on_records("explain", X, top=top, **options)[0])
        return table([{**{key: value for key, value in row.items() if key in ("id", "class")}, **feature}
                      for row in rows for feature in row["features"]])

    def kmers(self):
        """The raw score of every k-mer, which add up over a sequence: a table of kmer and score."""
        return table(json_lines(self._call("model kmers")[0]))

    def variants(self, vcf, genome, scores="delta", **options):
        """Effects of variants of a genome: a table with a row for each alternative allele.

        vcf and genome are paths, vcf may be the bytes of a file. scores are among "delta" (deltaSVM), "max",
        "decision", "site", "importance" and "percentile". options are those of the tool's command: context=200, seed=1
        and others.

        >>> model.variants("variants.vcf", "hg38.fa", scores=["delta", "site"])      # doctest: +SKIP
        """
        files = {"variants.vcf": bytes(vcf)} if isinstance(vcf, (bytes, bytearray)) else {}
        path = "variants.vcf" if files else os.path.abspath(vcf)
        return table(json_lines(self._call("variants", path, files=files, genome=os.path.abspath(genome), scores=scores,
                                           **options)[0]))

    def scan(self, genome, **options):
        """Scores of the windows of a genome, the path of a file, or of records: a table.

        options are label and those of the tool's command: window=200, step=10, top=100, min_score=1.5, fdr=0.05 and
        others.
        """
        return table(json_lines(self._on_genome(genome, **options)[0]))

    def motifs(self, X=None, top: int = 10, label=None, **options):
        """The strongest k-mers that speak for a class joined into motifs: a table.

        With records motifs are refined by their sites in these. The column matrix has arrays (positions, letters)
        of probabilities.
        """
        rows = json_lines(self._on_records("model motifs", X, top=top, label=label, **options)[0])
        for row in rows:
            row["matrix"] = np.array(row["matrix"])
        return table(rows)

    def report(self, X, y, **options) -> Page:
        """A page on what the model gets right and wrong on records X with labels y, which a notebook shows.

        options are those of the tool's command: title="…", bootstrap=200, tracks=50 and others.
        """
        records = Records(X)
        if len(y) != len(records):
            raise ValueError(f"y has {len(y)} labels, want {len(records)}: one for each record")
        known = {label: name for name, label in zip(self._names, self.classes_)} if self._names else {}
        labels = records.labels([known.get(label, label) for label in y], self._text)
        name, content = records.file(self._text)
        _, written = self._call("report", "-o", "page.html", name, files={name: content, "labels": labels}, format=None,
                                labels="labels", outputs=["page.html"], **options)
        return Page(written["page.html"].decode("utf-8"))

    def plot_contributions(self, X, label=None, **options) -> SVG:
        """A picture of the contributions of letters, drawn to height."""
        return self._plot("explain", X, label=label, **options)

    def plot_motifs(self, X=None, top: int = 10, label=None, **options) -> SVG:
        """A picture of the motifs of motifs."""
        return self._plot("model motifs", X, top=top, label=label, **options)

    def plot_scan(self, genome, **options) -> SVG:
        """A picture of the scores of the windows of scan, along each record."""
        return SVG(self._on_genome(genome, plot="plot.svg", outputs=["plot.svg"], **options)[1]["plot.svg"].decode())

    def plot_importance(self, kmer: int, **options) -> SVG:
        """A picture of the importance of k-mers at positions (POIM), of a weighted degree kernel."""
        return self._plot("model poim", None, kmer=kmer, **options)

    def save(self, path, format: str = "seqsvm") -> None:
        """Write the model to a file.

        format is "seqsvm", which load and the tool read; "lsgkm", for gkmpredict, of gapped models that kept their
        support vectors; or "deltasvm", the table of k-mers and weights that deltasvm.pl reads, behind a header line.
        """
        if format == "lsgkm":
            content = self._call("model convert", "-o", "out", self._name, format=None, to="lsgkm", model=False,
                                 outputs=["out"])[1]["out"]
        elif format == "deltasvm":
            content = b"kmer\tweight\n" + self._call("model kmers", format=None, digits=17)[0]
        elif format == "seqsvm":
            content = self._content
        else:
            raise ValueError(f"format = {format!r}, want seqsvm, lsgkm or deltasvm")
        with open(path, "wb") as file:
            file.write(content)

    def _call(self, command, *args, files=None, outputs=(), format="json", model=True, label=None, **options):
        """What a command writes about the model. label is the class that it is asked about."""
        options = {"threads": self._threads, **options, **self._of(label)}
        of = ["-m", self._name] if model else []
        return call([*command.split(), *of, *_arguments(format=format, **options), *args], files, outputs,
                    {self._name: self._content})

    def _refuse_tags(self, what):
        if self.task == "tag":
            raise AttributeError(f"a model of tags has no {what}, want predict, for a tag of each token")

    def _on_records(self, command, X, outputs=(), **options):
        """What a command writes about records, if there are some."""
        if X is None:
            return self._call(command, outputs=outputs, **options)
        records = X if isinstance(X, Records) else Records(X)
        if not len(records):
            return b"", {}
        name, content = records.file(self._text)
        return self._call(command, name, files={name: content}, outputs=outputs, **options)

    def _outputs(self, X, **options):
        """Decisions, or raw scores, as the tool has them: an array (records, outputs)."""
        content = self._on_records("predict", X, format="npy", **options)[0]
        if not content:
            return np.zeros((0, len(self._names) if len(self._names) > 2 else 1))
        return np.load(io.BytesIO(content))

    def _predicted(self, X, **options):
        if self.task == "tag":
            name, content = _tokens_file(X)
            return json_lines(self._call("predict", name, files={name: content}, **options)[0])
        return json_lines(self._on_records("predict", X, **options)[0])

    def _on_genome(self, genome, outputs=(), **options):
        if isinstance(genome, (str, os.PathLike)):
            files, path = {}, os.path.abspath(genome)
        else:
            path, content = Records(genome).file()
            files = {path: content}
        return self._call("scan", path, files=files, outputs=outputs, **options)

    def _plot(self, command, X, **options):
        if X is not None and not len(X):
            raise ValueError("no records, want at least one to draw")
        _, written = self._on_records(command, X, ["plot.svg"], format=None, plot="plot.svg", **options)
        return SVG(written["plot.svg"].decode("utf-8"))

    def _arrays(self, X, label, **options):
        """What the tool says of each base at each position, one request for the records of each length."""
        records = Records(X)
        lengths = records.lengths()
        out = [None] * len(records)
        for length in sorted(set(lengths.tolist())):
            which = np.flatnonzero(lengths == length)
            part = records if len(which) == len(records) else records.take(which)
            written = self._on_records("explain", part, ["values.npz"], output="values.npz", format="npz", label=label,
                                       **options)[1]
            values = np.load(io.BytesIO(written["values.npz"]))["arr_0"]
            if len(which) == len(records):
                return values
            for i, value in zip(which, values):
                out[i] = value
        return out or np.zeros((0, 4, 0))

    def _of(self, label):
        """The option that names a class."""
        if label is None:
            return {}
        for name, own in zip(self._names, [] if self.classes_ is None else self.classes_):
            if own == label:
                return {"class": name}
        raise ValueError(f"label = {label!r}, want one of {self.classes_}")

    def _by_class(self, rows, field):
        values = [[row[field][name] for name in self._names] for row in rows]
        return np.array(values, dtype=float).reshape(len(rows), len(self._names))


def arguments(options) -> list[str]:
    """Options of the tool's commands: a dict of them by names of Python, or a list as a command line has them."""
    return _arguments(**options) if isinstance(options, dict) else [str(a) for a in options]


def _arguments(**options):
    args = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            args.append(option)
        else:
            if isinstance(value, os.PathLike):
                value = os.path.abspath(value)  # the tool may run in another folder
            args.append(option + "=" + (",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)))
    return args


def _alphabet_of(kernel):
    """The alphabet of a kernel's letters, "text" if its records are texts, trees or graphs."""
    found = None
    todo = [kernel]
    while todo:
        part = todo.pop()
        if isinstance(part, list):
            todo += part
        elif isinstance(part, dict):
            if part.get("name") in _TREES or part.get("unit") in ("word", "codepoint"):
                return "text"
            found = part.get("alphabet", found)
            todo += [value for value in part.values() if isinstance(value, (dict, list))]
    return found


def _tokens_file(X, tags=None):
    """Sequences of tokens as lines, or of letters as FASTA."""
    X = list(X)
    if all(isinstance(x, (str, bytes)) for x in X):
        return Records(X).file()
    lines = []
    for i, tokens in enumerate(X):
        for j, token in enumerate(tokens):
            if not isinstance(token, str) or not token or any(c.isspace() for c in token):
                raise ValueError(f"X[{i}][{j}] is {token!r}, want a token: str without spaces")
            lines.append(token if tags is None else f"{token}\t{tags[i][j]}")
        lines.append("")
    return "tokens.tsv", ("\n".join(lines) + "\n").encode("utf-8")
