"""What the cells of a notebook import: the code that its page hangs on."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from mnlbandits import PLACES
from mnlbandits.sources import PACKAGE, module_file

MAGIC = re.compile(r"(?m)^%.*$")
"""A line that IPython reads and Python does not."""


def modules_of(notebook: Path | str) -> list[str]:
    """Sorted dotted names, without the package's, of the modules of this package that the cells of a notebook import."""
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    sources = [MAGIC.sub("", "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return sorted({name for node in nodes if node.module.split(".")[0] == PACKAGE.name for name in modules_in(node)})


def modules_in(node: ast.ImportFrom) -> Iterator[str]:
    """The modules that one statement imports, or imports names from."""
    for alias in node.names:
        inside = ".".join([*node.module.split(".")[1:], alias.name])
        yield inside if module_file(f"{PACKAGE.name}.{inside}") else PLACES.get(inside) or inside.rpartition(".")[0]
