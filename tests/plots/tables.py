"""Small tables with the columns of the real ones, for figures of any number of instances."""

import itertools
import math

import numpy as np
import pandas as pd

from mnlbandits.verify.horizon import learning_slopes, learnt_since_tau

NAMES = ["large-kappa-star-S1", "large-kappa-star-S3", "lower-bound", "random-K3", "random-K5", "another-random-K7"]

LABELS = {
    "uniform": "none",
    "oracle": "none",
    "real-paper": "paper",
    "oful-mlogb-paper": "paper",
    "oful-mlogb-valid": "valid",
    "real-calibrated": "calibrated",
    "newcomer-calibrated": "calibrated",
}


def regret(instances, runs=4):
    t = np.unique(np.geomspace(1, 20_000, 30).astype(int))
    parts = []
    for number, instance in enumerate(instances, 1):
        for place, (label, preset) in enumerate(LABELS.items()):
            mean = 0.0 * t if label == "oracle" else 0.05 * number * t ** (1 - 0.05 * place)
            half = 0.3 * mean if preset != "none" else 0.0 * t
            low, high = (mean - half, mean + half) if runs > 1 else (-np.inf, np.inf)
            columns = {"t": t, "runs": runs, "mean": mean, "low": low, "high": high}
            parts.append(pd.DataFrame({"instance": instance, "algorithm": label, "preset": preset} | columns))
    return pd.concat(parts, ignore_index=True)


def profile(count):
    """Profiles with so many sets of constants, at most three."""
    rows = []
    for place, (label, preset) in enumerate(LABELS.items()):
        if preset in ("paper", "valid", "calibrated")[:count]:
            for ratio in (0.001, 0.01, 0.1, 1.0, 10.0):
                share = min(1.0, ratio ** (0.2 + 0.1 * place))
                rows.append((preset, label, ratio, 6, 120, share, max(0.0, share - 0.1), min(1.0, share + 0.1)))
    return pd.DataFrame(rows, columns=["preset", "algorithm", "ratio", "instances", "plays", "share", "low", "high"])


def diameter(instances):
    parts = []
    for number, instance in enumerate(instances, 1):
        tau = 40_000_000_000 * number
        t = np.unique(np.append(np.geomspace(1, tau, 60).astype(np.int64), tau))
        values = 168 / np.sqrt(1 + t / (5_000 * number))
        shortest = t[values <= 1 / math.sqrt(6)][0]
        columns = {"t": t, "diameter": values, "bound": 1 / math.sqrt(6), "tau": tau, "shortest": shortest, "excess": 1e-7}
        parts.append(pd.DataFrame({"instance": instance} | columns))
    return pd.concat(parts, ignore_index=True)


def margins(instances, runs=40):
    spread = np.exp(np.random.default_rng(1).normal(0, 0.4, runs))
    levels = {"real-paper": 1e-3, "oful-mlogb-paper": 0.1, "real-valid": 1e-2, "real-calibrated": 0.4}
    parts = []
    for number, instance in enumerate(instances, 1):
        for label, level in levels.items():
            for name in ("Theta", "C_t") if label.startswith("real") else ("C_t",):
                if (number, label) == (2, "real-paper"):
                    continue  # its exploration did not end
                columns = {"run": np.arange(runs), "set": name, "ratio": level * spread}
                parts.append(
                    pd.DataFrame({"instance": instance, "algorithm": label, "preset": label.split("-")[-1]} | columns)
                )
    return pd.concat(parts, ignore_index=True).assign(delta=0.05)


def kappa_star(count):
    norms = np.array([0.5, 1.0, 2.0, 4.0, 6.0])
    parts = []
    for outcomes in range(2, 2 + count):
        columns = {"kappa_star": 5 * np.exp(1.2 * norms), "kappa_star_m": 5 * np.exp(norms), "printed": np.exp(norms) / 2}
        parts.append(pd.DataFrame({"outcomes": outcomes, "norm": norms} | columns | {"kappa": outcomes * np.exp(norms)}))
    return pd.concat(parts, ignore_index=True)


