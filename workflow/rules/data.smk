DATA_CELLS = [
    (instance, label)
    for instance, label in PAIRS.get("data", [])
    if to_calibrate(config["algorithms"][label])
]
"""Instances and labels of the study of real data that play with multipliers found by calibration."""


rule aggregate_transfer:
    input:
        regret="<results>/runs/data.regret.parquet",
        sets="<results>/runs/data.sets.parquet",
        multipliers=[found_for(*cell) for cell in DATA_CELLS],
    output:
        table="<results>/tables/data.csv",
    log:
        "<logs>/aggregate_transfer.log",
    benchmark:
        "<logs>/benchmarks/aggregate_transfer.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=digest_of("verify.transfer", "results"),
        cells=DATA_CELLS,
        sources={
            label: entry["calibrated_on"]
            for label, entry in config["algorithms"].items()
            if "calibrated_on" in entry
        },
        delta=config["delta"],
    script:
        "../scripts/aggregate_transfer.py"
