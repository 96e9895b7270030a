localrules:
    check,
    compare,
    update_reference,


COMPARED = {
    "name": config["name"],
    "reference": str(ROOT / "reference" / config["name"]),
    "tolerances": str(ROOT / "reference" / "tolerances.yaml"),
    "snakefile": str(ROOT / "Snakefile"),
    "configfiles": [str(path) for path in workflow.overwrite_configfiles],
    "overrides": workflow.config_settings.config,
}
"""What is compared, and how it is made anew."""


rule check:
    log:
        text="<logs>/check.log",
        json="<logs>/check.json",
        junit="<logs>/check.xml",
    conda:
        "../../environment.yml"
    threads: all_cores()
    params:
        **COMPARED,
        anew=True,
        replace=False,
    script:
        "../scripts/check.py"


use rule check as compare with:
    input:
        rules.all.input,
    log:
        text="<logs>/compare.log",
        json="<logs>/compare.json",
        junit="<logs>/compare.xml",
    threads: 1
    params:
        **COMPARED,
        anew=False,
        replace=False,


use rule check as update_reference with:
    log:
        text="<logs>/update_reference.log",
    params:
        **COMPARED,
        anew=True,
        replace=True,
