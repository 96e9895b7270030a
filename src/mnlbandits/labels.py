"""Labels of a config."""


def stem(label: str, preset: str) -> str:
    """A label of the config without its preset: what the labels of one algorithm share."""
    return label.removesuffix(f"-{preset}")
