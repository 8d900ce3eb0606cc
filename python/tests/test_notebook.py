"""python3 -m unittest discover -s python/tests"""

import os
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from projects import ROOT, needs, project


def html(cell):
    return "".join(output.get("data", {}).get("text/html", "") for output in cell["outputs"])


@needs("pandas", "nbclient", "nbformat", "ipykernel")
class NotebookTests(unittest.TestCase):
    def test_the_example_runs(self):
        import nbformat
        from nbclient import NotebookClient

        notebook = nbformat.read(ROOT / "python/examples/squat.ipynb", as_version=4)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell["cell_type"] == "code"]
        self.assertFalse([cell for cell in code if cell["outputs"]], "the notebook is kept without outputs")
        with project() as folder, mock.patch.dict(os.environ, PYTHONPATH=str(ROOT / "python")):
            NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
        self.assertEqual(len(code), 6)
        for cell in code:
            self.assertTrue(html(cell), cell["source"])
        self.assertIn("count.exact", html(code[0]))
        self.assertIn("squat-sample/s", html(code[1]))
        self.assertIn("needs &lt; 90°", html(code[2]))
        self.assertIn("reps.f1", html(code[4]))
        self.assertIn("<iframe srcdoc=", html(code[5]))

    def test_all_progress_bars_of_a_call_are_one_output(self):
        import nbformat
        from nbclient import NotebookClient

        program = """
            import sys
            for i in range(3):
                print(f"\\rscoring {i} of 3 \\x1b[K", end="", file=sys.stderr, flush=True)
            print("\\r\\x1b[2K", end="", file=sys.stderr)
            print('{"suite": "s", "metrics": [], "clips": []}')
            """
        code = nbformat.v4.new_code_cell("import formbench\nformbench.run('s')\n1")
        with tempfile.TemporaryDirectory() as folder:
            bench = Path(folder, "bench")
            bench.write_text(f"#!{sys.executable}\n{textwrap.dedent(program)}", encoding="utf-8")
            bench.chmod(0o755)
            with mock.patch.dict(os.environ, PYTHONPATH=str(ROOT / "python"), FORMBENCH_BENCH=str(bench)):
                NotebookClient(nbformat.v4.new_notebook(cells=[code]), timeout=60).execute()
        found = [(output["output_type"], output["data"]["text/plain"]) for output in code["outputs"]]
        self.assertEqual(found, [("display_data", ""), ("execute_result", "1")])


if __name__ == "__main__":
    unittest.main()
