rule tabulate_rules:
    input:
        site="<results>/site",
        tables=collect("<results>/tables/{table}.tex", table=of_build(TABLES)),
        errata=ERRATA,
    output:
        csv="<results>/timings/rules.csv",
        tex="<results>/timings/rules.tex",
    log:
        "<logs>/tabulate_rules.log",
    benchmark:
        "<logs>/benchmarks/tabulate_rules.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("benchmarks", "paper", "results", *ALGORITHM_MODULES),
        benchmarks=BENCHMARKS,
        asked=asked_of_jobs,
    script:
        "../scripts/tabulate_rules.py"
