PLAYED = {
    "exploration": ["real"],
    "learning": ["real", "real.leap"],
    "regret": ["real.leap"],
    "regret_steps": ["real.leap"],
    "adaptive": ["adaptive_real", "adaptive_real.leap"],
}
"""Kernels of the algorithms that the claims of a section play."""


rule examine_claims:
    input:
        kernels=lambda wildcards: [
            f"<kernels>/{name}.compiled" for name in PLAYED.get(wildcards.section, [])
        ],
    output:
        table="<work>/claims/{section}.csv",
    log:
        "<logs>/examine_claims/{section}.log",
    benchmark:
        "<logs>/benchmarks/examine_claims/{section}.tsv"
    wildcard_constraints:
        section="|".join(config["claims"]["sections"]),
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
        tables=collect(
            "<work>/claims/{section}.csv", section=config["claims"]["sections"]
        ),
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


rule picture_claims:
    input:
        kernels=(
            "<kernels>/real.leap.compiled"
            if config["claims"]["effort"] == "full"
            else []
        ),
    output:
        table="<results>/tables/claims_pictures.csv",
    log:
        "<logs>/picture_claims.log",
    benchmark:
        "<logs>/benchmarks/picture_claims.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest_of("claims.pictures", "results"),
        effort=config["claims"]["effort"],
    script:
        "../scripts/picture_claims.py"
