"""The recordings that the races run on, generated from seeds by bench and NumPy."""

import pathlib
import re
import subprocess

SUITE = """\
suite: {name}
version: 1
datasets:
- name: {name}
  content: {content}
exercises: [squat]
detectors:
- name: squat-states
matching: {{ instant: end, tolerance_s: 0.5 }}
camera: {{ fps: 30, estimator_ms: 30 }}
metrics:
- {{ detector: squat-states, metric: count.mae, margin: 0.2 }}
- {{ detector: squat-states, metric: reps.f1, margin: 0.03 }}
stop_at: 0.2
"""


def prepare(bench: str, project: pathlib.Path, name: str, subjects: int, clips: int) -> None:
    """Generates a dataset of squats with its suite; one that is there stays."""
    suite = project / f"datasets/suites/{name}.yaml"
    if suite.exists():
        return
    suite.parent.mkdir(parents=True, exist_ok=True)

    def call(*arguments):
        return subprocess.run([bench, *arguments], cwd=project, check=True, capture_output=True, text=True).stdout

    sizes = ["--seed", "1", "--subjects", str(subjects), "--clips-per-subject", str(clips)]
    call("dataset", "generate", "--exercise", "squat", "--name", name, *sizes, "--to", f"datasets/{name}")
    content = re.search("sha256:[0-9a-f]{64}", call("dataset", "show", name))
    suite.write_text(SUITE.format(name=name, content=content[0]))
