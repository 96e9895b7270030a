rule aggregate_transfer:
    input:
        regret="<results>/runs/{study}.regret.parquet",
        sets="<results>/runs/{study}.sets.parquet",
        multipliers=lambda wildcards: [
            found_for(*cell) for cell in calibrated_cells(wildcards)
        ],
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/aggregate_transfer/{study}.log",
    benchmark:
        "<logs>/benchmarks/aggregate_transfer/{study}.tsv"
    wildcard_constraints:
        study=named("transfer"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("verify.transfer", "results"),
        cells=calibrated_cells,
        sources={
            label: entry["calibrated_on"]
            for label, entry in config["algorithms"].items()
            if "calibrated_on" in entry
        },
        delta=config["delta"],
    script:
        "../scripts/aggregate_transfer.py"
