SHOWN = {
    figure: {"part": part, "data": table, "caption": caption(figure)}
    for part in BUILT
    for figure, (_, table) in FIGURES.get(part, {}).items()
}
"""Figures of the site: the part of the build that each belongs to, its table, and its caption."""

DATA = {
    "claims": ["verdicts.csv", "chains.csv", "claims_pictures.csv"],
    "calibration": ["calibration.csv"],
} | {name: tables_of(name, study) for name, study in config["studies"].items()}
"""Tables of a part of the build."""


rule make_site:
    input:
        figures=collect("<figures>/{figure}.svg", figure=SHOWN),
        tables=collect("<results>/tables/{file}", file=of_build(DATA)),
        claims="<results>/claims/claims.csv" if "claims" in BUILT else [],
        table1="<results>/timings/table1.csv" if "cost" in BUILT else [],
        pages=[str(path) for path in PAGES],
    output:
        site=directory("<results>/site"),
    log:
        "<logs>/make_site.log",
    benchmark:
        "<logs>/benchmarks/make_site.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest_of("site.build", "results"),
        sources=digest_of_package(),
        shown=SHOWN,
        benchmarks="<logs>/benchmarks",
    script:
        "../scripts/make_site.py"
