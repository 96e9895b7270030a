rule provenance:
    input:
        results=rules.all.input,
    output:
        config="<results>/provenance/config.yaml",
        description="<results>/provenance/ro-crate-metadata.json",
        crate="<results>/provenance/crate.zip",
    log:
        "<logs>/provenance.log",
    benchmark:
        "<logs>/benchmarks/provenance.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=digest_of("provenance"),
        sources=digest_of_files("**/*.py"),
        layers=[str(DEFAULTS), *COMPARED["configfiles"]],
        overrides=COMPARED["overrides"],
        jobs=jobs_of_build,
        workflow=files_of_workflow,
        root=str(ROOT),
    script:
        "../scripts/describe_provenance.py"
