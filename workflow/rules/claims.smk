rule examine_claims:
    input:
        kernels=[
            f"work/kernels/{module}{kind}.compiled"
            for module in ("real", "adaptive_real", "oful_mlogb")
            for kind in ("", ".leap")
        ],
    output:
        table="work/claims/{section}.csv",
    log:
        "<logs>/examine_claims/{section}.log",
    benchmark:
        "<logs>/benchmarks/examine_claims/{section}.tsv"
    wildcard_constraints:
        section="|".join(SECTIONS),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=lambda wildcards: digest_of(
            f"claims.{wildcards.section}", "claims.ledger", "results"
        ),
        effort=config["claims"]["effort"],
    script:
        "../scripts/examine_claims.py"


rule collect_claims:
    input:
        tables=collect("work/claims/{section}.csv", section=SECTIONS),
    output:
        ledger="<results>/claims/claims.csv",
        latex="<results>/claims/claims.tex",
        page=report(
            "<results>/claims/claims.html",
            caption="../report/claims.rst",
            category="Claims",
        ),
        verdicts="<results>/tables/verdicts.csv",
    log:
        "<logs>/collect_claims.log",
    benchmark:
        "<logs>/benchmarks/collect_claims.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest_of("claims.ledger", "results"),
    script:
        "../scripts/collect_claims.py"
