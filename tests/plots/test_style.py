"""The style is on our figures wherever they are shown, and on nothing else."""

import io
import subprocess
import sys
from importlib import import_module

import hostile
import matplotlib
import pytest
import tables

from mnlbandits.algorithms import REGISTRY, yardsticks
from mnlbandits.plots import style

IMPORTS = """
import importlib, matplotlib, pkgutil, seaborn
import mnlbandits.plots
before = dict(matplotlib.rcParams.items())
names = [module.name for module in pkgutil.iter_modules(mnlbandits.plots.__path__)]
for name in names:
    importlib.import_module(f"mnlbandits.plots.{name}")
print(len(names), [key for key, value in before.items() if matplotlib.rcParams[key] != value])
"""


@pytest.fixture
def parameters(tmp_path):
    """A process in which matplotlib's parameters are a hostile user's: what they are."""
    path = tmp_path / "matplotlibrc"
    path.write_text(hostile.matplotlibrc())
    with matplotlib.rc_context(fname=path):
        matplotlib.rcParams["text.usetex"] = True
        yield dict(matplotlib.rcParams.items())


def figure_of(name):
    return import_module(f"mnlbandits.plots.{name}").draw(tables.TABLES[name](1))


def png_of(figure):
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=style.RC["savefig.dpi"], metadata={"Software": None})
    return png.getvalue()


def test_importing_the_figures_sets_nothing():
    printed = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True).stdout
    assert printed.split(maxsplit=1) == [
        str(len(tables.TABLES) + 4),
        "[]\n",
    ]  # and the style, the titles, the chains, and the curves of a user


@pytest.mark.parametrize("name", tables.TABLES)
def test_drawing_sets_nothing(name, parameters):
    figure_of(name)
    assert matplotlib.rcParams == parameters


def test_saving_sets_nothing(tmp_path, parameters):
    style.save(figure_of("kappa"), tmp_path / "a.pdf", tmp_path / "a.png")
    assert matplotlib.rcParams == parameters


@pytest.mark.parametrize("name", tables.TABLES)
def test_a_figure_has_the_style_where_others_have_not(name, tmp_path):
    with matplotlib.rc_context({"font.size": 20, "xtick.labelsize": 20, "ytick.color": "red", "grid.linewidth": 5}):
        shown = png_of(figure_of(name))
        style.save(figure_of(name), tmp_path / "a.pdf", tmp_path / "a.png")
    assert shown == (tmp_path / "a.png").read_bytes()


def test_every_system_has_a_look_of_its_own():
    """The paper's solid blue; a colour of its own in figures of lines; and none is grey, as yardsticks are."""
    yardstick = {algorithm.name for algorithm in yardsticks.ALGORITHMS}
    assert set(style.SYSTEMS) == set(REGISTRY) - yardstick
    looks = [style.system(name) for name in style.SYSTEMS]
    assert len({(look["color"], look["linestyle"]) for look in looks}) == len(looks)
    assert len({look["color"] for look in looks[:9]}) == 9
    assert looks[0] == {"color": style.COLOURS[0], "linestyle": "-", "marker": "o"}
    assert style.system("mine", ["other", "mine"]) not in looks


def test_the_style_can_be_that_of_a_process(parameters):
    style.use()
    used = dict(matplotlib.rcParams.items())
    with style.applied():
        assert matplotlib.rcParams == used != parameters
