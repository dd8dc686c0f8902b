"""What a notebook shows: tables, pictures and pages."""

from __future__ import annotations

import html
import json

import numpy as np


class SVG(str):
    """A picture, as text of the format SVG, which a notebook draws."""

    def _repr_svg_(self):
        return str(self)

    def save(self, path) -> None:
        """Write the picture to a file."""
        _write(path, self)


class Page(str):
    """A page of HTML, which a notebook shows in a frame."""

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self)}" width="100%" height="600" style="border:0"></iframe>'

    def save(self, path) -> None:
        """Write the page to a file."""
        _write(path, self)


class Table(dict):
    """Columns by name, arrays of one length: what stands for a DataFrame where pandas is not installed."""

    def _repr_html_(self):
        def cells(tag, values):
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(v))}</{tag}>" for v in values) + "</tr>"

        rows = [cells("td", row) for row in zip(*(column[:_MOST_ROWS] for column in self.values()))]
        return f"<table>{cells('th', self)}{''.join(rows)}</table>"


_MOST_ROWS = 60  # that a notebook shows


def table(rows):
    """A table of dicts, which may lack some keys: a pandas.DataFrame if pandas is there."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    try:
        import pandas
    except ImportError:
        return Table(columns)
    return pandas.DataFrame(columns)


def json_lines(out):
    """The objects of JSON Lines."""
    return json.loads(b"[" + out.strip().replace(b"\n", b",") + b"]")


def _column(values):
    kinds = {type(v) for v in values} - {type(None)}
    if kinds <= {int, float} and kinds and (float in kinds or None in values):
        return np.array([np.nan if v is None else v for v in values], dtype=float)
    if kinds == {int} or kinds == {bool}:
        return np.array(values)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _write(path, text):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
