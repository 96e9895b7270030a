"""Executing a notebook to a page with the same bytes each time, whatever the user set for IPython, Jupyter or matplotlib.

A page needs no network: its mathematics is MathML, which browsers typeset by themselves, and it has no scripts.
"""

import os
from collections.abc import Callable
from importlib.metadata import files
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import nbformat
from jinja2 import pass_context
from jinja2.runtime import Context
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from latex2mathml.converter import convert
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat import NotebookNode

from mnlbandits.files import write_atomic

UNWANTED = ("MPLBACKEND", "PYTHONSTARTUP", "PYTHONWARNINGS")
"""Variables of the environment that change what a cell shows."""

FIRST = "import matplotlib.font_manager"
"""Run before the cells: what matplotlib has to say of its settings and fonts belongs on no page."""

TEMPLATE = """{% extends "lab/index.html.j2" %}
{% block html_head_js %}{% endblock %}
{% block html_head_js_mathjax %}{% endblock %}
{% block html_head_js_mermaidjs %}{% endblock %}
{% block extra_css %}
<style>
math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", "DejaVu Math TeX Gyre", math; font-size: 115%; }
</style>
{% endblock %}
"""
"""nbconvert's page without what it would load from the network."""


class Renderer(IPythonRenderer):
    """Markdown as HTML, its mathematics as MathML."""

    def inline_math(self, body: str) -> str:
        """Mathematics between ``$``."""
        return convert(body)

    def block_math(self, body: str) -> str:
        """Mathematics between ``$$``."""
        return convert(body.strip(), display="block")


class Pages(HTMLExporter):
    """Pages by nbconvert's own templates: those that a user put beside them are not looked for."""

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """The text of a cell as HTML."""
        return MarkdownWithMath(renderer=Renderer(escape=False, exclude_anchor_links=True)).render(source)

    def get_prefix_root_dirs(self) -> list[str]:
        """The folder of nbconvert's data."""
        (template,) = (path for path in files("nbconvert") if path.match("nbconvert/templates/lab/conf.json"))
        return [str(Path(template.locate()).resolve().parents[3])]


def environment(folder: Path | str) -> dict[str, str]:
    """The environment of a kernel without settings of the user: its profile is in `folder`, which may be empty."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    return kept | {"IPYTHONDIR": str(folder), "MATPLOTLIBRC": str(Path(matplotlib.get_data_path(), "matplotlibrc"))}


def execute(notebook: Path | str, page: Path | str) -> None:
    """Run every cell of `notebook` in a fresh kernel of this interpreter and write the HTML `page`.

    The kernel works in an empty folder; an error in a cell is raised.
    """
    document = started(lambda: run(nbformat.read(notebook, as_version=4)))
    write_atomic(page, lambda handle: handle.write(as_page(document).encode()))


def as_page(document: NotebookNode) -> str:
    """The cells of a document, with what outputs they have, as HTML."""
    pages = Pages(raw_template=TEMPLATE, exclude_input_prompt=True, exclude_output_prompt=True)
    pages.register_preprocessor(CoalesceStreamsPreprocessor, enabled=True)  # a cell prints in as many parts as it happens to
    text, _ = pages.from_notebook_node(document)
    return text


def run(document: NotebookNode) -> NotebookNode:
    """The document with the outputs of its cells."""
    manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    client = NotebookClient(
        document, manager, timeout=600, record_timing=False, extra_arguments=[f"--IPKernelApp.exec_lines={FIRST}"]
    )
    with TemporaryDirectory() as folder:
        return client.execute(cleanup_kc=True, cwd=folder, env=environment(folder))


def started(attempt: Callable[[], NotebookNode], attempts: int = 3) -> NotebookNode:
    """What the first attempt gives whose kernel starts: its ports are drawn, and another kernel may have taken one."""
    for _ in range(attempts - 1):
        try:
            return attempt()
        except DeadKernelError:
            raise
        except RuntimeError as error:
            if "before replying" not in str(error):
                raise
    return attempt()
