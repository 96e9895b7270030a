"""How the documentation is built: `make docs`. Four pages are made from the program itself."""

import os
import re
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx

from mnlbandits import __version__
from mnlbandits.cli import parser
from mnlbandits.commands import COMMANDS
from mnlbandits.commands.completion import commands_of
from mnlbandits.dictionary import Column, tables
from mnlbandits.versions import pinned

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
WORKFLOW = HERE.parent / "workflow"
SCHEMA = WORKFLOW / "schemas/config.schema.yaml"


def commands_page() -> str:
    """What every command prints with ``--help``."""
    os.environ["COLUMNS"] = "100"
    parts = ["# Commands\n\nWhat `mnlbandits COMMAND --help` prints. [TAB](../howto/completion.md) completes it.\n"]
    for name, command in commands_of(parser()).items():
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


TABLES = """# Columns of the tables

What the tables of results hold, by kind; each is checked against this when it is written. NAME is that of the config; other
words in capitals stand for what is in the config. Empty cells of CSV files are missing values. The instances of a study,
`results/NAME/instances/INSTANCE.json`, are described in [An instance of one's own](../instances.md).
"""


def tables_page() -> str:
    """Every column of every kind of table, and the files of that kind."""
    files, parts = files_by_kind(), [TABLES]
    for kind, table in tables().items():
        parts.append(f"## {plain(kind)}\n\nA row is {plain(table.row)}.\n")
        parts += [f"- `{file}`" for file in files.get(kind, [])]
        parts += ["", "| column | values | unit | meaning |", "| --- | --- | --- | --- |"]
        for name, column in table.columns.items():
            parts.append(f"| {plain(name)} | {plain(column.allowed)} | {column.unit} | {meaning_of(column)} |")
        parts.append("")
    return "\n".join(parts)


def files_by_kind() -> dict[str, list[str]]:
    """The files that rules of the workflow have as outputs, by the kind of table that their scripts write there."""
    found: dict[str, list[str]] = {}
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((WORKFLOW / "rules").glob("*.smk")))
    for rule in re.split(r"^rule ", text, flags=re.MULTILINE)[1:]:
        block = re.search(r"^    output:\n((?: {8}.*\n)+)", rule, re.MULTILINE)
        script = re.search(r'"\.\./(scripts/\w+\.py)"', rule)
        outputs = dict(re.findall(r'^ {8}(\w+)=(?:report\(\s+)?"(.+?)"', block[1], re.MULTILINE)) if block else {}
        code = (WORKFLOW / script[1]).read_text(encoding="utf-8") if script else ""
        for output, kind in re.findall(r'snakemake\.output\.(\w+), "(\w+)"\)', code):
            path = re.sub(r"<(\w+)>", r"\1/NAME", outputs[output])
            found.setdefault(kind, []).append(re.sub(r"{(\w+)}", lambda wildcard: wildcard[1].upper(), path))
    return found


LICENCES = """# Licences

Of every package that `requirements.lock` pins, as the package itself says. Nothing of them is copied into this repository.

| package | version | licence |
| --- | --- | --- |
"""


def licences_page() -> str:
    """The licence of every pinned package."""
    rows = []
    for name, pin in sorted(pinned(HERE.parent / "requirements.lock").items()):
        version = pin.partition("==")[2].split()[0]
        rows.append(f"| {name} | {version} | {plain(licence_of(name))} |\n")
    return LICENCES + "".join(rows)


def licence_of(name: str) -> str:
    """What a package says of its licence: an expression, else a short name, else what it is classified as."""
    try:
        said = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return "not installed here"
    classified = [each.rpartition(" :: ")[2] for each in said.get_all("Classifier", []) if each.startswith("License ::")]
    short = [each for each in (said["License-Expression"], said["License"]) if each and "\n" not in each and len(each) < 80]
    return (short or [", ".join(classified) or "says none"])[0]


def meaning_of(column: Column) -> str:
    """What the values of a column mean, and when there are none."""
    missing = f". Missing: {column.missing}" if column.missing else ""
    return plain(column.meaning + missing + (f". Only {column.optional}" if column.optional else ""))


def plain(text: str) -> str:
    """A text whose signs are none of Markdown's."""
    return re.sub(r"([|*_<>{}\[\]])", r"\\\1", text)


def setup(app: Sphinx) -> None:
    """Write the four pages before the others are read."""
    pages = {"commands": commands_page(), "config": config_page(), "tables": tables_page()}
    for name, page in (pages | {"licences": licences_page()}).items():
        (HERE / f"reference/{name}.md").write_text(page, encoding="utf-8")
