rule compare_frameworks:
    input:
        kernels=kernels("oful-mlogb"),
    output:
        table="<results>/tables/{study}.csv",
    log:
        "<logs>/compare_frameworks/{study}.log",
    benchmark:
        "<logs>/benchmarks/compare_frameworks/{study}.tsv"
    wildcard_constraints:
        study=named("frameworks"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        code=digest_of("verify.frameworks", "results"),
        study=settings_of("kind"),
        seed=config["seed"],
        delta=config["delta"],
    script:
        "../scripts/compare_frameworks.py"
