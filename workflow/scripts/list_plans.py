"""The plans that the documentation shows, for a machine with LaTeX; by hand, see the Makefile."""

import re
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from mnlbandits.cli import main
from mnlbandits.files import write_atomic

PAGE = Path("docs/howto/plan.md").resolve()
PLANS = {"full": [], "paper": ["--config", "paper.yaml", "--profile", "slurm"]}

with TemporaryDirectory() as folder, chdir(folder), patch("mnlbandits.planning.jobs.which", lambda name: name):
    exec(re.search(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1])
    for name, options in PLANS.items():
        with redirect_stdout(StringIO()) as printed:
            main(["plan", *options])
        text = printed.getvalue()
        write_atomic(PAGE.with_name(f"plan-{name}.txt"), lambda handle, text=text: handle.write(text.encode()))
