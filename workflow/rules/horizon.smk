rule aggregate_horizon:
    input:
        regret="<results>/runs/{study}.regret.parquet",
        sets="<results>/runs/{study}.sets.parquet",
        instances=instances_of,
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/aggregate_horizon/{study}.log",
    benchmark:
        "<logs>/benchmarks/aggregate_horizon/{study}.tsv"
    wildcard_constraints:
        study=named("horizon"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("verify.horizon", "results"),
    script:
        "../scripts/aggregate_horizon.py"


rule find_crossovers:
    input:
        kernels=lambda wildcards: [
            kernels(name, "leap") for name in ("real", *the_study(wildcards)["rivals"])
        ],
    output:
        table="<work>/{study}/crossovers/{outcomes}.csv",
    log:
        "<logs>/find_crossovers/{study}.{outcomes}.log",
    benchmark:
        "<logs>/benchmarks/find_crossovers/{study}.{outcomes}.tsv"
    wildcard_constraints:
        study=named("crossovers"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        code=digest_of("verify.horizon", "results"),
        grid=settings_of("kind", "outcomes"),
        delta=config["delta"],
    script:
        "../scripts/find_crossovers.py"


rule collect_crossovers:
    input:
        tables=lambda wildcards: [
            f"<work>/{wildcards.study}/crossovers/{outcomes}.csv"
            for outcomes in the_study(wildcards)["outcomes"]
        ],
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/collect_crossovers/{study}.log",
    benchmark:
        "<logs>/benchmarks/collect_crossovers/{study}.tsv"
    wildcard_constraints:
        study=named("crossovers"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("results"),
    script:
        "../scripts/collect_crossovers.py"


rule measure_exploration:
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/measure_exploration/{study}.log",
    benchmark:
        "<logs>/benchmarks/measure_exploration/{study}.tsv"
    wildcard_constraints:
        study=named("exploration"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        code=digest_of("verify.horizon", "results"),
        grid=settings_of("kind"),
    script:
        "../scripts/measure_exploration.py"


rule measure_trigger:
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/measure_trigger/{study}.log",
    benchmark:
        "<logs>/benchmarks/measure_trigger/{study}.tsv"
    wildcard_constraints:
        study=named("trigger"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(60),
    params:
        code=digest_of("verify.horizon", "results"),
        study=settings_of("kind"),
        delta=config["delta"],
    script:
        "../scripts/measure_trigger.py"


rule measure_exponents:
    input:
        kernels=lambda wildcards: kernels(wildcards.algorithm, "leap"),
    output:
        table="<work>/{study}/exponents/{algorithm}.csv",
    log:
        "<logs>/measure_exponents/{study}.{algorithm}.log",
    benchmark:
        "<logs>/benchmarks/measure_exponents/{study}.{algorithm}.tsv"
    wildcard_constraints:
        study=named("exponents"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        code=digest_of("verify.exponents", "results"),
        study=settings_of("kind", "algorithms"),
        delta=config["delta"],
    script:
        "../scripts/measure_exponents.py"


rule fit_exponents:
    input:
        points=parts_of("exponents"),
    output:
        points="<results>/tables/{study}_points.csv",
        exponents="<results>/tables/{study}.csv",
    log:
        "<logs>/fit_exponents/{study}.log",
    benchmark:
        "<logs>/benchmarks/fit_exponents/{study}.tsv"
    wildcard_constraints:
        study=named("exponents"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("verify.exponents", "results"),
    script:
        "../scripts/fit_exponents.py"
