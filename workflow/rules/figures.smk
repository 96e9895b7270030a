FIGURES = dict(FIGURES_OF_OTHERS)
"""Figures of a part of the build: the module of `mnlbandits.plots` that draws each, and its table."""

TABLES = dict(TYPESET_OF_OTHERS)
"""Tables of a part of the build that are there as LaTeX too, and their kinds in the dictionary."""

for name, study in config["studies"].items():
    FIGURES[name] = figures_of(name, study)
    TABLES[name] = typeset_of(name, study)

DRAWN = {figure: how for figures in FIGURES.values() for figure, how in figures.items()}

TYPESET = {table: kind for tables in TABLES.values() for table, kind in tables.items()}

BUILT = [*TO_RUN, *(["calibration"] if CELLS else [])]
"""The parts of this build."""


wildcard_constraints:
    figure="|".join(DRAWN),
    table="|".join(TYPESET),


rule render_figure:
    input:
        table=lambda wildcards: f"<results>/tables/{DRAWN[wildcards.figure][1]}",
        instances=instances_in_panels,
    output:
        pdf="<figures>/{figure}.pdf",
        png=report(
            "<figures>/{figure}.png",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        svg="<figures>/{figure}.svg",
    log:
        "<logs>/render_figure/{figure}.log",
    benchmark:
        "<logs>/benchmarks/render_figure/{figure}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=lambda wildcards: digest_of(
            f"plots.{DRAWN[wildcards.figure][0]}", *ALGORITHM_MODULES
        ),
        module=lambda wildcards: DRAWN[wildcards.figure][0],
        caption=lambda wildcards: caption(wildcards.figure),
    script:
        "../scripts/render_figure.py"


rule render_table:
    input:
        table="<results>/tables/{table}.csv",
        dictionary=local(str(DICTIONARY)),
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
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("paper", "results", *ALGORITHM_MODULES),
        kind=lambda wildcards: TYPESET[wildcards.table],
    script:
        "../scripts/render_table.py"