def kappa(count, undecided=False):
    rows = []
    for convention in ("frobenius", "rows"):
        for outcomes in range(2, 2 + count):
            for radius in (0.5, 1.0, 2.0, 3.0):
                value = outcomes * math.exp(radius)
                rows.append(
                    {"convention": convention, "outcomes": outcomes, "radius": radius}
                    | {"kappa": value, "kappa_lower": value / (1 + 1e-10), "kappa_upper": value * (1 + 1e-10)}
                    | {"weyl_upper": value * 3, "main_lower": value * radius / 1.5, "even_lower": value / 2}
                    | {
                        "weyl_holds": "holds",
                        "main_holds": "holds" if radius < 1.5 else "fails",
                        "even_holds": "not claimed" if outcomes % 2 else "holds",
                    }
                )
    table = pd.DataFrame(rows)
    if undecided:
        table.loc[table["radius"] == 1.0, "main_holds"] = "undecided"
    return table


def comparison(instances):
    final = regret(instances)
    return final[final["t"] == final["t"].max()].reset_index(drop=True)


def frameworks(runs):
    t = np.unique(np.geomspace(1, 20_000, 30).astype(int))
    parts = []
    for framework, names in (("mnl", ["oful-mlogb", "uniform"]), ("logit", ["ofu-mnl+", "ucb-mnl", "uniform"])):
        for place, name in enumerate(names):
            mean = 0.1 * t ** (0.8 + 0.1 * place)
            low, high = (mean / 2, 2 * mean) if runs > 1 else (-np.inf, np.inf)
            keys = {"framework": framework, "algorithm": name, "preset": "none" if name == "uniform" else "valid"}
            parts.append(pd.DataFrame(keys | {"t": t, "runs": runs, "mean": mean, "low": low, "high": high}))
    return pd.concat(parts, ignore_index=True)


def horizon(instances):
    t = np.geomspace(1, 1e18, 91)
    parts = []
    for instance in instances:
        for label, tau in (("real-paper", 1e10), ("oful-mlogb-paper", math.nan)):
            learnt = np.maximum(t - (tau if tau > 0 else 0), 1e-3)
            regret = np.minimum(t, tau) * 0.05 if tau > 0 else 0.0
            regret = regret + np.minimum(0.05 * learnt, 30 * np.sqrt(learnt))
            keys = {"instance": instance, "algorithm": label, "preset": "paper"}
            curve = pd.DataFrame(keys | {"t": t, "regret": regret, "error": 1e-3 * regret, "tau": tau, "slope": 0.5})
            curve = curve.assign(over_rate=regret / np.sqrt(t), learnt=learnt_since_tau(curve) if tau > 0 else math.nan)
            parts.append(curve.assign(learning_slope=learning_slopes(curve) if tau > 0 else math.nan))
    return pd.concat(parts, ignore_index=True)


def exploration_lengths(cells):
    rows = []
    for outcomes in range(2, 2 + cells):
        for norm in (0.5, 1.0, 2.0):
            for delta in (0.1, 0.01, 0.001):
                rounds = 1e6 * outcomes * norm * (1 - math.log10(delta))
                values = {"tau": 1e4 * rounds, "sufficient": 150 * rounds, "first": rounds, "rounds": 1.3 * rounds}
                sizes = {"outcomes": outcomes, "dim": 2, "norm": norm, "delta": delta}
                rows.append(sizes | values | {"bound": 100 * rounds})
    return pd.DataFrame(rows)


def exponent_points(count):
    powers = {"T": 0.5, "d": 1.0, "K": 0.5, "kappa_star": -0.5, "R": 1.0}
    rows = []
    for number, algorithm in enumerate(("real", "oful-mlogb")[:count], 1):
        for quantity, power in powers.items():
            for value in (2, 3, 4, 6, 8, 10):
                regret = 1e9 * number * value**power
                keys = {"algorithm": algorithm, "quantity": quantity, "value": value}
                rows.append(keys | {"regret": regret, "error": 1e-3 * regret})
    return pd.DataFrame(rows)


def calibration(instances):
    rows = []
    for number, instance in enumerate(instances, 1):
        for algorithm, option, multiplier in (
            ("real", "exploration_multiplier", 0.004),
            ("real", "radius_multiplier", 0.1),
            ("adaptive-real", "exploration_multiplier", 0.4),
            ("adaptive-real", "radius_multiplier", 0.4),
            ("oful-mlogb", "radius_multiplier", 1.0),
        ):
            found = {"multiplier": multiplier ** (1 / number), "passed": multiplier < 1, "tests": 5, "runs": 500 + number}
            rows.append({"instance": instance, "algorithm": algorithm, "option": option} | found | {"error": 0.05})
    return pd.DataFrame(rows)


