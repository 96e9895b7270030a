"""How the documentation is built: `make docs`. Two pages are made from the program itself."""

import os
from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx

from mnlbandits import __version__
from mnlbandits.cli import parser
from mnlbandits.commands import COMMANDS
from mnlbandits.commands.completion import commands_of

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
    parts = ["# Commands\n\nWhat `mnlbandits COMMAND --help` prints. [TAB](../howto/completion.md) completes it.\n"]
    for name, command in commands_of(parser()).items():
        parts.append(f"## {name}\n\n{COMMANDS[name]}\n\n```text\n{command.format_help()}```\n")
    return "\n".join(parts)


def config_page() -> str:
    """Every key of a config that the schema describes."""
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    rows = ["# Keys of a config\n\nFrom the schema that a config is checked against before anything runs.\n"]
    rows += ["| key | type | meaning |", "| --- | --- | --- |"]
    return "\n".join([*rows, *rows_of(schema, "")]) + "\n"


def rows_of(schema: dict[str, Any], above: str) -> list[str]:
    """A row for every property below, with dots between the names."""
    rows = []
    for name, entry in schema.get("properties", {}).items():
        key = f"{above}{name}"
        kind = entry.get("type", "one of " + ", ".join(map(str, entry["enum"])) if "enum" in entry else "")
        meaning = " ".join(entry.get("description", "").split()).replace("|", "\\|")
        rows += [f"| `{key}` | {kind} | {meaning} |", *rows_of(entry, f"{key}.")]
    if isinstance(schema.get("additionalProperties"), dict):
        rows += rows_of(schema["additionalProperties"], f"{above}NAME.")
    return rows


def setup(app: Sphinx) -> None:
    """Write the two pages before the others are read."""
    for name, page in {"commands": commands_page(), "config": config_page()}.items():
        (HERE / f"reference/{name}.md").write_text(page, encoding="utf-8")
