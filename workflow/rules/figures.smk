FIGURES = {
    "regret": ("regret", "regret.csv"),
    "diameter": ("diameter", "diameter.csv"),
    "coverage": ("coverage", "coverage_margins.parquet"),
    "kappa_star": ("kappa_star", "kappa_star.csv"),
    "kappa": ("kappa", "kappa.csv"),
    "comparison": ("comparison", "final_comparison.csv"),
    "comparison_coverage": ("coverage", "comparison_coverage_margins.parquet"),
    "frameworks": ("frameworks", "frameworks.csv"),
    "horizon": ("horizon", "horizon.csv"),
    "exploration_lengths": ("exploration_lengths", "exploration_lengths.csv"),
    "exponents": ("exponents", "exponent_points.csv"),
    "calibration": ("calibration", "calibration.csv"),
    "changing": ("changing", "changing.csv"),
    "changing_long": ("changing", "changing_long.csv"),
    "data": ("data", "data.csv"),
    "data_long": ("horizon", "data_long.csv"),
    "scaling": ("scaling", "scaling.csv"),
    "family": ("family", "family.csv"),
    "claims_pictures": ("claims", "claims_pictures.csv"),
    "chains": ("chains", "chains.csv"),
}
"""Figures: the module of `mnlbandits.plots` that draws it, and its table."""

TABLES = [
    "final_regret",
    "coverage",
    "diameter_at_tau",
    "kappa",
    "kappa_star",
    "final_comparison",
    "comparison_coverage",
    "crossovers",
    "exploration_lengths",
    "trigger",
    "exponents",
    "calibration",
    "ranking",
    "scaling",
    "family",
    "data",
    "verdicts",
]


wildcard_constraints:
    figure="|".join(FIGURES),
    table="|".join(TABLES),


rule render_figure:
    input:
        table=lambda wildcards: f"<results>/tables/{FIGURES[wildcards.figure][1]}",
    output:
        pdf="<figures>/{figure}.pdf",
        png=report(
            "<figures>/{figure}.png",
            caption="../report/figure.rst",
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
    params:
        code=lambda wildcards: digest_of(
            f"plots.{FIGURES[wildcards.figure][0]}", *ALGORITHM_MODULES
        ),
        module=lambda wildcards: FIGURES[wildcards.figure][0],
        caption=lambda wildcards: caption(wildcards.figure),
    script:
        "../scripts/render_figure.py"


rule render_table:
    input:
        table="<results>/tables/{table}.csv",
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
    params:
        code=digest_of("results"),
    script:
        "../scripts/render_table.py"
