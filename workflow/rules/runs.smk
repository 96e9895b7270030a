rule compile_kernels:
    output:
        archive="<kernels>/{module}.{loop}.{code}.zip",
    log:
        "<logs>/compile_kernels/{module}.{loop}.{code}.log",
    benchmark:
        "<logs>/benchmarks/compile_kernels/{module}.{loop}.{code}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=lambda wildcards: wildcards.code,
        module=lambda wildcards: MODULES[wildcards.module],
    script:
        "../scripts/compile_kernels.py"


rule run_algorithm:
    input:
        kernels=kernels_of,
        instance="<results>/instances/{instance}.json",
        multipliers=multipliers_of,
    output:
        regret="<work>/{study}/{instance}/{label}/{batch}.regret.parquet",
        sets="<work>/{study}/{instance}/{label}/{batch}.sets.parquet",
    log:
        "<logs>/run_algorithm/{study}.{instance}.{label}.{batch}.log",
    benchmark:
        "<logs>/benchmarks/run_algorithm/{study}.{instance}.{label}.{batch}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        code=lambda wildcards: digest_of(
            "simulators.runs", "results", algorithm_module(wildcards.label)
        ),
        entry=lambda wildcards: config["algorithms"][wildcards.label],
        runs=batch_runs,
        play=play,
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/run_algorithm.py"


rule collect_runs:
    input:
        regret=batch_files("regret"),
        sets=batch_files("sets"),
    output:
        regret="<results>/runs/{study}.regret.parquet",
        sets="<results>/runs/{study}.sets.parquet",
    log:
        "<logs>/collect_runs/{study}.log",
    benchmark:
        "<logs>/benchmarks/collect_runs/{study}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("results"),
        parts=study_parts,
        presets={
            label: entry["preset"] for label, entry in config["algorithms"].items()
        },
    script:
        "../scripts/collect_runs.py"


rule aggregate_regret:
    input:
        regret="<results>/runs/{study}.regret.parquet",
    output:
        regret="<results>/tables/{study}.csv",
        final="<results>/tables/final_{study}.csv",
    log:
        "<logs>/aggregate_regret/{study}.log",
    benchmark:
        "<logs>/benchmarks/aggregate_regret/{study}.tsv"
    wildcard_constraints:
        study=named("regret", "comparison"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("analysis.regret", "results"),
    script:
        "../scripts/aggregate_regret.py"


rule profile_regret:
    input:
        regret="<results>/runs/{study}.regret.parquet",
        instances=instances_of,
    output:
        profile="<results>/tables/{study}_profile.csv",
    log:
        "<logs>/profile_regret/{study}.log",
    benchmark:
        "<logs>/benchmarks/profile_regret/{study}.tsv"
    wildcard_constraints:
        study=named("regret", "comparison"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=digest_of("analysis.profile", "results"),
    script:
        "../scripts/profile_regret.py"
