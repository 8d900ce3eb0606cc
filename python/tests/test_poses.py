"""python3 -m unittest discover -s python/tests"""

import contextlib
import csv
import importlib.util
import io
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent
# The folders of this package and of poses_fakes.
PATHS = [str(TESTS), str(TESTS.parent)]
sys.path[:0] = PATHS

from formbench.poses import findings, table
from formbench.poses.__main__ import main
from formbench.poses.packed import PackedPerson
from formbench.poses.progress import duration
from formbench.poses.sources import Source, find_videos
from formbench.poses.video import Clock, Orientation, Video, VideoError
from poses_fakes import KEYPOINTS, FakeVideo, grey, person


def missing(*packages):
    return [name for name in packages if importlib.util.find_spec(name) is None]


class FolderTest(unittest.TestCase):
    """Tests in a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.videos, self.keypoints = self.path("videos"), self.path("keypoints")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text="one two three"):
        path = Path(self.videos, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run_main(self, *options, estimator="Fake", videos=None):
        """The exit code and the lines of standard output and standard error."""
        output, errors = io.StringIO(), io.StringIO()
        arguments = [*(videos or [self.videos]), "--to", self.keypoints, "--workers", "2", *options]
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = main([*arguments, "--estimator", f"poses_fakes:{estimator}"], open_video=FakeVideo)
        return code, output.getvalue().splitlines(), errors.getvalue().splitlines()

    def records(self):
        return json.loads(Path(self.keypoints, "poses.json").read_text(encoding="utf-8"))["videos"]

    def files(self):
        return sorted(
            os.path.relpath(os.path.join(folder, name), self.keypoints)
            for folder, _, names in os.walk(self.keypoints) for name in names)


class CommandTests(FolderTest):
    def test_folders_are_kept(self):
        self.write("anna/squat 1.mp4")
        self.write("ben/lunge/2.MOV")
        code, output, _ = self.run_main()
        self.assertEqual(code, 0)
        self.assertEqual(self.files(), ["anna/squat 1.csv", "ben/lunge/2.csv", "poses.json"])
        self.assertIn("2 of 2 videos done", output[0])
        self.assertEqual(output[1], f"Next: bench dataset import --from {self.keypoints} --exercise NAME")

    def test_a_folder_a_person(self):
        self.write("anna/1.mp4")
        self.write("ben/1.mp4")
        self.assertIn(" --folders subject ", self.run_main()[1][-1])

    def test_record(self):
        self.write("a.mp4", "one two nobody")
        self.run_main()
        record = self.records()["a.mp4"]
        status = os.stat(os.path.join(self.videos, "a.mp4"))
        self.assertEqual((record.pop("bytes"), record.pop("modified_ns")), (status.st_size, status.st_mtime_ns))
        self.assertEqual(len(record.pop("sha256")), 64)
        self.assertEqual(
            record,
            {
                "width": 100, "height": 200, "rotation": 90, "mirrored": False, "frames": 3, "seconds": 0.1,
                "estimator": "fake", "model": "none", "version": "1", "findings": ["nobody in 33 % of frames"],
            },
        )

    def test_findings_come_last_and_stay(self):
        self.write("a.mp4", "one nobody")
        for _ in range(2):
            self.assertEqual(self.run_main()[1][0], "a.mp4: nobody in 50 % of frames")

    def test_errors_leave_the_others_alone(self):
        self.write("a.mp4", "one broken")
        self.write("b.mp4")
        self.write("c.mp4", "crash")
        self.write("d.mp4", "one exit")
        self.write("e.mp4")
        code, output, errors = self.run_main()
        self.assertEqual(code, 1)
        self.assertEqual(self.files(), ["b.csv", "e.csv", "poses.json"])
        self.assertEqual(
            [line for line in errors if line.startswith("error: ")],
            [
                "error: a.mp4: cannot decode: it is broken",
                "error: c.mp4: the process was ended by SIGSEGV",
                "error: d.mp4: the process ended with code 3: last words",
            ],
        )
        self.assertIn("2 of 5 videos done", output[0])
        self.assertIn("3 failed", output[0])
        self.write("a.mp4", "mended")
        self.assertIn("1 of 5 videos done", self.run_main()[1][0])

    def test_an_estimator_that_fails_is_named_with_its_line(self):
        self.write("a.mp4")
        code, _, errors = self.run_main(estimator="Wrong")
        self.assertEqual(code, 1)
        self.assertRegex(errors[-1], r"a\.mp4: RuntimeError: no graphics card \(.*poses_fakes\.py:\d+\)")

    def test_another_number_of_keypoints_is_an_error(self):
        self.write("a.mp4")
        self.assertIn("expected 3 keypoints a person, found 2", self.run_main(estimator="Short")[2][-1])

    def test_estimators_are_closed(self):
        for text in ("one", "broken"):
            self.write("a.mp4", text)
            self.assertIn("the process ended with code 4: closed", self.run_main(estimator="Closing")[2][-1])

    def test_a_line_a_video_without_a_terminal(self):
        for name in ("a.mp4", "b.mp4", "c.mp4"):
            self.write(name)
        _, _, errors = self.run_main("--workers", "1")
        self.assertEqual(len(errors), 3)
        self.assertRegex(errors[0], r"^1 of 3 videos, \d+ s left: a\.mp4$")
        self.assertEqual(errors[2], "3 of 3 videos: c.mp4")

    def test_what_is_done_is_skipped(self):
        self.write("a.mp4")
        self.write("b.mp4")
        self.run_main()
        table = os.path.join(self.keypoints, "a.csv")
        os.utime(table, (1, 1))
        _, output, errors = self.run_main()
        self.assertEqual((output[0], errors), ("0 of 2 videos done in 0 s; 2 were done before", []))
        self.assertEqual(os.stat(table).st_mtime, 1)

    def test_a_changed_video_is_done_again(self):
        a, b = self.write("a.mp4"), self.write("b.mp4")
        self.run_main()
        # A copy of the same content, other content of the same length, and another length.
        os.utime(a, (5, 5))
        self.assertIn("2 were done before", self.run_main()[1][0])
        self.write("a.mp4", "one two nobod")
        self.assertIn("1 were done before", self.run_main()[1][0])
        self.write("b.mp4", "one two")
        self.assertIn("1 were done before", self.run_main()[1][0])
        self.assertEqual(self.records()["b.mp4"]["frames"], 2)
        self.assertTrue(os.path.exists(b))

    def test_lost_keypoints_and_another_estimator_are_done_again(self):
        self.write("a.mp4")
        self.write("b.mp4")
        self.run_main()
        os.remove(os.path.join(self.keypoints, "a.csv"))
        self.assertIn("1 were done before", self.run_main()[1][0])
        self.assertNotIn("before", self.run_main(estimator="Newer")[1][0])

    def test_the_files_of_others_are_not_replaced(self):
        self.write("a.mp4")
        os.makedirs(self.keypoints)
        own = Path(self.keypoints, "a.csv")
        own.write_text("clip,reps\na,3\n")
        code, _, errors = self.run_main()
        self.assertEqual((code, own.read_text()), (1, "clip,reps\na,3\n"))
        self.assertIn("has other content", errors[-1])
        Path(self.keypoints, "poses.json").write_text("[]")
        code, _, errors = self.run_main()
        self.assertEqual(code, 1)
        self.assertIn("was not written by this version", errors[-1])

    def test_no_video(self):
        self.write("a.txt")
        code, _, errors = self.run_main()
        self.assertEqual(code, 1)
        self.assertEqual(
            errors[0], f"error: no video in {self.videos}: looked for *.mp4, *.mov, *.m4v, *.avi, *.mkv, *.webm")
        code, _, errors = self.run_main(videos=[self.path("nowhere")])
        self.assertEqual((code, errors[0]), (1, f"error: no such file or folder: {self.path('nowhere')}"))

    def test_estimators_that_do_not_exist(self):
        self.write("a.mp4")
        for name, text in (
            ("Nameless", "has no attribute name and no model and no version"), ("Nobody", "has no class Nobody"),
        ):
            code, _, errors = self.run_main(estimator=name)
            self.assertEqual(code, 1)
            self.assertIn(text, errors[0])

    def test_ctrl_c_stops_the_processes(self):
        self.write("a.mp4")
        self.write("b.mp4", "slow")
        program = (
            "import sys, poses_fakes, formbench.poses.__main__ as program\n"
            "sys.exit(program.main(sys.argv[1:], open_video=poses_fakes.FakeVideo))\n")
        process = subprocess.Popen(
            [sys.executable, "-c", program, self.videos, "--to", self.keypoints, "--workers", "2", "--estimator",
             "poses_fakes:Fake"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}, stderr=subprocess.PIPE, text=True,
            start_new_session=True)
        self.addCleanup(process.stderr.close)
        # The line of the first video.
        self.assertIn("a.mp4", process.stderr.readline())
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(timeout=10), 130)
        self.assertIn("Run the same command again to continue", process.stderr.read())
        self.assertEqual(self.files(), ["a.csv", "poses.json"])
        self.assertEqual(list(self.records()), ["a.mp4"])
        with self.assertRaises(ProcessLookupError):
            # A process that ended may take a moment to leave its group.
            for _ in range(50):
                os.killpg(process.pid, 0)
                time.sleep(0.1)


class SourceTests(FolderTest):
    def names(self, *paths):
        sources, errors = find_videos(paths)
        return [source.name for source in sources], errors

    def test_one_path_is_left_out_of_names_and_several_are_kept(self):
        self.write("anna/1.mp4")
        self.write("ben/1.webm")
        anna, ben = os.path.join(self.videos, "anna"), os.path.join(self.videos, "ben")
        self.assertEqual(self.names(self.videos)[0], ["anna/1.mp4", "ben/1.webm"])
        self.assertEqual(self.names(anna)[0], ["1.mp4"])
        self.assertEqual(self.names(anna + "/", ben)[0], ["anna/1.mp4", "ben/1.webm"])
        self.assertEqual(self.names(os.path.join(anna, "1.mp4"))[0], ["1.mp4"])

    def test_hidden_files_are_no_videos(self):
        self.write("._a.mp4")
        self.write(".trash/a.mp4")
        self.write("a.mp4")
        self.assertEqual(self.names(self.videos), (["a.mp4"], {}))

    def test_videos_of_one_name(self):
        path = self.write("a.mov")
        self.write("a.mp4")
        names, errors = self.names(self.videos)
        self.assertEqual(names, ["a.mov"])
        self.assertEqual(errors, {"a.mp4": f"same keypoint file as {path}: rename one of them"})

    def test_a_video_named_twice_is_one(self):
        path = self.write("a.mp4")
        self.assertEqual(self.names(path, path), (["a.mp4"], {}))

    def test_dots_in_names(self):
        self.assertEqual(Source("", "a.b/c.1.mp4").table, "a.b/c.1.csv")


class TableTests(FolderTest):
    def rows(self, times, people, keypoints=KEYPOINTS):
        path = self.path("a.csv")
        table.write_table(path, keypoints, times, people, 1080, 1920)
        self.assertTrue(table.is_ours(path))
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def test_columns(self):
        header, first, second = self.rows([0.0, 0.0333334], [[person(0.5)], []])
        self.assertEqual(
            header,
            ["frame", "timestamp_ms", "width", "height", "fps"]
            + [f"{name}_{channel}" for name in KEYPOINTS for channel in ("x", "y", "z", "visibility")])
        self.assertEqual(first[:9], ["0", "0", "1080", "1920", "29.9999", "0.5", "0.5", "0.25", "0.9"])
        self.assertEqual(second, ["1", "33.333", "1080", "1920", "29.9999", *[""] * 12])

    def test_missing_numbers(self):
        packed = PackedPerson([None, (0.1, 0.2, None, 0.5), (0.3, float("nan"), None, None)])
        header, row = self.rows([0.0], [[packed]])
        self.assertEqual(header[5:8], ["left_shoulder_x", "left_shoulder_y", "left_shoulder_visibility"])
        self.assertEqual(row[5:], ["", "", "", "0.1", "0.2", "0.5", "", "", ""])
        # Nothing tells which an estimator has.
        self.assertEqual(len(self.rows([0.0], [[]])[0]), 17)

    def test_several_people(self):
        header, *rows = self.rows([0.0, 0.1, 0.2], [[person(0.1), person(0.7)], [None, person(0.7)], []])
        self.assertEqual(header[5], "person")
        self.assertEqual([row[:2] + row[5:7] for row in rows], [
            ["0", "0", "1", "0.1"], ["0", "0", "2", "0.7"], ["1", "100", "2", "0.7"], ["2", "200", "", ""]])
        self.assertEqual({len(row) for row in rows}, {len(header)})

    def test_a_file_is_there_when_it_is_complete(self):
        path = self.path("a.csv")
        Path(path).write_text("before")
        with self.assertRaises(KeyboardInterrupt):
            with table.replacing(path) as file:
                file.write("half")
                file.flush()
                self.assertEqual(Path(path).read_text(), "before")
                raise KeyboardInterrupt
        self.assertEqual(os.listdir(self.folder), ["a.csv"])
        self.assertEqual(Path(path).read_text(), "before")


class FindingTests(unittest.TestCase):
    def video(self, **facts):
        video = FakeVideo("")
        for name, value in facts.items():
            setattr(video, name, value)
        return video

    def findings(self, people, times=None, greys=None, **facts):
        count = len(people)
        times = times or [index / 30 for index in range(count)]
        return findings.findings(self.video(**facts), times, people, greys or [grey(0)] * count)

    def test_nobody(self):
        somebody = [person(0.3)]
        self.assertEqual(self.findings([somebody] * 9 + [[]]), [])
        self.assertEqual(self.findings([somebody] * 69 + [[None]] * 31), ["nobody in 31 % of frames"])
        self.assertEqual(self.findings([[], []]), ["nobody in any frame"])

    def test_cut(self):
        greys = [grey(0)] * 30 + [grey(2)] * 30
        self.assertEqual(findings.cut_frames(greys), [30])
        self.assertEqual(self.findings([[person(0.3)]] * 60, greys=greys), ["cut at 1.00 s"])

    def test_a_flash_is_no_cut(self):
        self.assertEqual(findings.cut_frames([grey(0)] * 30 + [grey(2)] + [grey(0)] * 30), [])

    def test_light_is_no_cut(self):
        brighter = bytes(level + 50 for level in grey(0))
        self.assertEqual(findings.cut_frames([grey(0)] * 30 + [brighter] * 30), [])

    def test_a_blended_cut_is_one_cut(self):
        blend = bytes((a + b) // 2 for a, b in zip(grey(0), grey(2)))
        self.assertEqual(findings.cut_frames([grey(0)] * 30 + [blend] + [grey(2)] * 30), [30])

    def test_motion_is_no_cut(self):
        self.assertEqual(findings.cut_frames([grey(index) for index in range(60)]), [])
        # A fast pan between still pictures.
        pan = [grey(0)] * 30 + [grey(index) for index in range(8)] + [grey(7)] * 30
        self.assertEqual(findings.cut_frames(pan), [])

    def test_the_body_jumps(self):
        people = [[person(0.1)]] * 30 + [[person(0.9)]] * 30
        self.assertEqual(self.findings(people), ["the body jumps at 1.00 s, probably to another person"])
        # A cut explains it.
        greys = [grey(0)] * 29 + [grey(2)] * 31
        self.assertEqual(self.findings(people, greys=greys), ["cut at 0.97 s"])

    def test_what_is_no_jump(self):
        there, away = [person(0.1)], [person(0.9)]
        for name, people in {
            "wrong for two frames": [there] * 10 + [away] * 2 + [there] * 10,
            "wrong at the start": [away] * 2 + [there] * 20,
            "walks": [[person(0.1 + 0.04 * index)] for index in range(20)],
            "gone for a second": [there] * 10 + [[]] * 30 + [away] * 10,
            "several people": [[person(0.1), None]] * 10 + [[person(0.9), person(0.1)]] * 10,
        }.items():
            with self.subTest(name):
                self.assertEqual(findings.jump_frames([index / 30 for index in range(len(people))], people, 0.5), [])

    def test_variable_rate(self):
        self.assertIsNone(findings.variable_rate([0, 0.033, 0.067, 0.1]))
        self.assertIsNone(findings.variable_rate([0]))
        self.assertEqual(
            findings.variable_rate([0, 0.02, 0.05, 0.08, 0.16]),
            "variable frame rate: frames 20 to 80 ms apart, median 30 ms")

    def test_what_cannot_be_decoded(self):
        people = [[person(0.3)]] * 30
        self.assertEqual(
            self.findings(people, declared_frames=60, skipped=2, untimed=1),
            [
                "only 32 of 60 declared frames can be decoded", "left out 2 frames whose times do not increase",
                "no times in the file for 1 frames: the frame rate was assumed",
            ])
        self.assertEqual(self.findings(people, declared_duration=4.0), ["frames end at 1.0 s of 4.0 s"])
        self.assertEqual(self.findings(people, declared_duration=4.0, start=3.0), [])


class ClockTests(unittest.TestCase):
    def test_times_are_relative_to_the_first(self):
        clock = Clock(0.04)
        self.assertEqual([clock.time(time) for time in (2.0, 2.5, 2.5, 2.25, 3.0)], [0, 0.5, None, None, 1.0])
        self.assertEqual((clock.skipped, clock.untimed), (2, 0))

    def test_without_times(self):
        clock = Clock(0.5)
        self.assertEqual([clock.time(time) for time in (None, None, 1.25, None)], [0, 0.5, 1.25, 1.75])
        self.assertEqual(clock.untimed, 3)

    def test_durations(self):
        self.assertEqual([duration(seconds) for seconds in (3.4, 700, 12000)], ["3 s", "12 min", "3 h 20 min"])


def display_matrix(a, b, c, d, order="="):
    """Of the pixel at (p, q), which is shown at (a p + c q, b p + d q)."""
    one = 1 << 16
    return struct.pack(order + "9i", a * one, b * one, 0, c * one, d * one, 0, 0, 0, 1 << 30)


MATRICES = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}


class OrientationTests(unittest.TestCase):
    def test_rotations(self):
        for rotation, (a, b, c, d) in MATRICES.items():
            with self.subTest(rotation):
                orientation = Orientation.of_matrix(display_matrix(a, b, c, d))
                self.assertEqual((orientation.rotation, orientation.is_mirrored), (rotation, False))
                self.assertEqual(orientation.swaps, rotation % 180 == 90)
                mirrored = Orientation.of_matrix(display_matrix(-a, -b, c, d))
                self.assertEqual((mirrored.rotation, mirrored.is_mirrored), (rotation, True))

    @unittest.skipIf(missing("numpy"), "numpy is not installed")
    def test_each_pixel_is_shown_where_the_matrix_says(self):
        import numpy

        image = numpy.arange(2 * 3 * 3).reshape(2, 3, 3)
        for a, b, c, d in MATRICES.values():
            for mirror in (1, -1):
                with self.subTest((a, b, c, d, mirror)):
                    matrix = (mirror * a, mirror * b, c, d)
                    shown = {}
                    for q in range(2):
                        for p in range(3):
                            place = (matrix[0] * p + matrix[2] * q, matrix[1] * p + matrix[3] * q)
                            shown[place] = image[q, p].tolist()
                    left, top = min(x for x, _ in shown), min(y for _, y in shown)
                    upright = Orientation.of_matrix(display_matrix(*matrix)).upright(image)
                    self.assertEqual(
                        {(x - left, y - top): pixel for (x, y), pixel in shown.items()},
                        {(x, y): pixel.tolist() for y, row in enumerate(upright) for x, pixel in enumerate(row)})


COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "black": (0, 0, 0)}


@unittest.skipIf(missing("av", "numpy"), f"not installed: {', '.join(missing('av', 'numpy'))}")
class VideoTests(FolderTest):
    """Videos of a red, a green, a blue and a black quarter, with frames 20 to 80 ms apart."""

    MILLISECONDS = (0, 20, 100, 140, 160, 240, 300, 333, 400, 420)

    def make(self, name, start=0, codec="libx264", options=None, aspect=None, milliseconds=MILLISECONDS, rate=1000):
        from fractions import Fraction

        import av
        import numpy

        image = numpy.zeros((48, 80, 3), numpy.uint8)
        for colour, rows, columns in (("red", 0, 0), ("green", 0, 40), ("blue", 24, 0)):
            image[rows : rows + 24, columns : columns + 40] = COLOURS[colour]
        path = self.path(name)
        with av.open(path, "w") as container:
            stream = container.add_stream(codec, rate=30, options=options or {})
            stream.width, stream.height, stream.pix_fmt = 80, 48, "yuv420p"
            stream.codec_context.time_base = Fraction(1, rate)
            if aspect:
                stream.codec_context.sample_aspect_ratio = aspect
            for time in milliseconds:
                # A white square in the black quarter grows with time.
                image[28:32, 44:76] = 0
                image[28:32, 44 : 44 + time // 15] = 255
                frame = av.VideoFrame.from_ndarray(image, format="rgb24")
                frame.pts, frame.time_base = start + round(time * rate / 1000), Fraction(1, rate)
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        return path

    def check_times(self, path, milliseconds=MILLISECONDS):
        frames = list(Video(path))
        self.assertEqual([round(1000 * frame.time) for frame in frames], list(milliseconds))
        widths = [int((frame.image[30, 44:76].mean(axis=1) > 128).sum()) for frame in frames]
        for width, time in zip(widths, milliseconds):
            self.assertAlmostEqual(width, time // 15, delta=1)

    def corner(self, image, row, column):
        pixel = image[(2 * row + 1) * image.shape[0] // 4 - 6, (2 * column + 1) * image.shape[1] // 4 + 6]
        return min(COLOURS, key=lambda name: sum(abs(int(a) - b) for a, b in zip(pixel, COLOURS[name])))

    def test_times_of_frames(self):
        for ending in ("mp4", "mov", "mkv"):
            for frames_between in ("0", "3"):
                for start in (0, 1234):
                    with self.subTest((ending, frames_between, start)):
                        self.check_times(self.make(f"a.{ending}", start, options={"bf": frames_between}))

    def test_times_of_avi(self):
        milliseconds = [0, 100, 200, 300, 400]
        for codec in ("mpeg4", "libx264"):
            with self.subTest(codec):
                path = self.make("a.avi", codec=codec, options={"bf": "2"}, milliseconds=milliseconds, rate=10)
                self.check_times(path, milliseconds)

    def test_rotation(self):
        # The movie's header has a matrix, too, which comes before that of its track.
        before, of_movie, of_track = Path(self.make("a.mp4")).read_bytes().partition(display_matrix(1, 0, 0, 1, ">"))
        for rotation, matrix in MATRICES.items():
            with self.subTest(rotation):
                path = self.path("turned.mp4")
                turned = of_track.replace(display_matrix(1, 0, 0, 1, ">"), display_matrix(*matrix, ">"))
                Path(path).write_bytes(before + of_movie + turned)
                video = Video(path)
                image = next(iter(video)).image
                corners = [self.corner(image, row, column) for row, column in ((0, 0), (0, 1), (1, 1), (1, 0))]
                clockwise = ["red", "green", "black", "blue"]
                turns = rotation // 90
                self.assertEqual(corners, clockwise[-turns:] + clockwise[:-turns] if turns else clockwise)
                self.assertEqual((video.width, video.height), (48, 80) if turns % 2 else (80, 48))
                self.assertEqual(image.shape, (video.height, video.width, 3))

    def test_pixels_that_are_not_square(self):
        from fractions import Fraction

        video = Video(self.make("a.mp4", aspect=Fraction(3, 2)))
        self.assertEqual(next(iter(video)).image.shape, (48, 120, 3))
        self.assertEqual((video.width, video.height), (120, 48))

    def test_what_cannot_be_decoded(self):
        whole = Path(self.make("whole.mp4")).read_bytes()
        for name, data in {"a.mp4": b"text", "b.mp4": b"", "c.mp4": whole[: len(whole) // 2]}.items():
            with self.subTest(name):
                Path(self.path(name)).write_bytes(data)
                with self.assertRaisesRegex(VideoError, "cannot decode: Invalid data found"):
                    list(Video(self.path(name)))


@unittest.skipIf(missing("av", "mediapipe"), f"not installed: {', '.join(missing('av', 'mediapipe'))}")
class MediaPipeTests(unittest.TestCase):
    def test_nobody_in_a_grey_image(self):
        import numpy

        from formbench.poses.estimators import MediaPipe

        estimator = MediaPipe()
        image = numpy.full((120, 160, 3), 128, numpy.uint8)
        self.assertEqual([estimator.find(image, time) for time in (0.0, 0.01, 0.5)], [[], [], []])
        self.assertEqual(len(estimator.keypoints), 33)
        self.assertTrue(estimator.version)


if __name__ == "__main__":
    unittest.main()
