"""python3 -m unittest discover -s python/tests"""

import importlib.util
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from projects import ROOT

SCRIPT = ROOT / "scripts/wheel"
# A program that needs the C library only, in place of bench, and one that needs other libraries too.
PROGRAM = shutil.which("true")
OTHER = shutil.which("git")
# That of Python, or of Debian's python3-venv.
ENSUREPIP = importlib.util.find_spec("ensurepip")
PIP = ENSUREPIP and sorted(
    [*Path(ENSUREPIP.origin).parent.glob("_bundled/pip-*.whl"), *Path("/usr/share/python-wheels").glob("pip-*.whl")])


def is_elf(path):
    return path is not None and Path(path).read_bytes()[:4] == b"\x7fELF"


@unittest.skipUnless(
    SCRIPT.exists() and sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
    and shutil.which("readelf") and is_elf(PROGRAM), "there is no Linux with readelf")
class WheelTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, folder, program=PROGRAM):
        return subprocess.run(
            [str(SCRIPT), str(self.folder / folder)], capture_output=True, text=True,
            env={**os.environ, "BENCH_PROGRAM": program, "SOURCE_DATE_EPOCH": "1700000000"})

    def test_the_tag_is_the_oldest_glibc_that_has_all_symbols(self):
        made = self.make("dist")
        self.assertEqual(made.returncode, 0, made.stderr)
        [wheel] = (self.folder / "dist").iterdir()
        symbols = re.findall(rb"GLIBC_2\.(\d+)", Path(PROGRAM).read_bytes())
        minor = max(map(int, symbols))
        self.assertEqual(wheel.name, f"formbench-0.1.0-py3-none-manylinux_2_{minor}_{platform.machine()}.whl")
        self.assertIn("without THIRD-PARTY", made.stderr)
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
            # 1700000000 s after the start of 1970.
            self.assertEqual({entry.date_time for entry in archive.infolist()}, {(2023, 11, 14, 22, 13, 20)})
            self.assertIn("formbench/py.typed", names)
            self.assertIn("formbench/poses/__main__.py", names)
            self.assertEqual(archive.read("formbench/bin/bench"), Path(PROGRAM).read_bytes())
            metadata = archive.read("formbench-0.1.0.dist-info/METADATA").decode()
            self.assertIn("Requires-Dist: pandas; extra == 'frames'\n", metadata)
            self.assertIn("Requires-Python: >=3.9\n", metadata)

    def test_the_bytes_are_the_same_again(self):
        self.make("one")
        self.make("two")
        one, two = (next((self.folder / name).iterdir()).read_bytes() for name in ("one", "two"))
        self.assertTrue(one == two)

    @unittest.skipUnless(is_elf(OTHER), "there is no git")
    def test_a_program_that_needs_other_libraries_is_refused(self):
        made = self.make("dist", OTHER)
        self.assertEqual(made.returncode, 1)
        self.assertIn("expected a program that needs the C library only, found lib", made.stderr)

    def test_a_program_without_glibc_is_refused(self):
        # The header of a program for AArch64 (183), without anything else.
        fields = struct.pack("<HHIQQQIHHHHHH", 2, 183, 1, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0)
        header = b"\x7fELF\2\1\1".ljust(16, b"\0") + fields
        path = self.folder / "program"
        path.write_bytes(header)
        made = self.make("dist", str(path))
        self.assertEqual(made.returncode, 1)
        self.assertIn("expected a program with symbols of glibc, found none in ", made.stderr)

    def test_something_that_is_no_program_is_refused(self):
        self.assertEqual(self.make("dist", str(SCRIPT)).returncode, 1)

    def test_the_licences_of_a_release_are_in_it(self):
        name = f"form-bench-0.1.0-linux-{platform.machine()}"
        (self.folder / name).mkdir()
        (self.folder / name / "THIRD-PARTY").write_text("licences\n", encoding="utf-8")
        (self.folder / "dist").mkdir()
        subprocess.run(
            ["tar", "-czf", f"dist/{name}.tar.gz", name], cwd=self.folder, check=True)
        made = self.make("dist")
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        with zipfile.ZipFile(next((self.folder / "dist").glob("*.whl"))) as archive:
            self.assertEqual(archive.read("formbench-0.1.0.dist-info/THIRD-PARTY"), b"licences\n")

    @unittest.skipUnless(PIP, "there is no wheel of pip")
    def test_it_installs_into_an_empty_environment_offline(self):
        self.make("dist")
        environment = self.folder / "venv"
        # Pip runs from its wheel: to install it first takes longer than all else here.
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        subprocess.run(
            [environment / "bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check",
             "--no-compile", "--find-links", self.folder / "dist", "formbench"],
            env={**os.environ, "PYTHONPATH": str(PIP[-1])}, check=True)
        # From another folder and without a checkout.
        ran = subprocess.run([environment / "bin/bench", "--version"], cwd=self.folder, capture_output=True, text=True)
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (said.returncode, said.stdout.replace(PROGRAM, "bench")))
        found = subprocess.run(
            [environment / "bin/python", "-c", "from formbench import program; print(program.find_program())"],
            cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()
        self.assertTrue(found.endswith("/formbench/bin/bench") and os.access(found, os.X_OK), found)


if __name__ == "__main__":
    unittest.main()
