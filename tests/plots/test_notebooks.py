"""A page has the same bytes whatever a user set, and needs no network; notebooks carry no outputs."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import hostile
import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from mnlbandits.cells import modules_of
from mnlbandits.notebooks import as_page, execute, started

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))

PLOT = """%config InlineBackend.figure_formats = ["png"]
import matplotlib.pyplot as plt
import numpy as np
from mnlbandits.plots import style
style.use()
plt.plot([-1, 0, 1], [3, 1, 2], label="$\\\\theta_*$")
plt.legend()
plt.show()
1
np.array([1 / 3, 2e-9])"""


def written(path, source):
    """A notebook with one cell."""
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id="cell")]), path)
    return path


def spoil(folder):
    """Settings of every kind below a folder; the variables that point to them."""
    startup = "import matplotlib, numpy\nnumpy.set_printoptions(precision=2)\nprint('good morning')\nstyle = None\n"
    config = "c.InlineBackend.rc = {'figure.dpi': 30}\nc.InteractiveShell.ast_node_interactivity = 'all'\n"
    config += "c.InlineBackend.print_figure_kwargs = {'bbox_inches': None}\n"
    texts = {
        "matplotlibrc": hostile.matplotlibrc(),
        "mpl/matplotlibrc": hostile.matplotlibrc() + "no.such.key: 1\n",
        "startup.py": startup,
        "ipython/profile_default/startup/00.py": startup,
        "ipython/profile_default/ipython_config.py": config,
        "ipython/profile_default/ipython_kernel_config.py": config,
        "config/jupyter_nbconvert_config.py": "c.HTMLExporter.exclude_input = True\n",
        "data/kernels/python3/kernel.json": json.dumps({"argv": ["false"], "display_name": "", "language": "python"}),
        "data/nbconvert/templates/lab/index.html.j2": "{%- extends 'lab/base.html.j2' -%}\nspoilt",
        "data/nbconvert/templates/lab/conf.json": json.dumps({"base_template": "base", "spoilt": True}),
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return {
        "IPYTHONDIR": folder / "ipython",
        "JUPYTER_CONFIG_DIR": folder / "config",
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTER_PATH": folder / "data",
        "JUPYTER_PREFER_ENV_PATH": "0",
        "MATPLOTLIBRC": folder / "mpl" / "matplotlibrc",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": folder / "mpl",
        "PYTHONSTARTUP": folder / "startup.py",
        "PYTHONWARNINGS": "always",
    }


def test_what_a_user_set_changes_no_byte_of_a_page(tmp_path, monkeypatch):
    notebook = written(tmp_path / "plot.ipynb", PLOT)
    execute(notebook, tmp_path / "undisturbed.html")
    assert b"data:image/png;base64" in (tmp_path / "undisturbed.html").read_bytes()
    for name, value in spoil(tmp_path / "user").items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(tmp_path / "user")
    execute(notebook, tmp_path / "spoilt.html")
    assert (tmp_path / "spoilt.html").read_bytes() == (tmp_path / "undisturbed.html").read_bytes()


def test_an_error_in_a_cell_is_raised_and_leaves_no_page(tmp_path):
    notebook = written(tmp_path / "error.ipynb", "1 / 0")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute(notebook, tmp_path / "error.html")
    assert list(tmp_path.iterdir()) == [notebook]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_sets_the_style_and_carries_no_outputs(path):
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert cells[0].source.splitlines()[-1] == "style.use()"
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


class Seen(HTMLParser):
    """The names of the tags of a page, what it loads or links to, and its text outside of code and style."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.loaded, self.text, self.inside = set(), re.findall(r"@import\s*(\S+)|url\(([^)]*)\)", page), [], []
        self.loaded = ["".join(found).strip("\"' ") for found in self.loaded]
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.loaded += [value for name, value in attrs if name in ("src", "srcset", "href", "data", "poster", "action")]
        self.inside += [tag] if tag in ("style", "pre", "code") else []

    def handle_endtag(self, tag):
        if self.inside[-1:] == [tag]:
            self.inside.pop()

    def handle_data(self, data):
        self.text += [] if self.inside else [data]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_needs_no_network_and_its_mathematics_no_script(path):
    seen = Seen(as_page(nbformat.read(path, as_version=4)))
    assert "math" in seen.tags
    assert not {"script", "link", "iframe"} & seen.tags
    assert not [tag for tag in seen.tags if ":" in tag], "a browser knows no prefix of MathML"
    assert all(name.startswith(("data:", "#")) for name in seen.loaded)
    assert not re.search(r"[$\\]", "".join(seen.text)), "TeX that was not converted"


def test_what_a_cell_prints_is_one_text_in_however_many_parts_it_comes():
    def printing(*parts):
        outputs = [nbformat.v4.new_output("stream", name="stdout", text=part) for part in parts]
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print()", id="cell", outputs=outputs)])

    assert as_page(printing("one", "\ntwo\n")) == as_page(printing("one\ntwo\n"))


def test_a_page_hangs_on_what_its_cells_import(tmp_path):
    """Also on what the package lends its name to, and on a name that is a module."""
    source = "%matplotlib inline\nimport numpy\nfrom mnlbandits import algorithms, simulate\n"
    source += "from mnlbandits.model.kappa import kappa\nfrom mnlbandits.plots import style"
    found = modules_of(written(tmp_path / "imports.ipynb", source))
    assert found == ["algorithms", "model.kappa", "plots.style", "simulators"]


def test_a_kernel_whose_port_is_taken_is_started_again():
    found = iter([RuntimeError("Kernel died before replying to kernel_info"), "outputs"])

    def attempt():
        outcome = next(found)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    assert started(attempt) == "outputs"
    tried = []

    def dies():
        tried.append(1)
        raise RuntimeError("Kernel died before replying to kernel_info")

    with pytest.raises(RuntimeError, match="before replying"):
        started(dies)
    assert len(tried) == 3
    with pytest.raises(RuntimeError, match="other"):
        started(lambda: (_ for _ in ()).throw(RuntimeError("other")))
