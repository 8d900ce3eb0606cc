"""Finds and runs the program bench."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, Optional, Union

PathLike = Union[str, "os.PathLike[str]"]
Value = Union[str, int, float, bool]

# Seconds that bench gets after Ctrl-C to end cleanly.
_GRACE = 10
# Of the files that bench reads.
_ENDINGS = (".yaml", ".csv", ".json", ".jsonl", ".npy")
# A progress bar: it returns to the start of its line, and erases the rest.
_BAR = re.compile(rb"\r[^\r\n]*\x1b\[2?K")
# What a bar has for a terminal alone.
_CONTROL = re.compile(r"\r|\x1b\[2?K")


class BenchError(Exception):
    """bench ended with an error.

    `message` is the error without the place; `file` and `line` (from 1) say where, or are None; `exit_code` is 1 for an
    error, 5 for something missing and 64 for wrong usage.
    """

    def __init__(self, message: str, exit_code: int, file: Optional[str] = None, line: Optional[int] = None) -> None:
        place = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(place + message)
        self.message, self.exit_code, self.file, self.line = message, exit_code, file, line

    def __reduce__(self) -> tuple[Any, ...]:
        return BenchError, (self.message, self.exit_code, self.file, self.line)


def find_program(project: PathLike = ".") -> str:
    """The path of bench: in this package, $FORMBENCH_BENCH, on the PATH, or in the project.

    Raises BenchError with exit code 5 if there is none.
    """
    packaged = Path(__file__).parent / "bin" / "bench"
    if packaged.exists():
        return str(packaged)
    named = os.environ.get("FORMBENCH_BENCH") or shutil.which("bench")
    if named:
        return os.path.abspath(named)
    local = Path(project) / "bench"
    if local.exists():
        return str(local.resolve())
    raise BenchError(
        "expected the program bench in this package, in $FORMBENCH_BENCH, on the PATH or in the project, found none; "
        "build it with scripts/install, or install a wheel of scripts/wheel", 5)


def call(
    arguments: Sequence[str], project: PathLike = ".", verdicts: Sequence[int] = (), program: Optional[str] = None
) -> str:
    """Runs bench in the project's folder and returns its standard output.

    `verdicts` are exit codes besides 0 that are no errors if something was printed. `program` is the path of bench, by
    default that of `find_program`. Shows bench's progress bar on a terminal and in a notebook. Ctrl-C stops bench and
    raises KeyboardInterrupt. Raises BenchError.
    """
    code, output, errors = _run([program or find_program(project), *arguments], project)
    if code == 0 or (code in verdicts and output):
        return output
    raise _error(errors, code, project)


def call_json(
    arguments: Sequence[str], project: PathLike = ".", verdicts: Sequence[int] = (), program: Optional[str] = None
) -> Any:
    """As `call`, with `--json`; returns the parsed output."""
    return json.loads(call([*arguments, "--json"], project, verdicts, program))


def options(**values: Union[Value, None, PathLike, Sequence[Any], Mapping[str, Value]]) -> list[str]:
    """The options of a command line: `options(set={"a": 1}, all=True)` is `["--set", "a=1", "--all"]`.

    A mapping repeats `--name key=value`, a sequence repeats `--name value`, True is a flag; None and False are nothing.
    """
    words: list[str] = []
    for name, value in values.items():
        option = "--" + name.strip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                words += [option, f"{key}={_text(item)}"]
        elif isinstance(value, (str, int, float, os.PathLike)):
            words += [option, _text(value)]
        else:
            for item in value:
                words += [option, _text(item)]
    return words


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _progress() -> Optional[Callable[[str], None]]:
    """Shows bench's progress bar, given each time that bench draws it; None where nobody would see it."""
    if os.name != "posix":
        return None
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if hasattr(shell, "kernel"):
        return _on_page(importlib.import_module("IPython.display").display)
    return _on_terminal if sys.stderr.isatty() else None


def _on_terminal(bar: str) -> None:
    sys.stderr.write(bar)
    sys.stderr.flush()


def _on_page(display: Callable[..., Any]) -> Callable[[str], None]:
    """One output of the cell, which each bar replaces: a kept notebook has no other."""
    handle: Any = None

    def show(bar: str) -> None:
        nonlocal handle
        data = {"text/plain": _CONTROL.sub("", bar)}
        if handle is None:
            handle = display(data, raw=True, display_id=True)
        else:
            handle.update(data, raw=True)

    return show


def _run(command: Sequence[str], project: PathLike) -> tuple[int, str, str]:
    """The exit code, standard output and standard error."""
    if not Path(project).is_dir():
        raise BenchError("expected the folder of a project, found none", 5, os.fspath(project))
    show = _progress()
    # bench draws its progress bar only on a terminal.
    source, sink = os.pipe() if show is None else os.openpty()
    # Its own session: Ctrl-C reaches bench once, from here.
    try:
        child = subprocess.Popen(
            command, cwd=project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=sink, start_new_session=True)
    except OSError as error:
        os.close(source)
        reason = (error.strerror or str(error)).lower()
        raise BenchError(f"expected a program that can be run, found: {reason}", 5, command[0]) from None
    finally:
        os.close(sink)
    errors: list[bytes] = []
    reader = threading.Thread(target=_read, args=(source, errors, show), daemon=True)
    reader.start()
    try:
        assert child.stdout is not None
        output = child.stdout.read()
        code = child.wait()
    except BaseException:
        _stop(child)
        raise
    finally:
        reader.join(_GRACE)
        if child.stdout is not None:
            child.stdout.close()
    if code in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    return code, output.decode(), b"".join(errors).decode(errors="replace").replace("\r\n", "\n")


def _read(source: int, pieces: list[bytes], show: Optional[Callable[[str], None]]) -> None:
    """Collects what bench writes to standard error, and shows the lines of its progress bar."""
    try:
        while True:
            piece = os.read(source, 1 << 16)
            if not piece:
                return
            pieces.append(piece)
            if show is not None:
                for bar in _BAR.findall(piece):
                    show(bar.decode(errors="replace"))
    except OSError:
        # A pseudo-terminal whose other end is closed.
        return
    finally:
        os.close(source)


def _stop(child: subprocess.Popen[bytes]) -> None:
    try:
        child.send_signal(signal.SIGINT)
        child.wait(_GRACE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        child.kill()
        child.wait()


def _error(errors: str, code: int, project: PathLike) -> BenchError:
    """The error from what bench wrote to standard error: `bench: FILE:LINE: message` or `Error: message`."""
    lines = _BAR.sub(b"", errors.encode()).decode().splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(("bench: ", "Error: "))), 0)
    text = "\n".join(lines[first:]).strip() or f"bench ended with {code}"
    text = re.sub(r"^(bench|Error): ", "", text)
    placed = re.match(r"(?s)(?P<file>[^:\n]+):(?P<line>\d+): (?P<message>.*)", text)
    if placed:
        return BenchError(placed["message"], code, placed["file"], int(placed["line"]))
    name, mark, message = text.partition(": ")
    # A file that is missing is known by its ending.
    if mark and (Path(name).suffix in _ENDINGS or Path(project, name).is_file()):
        return BenchError(message, code, name)
    return BenchError(text, code)


def main() -> NoReturn:
    """The console script bench of a wheel: the program of the package, in place of this process."""
    os.execv(find_program(), ["bench", *sys.argv[1:]])