def scaling(count):
    rows = []
    for name in ("real", "oful-mlogb", "mnl-ucb", "glm-ucb", "rs-mnl", "mnl-ucb-plus")[:count]:
        for quantity, horizon in itertools.product(("T", "kappa_star", "d", "K", "R"), (10**5, 10**9)):
            sizes = {"points": 6, "runs": 50, "first": 1.0, "last": 10000.0}
            slopes = {"slope": 0.6, "low": 0.55, "high": 0.65, "resolved": quantity != "K"}
            slopes |= {"printed": math.nan if name == "rs-mnl" else 0.5}
            rows.append({"algorithm": name, "horizon": horizon, "quantity": quantity} | sizes | slopes)
    return pd.DataFrame(rows)


def family(count):
    rows = []
    for name in ("sign-sampler", "oful-mlogb", "rs-mnl", "mnl-ucb-plus", "real", "mnl-ucb")[:count]:
        for quantity, values in {"K": (2, 3, 16), "d": (2, 3), "T": (10**4, 10**6)}.items():
            for value in values:
                size = {"K": 3, "d": 2, "T": 10**5} | {quantity: value}
                preset = "none" if name == "sign-sampler" else "calibrated"
                row = {"family": "signs", "algorithm": name, "preset": preset, "quantity": quantity, "value": value}
                row |= {"runs": 50, "bound": 5e-5} | size
                for rate, mean in (("over_root_KT", 0.3), ("over_root_T", 0.5)):
                    row |= {rate: mean, f"{rate}_low": 0.9 * mean, f"{rate}_high": 1.1 * mean}
                rows.append(row)
                if quantity != "d":
                    rows.append(row | {"family": "pairs", "bound": 0.05})
    return pd.DataFrame(rows)


def changing(instances):
    table = regret(instances)
    t = table["t"].astype(float)
    adaptive = table.assign(algorithm="adaptive-" + table["algorithm"])[table["algorithm"].str.startswith("real")]
    table = pd.concat([table, adaptive], ignore_index=True)
    t = table["t"].astype(float)
    explores = table["algorithm"].str.startswith("adaptive")
    bound = np.where(explores & (table["preset"] == "paper"), 1e6 + t, np.nan)
    return table.assign(error=0.0, optimal=0.2 * t, explored=np.where(explores, np.minimum(t, 700), 0.0), bound=bound)


def data(instances):
    rows = []
    for instance in instances:
        for label, preset, source in (
            ("uniform", "none", None),
            ("adaptive-real-calibrated", "calibrated", "itself"),
            ("adaptive-real-transferred", "calibrated", "random-K3"),
            ("oful-mlogb-calibrated", "calibrated", "itself"),
            ("oful-mlogb-transferred", "calibrated", "random-K3"),
        ):
            mean, coverage = (1.0, math.nan) if preset == "none" else (1.7, 0.97 if source == "itself" else 0.4)
            row = {"instance": instance, "algorithm": label, "preset": preset, "calibrated_on": source}
            row |= {"multiplier": math.nan if preset == "none" else 0.4, "t": 2000, "runs": 100}
            row |= {"mean": 600 * mean, "low": 570 * mean, "high": 630 * mean}
            rows.append(row | {"coverage": coverage, "coverage_low": coverage - 0.05, "coverage_high": coverage + 0.02})
    return pd.DataFrame(rows).assign(target=0.95)


def claims(count):
    names = ("information", "lower bound", "confidence", "curvature", "potential")[: min(count, 5)]
    rows = [(name, line, x, y * x) for name in names for line, y in (("one", 0.1), ("two", 0.3)) for x in (1.0, 10.0, 100.0)]
    return pd.DataFrame(rows, columns=["picture", "line", "x", "y"])


TABLES = {
    "claims": claims,
    "family": family,
    "calibration": lambda count: calibration(NAMES[:count]),
    "scaling": scaling,
    "changing": lambda count: changing(NAMES[:count]),
    "horizon": lambda count: horizon(NAMES[:count]),
    "rate": lambda count: horizon(NAMES[:count]),
    "profile": profile,
    "transfer": lambda count: data(NAMES[:count]),
    "exploration": exploration_lengths,
    "exponents": exponent_points,
    "comparison": lambda count: comparison(NAMES[:count]),
    "regret": lambda count: regret(NAMES[:count]),
    "diameter": lambda count: diameter(NAMES[:count]),
    "coverage": lambda count: margins(NAMES[:count]),
    "kappa_star": kappa_star,
    "kappa": kappa,
    "frameworks": frameworks,
}
"""By figure: the table for a number of instances, or of whatever else its panels are."""
