"""YAML as it is meant: what its version 1.1 silently turns into something else is an error here."""

import re
from pathlib import Path
from typing import Any

import yaml

from mnlbandits.errors import InputError, Words

PREFIX = "tag:yaml.org,2002:"


class Loader(yaml.SafeLoader):
    """The safe loader, without surprises: see `read_config`."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """The next node, refused if it is not what it looks like."""
        node = super().compose_node(parent, index)
        if isinstance(node, yaml.ScalarNode) and node.style is None:
            refuse_surprise(node)
        if isinstance(node, yaml.MappingNode):
            refuse_repeated(node)
        return node

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge keys in, so that a mapping's own key wins wherever it is merged in itself, which PyYAML forgets."""
        super().flatten_mapping(node)
        last = {name_of(key): (key, value) for key, value in node.value}
        node.value = list(last.values())


def name_of(key: yaml.Node) -> Any:
    """What tells a key from others in its mapping."""
    return key.value if isinstance(key, yaml.ScalarNode) else id(key)


def refuse_surprise(node: yaml.ScalarNode) -> None:
    """Raise `InputError` for a plain scalar that YAML 1.1 takes for something else than it looks like."""
    kind, text = node.tag.removeprefix(PREFIX), node.value
    if kind == "bool" and text.lower() not in ("true", "false"):
        meant = "true" if text.lower() in ("yes", "on") else "false"
        raise at(node, text, f"true or false, or '{text}' in quotes: YAML reads it as {meant}")
    if kind == "timestamp":
        raise at(node, text, f"'{text}' in quotes: YAML reads it as a date")
    if kind in ("int", "float") and ":" in text:
        raise at(node, text, f"'{text}' in quotes: YAML reads it in base 60")
    if kind == "int" and re.fullmatch(r"[-+]?0[0-7_]+", text):
        raise at(node, text, f"{int(text.replace('_', ''))}, or '{text}' in quotes: YAML reads it in base 8")


def refuse_repeated(node: yaml.MappingNode) -> None:
    """Raise `InputError` if a key stands in a mapping twice."""
    seen: set[str] = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode) and key.tag != f"{PREFIX}merge":
            if key.value in seen:
                raise at(key, key.value, "in the mapping once")
            seen.add(key.value)


def at(node: yaml.Node, value: str, allowed: str) -> InputError:
    """The error of a value, with the line that it stands in."""
    return InputError(f"line {node.start_mark.line + 1}", Words(value), allowed)


def read_config(path: Path | str) -> dict[str, Any]:
    """Read the YAML (or JSON) file of a config.

    Raises
    ------
    InputError : the file cannot be read, is no YAML or no mapping; a key stands in a mapping twice; or plain text is what
        YAML 1.1 takes for something else: ``yes``, ``on`` and ``no`` for truth values, ``1:30`` for 90, ``010`` for 8,
        ``2026-11-30`` for a date.
    """
    try:
        content = yaml.load(Path(path).read_text(encoding="utf-8"), Loader)
    except InputError as problem:
        raise InputError(f"{path}, {problem.field}", problem.value, problem.allowed) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(str(path), Words("a file that cannot be read"), f"a text file in UTF-8 ({problem})") from None
    except yaml.MarkedYAMLError as problem:
        where = f", line {problem.problem_mark.line + 1}" if problem.problem_mark else ""
        raise InputError(f"{path}{where}", Words("what is no YAML"), f"YAML ({problem.problem})") from None
    except yaml.YAMLError as problem:
        said = " ".join(str(problem).split())
        raise InputError(str(path), Words("what is no YAML"), f"YAML ({said})") from None
    if not isinstance(content, dict):
        raise InputError(str(path), content, "a mapping")
    return content
