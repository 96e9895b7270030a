"""Importing the package, all of it, changes no setting of the process; nor do a user's settings change what is written."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import mnlbandits

SOURCE = Path(mnlbandits.__file__).parents[1]


def python(code: str, *arguments: str, **environment: str) -> str:
    """What another process prints."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", code, *arguments],
        env=inherited | {"PYTHONPATH": str(SOURCE)} | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ours = [line for line in done.stderr.splitlines() if "EncodingWarning" in line and str(SOURCE) in line]
    assert not ours, "a file is read or written in the encoding of a locale"
    return done.stdout


SETTINGS = """
import contextlib, decimal, gc, locale, logging, os, pkgutil, random, signal, socket, sys, threading, warnings
import flint, jsonschema, matplotlib, matplotlib.pyplot, mpmath, numba, numpy, pandas, pyarrow, scipy.optimize, scipy.stats
import nbconvert, rocrate.rocrate, seaborn, snakemake, statsmodels.api, statsmodels.discrete.discrete_model, tqdm, yaml

def settings():
    return {
        "numba": {key: str(getattr(numba.config, key)) for key in dir(numba.config) if key.isupper()},
        "matplotlib": dict(matplotlib.rcParams),
        "backend": matplotlib.get_backend(),
        "styles": sorted(matplotlib.style.available),
        "colour maps": sorted(matplotlib.colormaps),
        "pandas": {key: pandas.get_option(key) for key in pandas._config.config._registered_options},
        "numpy": (numpy.geterr(), str(numpy.get_printoptions()), numpy.geterrcall()),
        "numpy random": hash(str(numpy.random.get_state())),
        "random": hash(random.getstate()),
        "warnings": list(map(str, warnings.filters)),
        "showwarning": warnings.showwarning,
        "locale": locale.setlocale(locale.LC_ALL),
        "logging": (logging.root.level, logging.root.handlers, logging.getLogger("mnlbandits").handlers),
        "decimal": str(decimal.getcontext()),
        "mpmath": (mpmath.mp.prec, mpmath.iv.prec),
        "flint": (flint.ctx.prec, flint.ctx.threads),
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "limits": (sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.getswitchinterval()),
        "hooks": (sys.excepthook, sys.displayhook, threading.excepthook),
        "signals": [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)],
        "garbage": (gc.isenabled(), gc.get_threshold()),
        "streams": (sys.stdout, sys.stderr, sys.stdin),
        "path": list(sys.path),
        "timeout": socket.getdefaulttimeout(),
        "threads": threading.active_count(),
        "yaml": sorted(map(str, yaml.SafeLoader.yaml_constructors)),
    }

def everything():
    import mnlbandits
    for module in pkgutil.walk_packages(mnlbandits.__path__, "mnlbandits."):
        if not module.name.endswith("__main__"):
            __import__(module.name)
"""


def test_importing_everything_changes_no_setting_of_the_process():
    code = """
before = settings()
everything()
after = settings()
print(*[(name, before[name], after[name]) for name in before if before[name] != after[name]], sep="\\n")
print(sum(name.startswith("mnlbandits.") for name in sys.modules) > 200)
"""
    assert python(SETTINGS + code).strip() == "True"


def test_computing_and_drawing_change_none_either():
    code = """
from mnlbandits.instances import make_instance
from mnlbandits.plots import regret, style
from mnlbandits.simulators import simulate
sys.path.insert(0, sys.argv[1])
import tables
before = settings()
simulate(make_instance("x", "random", {}), "uniform", 100, [0], preset="none")
style.save(regret.draw(tables.TABLES["regret"](1)), sys.argv[2] + "/a.pdf", sys.argv[2] + "/a.png")
after = settings()
print(*[(name, before[name], after[name]) for name in before if before[name] != after[name]], sep="\\n")
"""
    with TemporaryDirectory() as folder:
        assert python(SETTINGS + code, str(Path(__file__).parents[1] / "plots"), folder).strip() == ""


WRITE = r"""
import hashlib, sys
from pathlib import Path
import pandas as pd
from mnlbandits.cli import main
from mnlbandits.instances import make_instance, write_instance
from mnlbandits.paper import write_latex
from mnlbandits.results import write_table

folder = Path(sys.argv[1])
instance = make_instance("n\u00e4me", "random", {"dim": 40, "arms": 300, "outcomes": 5})
write_instance(instance, folder / "a.json")
write_instance(instance, folder / "a.npz")
names = {"id": ["\u00fc", "na\u00efve", "x"], "effect": ["", None, "rate"]}
same = {"part": "setting", "verdict": "holds", "level": "proved", "ours": False, "difference": float("nan")}
table = pd.DataFrame(names | same | {"ratio": [0.1, 1e-300, float("nan")]})
write_table(table, folder / "a.csv", "verdicts")
write_table(table, folder / "a.parquet", "verdicts")
write_latex(table, folder / "a.tex", "verdicts")
pd.DataFrame({"na\u00efve": [0.1, 1e-300, float("nan")], "b": ["\u00fc", "", "x"]}).to_csv(folder / "b.csv", index=False)
main(["fit", str(folder / "b.csv"), "--outcome", "b"])
for command in ("algorithms", "claims", "instances"):
    main([command])
    main([command, "--json"])
for file in sorted(folder.iterdir()):
    print(file.name, hashlib.sha256(file.read_bytes()).hexdigest())
"""

USERS = [
    {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
    {"PYTHONHASHSEED": "3", "TZ": "Asia/Kathmandu"},
    {"OMP_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "2", "NUMBA_NUM_THREADS": "1", "MKL_NUM_THREADS": "2"},
    {"PYTHONOPTIMIZE": "1", "PYTHONDEVMODE": "1"},
]


def test_a_users_settings_change_no_byte(tmp_path):
    """Of instances, tables, and what commands print."""
    written = set()
    for number, variables in enumerate([{}, *USERS]):
        (tmp_path / str(number)).mkdir()
        written.add(python(WRITE, str(tmp_path / str(number)), **variables))
    assert len(written) == 1
    assert "Abeille" in written.pop()
