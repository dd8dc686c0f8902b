"""Builds the wheel (PEP 517) with the standard library of Python 3.11 alone; the same files make the same bytes.

Wheels carry the tool, so that each is for one platform; SEQSVM_PLATFORM names it, such as manylinux2014_x86_64.
"""

import base64
import hashlib
import os
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Write the wheel into a folder, and return its name."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tag = "py3-none-" + os.environ.get("SEQSVM_PLATFORM", "any")
    name = f"{project['name']}-{project['version']}"
    info = name + ".dist-info/"
    source = HERE / "src"
    files = {path.relative_to(source).as_posix(): path.read_bytes() for path in sorted((source / "seqsvm").rglob("*"))
             if path.is_file() and path.suffix != ".pyc"}
    for program in sorted(HERE.glob("scripts/*")):
        files[f"{name}.data/scripts/{program.name}"] = program.read_bytes()
    for licence in "LICENSE", "THIRD-PARTY-NOTICES":
        if (HERE / licence).exists():
            files[info + licence] = (HERE / licence).read_bytes()
    files[info + "METADATA"] = metadata(project).encode()
    files[info + "WHEEL"] = f"Wheel-Version: 1.0\nGenerator: seqsvm\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    digests = {path: base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
               for path, content in files.items()}
    rows = [f"{path},sha256={digests[path]},{len(content)}" for path, content in files.items()]
    files[info + "RECORD"] = "\n".join([*rows, info + "RECORD,,", ""]).encode()
    with zipfile.ZipFile(Path(wheel_directory) / f"{name}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)  # of a fixed time
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            wheel.writestr(entry, content)
    return f"{name}-{tag}.whl"


def metadata(project):
    """The file METADATA of what pyproject.toml says."""
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}", "Description-Content-Type: text/markdown"]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {needed}; extra == "{extra}"' for needed in needs)]
    return "\n".join(lines) + "\n\n" + (HERE / project["readme"]).read_text(encoding="utf-8")
