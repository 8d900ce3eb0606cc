"""python3 -m unittest discover -s python/tests"""

import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench
from formbench import program


class ProgramTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def fake(self, body, name="bench"):
        """A program in Python; FORMBENCH_BENCH names it."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{textwrap.dedent(body)}", encoding="utf-8")
        path.chmod(0o755)
        os.environ["FORMBENCH_BENCH"] = str(path)
        return str(path)

    def run(self, result=None):
        with mock.patch.dict(os.environ):
            return super().run(result)

    def error(self, text, code=1, files=()):
        for file in files:
            (self.folder / file).touch()
        self.fake(f"sys.stderr.write({text!r}); sys.exit({code})")
        with self.assertRaises(formbench.BenchError) as caught:
            program.call(["run"], self.folder)
        return caught.exception

    def test_options(self):
        words = program.options(
            suite="squat", set={"a.b": 100, "a.c": 0.5, "a.on": True}, dataset=["x", "y"], jobs=2, nested=True,
            html=False, seed=None, to=Path("f.yaml"), allow_commands=True, parameters="p.yaml")
        self.assertEqual(
            words,
            "--suite squat --set a.b=100 --set a.c=0.5 --set a.on=1 --dataset x --dataset y --jobs 2 --nested "
            "--to f.yaml --allow-commands --parameters p.yaml".split())

    def test_commands_pass_their_options(self):
        self.fake("print(json.dumps(dict(arguments=sys.argv[1:], folder=os.getcwd())))")
        sweep = formbench.sweep(
            "squat", {"r.d.p": "1...3:1"}, metric="count.mae", project=self.folder, extra=["--html"])
        self.assertEqual(
            sweep.json["arguments"],
            "sweep --suite squat --sweep r.d.p=1...3:1 --metric count.mae --html --json".split())
        self.assertEqual(os.path.realpath(sweep.json["folder"]), os.path.realpath(self.folder))
        for values, text in ((range(70, 111, 10), "70...110:10"), ([0.1, 0.2, 0.3], "0.1...0.3:0.1"), (90, "90")):
            words = formbench.sweep("squat", {"r.d.p": values}, project=self.folder).json["arguments"]
            self.assertIn(f"r.d.p={text}", words)
        for values in ([1, 2, 4], [3, 2], [1], []):
            with self.assertRaisesRegex(ValueError, "r.d.p: expected evenly spaced numbers that rise"):
                formbench.sweep("squat", {"r.d.p": values}, project=self.folder)
        board = formbench.leaderboard(["x", "y"], metrics=["reps.f1"], store="s.sqlite", project=self.folder)
        self.assertEqual(
            board.json["arguments"], "leaderboard --store s.sqlite --datasets x y --metrics reps.f1 --json".split())
        compare = formbench.compare("squat", detectors=["a", "b"], runs=["baseline", "latest"], project=self.folder)
        self.assertEqual(
            compare.json["arguments"], "compare --suite squat --detectors a,b --runs baseline latest --json".split())

    def test_a_project_that_is_not_there(self):
        self.fake("")
        with self.assertRaises(formbench.BenchError) as caught:
            formbench.run("squat", project=self.folder / "elsewhere")
        self.assertEqual((caught.exception.exit_code, caught.exception.file), (5, str(self.folder / "elsewhere")))

    def test_where_the_program_is_found(self):
        named = self.fake("")
        self.assertEqual(program.find_program(), named)
        del os.environ["FORMBENCH_BENCH"]
        os.environ["PATH"] = str(self.folder)
        self.assertEqual(program.find_program("elsewhere"), named)
        os.environ["PATH"] = ""
        self.assertEqual(program.find_program(self.folder), os.path.realpath(named))
        with self.assertRaises(formbench.BenchError) as caught:
            program.find_program(self.folder / "elsewhere")
        self.assertEqual(caught.exception.exit_code, 5)
        # The package's own comes first.
        os.environ["FORMBENCH_BENCH"] = named
        packaged = self.fake("", "bin/bench")
        with mock.patch.object(program, "__file__", str(self.folder / "program.py")):
            self.assertEqual(program.find_program(), packaged)

    def test_a_program_that_cannot_be_run(self):
        (self.folder / "text").write_text("bench", encoding="utf-8")
        for name, reason in (("gone", "no such file or directory"), ("text", "permission denied")):
            os.environ["FORMBENCH_BENCH"] = str(self.folder / name)
            with self.subTest(name), self.assertRaises(formbench.BenchError) as caught:
                program.call(["run"], self.folder)
            self.assertEqual((caught.exception.file, caught.exception.exit_code), (str(self.folder / name), 5))
            self.assertEqual(caught.exception.message, f"expected a program that can be run, found: {reason}")

    def test_errors_say_where(self):
        error = self.error("note: x\nbench: datasets/suites/s.yaml:7: expected a, found b\n  line 8: c\n", 1)
        self.assertEqual((error.file, error.line, error.exit_code), ("datasets/suites/s.yaml", 7, 1))
        self.assertEqual(error.message, "expected a, found b\n  line 8: c")
        self.assertEqual(str(error), "datasets/suites/s.yaml:7: expected a, found b\n  line 8: c")
        error = self.error("bench: p.csv: expected x, found y\n", 1, files=["p.csv"])
        self.assertEqual((error.file, error.line, error.message), ("p.csv", None, "expected x, found y"))
        error = self.error("bench: gone/p.yaml: expected a file that can be read, found no such file\n", 1)
        self.assertEqual((error.file, error.message), ("gone/p.yaml", "expected a file that can be read, found no such file"))
        error = self.error("bench: suite x: expected the file y\n", 5)
        self.assertEqual((error.file, error.message, error.exit_code), (None, "suite x: expected the file y", 5))
        error = self.error("Error: Unknown option '--foo'\nUsage: bench run\n", 64)
        self.assertEqual((error.message, error.exit_code), ("Unknown option '--foo'\nUsage: bench run", 64))
        self.assertEqual(self.error("", 9).message, "bench ended with 9")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.exit_code), (str(error), 64))

    def test_verdicts_are_no_errors(self):
        verdict = '{"verdict": "regression", "exitCode": 2, "reason": "worse", "metrics": []}'
        self.fake(f"print({verdict!r}); sys.exit(2)")
        gate = formbench.gate("squat", project=self.folder)
        self.assertEqual((gate.verdict, gate.exit_code, gate.passed, gate.reason), ("regression", 2, False, "worse"))
        # MISSING without a verdict, and a code that is none.
        self.fake("sys.stderr.write('bench: baseline: expected a file, found none'); sys.exit(5)")
        self.assertRaises(formbench.BenchError, formbench.gate, "squat", project=self.folder)
        self.fake(f"print({verdict!r}); sys.exit(1)")
        self.assertRaises(formbench.BenchError, formbench.gate, "squat", project=self.folder)
        self.fake(f"print({verdict!r}); sys.exit(2)")
        self.assertRaises(formbench.BenchError, formbench.run, "squat", project=self.folder)

    @unittest.skipUnless(os.name == "posix", "there is no pseudo-terminal")
    def test_the_progress_bar_is_shown_and_is_no_part_of_an_error(self):
        self.fake(
            """
            assert os.isatty(2)
            bar = "\\rscoring ██░░ 1 of 2, 3.0/s \\x1b[K"
            sys.stderr.write(bar + "\\r\\x1b[2K")
            sys.stderr.write("bench: x:3: expected y\\n")
            sys.exit(1)
            """)
        screen = io.StringIO()
        with mock.patch.object(screen, "isatty", lambda: True), mock.patch.object(sys, "stderr", screen):
            with self.assertRaises(formbench.BenchError) as caught:
                program.call(["run"], self.folder)
        self.assertEqual(screen.getvalue(), "\rscoring ██░░ 1 of 2, 3.0/s \x1b[K\r\x1b[2K")
        self.assertEqual(str(caught.exception), "x:3: expected y")

    @unittest.skipUnless(os.name == "posix", "there is no SIGINT for another process")
    def test_an_interrupt_stops_bench(self):
        self.fake(
            """
            import signal
            # A session of its own: the terminal's Ctrl-C does not reach it as well.
            assert os.getsid(0) == os.getpid()
            signal.signal(signal.SIGINT, lambda *_: (open("stopped", "w").close(), sys.exit(130)))
            open("started", "w").close()
            time.sleep(60)
            """)
        code = f"import sys; sys.path.insert(0, {str(Path(formbench.__file__).parent.parent)!r})\n" + textwrap.dedent(
            """
            from formbench import program
            try: program.call(["run"])
            except KeyboardInterrupt: sys.exit(7)
            """)
        caller = subprocess.Popen([sys.executable, "-c", code], cwd=self.folder)
        self.addCleanup(caller.kill)
        end = time.monotonic() + 20
        while not (self.folder / "started").exists() and time.monotonic() < end:
            time.sleep(0.02)
        caller.send_signal(signal.SIGINT)
        self.assertEqual(caller.wait(20), 7)
        self.assertTrue((self.folder / "stopped").exists())

    def test_bench_that_was_interrupted_interrupts(self):
        self.fake("sys.exit(130)")
        self.assertRaises(KeyboardInterrupt, program.call, ["run"], self.folder)


if __name__ == "__main__":
    unittest.main()
