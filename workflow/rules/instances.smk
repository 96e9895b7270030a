rule generate_instance:
    input:
        files=instance_files,
    output:
        instance="<results>/instances/{instance}.json",
    log:
        "<logs>/generate_instance/{instance}.log",
    benchmark:
        "<logs>/benchmarks/generate_instance/{instance}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        code=digest_of("instances.families"),
        entry=lambda wildcards: {
            key: value
            for key, value in instance_entry(wildcards).items()
            if key != "file"
        },
    script:
        "../scripts/generate_instance.py"
