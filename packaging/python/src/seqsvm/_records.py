"""Records as the tool reads them."""

import json
import re

# Kernels whose records are texts, trees or graphs, not sequences of letters.
_OF_TEXT = re.compile(r"^(words|subtree|sst|ptk|tag|wl|walk)\b|\bunit=(word|codepoint)\b")

# What a sequence in FASTA may not have within: a line end, a header, spaces.
_BREAKS = re.compile(r"[\s>;]")


def kernels_of(kernel):
    """The specifications of kernels: one, or several whose mean is taken."""
    return [kernel] if isinstance(kernel, str) else list(kernel)


def reads_text(kernel):
    """Whether the records of a kernel are texts by default."""
    return any(_OF_TEXT.search(spec) for spec in kernels_of(kernel))


def as_list(X):
    """The records of X: a sequence of str or bytes, or an array or table of one column."""
    if isinstance(X, (str, bytes)):
        raise ValueError("X is one string, want a list of records")
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    if getattr(X, "ndim", 1) == 2:
        if X.shape[1] != 1:
            raise ValueError(f"X has {X.shape[1]} columns, want one: the records")
        X = X[:, 0]
    records = [x.decode("latin-1") if isinstance(x, bytes) else x for x in X]
    for i, x in enumerate(records):
        if not isinstance(x, str):
            raise ValueError(f"record {i} of X is {type(x).__name__}, want str or bytes")
    return records


def refuse_missing(y):
    """Raise ValueError if a label is missing: NaN, None, NaT or pandas.NA."""
    for i, label in enumerate(y):
        try:
            missing = label is None or bool(label != label)
        except (TypeError, ValueError):  # pandas.NA is neither equal nor unequal; an array is no label
            missing = getattr(label, "ndim", 0) == 0
        if missing:
            raise ValueError(f"y[{i}] is {label!r}, want a label for each record")


def class_names(classes):
    """Names of classes for the tool: their texts, or c0, c1, … if one cannot be a label or two have the same text."""
    names = [str(c) for c in classes]
    if len(set(names)) == len(names) and all(name == name.strip() and name.isprintable() and name for name in names):
        return names
    width = len(str(len(names) - 1))
    return [f"c{i:0{width}}" for i in range(len(names))]


def encode(records, text=False):
    """Records as a file for the tool, and the name by which it knows the format."""
    if text:
        return _jsonl(records), "records.jsonl"
    return _fasta(records), "records.fa"


def encode_labels(labels):
    """The labels of records as a file for --labels."""
    return "".join(f"{i}\t{label}\n" for i, label in enumerate(labels)).encode("utf-8", "surrogatepass")


def _jsonl(records):
    lines = []
    for i, record in enumerate(records):
        lines.append(json.dumps({"id": str(i), "text": record}, ensure_ascii=False))
    return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"


def _fasta(records):
    # Nearly all records are letters alone, which is quick to see.
    suspects = [] if "".join(records).isalpha() else enumerate(records)
    for i, record in suspects:
        found = _BREAKS.search(record)
        if found:
            raise ValueError(
                f"record {i} has {found.group()!r} at position {found.start()}, which is no letter of a sequence; "
                "text=True reads records as texts"
            )
    return "".join(f">{i}\n{record}\n" for i, record in enumerate(records)).encode("utf-8")
