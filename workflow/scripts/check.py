"""Compare a build with the reference, made anew in an empty folder or the one that is there; or replace the reference."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import yaml

from mnlbandits.reproduction import check_tables, replace_reference, said, write_reports

params, log = snakemake.params, snakemake.log
reference = Path(params.reference)
tolerances = yaml.safe_load(Path(params.tolerances).read_text(encoding="utf-8"))
folder = Path(mkdtemp(prefix="reproduction.") if params.anew else ".")
if params.anew:
    command = [sys.executable, "-m", "snakemake", "--snakefile", params.snakefile, "--directory", str(folder)]
    command += ["--cores", str(snakemake.threads)]
    if params.configfiles:
        command += ["--configfile", *params.configfiles]
    if params.overrides:
        command += ["--config", *(f"{key}={json.dumps(value)}" for key, value in params.overrides.items())]
    with Path(log.text).open("w", encoding="utf-8") as text:
        if subprocess.run(command, check=False, stdout=text, stderr=subprocess.STDOUT).returncode:
            sys.exit(f"the build failed, see {log.text}; what it made is in {folder}")
tables = folder / "results" / params.name / "tables"
if params.replace:
    replace_reference(tables, reference, tolerances)
    print(f"replaced {reference}", file=sys.stderr)
else:
    checks = check_tables(tables, reference, tolerances)
    write_reports(checks, log.json, log.junit)
    print(said(checks, tables, reference), file=sys.stderr)
    if not all(check.passed for check in checks):
        sys.exit(1)
if params.anew:
    shutil.rmtree(folder)
