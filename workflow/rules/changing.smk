rule aggregate_changing:
    input:
        regret="<results>/runs/{study}.regret.parquet",
        instances=lambda wildcards: collect(
            "<results>/instances/{instance}.json",
            instance=config["studies"][wildcards.study]["instances"],
        ),
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/aggregate_changing/{study}.log",
    benchmark:
        "<logs>/benchmarks/aggregate_changing/{study}.tsv"
    wildcard_constraints:
        study="changing|changing_long",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=digest_of("verify.changing", "results"),
        delta=config["delta"],
    script:
        "../scripts/aggregate_changing.py"
