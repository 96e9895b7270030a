rule aggregate_horizon:
    input:
        regret="<results>/runs/{study}.regret.parquet",
        sets="<results>/runs/{study}.sets.parquet",
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/aggregate_horizon/{study}.log",
    benchmark:
        "<logs>/benchmarks/aggregate_horizon/{study}.tsv"
    wildcard_constraints:
        study="horizon|data_long",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=digest_of("verify.horizon", "results"),
    script:
        "../scripts/aggregate_horizon.py"


rule find_crossovers:
    input:
        kernels=[
            f"<kernels>/{module_name(name)}.leap.compiled"
            for name in ("real", *config["crossovers"]["rivals"])
        ],
    output:
        table="<work>/crossovers/{outcomes}.csv",
    log:
        "<logs>/find_crossovers/{outcomes}.log",
    benchmark:
        "<logs>/benchmarks/find_crossovers/{outcomes}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=digest_of("verify.horizon", "results"),
        grid=config["crossovers"],
        delta=config["delta"],
    script:
        "../scripts/find_crossovers.py"


rule collect_crossovers:
    input:
        tables=collect(
            "<work>/crossovers/{outcomes}.csv",
            outcomes=config["crossovers"]["outcomes"],
        ),
    output:
        table="<results>/tables/crossovers.csv",
    log:
        "<logs>/collect_crossovers.log",
    benchmark:
        "<logs>/benchmarks/collect_crossovers.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=digest_of("results"),
    script:
        "../scripts/collect_crossovers.py"


rule measure_exploration:
    output:
        lengths="<results>/tables/exploration_lengths.csv",
        trigger="<results>/tables/trigger.csv",
    log:
        "<logs>/measure_exploration.log",
    benchmark:
        "<logs>/benchmarks/measure_exploration.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=digest_of("verify.horizon", "results"),
        grid=config["exploration_lengths"],
        trigger=config["trigger"],
        delta=config["delta"],
    script:
        "../scripts/measure_exploration.py"


rule measure_exponents:
    input:
        kernels=lambda wildcards: f"<kernels>/{module_name(wildcards.algorithm)}.leap.compiled",
    output:
        table="<work>/exponents/{algorithm}.csv",
    log:
        "<logs>/measure_exponents/{algorithm}.log",
    benchmark:
        "<logs>/benchmarks/measure_exponents/{algorithm}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=digest_of("verify.exponents", "results"),
        study=config["exponents"],
        delta=config["delta"],
    script:
        "../scripts/measure_exponents.py"


rule fit_exponents:
    input:
        points=collect(
            "<work>/exponents/{algorithm}.csv",
            algorithm=config["exponents"]["algorithms"],
        ),
    output:
        points="<results>/tables/exponent_points.csv",
        exponents="<results>/tables/exponents.csv",
    log:
        "<logs>/fit_exponents.log",
    benchmark:
        "<logs>/benchmarks/fit_exponents.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=digest_of("verify.exponents", "results"),
    script:
        "../scripts/fit_exponents.py"
