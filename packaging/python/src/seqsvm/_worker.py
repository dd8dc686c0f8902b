"""One process of the tool seqsvm, which answers command lines: see docs/worker.md of the project."""

import atexit
import json
import os
import shutil
import struct
import subprocess
import threading
import warnings
from pathlib import Path

PROTOCOL = 1


class SeqsvmError(ValueError):
    """A command line that failed: what the tool said, and its exit code."""

    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code


def find_tool():
    """The path of the tool: $SEQSVM, the one in this package, or the one on the PATH."""
    given = os.environ.get("SEQSVM")
    if given:
        return given
    name = "seqsvm.exe" if os.name == "nt" else "seqsvm"
    own = Path(__file__).parent / "bin" / name
    if own.exists():
        return str(own)
    found = shutil.which("seqsvm")
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
        greeting = self._header()
        if greeting.get("protocol") != PROTOCOL:
            self.close()
            raise SeqsvmError(f"the tool speaks protocol {greeting.get('protocol')}, want {PROTOCOL}")
        self.version = greeting["version"]

    def run(self, args, files=None, outputs=()):
        """Run a command line, given without the name of the tool.

        files are contents by name, bytes: where args name one, it is read in place of a file of the disk. outputs are
        names of files that the command writes, which stay in memory. Returns standard output and the contents of
        outputs by name. Raises SeqsvmError if the command fails; warnings of the tool become warnings.
        """
        files = files or {}
        with self._lock:
            try:
                answer, out, messages, written = self._ask([str(a) for a in args], files, list(outputs))
            except BaseException:
                self.close()  # half an answer may be left
                raise
        text = messages.decode("utf-8", "replace")
        if answer["code"]:
            lines = text.strip().splitlines() or ["the command failed"]
            raise SeqsvmError(lines[-1].removeprefix("seqsvm: "), answer["code"])
        for line in text.splitlines():
            if line.startswith("seqsvm: warning: "):
                warnings.warn(line.removeprefix("seqsvm: warning: "), stacklevel=3)
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

    def _ask(self, args, files, outputs):
        self._last += 1
        listed = [{"name": name, "size": len(content)} for name, content in files.items()]
        header = json.dumps({"id": self._last, "args": args, "files": listed, "outputs": outputs}).encode()
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
