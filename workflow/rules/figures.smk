ALGORITHM_MODULES = sorted({algorithm_module(label) for label in config["algorithms"]})
FIGURES = {
    "regret": "regret.csv",
    "diameter": "diameter.csv",
    "coverage": "margins.parquet",
    "kappa_star": "kappa_star.csv",
    "kappa": "kappa.csv",
    "frameworks": "frameworks.csv",
}
TABLES = ["final_regret", "coverage", "diameter_at_tau", "kappa", "kappa_star"]


wildcard_constraints:
    figure="|".join(FIGURES),
    table="|".join(TABLES),


rule render_figure:
    input:
        table=lambda wildcards: f"<results>/tables/{FIGURES[wildcards.figure]}",
        code=lambda wildcards: sources_of(
            f"plots.{wildcards.figure}", *ALGORITHM_MODULES
        ),
    output:
        pdf="figures/{figure}.pdf",
        png=report(
            "figures/{figure}.png",
            caption="../report/{figure}.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
    log:
        "<logs>/render_figure/{figure}.log",
    benchmark:
        "<logs>/benchmarks/render_figure/{figure}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/render_figure.py"


rule render_table:
    input:
        table="<results>/tables/{table}.csv",
        code=sources_of("results"),
    output:
        tex="<results>/tables/{table}.tex",
    log:
        "<logs>/render_table/{table}.log",
    benchmark:
        "<logs>/benchmarks/render_table/{table}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/render_table.py"
