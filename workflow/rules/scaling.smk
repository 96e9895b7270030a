rule measure_scaling:
    input:
        kernels=lambda wildcards: kernels_with_calibration(wildcards.algorithm),
    output:
        runs="<work>/{study}/scaling/{algorithm}.parquet",
    log:
        "<logs>/measure_scaling/{study}.{algorithm}.log",
    benchmark:
        "<logs>/benchmarks/measure_scaling/{study}.{algorithm}.tsv"
    wildcard_constraints:
        study=named("scaling"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(120),
    params:
        code=lambda wildcards: digest_of(
            "verify.scaling",
            "results",
            code_of(module_name(wildcards.algorithm)),
        ),
        study=settings_of("kind", "algorithms"),
        calibration=config["calibration"],
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/measure_scaling.py"


rule fit_scaling:
    input:
        runs=lambda wildcards: [
            f"<work>/{wildcards.study}/scaling/{algorithm}.parquet"
            for algorithm in the_study(wildcards)["algorithms"]
        ],
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/fit_scaling/{study}.log",
    benchmark:
        "<logs>/benchmarks/fit_scaling/{study}.tsv"
    wildcard_constraints:
        study=named("scaling"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=digest_of("verify.scaling", "results"),
    script:
        "../scripts/fit_scaling.py"


rule measure_family:
    input:
        kernels=lambda wildcards: kernels_with_calibration(wildcards.algorithm),
    output:
        points="<work>/{study}/family/{algorithm}.csv",
    log:
        "<logs>/measure_family/{study}.{algorithm}.log",
    benchmark:
        "<logs>/benchmarks/measure_family/{study}.{algorithm}.tsv"
    wildcard_constraints:
        study=named("family"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(120),
    params:
        code=lambda wildcards: digest_of(
            "verify.family",
            "results",
            code_of(module_name(wildcards.algorithm)),
        ),
        study=settings_of("kind", "algorithms", "pairs"),
        calibration=config["calibration"],
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/measure_family.py"


rule measure_pairs:
    input:
        kernels=lambda wildcards: kernels_with_calibration(
            config["algorithms"][wildcards.label]["algorithm"]
        ),
    output:
        points="<work>/{study}/pairs/{label}.csv",
    log:
        "<logs>/measure_pairs/{study}.{label}.log",
    benchmark:
        "<logs>/benchmarks/measure_pairs/{study}.{label}.tsv"
    wildcard_constraints:
        study=named("family"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(120),
    params:
        code=lambda wildcards: digest_of(
            "verify.hidden_pairs",
            "results",
            algorithm_module(wildcards.label),
        ),
        played=lambda wildcards: config["algorithms"][wildcards.label],
        study=lambda wildcards: {
            "grids": the_study(wildcards)["pairs"]["grids"],
            **{key: the_study(wildcards)[key] for key in ("horizon", "runs", "step")},
        },
        calibration=config["calibration"],
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/measure_pairs.py"


rule collect_family:
    input:
        signs=parts_of("family"),
        pairs=lambda wildcards: [
            f"<work>/{wildcards.study}/pairs/{label}.csv"
            for label in the_study(wildcards)["pairs"]["algorithms"]
        ],
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/collect_family/{study}.log",
    benchmark:
        "<logs>/benchmarks/collect_family/{study}.tsv"
    wildcard_constraints:
        study=named("family"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("verify.family", "results"),
    script:
        "../scripts/collect_family.py"
