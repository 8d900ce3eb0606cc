"""python3 -m unittest discover -s python/tests"""

import contextlib
import importlib.util
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

missing = [name for name in ("numpy", "pyarrow") if importlib.util.find_spec(name) is None]

FILES = {
    "dataset.yaml": "name: squats\n",
    # A rate that is no whole number, a clip without labels, one with labels only.
    "clips.csv": "clip,subject,exercise,view,fps,split,poses,rep_count\n"
    "a,anna,squat,side,29.97,test,poses/a.csv,1\nb,bert,lunge,,30.0,train,poses/b.npy,\nc,anna,squat,side,30.0,test,,0\n",
    "poses/a.csv": "frame,time_s,hip_x,hip_y,hip_c\n0,0.0,0.1,0.25,1.0\n1,0.033367,,,\n",
    "reps.csv": "clip,rep,start_s,end_s,turn_s\na,1,0.1,1.700001,\n",
    "events.csv": "clip,time_s,label\nb,0.5,\"contact, \"\"flat\"\"\"\n",
    "intervals.csv": "clip,start_s,end_s,label\nb,0.25,0.75,forehand\n",
    # Of the whole clip, and of a rep.
    "grades.csv": "clip,rep,rater,criterion,grade\na,,r,form,88.5\na,1,r,form,90.0\n",
    "faults.csv": "clip,rep,rater,fault,present\na,1,r,lean,1\na,1,r,shallow,0\n",
}


@unittest.skipIf(missing, f"there is no {' and no '.join(missing)}")
class ParquetTests(unittest.TestCase):
    def test_what_is_written_is_read_back(self):
        import numpy
        import pyarrow.dataset as ds

        from formbench import parquet

        with tempfile.TemporaryDirectory() as folder:
            path = {name: os.path.join(folder, name) for name in ("before", "parquet", "after")}
            os.makedirs(os.path.join(path["before"], "poses"))
            for name, text in FILES.items():
                Path(path["before"], name).write_text(text, encoding="utf-8")
            keypoints = numpy.array([[[0.1, 0.2], [numpy.nan, numpy.nan]], [[3, 4], [5, 6]]], dtype="<f4")
            numpy.save(os.path.join(path["before"], "poses/b.npy"), keypoints)
            parquet.write(path["before"], path["parquet"])
            self.assertTrue(os.path.isdir(os.path.join(path["parquet"], "exercise=squat/subject=anna")))
            table = ds.dataset(path["parquet"], partitioning="hive").to_table(columns=["clip", "frames"]).to_pylist()
            self.assertEqual(sorted((row["clip"], row["frames"]) for row in table), [("a", 2), ("b", 2), ("c", None)])
            parquet.read(path["parquet"], path["after"])
            for name, text in FILES.items():
                with self.subTest(name):
                    self.assertEqual(Path(path["after"], name).read_text(encoding="utf-8"), text)
            self.assertEqual(Path(path["after"], "poses/b.npy").read_bytes(), Path(path["before"], "poses/b.npy").read_bytes())
            # Not over a folder that exists, and in the terminal without a traceback.
            self.assertRaises(FileExistsError, parquet.read, path["parquet"], path["after"])
            os.makedirs(os.path.join(folder, "empty"))
            self.assertRaises(FileExistsError, parquet.read, path["parquet"], os.path.join(folder, "empty"))
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors):
                code = parquet.main(["write", os.path.join(folder, "empty"), os.path.join(folder, "none")])
            self.assertEqual(code, 1)
            self.assertIn("expected a dataset folder with dataset.yaml", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
