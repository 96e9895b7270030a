rule aggregate_changing:
    input:
        regret="<results>/runs/{study}.regret.parquet",
        instances=instances_of,
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/aggregate_changing/{study}.log",
    benchmark:
        "<logs>/benchmarks/aggregate_changing/{study}.tsv"
    wildcard_constraints:
        study=named("changing"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=digest_of("verify.changing", "results"),
        delta=config["delta"],
    script:
        "../scripts/aggregate_changing.py"
