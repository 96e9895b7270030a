rule measure_scaling:
    input:
        kernels=lambda wildcards: kernels_with_calibration(wildcards.algorithm),
    output:
        runs="<work>/scaling/{algorithm}.parquet",
    log:
        "<logs>/measure_scaling/{algorithm}.log",
    benchmark:
        "<logs>/benchmarks/measure_scaling/{algorithm}.tsv"
    wildcard_constraints:
        algorithm="|".join(config["scaling"]["algorithms"]),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        code=lambda wildcards: digest_of(
            "verify.scaling",
            "results",
            code_of(module_name(wildcards.algorithm)),
        ),
        study={
            key: value
            for key, value in config["scaling"].items()
            if key != "algorithms"
        },
        calibration=config["calibration"],
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/measure_scaling.py"


rule fit_scaling:
    input:
        runs=collect(
            "<work>/scaling/{algorithm}.parquet",
            algorithm=config["scaling"]["algorithms"],
        ),
    output:
        table="<results>/tables/scaling.csv",
    log:
        "<logs>/fit_scaling.log",
    benchmark:
        "<logs>/benchmarks/fit_scaling.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=digest_of("verify.scaling", "results"),
    script:
        "../scripts/fit_scaling.py"


rule measure_family:
    input:
        kernels=lambda wildcards: kernels_with_calibration(wildcards.algorithm),
    output:
        points="<work>/family/{algorithm}.csv",
    log:
        "<logs>/measure_family/{algorithm}.log",
    benchmark:
        "<logs>/benchmarks/measure_family/{algorithm}.tsv"
    wildcard_constraints:
        algorithm="|".join(config["family"]["algorithms"]),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        code=lambda wildcards: digest_of(
            "verify.family",
            "results",
            code_of(module_name(wildcards.algorithm)),
        ),
        study={
            key: value
            for key, value in config["family"].items()
            if key not in ("algorithms", "pairs")
        },
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
        points="<work>/family/pairs/{label}.csv",
    log:
        "<logs>/measure_pairs/{label}.log",
    benchmark:
        "<logs>/benchmarks/measure_pairs/{label}.tsv"
    wildcard_constraints:
        label="|".join(config["family"]["pairs"]["algorithms"]),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        code=lambda wildcards: digest_of(
            "verify.hidden_pairs",
            "results",
            algorithm_module(wildcards.label),
        ),
        played=lambda wildcards: config["algorithms"][wildcards.label],
        study={
            "grids": config["family"]["pairs"]["grids"],
            **{key: config["family"][key] for key in ("horizon", "runs", "step")},
        },
        calibration=config["calibration"],
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/measure_pairs.py"


rule collect_family:
    input:
        signs=collect(
            "<work>/family/{algorithm}.csv", algorithm=config["family"]["algorithms"]
        ),
        pairs=collect(
            "<work>/family/pairs/{label}.csv",
            label=config["family"]["pairs"]["algorithms"],
        ),
    output:
        table="<results>/tables/family.csv",
    log:
        "<logs>/collect_family.log",
    benchmark:
        "<logs>/benchmarks/collect_family.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=digest_of("verify.family", "results"),
    script:
        "../scripts/collect_family.py"
