rule paper_assets:
    input:
        figures=collect("<figures>/{figure}.pdf", figure=of_build(FIGURES)),
        tables=[
            *collect("<results>/tables/{table}.tex", table=of_build(TABLES)),
            *(["<results>/timings/table1.tex"] if "cost" in BUILT else []),
            *(["<results>/claims/claims.tex"] if "claims" in BUILT else []),
        ],
        references=local(str(REFERENCES)),
    output:
        paper=directory("<results>/paper"),
    log:
        "<logs>/paper_assets.log",
    benchmark:
        "<logs>/benchmarks/paper_assets.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=digest_of("paper", *ALGORITHM_MODULES),
        shown=shown_figures,
    script:
        "../scripts/collect_paper.py"
