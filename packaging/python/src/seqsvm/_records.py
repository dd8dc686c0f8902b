"""Records as the tool reads them."""

from __future__ import annotations

import json
import re

import numpy as np

# Kernels whose records are texts, trees or graphs, not sequences of letters.
_OF_TEXT = re.compile(r"^(words|subtree|sst|ptk|tag|wl|walk)\b|\bunit=(word|codepoint)\b")

# What a sequence in FASTA may not have within: a line end, a header, spaces.
_BREAKS = re.compile(r"[\s>;]")

# The letter of a column of a one-hot array, by the sum of the powers of 2 of its rows; 0 for several ones.
_LETTERS = bytes(b"NACGT"[[0, 1, 2, 4, 8].index(code)] if code in (0, 1, 2, 4, 8) else 0 for code in range(256))

# Records of a one-hot array that are read at a time, so that what they take stays in the processor's cache.
_BLOCK = 64


def kernels_of(kernel) -> list[str]:
    """The specifications of kernels: one, or several whose mean is taken."""
    return [kernel] if isinstance(kernel, str) else list(kernel)


def reads_text(kernel) -> bool:
    """Whether the records of a kernel are texts by default."""
    return any(_OF_TEXT.search(spec) for spec in kernels_of(kernel))


def is_missing(value) -> bool:
    """Whether a value is NaN, None, NaT or pandas.NA."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA is neither equal nor unequal; an array is no label
        return getattr(value, "ndim", 0) == 0


def one_hot(X) -> np.ndarray:
    """Sequences of DNA as a one-hot array: a letter other than A, C, G and T (or U) is a column of zeros.

    >>> one_hot(["ACGTN"]).shape
    (1, 4, 5)
    """
    letters = Records(X).matrix()
    return np.stack([np.isin(letters, np.frombuffer(own, dtype=np.uint8)) for own in (b"Aa", b"Cc", b"Gg", b"TtUu")],
                    axis=1).astype(np.float32)


class Records:
    """The records of X: strings, or the letters of a one-hot array.

    X is a sequence of str or bytes, an array, series or table of one column of these, or numbers of the shape
    (records, 4, positions): arrays of NumPy and tensors. It may be a list of arrays of the shape (4, positions), too.
    """

    def __init__(self, X):
        self.letters = self.strings = None
        if isinstance(X, (str, bytes)):
            raise ValueError("X is one string, want a list of records")
        if hasattr(X, "detach"):  # a tensor
            X = X.detach().cpu()
        if hasattr(X, "to_numpy"):
            X = X.to_numpy()
        if hasattr(X, "__array__") and not hasattr(X, "dtype") or type(X).__module__.startswith("torch"):
            X = np.asarray(X)
        ndim = getattr(X, "ndim", 1)
        if ndim == 3:
            self.letters = _letters_of(np.asarray(X))
            return
        if ndim == 2:
            if X.shape[1] != 1:
                raise ValueError(f"X has {X.shape[1]} columns, want one: the records")
            X = X[:, 0]
        elif ndim != 1:
            raise ValueError(f"X has {ndim} dimensions, want a list of records, or an array (records, 4, positions)")
        self.strings = [x if type(x) is str else _string(i, x) for i, x in enumerate(X)]

    def __len__(self):
        return len(self.strings if self.letters is None else self.letters)

    def lengths(self) -> np.ndarray:
        """The letters of each record."""
        if self.letters is not None:
            return np.full(len(self), self.letters.shape[1])
        return np.array([len(x) for x in self.strings], dtype=int)

    def take(self, which) -> Records:
        """Some of the records."""
        part = Records(())
        if self.letters is None:
            part.strings = [self.strings[i] for i in which]
        else:
            part.letters = self.letters[which]
        return part

    def matrix(self) -> np.ndarray:
        """The letters of records of one length: uint8 of the shape (records, positions)."""
        if self.letters is not None:
            return self.letters
        lengths = set(map(len, self.strings))
        if len(lengths) > 1:
            raise ValueError(f"records of {min(lengths)} to {max(lengths)} letters, want one length")
        text = "".join(self.strings).encode("latin-1", "replace")
        return np.frombuffer(text, dtype=np.uint8).reshape(len(self), max(lengths, default=0))

    def file(self, text=False, **fields) -> tuple[str, bytes]:
        """The records as a file for the tool, and its name, which says the format. Fields have a value for each."""
        if text or "label" in fields:
            return "records.jsonl", self._jsonl(fields)
        if self.letters is not None and not fields:
            return "records.fa", self._matrix_fasta()
        return "records.fa", self._fasta(fields)

    def labels(self, labels, text=False) -> bytes:
        """Labels as a file for --labels, by the ids of file."""
        width = 1 if text or self.letters is None else len(str(max(0, len(self) - 1)))
        return "".join([f"{i:0{width}}\t{label}\n" for i, label in enumerate(labels)]).encode("utf-8", "surrogatepass")

    def _texts(self):
        if self.letters is None:
            return self.strings
        return [row.tobytes().decode("ascii") for row in self.letters]

    def _jsonl(self, fields):
        lines = []
        for i, record in enumerate(self._texts()):
            entry = {"id": str(i), "text": record, **{name: values[i] for name, values in fields.items()}}
            lines.append(json.dumps(entry, ensure_ascii=False))
        return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"

    def _fasta(self, fields):
        records = self._texts()
        # Nearly all records are letters alone, which is quick to see.
        suspects = [] if "".join(records).encode("utf-8", "replace").isalpha() else enumerate(records)
        for i, record in suspects:
            found = _BREAKS.search(record)
            if found:
                raise ValueError(
                    f"record {i} has {found.group()!r} at position {found.start()}, which is no letter of a sequence; "
                    "text=True reads records as texts"
                )
        if not fields:
            return "".join([f">{i}\n{x}\n" for i, x in enumerate(records)]).encode("utf-8")
        headers = ["".join(f" {name}={values[i]}" for name, values in fields.items()) for i in range(len(records))]
        return "".join(f">{i}{headers[i]}\n{x}\n" for i, x in enumerate(records)).encode("utf-8")

    def _matrix_fasta(self):
        """FASTA without a loop over records: ids have as many digits as the last."""
        n, positions = self.letters.shape
        digits = len(str(max(0, n - 1)))
        out = np.empty((n, digits + positions + 3), dtype=np.uint8)
        out[:, 0], out[:, digits + 1], out[:, -1] = ord(">"), ord("\n"), ord("\n")
        ids = np.arange(n)
        for place in range(digits, 0, -1):
            out[:, place] = ids % 10 + ord("0")
            ids //= 10
        out[:, digits + 2:-1] = self.letters
        return out.reshape(-1).data  # no copy


def _string(i, x):
    """Record i as a string."""
    if isinstance(x, bytes):
        return x.decode("latin-1")
    if isinstance(x, str):
        return str(x)
    if getattr(x, "ndim", 0) == 2:
        x = x.detach().cpu() if hasattr(x, "detach") else x
        return _letters_of(np.asarray(x)[None], i)[0].tobytes().decode("ascii")
    if is_missing(x):
        raise ValueError(f"record {i} of X is missing: {x!r}")
    raise ValueError(f"record {i} of X is {type(x).__name__}, want str or bytes, or an array (records, 4, positions)")


def _letters_of(X, first=0):
    """The letters of one-hot arrays: uint8 of the shape (records, positions)."""
    if X.shape[1] != 4 or X.dtype.kind not in "biuf":
        raise ValueError(f"X has the shape {X.shape} of {X.dtype}, want numbers (records, 4, positions): A, C, G, T")
    out = np.empty((X.shape[0], X.shape[2]), dtype=np.uint8)
    for lo in range(0, len(X), _BLOCK):
        block = X[lo:lo + _BLOCK]
        ones = block == 1
        if not np.array_equal(block != 0, ones):
            record, base, position = np.argwhere((block != 0) != ones)[0]
            raise ValueError(f"record {first + lo + record} of X has {block[record, base, position]} at position "
                             f"{position}, want 0 or 1")
        bases = ones.view(np.uint8)
        code = bases[:, 3] * np.uint8(8)  # products take many at once, which shifts do not
        code += bases[:, 2] * np.uint8(4)
        code += bases[:, 1] * np.uint8(2)
        code += bases[:, 0]
        letters = code.tobytes().translate(_LETTERS)
        if 0 in letters:
            record, position = divmod(letters.index(0), X.shape[2])
            raise ValueError(f"record {first + lo + record} of X has several ones at position {position}, want one, or "
                             "none for N")
        out[lo:lo + _BLOCK] = np.frombuffer(letters, dtype=np.uint8).reshape(code.shape)
    return out


def refuse_missing(y) -> None:
    """Raise ValueError if a label is missing: NaN, None, NaT or pandas.NA."""
    for i, label in enumerate(y):
        if is_missing(label):
            raise ValueError(f"y[{i}] is {label!r}, want a label for each record")


def class_names(classes) -> list[str]:
    """Names of classes for the tool: their texts, or c0, c1, … if one cannot be a label or two have the same text."""
    names = [str(c) for c in classes]
    if len(set(names)) == len(names) and all(name == name.strip() and name.isprintable() and name for name in names):
        return names
    width = len(str(len(names) - 1))
    return [f"c{i:0{width}}" for i in range(len(names))]
