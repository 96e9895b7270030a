"""What the site shows of a figure: its caption, its data, and the settings of the study behind it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from docutils import nodes
from docutils.core import publish_doctree, publish_parts
from markupsafe import Markup

DOCUTILS = {"_disable_config": True, "file_insertion_enabled": False, "raw_enabled": False, "math_output": "MathML"}
"""Captions look the same whatever a user set."""


@dataclass(frozen=True)
class Shown:
    """A figure of the site.

    Attributes
    ----------
    name : of the figure, its file and its place in the page. part : of the build. data : file name of its table.
    caption : HTML. summary : the first sentence of the caption. settings : YAML.
    """

    name: str
    part: str
    data: str
    caption: Markup
    summary: str
    settings: str


def shown(name: str, entry: Mapping[str, str], config: Mapping[str, Any]) -> Shown:
    """A figure with its part of the build, its data and its caption in reStructuredText, as the workflow names them."""
    part, text = entry["part"], entry["caption"]
    body = publish_parts(text, writer="html5", settings_overrides=DOCUTILS)["body"]
    own = config["studies"].get(part, config.get(part)) or {}
    settings = {"seed": config["seed"], "delta": config["delta"]}
    settings[part] = {key: value for key, value in own.items() if key != "batch"}  # which changes nothing that is shown
    return Shown(
        name, part, entry["data"], Markup(body), first_sentence(text), yaml.safe_dump(settings, sort_keys=False, width=100)
    )


def first_sentence(text: str) -> str:
    """The first sentence of a text in reStructuredText, without markup; its mathematics as ``theta_*`` and ``C_t``."""
    tree = publish_doctree(text, settings_overrides=DOCUTILS)
    for formula in list(tree.findall(nodes.math)):
        formula.replace_self(nodes.Text(re.sub(r"\\mathcal|[\\{}]", "", formula.astext())))
    return re.split(r"(?<=\.)\s", " ".join(tree.astext().split()))[0]
