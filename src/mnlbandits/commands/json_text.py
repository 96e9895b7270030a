"""Records as JSON."""

import json
import math
from collections.abc import Mapping
from typing import Any


def as_json_text(value: Any) -> str:
    """A value as JSON, which has no word for what is not finite: null stands for it."""

    def finite(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: finite(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [finite(each) for each in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return json.dumps(finite(value), ensure_ascii=False, allow_nan=False)
