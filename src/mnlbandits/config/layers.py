"""Configs laid over one another: what they say together."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from mnlbandits.errors import InputError


def compose(layers: Iterable[tuple[Path, Mapping[str, Any]]]) -> dict[str, Any]:
    """The config that some configs make, each laid over those before it.

    Parameters
    ----------
    layers : folder and content of each; `file` of an instance and `modules` are relative to the folder.

    Raises
    ------
    InputError : a config changes more than `batch` of studies, which changes no number, and has no `name` of its own, below
        which its results lie; or it extends what is no list.
    """
    config: dict[str, Any] = {}
    names: list[Any] = []
    for folder, layer in layers:
        changed = laid_over(config, with_whole_paths(folder, layer))
        if numbers_of(changed) != numbers_of(config):
            name = changed.get("name")
            if name in names:
                raise InputError(
                    "name", name, f"a name of its own, other than {' and '.join(names)}: results lie below the name"
                )
            names.append(name)
        config = changed
    return config


def numbers_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """What a config says of numbers: all but `batch` of its studies, how many runs a job plays."""
    studies = config.get("studies")
    if not isinstance(studies, Mapping):
        return dict(config)
    split = {
        name: {key: value for key, value in study.items() if key != "batch"} if isinstance(study, Mapping) else study
        for name, study in studies.items()
    }
    return {**config, "studies": split}


def laid_over(config: Mapping[str, Any], layer: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """A config with another laid over it: mappings are merged, ``KEY+`` extends the list at ``KEY``, all else is replaced.

    Raises
    ------
    InputError : ``KEY+`` is no list, or there is none to extend.
    """
    merged = dict(config)
    for key, value in layer.items():
        field, extended = f"{above}{key}", key.removesuffix("+") if isinstance(key, str) else key
        if extended != key:
            if not isinstance(value, list) or not isinstance(merged.get(extended), list):
                raise InputError(field, value, f"a list, and {above}{extended} one to extend")
            merged[extended] = merged[extended] + [one for one in value if one not in merged[extended]]
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = laid_over(merged[key], value, f"{field}.")
        else:
            merged[key] = value
    return merged


def with_whole_paths(folder: Path, layer: Mapping[str, Any]) -> dict[str, Any]:
    """A config whose `file` of every instance and `modules` are whole paths, where they were relative to its folder."""
    layer = deepcopy(dict(layer))
    for entry in mapping_at(layer, "instances").values():
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            entry["file"] = str(folder / entry["file"])
    for key in ("modules", "modules+"):
        if isinstance(layer.get(key), list):
            layer[key] = [str(folder / file) if isinstance(file, str) else file for file in layer[key]]
    return layer


def mapping_at(config: Any, *keys: str) -> Mapping[str, Any]:
    """What a config holds under these keys if that is a mapping, else an empty one."""
    for key in keys:
        config = config.get(key) if isinstance(config, Mapping) else None
    return config if isinstance(config, Mapping) else {}
