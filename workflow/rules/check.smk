localrules:
    check,
    update_reference,


rule check:
    input:
        reference=str(ROOT / "reference" / config["name"]),
        tolerances=str(ROOT / "reference" / "tolerances.yaml"),
    log:
        "<logs>/check.log",
    conda:
        "../../environment.yml"
    threads: all_cores()
    params:
        name=config["name"],
        configfiles=[str(path) for path in workflow.overwrite_configfiles],
        overrides=workflow.config_settings.config,
        snakefile=str(ROOT / "Snakefile"),
        replace_reference=False,
    script:
        "../scripts/check.py"


rule update_reference:
    input:
        tolerances=str(ROOT / "reference" / "tolerances.yaml"),
    log:
        "<logs>/update_reference.log",
    conda:
        "../../environment.yml"
    threads: all_cores()
    params:
        name=config["name"],
        configfiles=[str(path) for path in workflow.overwrite_configfiles],
        overrides=workflow.config_settings.config,
        snakefile=str(ROOT / "Snakefile"),
        reference=str(ROOT / "reference" / config["name"]),
        replace_reference=True,
    script:
        "../scripts/check.py"
