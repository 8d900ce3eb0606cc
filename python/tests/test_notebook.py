"""python3 -m unittest discover -s python/tests"""

import os
import sys
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


if __name__ == "__main__":
    unittest.main()
