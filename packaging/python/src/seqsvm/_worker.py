"""One process of the tool seqsvm, which answers command lines: see docs/worker.md of the project."""

from __future__ import annotations

import atexit
import contextlib
import importlib.metadata
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import threading
import warnings
from pathlib import Path

PROTOCOL = 1

# How many files a worker keeps for later requests.
MOST_KEPT = 4


class SeqsvmError(ValueError):
    """A command line that failed: what the tool said, and its exit code."""

    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code


def find_tool():
    """The path of the tool: $SEQSVM, the one that came with this package, or the one on the PATH."""
    given = os.environ.get("SEQSVM")
    if given:
        return given
    name = "seqsvm.exe" if os.name == "nt" else "seqsvm"
    own = [Path(__file__).parents[1] / "bin" / name]  # of pip --target
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        own += [file.locate() for file in importlib.metadata.files("seqsvm") or () if file.name == name]
    found = next((str(path) for path in own if path.is_file()), None) or shutil.which("seqsvm")
    if found:
        return found
    raise FileNotFoundError(
        "the tool seqsvm is not in this package, not on the PATH and not named by $SEQSVM; "
        "install a wheel for your platform, or the tool"
    )


class Worker:
    """A process of the tool. run may be called from several threads; one command runs at a time."""

    def __init__(self, tool=None):
        self._process = subprocess.Popen(
            [tool or find_tool(), "about", "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._lock = threading.Lock()
        self._last = 0
        self._kept = []  # names of files that the process holds, the last used at the end
        greeting = self._header()
        if greeting.get("protocol") != PROTOCOL:
            self.close()
            raise SeqsvmError(f"the tool speaks protocol {greeting.get('protocol')}, want {PROTOCOL}")
        self.version = greeting["version"]

    def run(self, args, files=None, outputs=(), kept=None, speak=str):
        """Run a command line, given without the name of the tool.

        files are contents by name, bytes: where args name one, it is read in place of a file of the disk. outputs are
        names of files that the command writes, which stay in memory. kept are files, too, which the process holds for
        later calls: a name stands for one content for ever. Returns standard output and the contents of outputs by
        name. Raises SeqsvmError if the command fails; warnings of the tool become warnings. speak changes what both
        say.
        """
        with self._lock:
            try:
                answer, out, messages, written = self._ask([str(a) for a in args], files or {}, list(outputs),
                                                           kept or {})
            except BaseException:
                self.close()  # half an answer may be left
                raise
        text = messages.decode("utf-8", "replace")
        if answer["code"]:
            lines = text.strip().splitlines() or ["the command failed"]
            raise SeqsvmError(speak(lines[-1].removeprefix("seqsvm: ")), answer["code"])
        for line in text.splitlines():
            if line.startswith("seqsvm: warning: "):
                warnings.warn(speak(line.removeprefix("seqsvm: warning: ")), stacklevel=_level())
        return out, written

    def close(self):
        """End the process."""
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        self._process.wait()

    @property
    def closed(self):
        return self._process.stdin.closed or self._process.poll() is not None

    def _ask(self, args, files, outputs, kept):
        self._last += 1
        files = {**files, **{name: content for name, content in kept.items() if name not in self._kept}}
        self._kept = [*(name for name in self._kept if name not in kept), *kept][-max(MOST_KEPT, len(kept)):]
        listed = [{"name": name, "size": len(content)} for name, content in files.items()]
        header = json.dumps({"id": self._last, "args": args, "files": listed, "outputs": outputs,
                             "keep": self._kept}).encode()
        write = self._process.stdin.write
        write(struct.pack("<I", len(header)))
        write(header)
        for content in files.values():
            write(content)
        self._process.stdin.flush()
        answer = self._header()
        if answer["id"] != self._last:
            raise SeqsvmError(f"an answer to request {answer['id']}, want {self._last}")
        out, messages = self._read(answer["out"]), self._read(answer["messages"])
        return answer, out, messages, {f["name"]: self._read(f["size"]) for f in answer["files"]}

    def _header(self):
        return json.loads(self._read(struct.unpack("<I", self._read(4))[0]))

    def _read(self, size):
        data = self._process.stdout.read(size)
        if len(data) < size:
            raise SeqsvmError("the tool ended; its messages are on standard error")
        return data


def _level():
    """The stacklevel of a warning that is about the line that called this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and Path(frame.f_code.co_filename).parent == Path(__file__).parent:
        level, frame = level + 1, frame.f_back
    return level


_shared = None
_owner = None
_guard = threading.Lock()


def shared():
    """The worker of this process, which is started when it is first asked for; a process that forks gets its own."""
    global _shared, _owner
    with _guard:
        if _shared is None or _owner != os.getpid() or _shared.closed:
            _end()
            _shared, _owner = Worker(), os.getpid()
        return _shared


def _end():
    """End the worker that this process started, if any."""
    if _shared is not None and _owner == os.getpid():
        _shared.close()


atexit.register(_end)


def run(args, files=None, outputs=()):
    """Worker.run of the worker of this process."""
    return shared().run(args, files, outputs)


def call(args, files=None, outputs=(), kept=None):
    """run for the functions of this package: what is said is about their arguments, not about options and files."""
    return shared().run(args, files, outputs, kept, in_python)


# What the files of this package are in messages, and the record of a line.
_PLACES = re.compile(r'\brecords\.(fa|jsonl):(\d+): (?:record "(\d+)": )?|\b(labels):(\d+): |\brecords\.(?:fa|jsonl)\b')
_OPTION = re.compile(r"(?<![\w-])--([a-zA-Z][a-z-]*)")


def in_python(message):
    """A message of the tool as one about arguments in Python.

    >>> in_python('records.fa:4: record "1": no letter; --min-score has a number')
    'record 1 of X: no letter; min_score has a number'
    """
    def place(found):
        form, line, record, of_labels, label = found.groups()
        if of_labels:
            return f"y[{int(label) - 1}]: "
        if line is None:
            return "X"
        return f"record {record and int(record) or (int(line) - 1) // (2 if form == 'fa' else 1)} of X: "

    message = _PLACES.sub(place, message)
    message = re.sub(r"\bmodel-[0-9a-f]{16}\b", "the model", message)
    message = re.sub(r"; seqsvm [a-z ]+ help lists the options$", "", message)
    return _OPTION.sub(lambda found: found[1].replace("-", "_"), message)
