COST_KERNELS = sorted({kernels(name) for name in config["cost"]["algorithms"]})


rule measure_cost:
    input:
        instances=collect(
            "<results>/instances/{instance}.json",
            instance=config["cost"]["instances"],
        ),
        kernels=COST_KERNELS,
    output:
        costs="<results>/timings/cost.csv",
    log:
        "<logs>/measure_cost.log",
    benchmark:
        "<logs>/benchmarks/measure_cost.tsv"
    conda:
        "../../environment.yml"
    threads: all_cores()
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        code=digest_of("verify.cost", "results", *ALGORITHM_MODULES),
        names=config["cost"]["algorithms"],
    script:
        "../scripts/measure_cost.py"


rule make_table1:
    input:
        costs="<results>/timings/cost.csv",
        regrets=f"<results>/tables/final_{config['cost']['comparison']}.csv",
        dictionary=local(str(DICTIONARY)),
    output:
        csv="<results>/timings/table1.csv",
        tex="<results>/timings/table1.tex",
    log:
        "<logs>/make_table1.log",
    benchmark:
        "<logs>/benchmarks/make_table1.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("verify.table1", "paper", "results", *ALGORITHM_MODULES),
    script:
        "../scripts/make_table1.py"
