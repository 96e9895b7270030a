rule compare_frameworks:
    input:
        kernels="<kernels>/oful_mlogb.compiled",
    output:
        table="<results>/tables/frameworks.csv",
    log:
        "<logs>/compare_frameworks.log",
    benchmark:
        "<logs>/benchmarks/compare_frameworks.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=digest_of("verify.assortment", "results"),
        study=config["assortment"],
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/compare_frameworks.py"
