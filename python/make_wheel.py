"""Writes the wheel of formbench with the program bench in it: scripts/wheel calls it. Needs nothing but Python.

    python3 make_wheel.py PROGRAM PLATFORM FOLDER [THIRD-PARTY]

THIRD-PARTY has the licences of the libraries that are linked into the program. The format is that of PEP 427. Equal
files and SOURCE_DATE_EPOCH give equal bytes.
"""

import base64
import hashlib
import os
import re
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def field(name, text):
    """The value of a string in pyproject.toml, which Python has no reader for before 3.11."""
    return re.search(rf'(?m)^{name} = "(.*)"$', text)[1]


def extras(text):
    """The optional dependencies of pyproject.toml as lines of METADATA."""
    section = text.split("[project.optional-dependencies]\n")[1].split("\n[")[0]
    for extra, packages in re.findall(r"(?m)^(\w+) = \[(.*)\]$", section):
        yield f"Provides-Extra: {extra}"
        for package in re.findall(r'"([^"]+)"', packages):
            yield f"Requires-Dist: {package}; extra == '{extra}'"


def contents(program, platform, notices):
    """The names and bytes of the files, without RECORD."""
    project = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    name, version = field("name", project), field("version", project)
    info = f"{name}-{version}.dist-info"
    for path in sorted(HERE.glob("formbench/**/*")):
        if path.suffix == ".py" or path.name == "py.typed":
            yield path.relative_to(HERE).as_posix(), path.read_bytes()
    yield "formbench/bin/bench", Path(program).read_bytes()
    metadata = [
        "Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {field('description', project)}",
        f"Requires-Python: {field('requires-python', project)}", "License: Apache-2.0", *extras(project),
        "Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text(encoding="utf-8")]
    wheel = [
        "Wheel-Version: 1.0", "Generator: formbench make_wheel.py", "Root-Is-Purelib: false",
        f"Tag: py3-none-{platform}", ""]
    if notices:
        yield f"{info}/THIRD-PARTY", Path(notices).read_bytes()
    yield f"{info}/METADATA", "\n".join(metadata).encode()
    yield f"{info}/WHEEL", "\n".join(wheel).encode()
    yield f"{info}/entry_points.txt", b"[console_scripts]\nbench = formbench.program:main\n"
    yield f"{info}/LICENSE", (HERE.parent / "LICENSE").read_bytes()


def write(program, platform, folder, notices=None):
    """Returns the path of the wheel."""
    # The first instant that a zip file can say is 1980.
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]
    files = list(contents(program, platform, notices))
    info = files[-1][0].rpartition("/")[0]
    record = f"{info}/RECORD"
    lines = []
    for name, data in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    files.append((record, "".join([*lines, f"{record},,\n"]).encode()))
    path = Path(folder) / f"{info.removesuffix('.dist-info')}-py3-none-{platform}.whl"
    partial = path.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if name.endswith("/bin/bench") else 0o100644) << 16
            archive.writestr(entry, data)
    os.replace(partial, path)
    return path


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    made = write(*sys.argv[1:])
    print(f"wheel  {made}, {made.stat().st_size // 1000000} MB")
