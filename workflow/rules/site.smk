DATA = TABLES_OF_OTHERS | {
    name: tables_of(name, study) for name, study in config["studies"].items()
}
"""Tables of a part of the build."""


rule make_site:
    input:
        figures=collect("<figures>/{figure}.svg", figure=of_build(FIGURES)),
        tables=collect("<results>/tables/{file}", file=of_build(DATA)),
        claims="<results>/claims/claims.csv" if "claims" in BUILT else [],
        table1="<results>/timings/table1.csv" if "cost" in BUILT else [],
        notebooks=collect(
            "<results>/notebooks/{notebook}.html",
            notebook=list(NOTEBOOKS) if "notebooks" in BUILT else [],
        ),
        pages=[local(str(path)) for path in PAGES],
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
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=digest_of("site.build", "results"),
        sources=lambda wildcards: digest_of_files("**/*.py"),
        shown=shown_figures,
        benchmarks=BENCHMARKS,
    script:
        "../scripts/make_site.py"
