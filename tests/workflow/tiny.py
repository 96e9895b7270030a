"""A study of a few seconds, and how to run it."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from mnlbandits.config import laid_over

ROOT = Path(__file__).parents[2]

TINY = {
    "name": "tiny",
    "algorithms": {"real-calibrated": {"exploration_multiplier": 0.007, "radius_multiplier": 0.1}},
    "calibration": {"horizon": 20},
    "studies": {
        "regret": {
            "horizon": 300,
            "runs": 2,
            "batch": 2,
            "instances": ["large-kappa-star-S1"],
            "algorithms": ["uniform", "real-paper", "real-calibrated", "oful-mlogb-paper"],
        },
        "exploration": {
            "horizon": 1000,
            "learning_rounds": 20,
            "runs": 2,
            "batch": 2,
            "instances": ["large-kappa-star-S1"],
            "algorithms": ["real-calibrated"],
        },
        "coverage": {
            "horizon": 50,
            "runs": 2,
            "batch": 2,
            "instances": ["large-kappa-star-S1"],
            "algorithms": ["oful-mlogb-valid"],
        },
        "comparison": {
            "horizon": 50,
            "runs": 2,
            "batch": 2,
            "instances": ["large-kappa-star-K2", "large-kappa-star-S1"],
            "algorithms": ["uniform", "oful-mlogb-valid", "oful-mlogb-calibrated", "glm-ucb-valid"],
        },
        "comparison_coverage": {
            "horizon": 50,
            "runs": 2,
            "batch": 2,
            "instances": ["large-kappa-star-S1"],
            "algorithms": ["oful-mlogb-valid"],
        },
        "horizon": {"step": 0.3, "instances": ["circle-K3"], "algorithms": ["oful-mlogb-paper"]},
        "changing": {
            "horizon": 50,
            "runs": 2,
            "batch": 2,
            "instances": ["changing-random"],
            "algorithms": ["oful-mlogb-valid"],
        },
        "changing_long": {"step": 0.5, "instances": ["changing-cycle"], "algorithms": ["oful-mlogb-paper"]},
        "data": {
            "horizon": 50,
            "runs": 2,
            "batch": 2,
            "instances": ["modechoice"],
            "algorithms": ["uniform", "oful-mlogb-calibrated", "oful-mlogb-transferred"],
        },
        "data_long": {"step": 0.5, "instances": ["modechoice"], "algorithms": ["oful-mlogb-paper"]},
        "crossovers": {"rivals": ["oful-mlogb"], "step": 0.3, "outcomes": [3], "dims": [2], "norms": [1.0], "arms": 21},
        "exploration_lengths": {"horizon": 10**6, "outcomes": [2], "dims": [2], "norms": [0.5], "deltas": [0.1]},
        "trigger": {"horizon": 1000, "seeds": 2},
        "exponents": {
            "horizon": 1e16,
            "step": 0.5,
            "algorithms": ["oful-mlogb"],
            "grids": {"d": [2, 3], "K": [2, 3], "kappa_star": [32, 95], "R": [1, 2]},
        },
        "scaling": {
            "horizons": [100],
            "step": 0.5,
            "runs": 2,
            "most_runs": 2,
            "algorithms": ["oful-mlogb"],
            "grids": {"d": [2, 3], "K": [2, 3], "kappa_star": [26, 75], "R": [1, 2]},
        },
        "family": {
            "horizon": 2000,
            "step": 0.5,
            "runs": 2,
            "spreads": [1],
            "algorithms": ["sign-sampler"],
            "grids": {"K": [2, 3], "d": [2, 3], "T": [2000, 3000]},
            "pairs": {"algorithms": ["pair-sampler"], "grids": {"K": [4, 5], "T": [2000, 3000]}},
        },
        "diameter": {"horizon": 1000, "instances": ["large-kappa-star-S1"]},
        "frameworks": {"horizon": 100, "runs": 2},
        "kappa": {"outcomes": [2, 3], "radii": [0.5, 1.0]},
        "kappa_star": {"outcomes": [2, 3], "norms": [1.0, 2.0]},
    },
    "claims": {"effort": "smoke", "parts": ["theorem_two"]},
    "cost": {"instances": ["large-kappa-star-S1"], "algorithms": ["oful-mlogb"]},
}


TARGETS = [
    "results/tiny/tables/final_regret.csv",
    "results/tiny/tables/coverage.csv",
    "results/tiny/tables/kappa.csv",
    "figures/tiny/regret.pdf",
]
"""Enough of the tiny study for a test that needs one more run of it."""


class Workflow:
    """The tiny study in a folder of its own, run from the checkout `root`."""

    def __init__(self, folder: Path, root: Path = ROOT, batch: int = 2) -> None:
        self.folder, self.root = folder, root
        batches = {name: {"batch": batch} for name, study in TINY["studies"].items() if "batch" in study}
        config = laid_over(TINY, {"studies": batches})
        self.config = folder / "tiny.yaml"
        self.config.write_text(yaml.safe_dump(config, sort_keys=False))

    def command(self, *arguments: str) -> list[str]:
        base = [sys.executable, "-m", "snakemake", "--snakefile", str(self.root / "Snakefile")]
        return [*base, "--configfile", str(self.config), "--directory", str(self.folder), *arguments]

    def environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(self.root / "src")}

    def run(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            self.command(*arguments), env=self.environment(), capture_output=True, text=True, timeout=1200, check=False
        )
        output = done.stdout + done.stderr
        assert not check or done.returncode == 0, output
        return output

    def hashes(self) -> dict[str, str]:
        """See the function of that name."""
        return hashes(self.folder)


def hashes(folder: Path, name: str = "tiny") -> dict[str, str]:
    """Hashes of all results of a study but timings, and the ledger with its seconds, which are the machine's.

    A job that is killed while it writes leaves its hidden temporary file, which nothing reads.
    """
    files = [*folder.glob(f"results/{name}/**/*"), *folder.glob(f"figures/{name}/*")]
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(files)
        if path.is_file() and path.parent.name not in ("timings", "claims") and not path.name.startswith(".")
    }


class Newcomer:
    """A checkout in `folder`, with an environment outside; its full study is the tiny one, its smoke study a part."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.venv = folder / "checkout", folder / "environment"
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
            if (ROOT / name).is_file():
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.folder / name)
        config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
        self.write("config/config.yaml", laid_over(config, TINY | {"name": "full"}))
        smoke = {"name": "smoke", "run": ["kappa", "kappa_star", "diameter"], "studies": {"kappa": {"radii": [0.5]}}}
        self.write("config/smoke.yaml", smoke)
        self.venv.mkdir()
        (self.venv / "bin").symlink_to(Path(sys.executable).parent)
        (self.venv / "ready").touch()

    def write(self, name: str, content: dict) -> None:
        (self.folder / name).write_text(yaml.safe_dump(content, sort_keys=False))

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "MAKE"))}
        path = os.pathsep.join([str(self.venv / "bin"), os.environ["PATH"]])
        return kept | {"PYTHONPATH": str(self.folder / "src"), "VENV": str(self.venv), "PATH": path}

    def run(self, command: str, check: bool = True, **environment: str) -> str:
        """What a command of the shell prints, in the checkout."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env=self.environment() | environment,
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )
        output = done.stdout + done.stderr
        assert done.returncode == 0 or not check, output
        return output
