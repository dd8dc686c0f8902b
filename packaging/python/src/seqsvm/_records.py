"""Records as the tool reads them."""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np

# Kernels whose records are texts, trees or graphs, not sequences of letters.
_OF_TEXT = re.compile(r"^(words|subtree|sst|ptk|tag|wl|walk)\b|\bunit=(word|codepoint)\b")

# What a sequence in FASTA may not have within: a line end, a header, spaces.
_BREAKS = re.compile(r"[\s>;]")

# The letter of a column of a one-hot array, by the sum of the powers of 2 of its rows; 0 for several ones.
_LETTERS = bytes(b"NACGT"[[0, 1, 2, 4, 8].index(code)] if code in (0, 1, 2, 4, 8) else 0 for code in range(256))

# Values of a one-hot array that a thread reads at a time: few enough for the processor's cache, enough that threads
# seldom wait for each other.
_BLOCK = 300_000


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
            X = np.asarray(X)
            self._framed(len(X), X.shape[2])
            _letters_of(X, self.letters)
            return
        if ndim == 2:
            if X.shape[1] != 1:
                raise ValueError(f"X has {X.shape[1]} columns, want one: the records")
            X = X[:, 0]
        elif ndim != 1:
            raise ValueError(f"X has {ndim} dimensions, want a list of records, or an array (records, 4, positions)")
        self.strings = [x if type(x) is str else _string(i, x) for i, x in enumerate(X)]

    def _framed(self, n, positions):
        """Set aside letters as they lie in FASTA, where ids have as many digits as the last."""
        digits = len(str(max(0, n - 1)))
        self._file = np.empty((n, digits + positions + 3), dtype=np.uint8)
        self._file[:, 0], self._file[:, digits + 1], self._file[:, -1] = ord(">"), ord("\n"), ord("\n")
        ids = np.arange(n)
        for place in range(digits, 0, -1):
            self._file[:, place] = ids % 10 + ord("0")
            ids //= 10
        self.letters = self._file[:, digits + 2:-1]

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
            part._framed(len(which), self.letters.shape[1])
            part.letters[:] = self.letters[which]
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
            return "records.fa", self._file.reshape(-1).data  # no copy
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


def _string(i, x):
    """Record i as a string."""
    if isinstance(x, bytes):
        return x.decode("latin-1")
    if isinstance(x, str):
        return str(x)
    if getattr(x, "ndim", 0) == 2:
        x = x.detach().cpu() if hasattr(x, "detach") else x
        return _letters_of(np.asarray(x)[None], first=i)[0].tobytes().decode("ascii")
    if is_missing(x):
        raise ValueError(f"record {i} of X is missing: {x!r}")
    raise ValueError(f"record {i} of X is {type(x).__name__}, want str or bytes, or an array (records, 4, positions)")


def _letters_of(X, out=None, first=0):
    """The letters of one-hot arrays, the records from first on: uint8 of the shape (records, positions)."""
    if X.shape[1] != 4 or X.dtype.kind not in "biuf":
        raise ValueError(f"X has the shape {X.shape} of {X.dtype}, want numbers (records, 4, positions): A, C, G, T")
    out = np.empty((X.shape[0], X.shape[2]), dtype=np.uint8) if out is None else out
    threads = min(os.cpu_count() or 1, 1 + X.size // _BLOCK)
    if threads == 1:
        _read_letters(X, out, first)
        return out
    ends = [len(X) * i // threads for i in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:  # map raises what the first share has raised
        list(pool.map(lambda lo, hi: _read_letters(X[lo:hi], out[lo:hi], first + lo), ends, ends[1:]))
    return out


def _read_letters(X, out, first):
    """Write the letters of one-hot arrays, the records from first on, to out. Memory is asked for once."""
    _, bases, positions = X.shape
    step = max(1, _BLOCK // max(1, bases * positions))
    ones, others = (np.empty((min(step, len(X)), bases, positions), dtype=bool) for _ in range(2))
    for lo in range(0, len(X), step):
        block = X[lo:lo + step]
        one, other = np.equal(block, 1, out=ones[:len(block)]), np.not_equal(block, 0, out=others[:len(block)])
        if np.count_nonzero(one) != np.count_nonzero(other):
            record, base, position = np.argwhere(one != other)[0]
            raise ValueError(f"record {first + lo + record} of X has {block[record, base, position]} at position "
                             f"{position}, want 0 or 1")
        code = one.view(np.uint8)
        code[:, 2:] *= np.uint8(4)  # products take many at once, which shifts do not
        code[:, :2] += code[:, 2:]
        code[:, 1] *= np.uint8(2)
        letters = (code[:, 0] + code[:, 1]).tobytes().translate(_LETTERS)
        if 0 in letters:
            record, position = divmod(letters.index(0), positions)
            raise ValueError(f"record {first + lo + record} of X has several ones at position {position}, want one, or "
                             "none for N")
        out[lo:lo + step] = np.frombuffer(letters, dtype=np.uint8).reshape(len(block), positions)


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
