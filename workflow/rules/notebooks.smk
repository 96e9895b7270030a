NOTEBOOKS = ["model", "exploration"]


wildcard_constraints:
    notebook="|".join(NOTEBOOKS),


rule execute_notebook:
    input:
        notebook=str(ROOT / "notebooks" / "{notebook}.ipynb"),
        kernels=kernels("real"),
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
            "notebooks",
            "verify.constants",
            "verify.coverage",
            "verify.diameter",
            "plots.style",
            libraries=["ipykernel"],
        ),
    script:
        "../scripts/execute_notebook.py"
