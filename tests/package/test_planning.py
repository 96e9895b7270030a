"""Plans: the jobs of a build, their costs by those of others, and the bounds of the wall time."""

import math

import pandas as pd
import pytest

from mnlbandits.config import whole_config
from mnlbandits.errors import InputError
from mnlbandits.planning.costs import KEY, ROW, Cost, Costs, measured_table, packaged
from mnlbandits.planning.jobs import Jobs, jobs_of
from mnlbandits.planning.plan import CORES, PROFILES, Profile, longest_chain, plan_of, wall_on

ROUNDS = pd.DataFrame(
    [["real", "paper", 1000.0, 2.0, 1.0, 0.5], ["rs-mnl", "valid", 3000.0, 2.0, 1.0, 0.5]],
    columns=["algorithm", "preset", "microseconds", "K", "d", "arms"],
)

MEASURED = pd.DataFrame(
    [
        ["run_algorithm", "exact real list paper", 3, 2, 20, 1000.0, 50.0, 12.0, 200.0, 0.01],
        ["run_algorithm", "exact real list paper", 3, 2, 20, 10000.0, 50.0, 32.0, 200.0, 0.01],
        ["run_algorithm", "exact real list valid", 3, 2, 20, 1000.0, 500.0, 4.0, 300.0, 0.1],
        ["verify_kappa", "", 1, 1, 1, 10.0, 0.0, 12.0, 150.0, 0.0],
        ["calibrate", "real list", 3, 2, 20, 100.0, 0.0, 20.0, 150.0, 0.0],
        ["generate_instance", "random", 1, 1, 1, 1.0, 0.0, 2.0, 150.0, 0.0],
    ],
    columns=[*KEY, "seconds", "memory", "disk"],
)


def seconds(work, size=(3, 2, 20), what="exact real list paper", rows=50.0):
    return Costs(MEASURED, ROUNDS).of("run_algorithm", tuple(what.split()), size, work, rows).seconds


def test_what_was_measured_costs_what_was_measured():
    assert seconds(1000.0) == 12.0
    assert seconds(10000.0) == 32.0


def test_every_further_round_takes_what_was_timed():
    assert seconds(20000.0) == pytest.approx(32 + 10000 * 0.001)
    assert seconds(10000.0, (6, 2, 20)) == pytest.approx(32 + 10000 * (4 - 1) * 0.001)
    assert seconds(10000.0, (3, 4, 80)) == pytest.approx(32 + 10000 * (2 * 2 - 1) * 0.001)
    assert seconds(1.0) == pytest.approx(12 - 999 * 0.001)


def of(rule, what, size=(1, 1, 1), work=1.0):
    return Costs(MEASURED, ROUNDS).of(rule, tuple(what.split()), size, work, 0.0).seconds


def test_beyond_their_start_other_jobs_grow_with_their_work_and_size():
    assert of("verify_kappa", "", work=10.0) == 12.0
    assert of("verify_kappa", "", work=20.0) == 2 + 2 * 10
    assert of("calibrate", "real list", (6, 2, 80), 200.0) == pytest.approx(2 + 2 * 4 * 2 * 18)


def test_what_was_not_measured_costs_as_what_is_most_like_it():
    assert seconds(1000.0, what="exact real list calibrated") == 12.0
    assert seconds(2000.0, what="exact mine list none") == pytest.approx(12.0 + 1000 * 0.002), "rounds of the median system"
    with pytest.raises(InputError, match="costs: got 'make_site', must be a rule that was measured"):
        of("make_site", "")


def memory(rows, measured=MEASURED):
    of = Costs(measured, ROUNDS).of
    return of("run_algorithm", ("exact", "real", "list", "valid"), (3, 2, 20), 1000.0, rows)


def test_memory_and_files_grow_with_the_rows():
    assert memory(5000.0).memory == pytest.approx(300 + 4500 * ROW), "of so few rows as were measured nothing is known"
    assert memory(5000.0).disk == pytest.approx(1.0)
    many = MEASURED.assign(rows=[50.0, 50.0, 200050.0, 0.0, 0.0, 0.0])
    assert memory(400050.0, many).memory == pytest.approx(300 + 100)


@pytest.fixture(scope="module")
def smoke():
    return whole_config(["config/smoke.yaml"])


def changed(config, study, **settings):
    return config | {"studies": config["studies"] | {study: config["studies"][study] | settings}}


def test_batches_are_jobs_that_play_all_runs(smoke):
    key = ("run_algorithm", "coverage", "large-kappa-star-S1", "oful-mlogb-paper")
    one, many = jobs_of(smoke)[key], jobs_of(changed(smoke, "coverage", batch=25))[key]
    assert (one.count, many.count) == (1, 4)
    assert one.rounds == many.rounds == 80 * 1000
    assert many.work * many.count == one.work == 80 * 1000
    assert one.rows > many.rows


