"""What jobs took, by the benchmarks that Snakemake writes."""

import math

import pytest

from mnlbandits.benchmarks import read_benchmarks, rules_table

HEAD = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"

ASKED = {"play": {"mem_mb": 500, "runtime": 60}, "draw": {"mem_mb": 800, "runtime": 10}}


@pytest.fixture
def folder(tmp_path):
    """Two jobs of a rule, one of a rule with one, one too short to be looked at, and one of a rule that is no more."""
    for name, row in {
        "play/a.b.0.tsv": "10.0\t0:00:10\t100.0\t-\t-\t-\t0\t0\t0\t8.0",
        "play/a.b.1.tsv": "20.0\t0:00:20\t200.0\t-\t-\t-\t0\t0\t0\t12.0",
        "draw.tsv": "0.01\t0:00:00\t-\t-\t-\t-\t-\t-\t-\t-",
        "gone/x.tsv": "5.0\t0:00:05\t900.0\t-\t-\t-\t0\t0\t0\t5.0",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(HEAD + row + "\n")
    return tmp_path


def test_a_job_is_a_row(folder):
    table = read_benchmarks(folder)
    assert table[["rule", "job"]].to_numpy().tolist() == [["draw", ""], ["gone", "x"], ["play", "a.b.0"], ["play", "a.b.1"]]
    assert table["memory"].iloc[2] == pytest.approx(100 * 2**20 / 1e6)
    assert math.isnan(table["cpu_seconds"].iloc[0])


def test_a_rule_is_a_row_the_dearest_first_and_only_what_there_is(folder):
    table = rules_table(read_benchmarks(folder), ASKED).set_index("rule")
    assert list(table.index) == ["play", "draw"]
    assert table.loc["play", ["jobs", "seconds", "cpu_seconds", "share", "longest", "mem_mb", "runtime"]].tolist() == [
        *(2, 30, 20, 1, 20, 500, 60)
    ]
    assert table.loc["play", "memory"] == pytest.approx(209.7, abs=0.1)
    assert math.isnan(table.loc["draw", "memory"])
    assert table.loc["draw", "cpu_seconds"] == 0
