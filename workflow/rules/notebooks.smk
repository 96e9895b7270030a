NOTEBOOKS = ["model", "exploration"]


wildcard_constraints:
    notebook="|".join(NOTEBOOKS),


rule execute_notebook:
    input:
        notebook=str(ROOT / "notebooks" / "{notebook}.ipynb"),
        kernels="work/kernels/real.compiled",
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
        mem_mb=2000,
        runtime=10,
    params:
        code=digest_of(
            "verify.constants", "verify.coverage", "verify.diameter", "plots.style"
        ),
    script:
        "../scripts/execute_notebook.py"
