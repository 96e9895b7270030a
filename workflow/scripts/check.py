"""Regenerate everything in an empty folder, then compare with the reference, or replace it."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from mnlbandits.reproduction import check_tables, replace_reference

params = snakemake.params
reference = Path(params.get("reference") or snakemake.input.reference)
tolerances = yaml.safe_load(Path(snakemake.input.tolerances).read_text(encoding="utf-8"))
with TemporaryDirectory(prefix="reproduction.") as folder:
    command = [sys.executable, "-m", "snakemake", "--snakefile", params.snakefile, "--directory", folder]
    command += ["--cores", str(snakemake.threads)]
    if params.configfiles:
        command += ["--configfile", *params.configfiles]
    command += (
        ["--config", *(f"{key}={json.dumps(value)}" for key, value in params.overrides.items())] if params.overrides else []
    )
    with Path(snakemake.log[0]).open("w", encoding="utf-8") as log:
        subprocess.run(command, check=True, stdout=log, stderr=subprocess.STDOUT)
    tables = Path(folder, "results", params.name, "tables")
    if params.replace_reference:
        replace_reference(tables, reference, tolerances)
        print(f"replaced {reference}", file=sys.stderr)
        sys.exit()
    checks = check_tables(tables, reference, tolerances)
for check in checks:
    print(f"{'pass' if check.passed else 'FAIL'}  {check.name}: " + "\n      ".join(check.messages), file=sys.stderr)
if not all(check.passed for check in checks):
    sys.exit("the reproduction check failed")
