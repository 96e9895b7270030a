rule measure_coverage:
    input:
        runs=lambda wildcards: [
            f"<results>/runs/{study}.sets.parquet"
            for study in (*the_study(wildcards)["also"], wildcards.study)
            if PAIRS[study]
        ],
    output:
        margins="<results>/tables/{study}_margins.parquet",
        coverage="<results>/tables/{study}.csv",
    log:
        "<logs>/measure_coverage/{study}.log",
    benchmark:
        "<logs>/benchmarks/measure_coverage/{study}.tsv"
    wildcard_constraints:
        study=named("coverage"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("verify.coverage", "results"),
        delta=config["delta"],
    script:
        "../scripts/measure_coverage.py"


rule verify_diameter:
    input:
        instances=instances_of,
        kernels=kernels("real"),
    output:
        diameter="<results>/tables/{study}.csv",
        at_tau="<results>/tables/{study}_at_tau.csv",
    log:
        "<logs>/verify_diameter/{study}.log",
    benchmark:
        "<logs>/benchmarks/verify_diameter/{study}.tsv"
    wildcard_constraints:
        study=named("diameter"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(30),
    params:
        code=digest_of("verify.diameter", "results"),
        horizon=lambda wildcards: the_study(wildcards)["horizon"],
        delta=config["delta"],
    script:
        "../scripts/verify_diameter.py"


rule verify_kappa:
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/verify_kappa/{study}.log",
    benchmark:
        "<logs>/benchmarks/verify_kappa/{study}.tsv"
    wildcard_constraints:
        study=named("kappa"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(30),
    params:
        code=digest_of("verify.constants", "results"),
        grid=settings_of("kind"),
    script:
        "../scripts/verify_kappa.py"


rule verify_kappa_star:
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/verify_kappa_star/{study}.log",
    benchmark:
        "<logs>/benchmarks/verify_kappa_star/{study}.tsv"
    wildcard_constraints:
        study=named("kappa_star"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(30),
    params:
        code=digest_of("verify.constants", "results"),
        grid=settings_of("kind"),
    script:
        "../scripts/verify_kappa_star.py"
