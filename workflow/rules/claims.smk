SLIPS = [f"ledger.slips.{part}" for part in PARTS_OF_SLIPS]

ERRATA = (
    "<results>/claims/errata.pdf" if "claims" in TO_RUN and which("pdflatex") else []
)
"""The errata to read, where there is LaTeX."""


rule examine_claims:
    input:
        kernels=lambda wildcards: [
            kernels(*loop) for loop in PLAYED_BY_CLAIMS.get(wildcards.part, [])
        ],
    output:
        table="<work>/claims/{part}.csv",
    log:
        "<logs>/examine_claims/{part}.log",
    benchmark:
        "<logs>/benchmarks/examine_claims/{part}.tsv"
    wildcard_constraints:
        part="|".join(config["claims"]["parts"]),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        code=lambda wildcards: digest_of(
            *(f"ledger.paper.{module}" for module in PARTS[wildcards.part]),
            "ledger.tables",
            "results",
        ),
        effort=config["claims"]["effort"],
    script:
        "../scripts/examine_claims.py"


rule collect_claims:
    input:
        tables=collect("<work>/claims/{part}.csv", part=config["claims"]["parts"]),
    output:
        ledger="<results>/claims/claims.csv",
        latex="<results>/claims/claims.tex",
        errata="<results>/claims/errata.tex",
        verdicts=report(
            "<results>/tables/verdicts.csv",
            caption="../report/verdicts.rst",
            category="Claims",
        ),
        chains="<results>/tables/chains.csv",
    log:
        "<logs>/collect_claims.log",
    benchmark:
        "<logs>/benchmarks/collect_claims.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("ledger.errata", *SLIPS, "results"),
    script:
        "../scripts/collect_claims.py"


rule picture_claims:
    input:
        kernels=(
            kernels("real", "leap") if config["claims"]["effort"] == "full" else []
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
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=digest_of("ledger.pictures", "results"),
        effort=config["claims"]["effort"],
    script:
        "../scripts/picture_claims.py"


rule typeset_errata:
    input:
        tex="<results>/claims/errata.tex",
    output:
        pdf="<results>/claims/errata.pdf",
    log:
        "<logs>/typeset_errata.log",
    benchmark:
        "<logs>/benchmarks/typeset_errata.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("latex"),
    script:
        "../scripts/typeset_errata.py"
