"""python3 -m unittest discover -s python/tests"""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import formbench
from formbench import columns, parquet, results
from projects import ROOT, needs, project
from test_results import RUN

FACTS = {**RUN, "suiteVersion": 2, "bench": "0.1.0"}
HEADING = "### Columns of a run\n"


class ColumnTests(unittest.TestCase):
    def test_every_column_says_what_it_is(self):
        self.assertEqual(list(columns.TABLES), ["metrics", "people", "clips", "reps", "grades", "signals"])
        for table, (row, own) in columns.TABLES.items():
            self.assertEqual(len(columns.types(table)), len(own))
            for column in own:
                with self.subTest(f"{table}.{column.name}"):
                    self.assertTrue(row and column.meaning)
                    # Only a number has a unit, and each has one.
                    self.assertEqual(bool(column.unit), column.arrow in ("float64", "int64"))
                    self.assertNotIn("|", column.meaning)

    def test_the_documentation_has_the_columns(self):
        text = (ROOT / "python/README.md").read_text(encoding="utf-8")
        if HEADING not in text:
            self.skipTest(f"there is no section {HEADING.strip()} in python/README.md")
        self.assertIn(columns.markdown().strip(), text.split(HEADING)[1].split("\n#")[0])


@needs("pandas", "pyarrow", bench=False)
class ParquetOfARunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name, "made", "here")

    def write(self):
        signals = results.frame(
            [{"clip": "one", "dataset": "x", "frame": 0, "time_s": 0, "signal": "knee", "value": None}],
            columns.types("signals"))
        run = formbench.Run(FACTS, signals)
        run.to_parquet(self.folder)
        return run

    def test_the_files_have_the_documented_columns(self):
        import pyarrow.parquet

        self.write()
        self.assertEqual({path.stem for path in self.folder.iterdir()}, set(columns.TABLES))
        for table, (_, own) in columns.TABLES.items():
            schema = pyarrow.parquet.read_schema(self.folder / f"{table}.parquet")
            self.assertEqual(schema.names, [column.name for column in own])
            for column in own:
                with self.subTest(f"{table}.{column.name}"):
                    field = schema.field(column.name)
                    self.assertEqual(str(field.type), {"float64": "double"}.get(column.arrow, column.arrow))
                    facts = {"unit": column.unit, "meaning": column.meaning}
                    self.assertEqual(
                        {key: field.metadata[key.encode()].decode() for key in facts}, facts)
            metadata = {key.decode(): value.decode() for key, value in schema.metadata.items() if key != b"pandas"}
            self.assertLessEqual(
                {"table": table, "format": "1", "suite": "s", "suite_version": "2", "bench": "0.1.0"}.items(),
                metadata.items())

    def test_pandas_reads_the_same_frames(self):
        import pandas

        run = self.write()
        for table in columns.TABLES:
            with self.subTest(table):
                pandas.testing.assert_frame_equal(
                    pandas.read_parquet(self.folder / f"{table}.parquet"), getattr(run, table))

    @needs("polars", bench=False)
    def test_polars_reads_them(self):
        import polars

        self.write()
        reps = polars.read_parquet(self.folder / "reps.parquet")
        self.assertEqual(reps["outcome"].to_list(), ["matched", "false", "false", "missed", None])
        self.assertEqual(reps["rep"].to_list(), [1, None, None, 2, None])
        self.assertEqual((reps.schema["rep"], reps.schema["start_s"]), (polars.Int64, polars.Float64))
        self.assertEqual(polars.read_parquet(self.folder / "metrics.parquet")["is_listed"].to_list(), [True, False])

    @needs("duckdb", bench=False)
    def test_duckdb_reads_them(self):
        import duckdb

        self.write()
        found = duckdb.sql(
            f"select clip, sum(grade) from '{self.folder}/grades.parquet' group by clip").fetchall()
        self.assertEqual(found, [("one", 70 + 75 + 9)])
        kinds = duckdb.sql(f"select typeof(rep), typeof(start_s) from '{self.folder}/reps.parquet' limit 1").fetchall()
        self.assertEqual(kinds, [("BIGINT", "DOUBLE")])

    def test_files_of_another_run_are_replaced_and_those_without_rows_have_columns(self):
        import pandas

        self.write()
        formbench.Run({"suite": "t", "metrics": [], "clips": []}).to_parquet(self.folder)
        for table in columns.TABLES:
            frame = pandas.read_parquet(self.folder / f"{table}.parquet")
            self.assertEqual((len(frame), list(frame.columns)), (0, list(columns.types(table))))

    def test_without_pyarrow_the_error_says_what_to_install(self):
        with mock.patch.dict(sys.modules, {"pyarrow": None}):
            with self.assertRaisesRegex(ImportError, "expected pyarrow for Parquet, found none; .*pip install pyarrow"):
                self.write()

    def test_the_documentation_is_of_the_files(self):
        text = columns.markdown()
        for table in columns.TABLES:
            for field in parquet.table_schema(table):
                kind = {"double": "float64"}.get(str(field.type), str(field.type))
                unit, meaning = (field.metadata[key].decode() for key in (b"unit", b"meaning"))
                self.assertIn(f"| `{field.name}` | {kind} | {unit} | {meaning} |\n", text)


@needs("pandas", "pyarrow")
class ParquetOfTheProgramTests(unittest.TestCase):
    def test_a_run_and_the_run_that_was_read_are_equal(self):
        import pandas

        with project() as folder:
            run = formbench.run("squat", project=folder)
            read = formbench.read_run(folder / "reports/squat/latest/results.json")
            read.to_parquet(folder / "parquet")
            for table in ("metrics", "people", "clips", "reps", "grades"):
                frame = pandas.read_parquet(folder / "parquet" / f"{table}.parquet")
                self.assertTrue(len(frame))
                pandas.testing.assert_frame_equal(frame, getattr(run, table))


if __name__ == "__main__":
    unittest.main()
