"""Scores a detector that is a Python function, in this process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, Optional, Union

from . import results, scratch
from .columns import types
from .detector import play
from .program import BenchError, PathLike, call, find_program, options
from .recordings import Recording, recordings

# Events that a file of predictions may have; phases and cues are not scored.
_SCORED = ("rep", "grade", "fault", "stroke")


def evaluate(
    detector: Callable[..., Any], dataset: str, *, parameters: Optional[Mapping[str, float]] = None,
    exercise: Optional[Union[str, Sequence[str]]] = None, signals: Sequence[str] = (), tolerance: float = 0.5,
    store: Optional[PathLike] = None, project: PathLike = ".",
) -> results.Run:
    """Replays a dataset's clips on a detector and scores its reps, grades, faults and strokes.

    `detector` is a function or class as for `serve`, and gets the recordings' own keypoints. `parameters` are its
    `clip.parameters`. `exercise` leaves out the clips of other exercises. `signals` names what it sets as
    `frame.signals`; `Run.signals` has them. A rep matches if it ends within `tolerance` seconds of the true one, or by
    its turning point where people pause between reps, as in `bench score --dataset`. The project is not changed.

    Raises BenchError, ValueError for a tolerance below 0, and whatever the detector raises, with the clip as a note.
    """
    with scratch.folder() as temporary:
        exported = temporary / "datasets" / dataset
        exported.parent.mkdir()
        call(["dataset", "export", dataset, *options(to=exported, store=store)], project)
        wanted = {exercise} if isinstance(exercise, str) else None if exercise is None else set(exercise)
        found = [
            clip for clip in recordings(exported, dict(parameters or {})) if wanted is None or clip.exercise in wanted]
        if not found:
            raise ValueError(f"{dataset}: expected clips with poses of {exercise or 'any exercise'}, found none")
        answers = [(clip, _play(detector, clip, dataset)) for clip in found]
        path = temporary / "predictions.jsonl"
        _write(answers, path)
        exercises = {clip.exercise for clip in found}
        try:
            run = scratch.score(find_program(project), temporary, dataset, exercises, [path], tolerance)
        except BenchError as error:
            # The file is gone: the message names the clip.
            raise error if error.file != str(path) else BenchError(error.message, error.exit_code) from None
        return results.Run(run, _signals(answers, dataset, signals))


_Answers = Sequence[tuple[Recording, list[dict[str, Any]]]]


def _play(detector: Callable[..., Any], clip: Recording, dataset: str) -> list[dict[str, Any]]:
    """The detector's answers to a clip. What it raises gets the clip as a note."""
    try:
        return play(detector, clip.start, clip.frames())
    except Exception as error:
        # Python 3.11 and newer.
        if hasattr(error, "add_note"):
            error.add_note(f"formbench: in clip {clip.name} of {dataset}")
        raise


def _write(answers: _Answers, path: Path) -> None:
    events = [
        (clip.name, {**event, "reported": clip.times[min(index, len(clip.times) - 1)]})
        for clip, lines in answers for index, line in enumerate(lines)
        for event in line.get("events", []) if event["type"] in _SCORED]
    # A clip in which nothing was found has a line; its count says what kind of predictions the file has if all are so.
    found = {name for name, _ in events}
    nothing = {} if events else {"count": 0}
    silent = [(clip.name, nothing) for clip, _ in answers if clip.name not in found]
    lines = [json.dumps({"clip": name, **event}) for name, event in events + silent]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _signals(answers: _Answers, dataset: str, names: Sequence[str]) -> Any:
    rows = (
        {
            "clip": clip.name, "dataset": dataset, "frame": index, "time_s": clip.times[index],
            "signal": names[place] if place < len(names) else f"signal {place + 1}", "value": value,
        }
        for clip, lines in answers for index, line in enumerate(lines)
        for place, value in enumerate(line.get("signals", [])))
    return results.frame(rows, types("signals"))
