"""The errata as PDF, by LaTeX."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from mnlbandits.files import write_atomic
from mnlbandits.logs import log_to

with log_to(snakemake.log[0]), tempfile.TemporaryDirectory() as folder:
    source = shutil.copyfile(snakemake.input.tex, Path(folder) / "errata.tex")
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name], cwd=folder, check=True)
    write_atomic(snakemake.output.pdf, lambda handle: handle.write(source.with_suffix(".pdf").read_bytes()))
