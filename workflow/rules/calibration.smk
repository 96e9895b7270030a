CELLS = to_be_calibrated(config, PAIRS)
"""Instances and labels that a study plays with multipliers found here."""


rule calibrate:
    input:
        kernels=kernels_of,
        instance="<results>/instances/{instance}.json",
    output:
        table="<work>/calibration/{instance}/{label}.csv",
    log:
        "<logs>/calibrate/{instance}.{label}.log",
    benchmark:
        "<logs>/benchmarks/calibrate/{instance}.{label}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(60),
    params:
        code=lambda wildcards: digest_of(
            "verify.calibration", "results", algorithm_module(wildcards.label)
        ),
        entry=lambda wildcards: config["algorithms"][wildcards.label],
        settings=config["calibration"],
        delta=config["delta"],
    script:
        "../scripts/calibrate.py"


rule collect_calibration:
    input:
        tables=[
            f"<work>/calibration/{instance}/{label}.csv" for instance, label in CELLS
        ],
    output:
        table="<results>/tables/calibration.csv",
    log:
        "<logs>/collect_calibration.log",
    benchmark:
        "<logs>/benchmarks/collect_calibration.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("results"),
        cells=[
            {
                "instance": instance,
                "algorithm": config["algorithms"][label]["algorithm"],
            }
            for instance, label in CELLS
        ],
    script:
        "../scripts/collect_calibration.py"


rule rank_algorithms:
    input:
        regret="<results>/runs/{study}.regret.parquet",
        final="<results>/tables/final_{study}.csv",
    output:
        pairs="<results>/tables/pairs_{study}.csv",
        ranking="<results>/tables/ranking_{study}.csv",
    log:
        "<logs>/rank_algorithms/{study}.log",
    benchmark:
        "<logs>/benchmarks/rank_algorithms/{study}.tsv"
    wildcard_constraints:
        study=named("comparison"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("analysis.ranking", "results"),
    script:
        "../scripts/rank_algorithms.py"
