COVERAGE_STUDIES = {
    "coverage": ["exploration", "coverage"],
    "comparison_coverage": ["comparison_coverage"],
}


rule measure_coverage:
    input:
        runs=lambda wildcards: [
            f"<results>/runs/{study}.sets.parquet"
            for study in COVERAGE_STUDIES[wildcards.coverage]
        ],
    output:
        margins="<results>/tables/{coverage}_margins.parquet",
        coverage="<results>/tables/{coverage}.csv",
    log:
        "<logs>/measure_coverage/{coverage}.log",
    benchmark:
        "<logs>/benchmarks/measure_coverage/{coverage}.tsv"
    wildcard_constraints:
        coverage="|".join(COVERAGE_STUDIES),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=digest_of("verify.coverage", "results"),
        delta=config["delta"],
    script:
        "../scripts/measure_coverage.py"


rule verify_diameter:
    input:
        instances=collect(
            "<results>/instances/{instance}.json",
            instance=config["diameter"]["instances"],
        ),
        kernels="<kernels>/real.compiled",
    output:
        diameter="<results>/tables/diameter.csv",
        at_tau="<results>/tables/diameter_at_tau.csv",
    log:
        "<logs>/verify_diameter.log",
    benchmark:
        "<logs>/benchmarks/verify_diameter.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        code=digest_of("verify.diameter", "results"),
        horizon=config["diameter"]["horizon"],
        delta=config["delta"],
    script:
        "../scripts/verify_diameter.py"


rule verify_kappa:
    output:
        table="<results>/tables/kappa.csv",
    log:
        "<logs>/verify_kappa.log",
    benchmark:
        "<logs>/benchmarks/verify_kappa.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=digest_of("verify.constants", "results"),
        grid=config["kappa"],
    script:
        "../scripts/verify_kappa.py"


rule verify_kappa_star:
    output:
        table="<results>/tables/kappa_star.csv",
    log:
        "<logs>/verify_kappa_star.log",
    benchmark:
        "<logs>/benchmarks/verify_kappa_star.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=digest_of("verify.constants", "results"),
        grid=config["kappa_star"],
    script:
        "../scripts/verify_kappa_star.py"
