"""How the documentation is built: `make docs`. Two pages are made from the program itself."""

import argparse
import os
from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx

from mnlbandits import __version__
from mnlbandits.cli import parser
from mnlbandits.commands import COMMANDS

project, version, release = "mnlbandits", __version__, __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "mnlbandits"
html_copy_source = False
html_show_copyright = False
html_last_updated_fmt = None
templates_path: list[str] = []
myst_heading_anchors = 3
default_role = "code"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
nitpicky = False

HERE = Path(__file__).parent
SCHEMA = HERE.parent / "workflow/schemas/config.schema.yaml"


def commands_page() -> str:
    """What every command prints with ``--help``."""
    os.environ["COLUMNS"] = "100"
    top = parser(list(COMMANDS))
    commands = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    parts = ["# Commands\n\nWhat `mnlbandits COMMAND --help` prints.\n"]
    for name, command in commands.choices.items():
        parts.append(f"## {name}\n\n{COMMANDS[name]}\n\n```text\n{command.format_help()}```\n")
    return "\n".join(parts)


def config_page() -> str:
    """Every key of a config that the schema describes, and of every kind of study."""
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    page = ["# Keys of a config\n\nFrom the schema that a config is checked against before anything runs.\n"]
    page += [*table_of(schema, schema), "\n## Studies by kind\n"]
    for name, kind in schema["$defs"]["kinds"].items():
        page += [f"### {name}\n\n{kind['description']}\n", *table_of(kind, schema), ""]
    return "\n".join(page) + "\n"


def table_of(entry: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """The keys of a part of the schema, a row each."""
    return ["| key | what is allowed | default | meaning |", "| --- | --- | --- | --- |", *rows_of(entry, schema, "")]


def rows_of(entry: dict[str, Any], schema: dict[str, Any], above: str) -> list[str]:
    """A row for every property below, with dots between the names."""
    rows = []
    for name, described in entry.get("properties", {}).items():
        part, key = whole(described, schema), f"{above}{name}"
        needed = "needed" if name in entry.get("required", ()) else ""
        default = f"`{part['default']}`" if "default" in part else needed
        meaning = " ".join(part.get("description", "").split()).replace("|", "\\|")
        if name != "kind" or above:
            rows.append(f"| `{key}` | {allowed(part, schema)} | {default} | {meaning} |")
        rows += rows_of(part, schema, f"{key}.")
    if isinstance(entry.get("additionalProperties"), dict):
        rows += rows_of(entry["additionalProperties"], schema, f"{above}NAME.")
    return rows


def whole(entry: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """An entry with what it refers to, which it may describe anew."""
    for reference in [entry.get("$ref"), *(part["$ref"] for part in entry.get("allOf", ()))]:
        if reference:
            entry = schema["$defs"][reference.rpartition("/")[2]] | entry
    return entry


def allowed(entry: dict[str, Any], schema: dict[str, Any]) -> str:
    """The values that a part of the schema allows."""
    if "enum" in entry:
        return ", ".join(f"`{value}`" for value in entry["enum"])
    limits = [
        f"{sign} {entry[key]:g}"
        for key, sign in (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))
        if key in entry
    ]
    said = " ".join([{"object": "mapping", "array": "list"}.get(entry.get("type", ""), entry.get("type", "")), *limits])
    return f"{said} of {allowed(whole(entry['items'], schema), schema)}" if "items" in entry else said


def setup(app: Sphinx) -> None:
    """Write the two pages before the others are read."""
    for name, page in {"commands": commands_page(), "config": config_page()}.items():
        (HERE / f"reference/{name}.md").write_text(page, encoding="utf-8")
