"""Executing a notebook to a page with the same bytes each time."""

from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

from mnlbandits.files import write_atomic


def execute(notebook: Path | str, page: Path | str) -> None:
    """Run every cell of `notebook` in a fresh kernel and write the HTML `page`; an error in a cell is raised."""
    document = nbformat.read(notebook, as_version=4)
    ExecutePreprocessor(timeout=600, kernel_name="python3", record_timing=False).preprocess(document)
    text, _ = HTMLExporter(exclude_input_prompt=True, exclude_output_prompt=True).from_notebook_node(document)
    write_atomic(page, lambda handle: handle.write(text.encode()))
