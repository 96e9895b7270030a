"""Files of others: nothing in them is executed, and no name in them leaves its place."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from mnlbandits import read_instance
from mnlbandits.commands.plot import read_regret
from mnlbandits.config import read_config
from mnlbandits.config.check import check_against
from mnlbandits.errors import InputError
from mnlbandits.latex import words
from mnlbandits.plots import style
from mnlbandits.plots.curves import plot_tables
from mnlbandits.site.build import TEMPLATES

ROOT = Path(__file__).parents[2]
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())

NAMES = {
    "above": "../x",
    "absolute": "/tmp/x",
    "empty": "",
    "dots": "..",
    "folder": "a/b",
    "nul": "a\0b",
    "line": "x\n",
    "lines": "x\ny",
    "long": "x" * 300,
    "option": "--all",
    "mathematics": "$x$",
    "no-mathematics": r"$\input$",
    "latex": r"\input{x}",
    "comment": "100%",
    "html": "<script>alert(1)</script>",
    "quotes": "\"'",
    "command": "`id`; $(id)",
    "space": "a b",
    "letters": "é漢",
    "wildcard": "{x}",
    "alternative": "a|b",
}


def config_with(change):
    return (
        read_config(ROOT / "config/config.yaml") | {"algorithms": {"x": {"algorithm": "real", "preset": "paper"}}} | change
    )


def test_a_config_with_plain_names_passes():
    check_against(SCHEMA, config_with({"name": "x-1_Y"}))


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("part", ["name", "instances", "algorithms", "studies"])
def test_a_name_of_a_config_is_a_plain_word(part, name):
    """It is part of paths, patterns of wildcards, titles, LaTeX and HTML: what it may be is said once, in the schema."""
    entry = {"instances": {"family": "random"}, "algorithms": {"algorithm": "real", "preset": "paper"}}
    change = name if part == "name" else {name: entry.get(part, {"kind": "kappa"})}
    with pytest.raises(InputError) as caught:
        check_against(SCHEMA, config_with({part: change}))
    assert caught.value.field == part
    assert "letters, digits" in caught.value.allowed
    assert len(str(caught.value).splitlines()) == 1


def test_no_rule_calls_a_shell():
    """So no name can be a command."""
    rules = "\n".join(path.read_text() for path in (ROOT / "workflow").rglob("*.smk"))
    assert not re.findall(r"^\s+(?:shell|run):", rules, re.MULTILINE)
    code = "\n".join(path.read_text() for folder in ("src", "workflow") for path in (ROOT / folder).rglob("*.py"))
    assert not re.findall(r"shell=True|os\.system|os\.popen", code)


@pytest.mark.parametrize("name", ["$x$", r"$\input$", "<script>", "`id`;", "-x", "é", "{x}", "100%"])
def test_a_picture_shows_a_name_as_it_stands(tmp_path, name):
    """Of a table of runs, whose names nobody checked."""
    rows = [{"run": run, "t": t, "regret": float(t)} for run in (0, 1) for t in (1, 10)]
    runs = pd.DataFrame(rows).assign(instance=name, algorithm=name, preset="none")
    figure = plot_tables([runs])
    shown = {text.get_text().replace(r"\$", "$") for axes in figure.axes for text in [*axes.texts, axes.title]}
    shown |= {text.get_text().replace(r"\$", "$") for legend in figure.legends for text in legend.get_texts()}
    assert any(name in text for text in shown)
    style.save(figure, tmp_path / "runs.svg")
    assert "<script" not in (tmp_path / "runs.svg").read_text()


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_latex_and_html_show_a_text_as_it_stands(name):
    assert not {"$", r"\input"} & set(re.findall(r"\$|\\\w+", words(name)))
    assert "<script" not in TEMPLATES.from_string("{{ name }}").render(name=name)


class Planted:
    """What makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.fixture
def planted(tmp_path):
    """The file that is there once planted code ran."""
    path = tmp_path / "executed"
    yield path
    assert not path.exists()


def test_planted_code_would_run(tmp_path):
    pickle.loads(pickle.dumps(Planted(tmp_path / "executed")))
    assert (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.mkdir ['{}']",
        "!!python/object/new:os.mkdir ['{}']",
        "!!python/name:os.system ''",
        "!!python/module:os ''",
        "!local x",
    ],
)
def test_a_config_with_tags_is_refused(tmp_path, planted, tag):
    file = tmp_path / "mine.yaml"
    file.write_text(f"name: {tag.format(planted)}\n")
    with pytest.raises(InputError, match="YAML"):
        read_config(file)


def test_a_config_that_is_a_program_is_refused(tmp_path):
    """Snakemake runs it before it is checked, see docs/howto/config.md; it makes no study all the same."""
    (tmp_path / "mine.yaml").write_text("__use_yte__: true\nname: x\n")
    with pytest.raises(InputError, match=r"^__use_yte__: "):
        check_against(SCHEMA, config_with(read_config(tmp_path / "mine.yaml")))


INSTANCE = {"name": "x", "theta": [[0.5, 0], [-0.5, 0]], "arms": [[1, 0], [0, 1]], "rewards": [1, 0], "norm_bound": 1.0}


@pytest.mark.parametrize("key", INSTANCE)
@pytest.mark.parametrize("odd", [None, True, {}, [], [[]], "__import__('os')", {"__reduce__": ["os.system", "id"]}, 1e400])
def test_an_instance_with_odd_values_is_refused(tmp_path, key, odd):
    if key == "name" and isinstance(odd, str):
        return
    (tmp_path / "mine.json").write_text(json.dumps(INSTANCE | {key: odd}))
    with pytest.raises(InputError) as caught:
        read_instance(tmp_path / "mine.json")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["arms.parquet", "arms.npz", "arms.csv"])
def test_a_pickle_in_place_of_a_table_is_refused(tmp_path, planted, name):
    (tmp_path / name).write_bytes(pickle.dumps(Planted(planted)))
    (tmp_path / "mine.json").write_text(json.dumps(INSTANCE | {"arms": name}))
    with pytest.raises(InputError):
        read_instance(tmp_path / "mine.json")


def test_pickled_objects_in_an_array_file_are_refused(tmp_path, planted):
    np.savez(tmp_path / "mine.npz", **INSTANCE | {"arms": np.array([[Planted(planted)]], dtype=object)})
    with pytest.raises(InputError):
        read_instance(tmp_path / "mine.npz")


def test_a_pickle_in_place_of_runs_is_refused(tmp_path, planted):
    (tmp_path / "runs.parquet").write_bytes(pickle.dumps(Planted(planted)))
    with pytest.raises(InputError):
        read_regret(str(tmp_path / "runs.parquet"))
