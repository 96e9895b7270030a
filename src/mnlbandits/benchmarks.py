"""What jobs took, by the benchmarks that Snakemake writes of them."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

MEGABYTE = 1.048576
"""Snakemake measures memory in MiB, and is asked for it in MB."""


def read_benchmarks(folder: Path | str) -> pd.DataFrame:
    """A row per job: rule, job (its wildcards, joined by dots, or nothing), seconds, cpu_seconds, memory (MB).

    Parameters
    ----------
    folder : logs/NAME/benchmarks, with files RULE/JOB.tsv, or RULE.tsv of a rule with one job.

    Notes
    -----
    CPU seconds and memory are missing of a job that was too short to be looked at.
    """
    rows = []
    for path in sorted(Path(folder).rglob("*.tsv")):
        rule, *job = path.relative_to(folder).with_suffix("").parts
        took = pd.read_csv(path, sep="\t", na_values=["-", "NA"]).reindex(columns=["s", "cpu_time", "max_rss"])
        rows.append([rule, *(job or [""]), took["s"].sum(), took["cpu_time"].sum(min_count=1), took["max_rss"].max()])
    table = pd.DataFrame(rows, columns=["rule", "job", "seconds", "cpu_seconds", "memory"])
    return table.assign(memory=table["memory"].astype(float) * MEGABYTE)


def rules_table(benchmarks: pd.DataFrame, asked: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Where the time went, a row per rule, the dearest first.

    Parameters
    ----------
    benchmarks : as `read_benchmarks` gives them; rules that are not in `asked` are left out, as they are no longer there.
    asked : by rule, its mem_mb and runtime.

    Columns: rule, jobs, seconds, cpu_seconds, share (of all CPU seconds), longest (s), memory (MB, of the largest job), and
    mem_mb and runtime (minutes), which are asked for every job.
    """
    jobs = benchmarks[benchmarks["rule"].isin(list(asked))].groupby("rule", sort=True)
    table = jobs.agg(
        jobs=("job", "size"),
        seconds=("seconds", "sum"),
        cpu_seconds=("cpu_seconds", "sum"),
        longest=("seconds", "max"),
        memory=("memory", "max"),
    ).round(2)
    table.insert(3, "share", (table["cpu_seconds"] / table["cpu_seconds"].sum()).round(4))
    limits = pd.DataFrame([asked[rule] for rule in table.index], index=table.index, columns=["mem_mb", "runtime"])
    table = table.join(limits).reset_index()
    return table.sort_values(["cpu_seconds", "rule"], ascending=[False, True], ignore_index=True)