def test_a_build_has_what_its_parts_need_and_no_more(smoke):
    assert {key[0] for key in jobs_of(smoke | {"run": ["kappa"]})} == {
        *("verify_kappa", "render_figure", "render_table", "make_site", "tabulate_rules")
    }
    cost = {key[0] for key in jobs_of(smoke | {"run": ["cost"]})}
    assert {"measure_cost", "make_table1", "aggregate_regret", "run_algorithm", "calibrate"} <= cost
    assert not {"rank_algorithms", "examine_claims", "render_figure"} & cost


def test_what_a_job_waits_for_stands_before_it(smoke):
    seen = set()
    for key, jobs in jobs_of(smoke).items():
        assert set(jobs.after) <= seen, key
        seen.add(key)


def test_a_study_twice_the_size_plays_twice_the_rounds(smoke):
    once, twice = jobs_of(smoke), jobs_of(changed(smoke, "coverage", runs=160, batch=80))
    assert sum(jobs.rounds for jobs in twice.values()) - sum(jobs.rounds for jobs in once.values()) == 2 * 80 * 1000


def test_alike_jobs_are_a_row_of_what_was_measured(smoke, tmp_path):
    jobs = jobs_of(smoke)
    runs = tmp_path / "work/smoke/regret/lower-bound/uniform"
    runs.mkdir(parents=True)
    (runs / "0.regret.parquet").write_bytes(b"x" * 2000)
    rows = [
        ["run_algorithm", "regret.lower-bound.uniform.0", 4.0, 3.0, 100.0],
        ["run_algorithm", "regret.large-kappa-star-S1.uniform.0", 4.0, math.nan, 120.0],
        ["compile_leaps", "real", 4.0, 3.0, 100.0],
    ]
    benchmarks = pd.DataFrame(rows, columns=["rule", "job", "seconds", "cpu_seconds", "memory"])
    row = measured_table("smoke", jobs, benchmarks, tmp_path).to_dict("records")
    assert [(line["what"], line["work"], line["seconds"], line["memory"]) for line in row] == [
        ("exact uniform list none", 4 * 20000.0, 3.5, 120.0)
    ]
    assert row[0]["disk"] == pytest.approx(0.001)


FORK = {
    ("a",): Jobs(),
    ("b", "x"): Jobs([("a",)], count=3, rounds=10.0),
    ("c",): Jobs([("a",)]),
    ("d",): Jobs([("b", "x"), ("c",)]),
}
HOURS = {("a",): 1.0, ("b", "x"): 2.0, ("c",): 5.0, ("d",): 1.0}
COSTS = {key: Cost(3600 * hours, 100 * hours, 1000.0) for key, hours in HOURS.items()}


def test_the_wall_time_respects_the_longest_chain():
    assert longest_chain(FORK, HOURS) == (3, 7.0)
    plan = plan_of(FORK, COSTS, Profile(0.0, 0.0, 0.0))
    assert (plan.jobs, plan.rounds, plan.core_hours, plan.disk) == (6, 10.0, 13.0, 6.0)
    assert (plan.longest, plan.longest_hours, plan.memory, plan.largest) == ("c", 5.0, 500.0, "c")
    one, many = plan.walls[0], plan.walls[-1]
    assert one == (1, 13.0, 13.0)
    assert many.least == 7.0
    assert many.most == pytest.approx(7.0, abs=0.01)
    assert [wall.cores for wall in plan.walls] == list(CORES)
    assert list(plan.rules) == ["b", "c", "a", "d"]


def test_a_profile_takes_time_for_every_job():
    plain, slurm = (plan_of(FORK, COSTS, profile) for profile in (Profile(0, 0, 0), Profile(3600, 360, 720)))
    assert slurm.core_hours == pytest.approx(plain.core_hours + 6 * 0.1)
    assert slurm.chain_hours == pytest.approx(plain.chain_hours + 3 * 0.3)
    assert slurm.walls[-1].least == pytest.approx(slurm.chain_hours)
    assert slurm.walls[-1].most == pytest.approx(slurm.chain_hours + 6, abs=0.01)


def test_bounds_meet_where_jobs_run_one_after_the_other():
    assert wall_on(1, 10.0, 4.0, 0.0) == (1, 10.0, 10.0)
    assert wall_on(4, 10.0, 4.0, 20.0).least == 20.0


def test_the_full_study_is_planned_from_what_the_package_carries():
    jobs = jobs_of(whole_config())
    plan = plan_of(jobs, packaged().each(jobs), PROFILES["local"])
    assert plan.jobs == sum(count for count, _ in plan.rules.values()) > 500
    assert plan.walls[0].least == pytest.approx(plan.core_hours)
    assert 0.2 < plan.core_hours < 20
