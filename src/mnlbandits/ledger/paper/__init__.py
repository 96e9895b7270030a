"""The paper's statements, one module per subsection; each imports the toolkit only, never another."""

from importlib import import_module

SECTIONS = ()
"""The modules, in the order of the paper."""

for section in SECTIONS:
    import_module(f"{__name__}.{section}")
