EXAMINED = {"ledger": ["theorem_one", "exploration", "learning"]}
"""Parts of the paper whose claims a notebook examines."""


wildcard_constraints:
    notebook="|".join(NOTEBOOKS),


rule execute_notebook:
    input:
        notebook=local(str(ROOT / "notebooks" / "{notebook}.ipynb")),
        kernels=lambda wildcards: [
            kernels(*loop) for loop in NOTEBOOKS[wildcards.notebook]
        ],
        listing=lambda wildcards: (
            [local(str(LISTING))] if wildcards.notebook in EXAMINED else []
        ),
    output:
        page="<results>/notebooks/{notebook}.html",
    log:
        "<logs>/execute_notebook/{notebook}.log",
    benchmark:
        "<logs>/benchmarks/execute_notebook/{notebook}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=lambda wildcards: code_of_notebook(
            wildcards.notebook,
            NOTEBOOKS[wildcards.notebook],
            EXAMINED.get(wildcards.notebook, []),
        ),
    script:
        "../scripts/execute_notebook.py"
