"""AIModelAssetSummary: what the program of an asset holds, counted."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field

# Kernels' sources are strings, in which a quote is escaped.
_STRING = re.compile(r'"(?:[^"\\\\]|\\\\.)*"')
_OPERATION = re.compile(r"^ +(?:%\S+ = )?(coreaix?\.[\w.]+)(.*)", re.M)
_TENSOR = re.compile(r"tensor<((?:\d+x|\?x)*)(\w+)")
_NO_WORK = ("coreai.graph", "coreai.output", "coreai.yield")


@dataclass
class AIModelAssetSummary:
    """Functions, and how often types and operations occur."""

    functions: list[str]
    storage_types: dict[str, int] = field(default_factory=dict)  # Elements of weights.
    compute_types: dict[str, int] = field(default_factory=dict)  # Results.
    operation_distribution: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, functions: list[str], text: str) -> AIModelAssetSummary:
        """Of a program's text."""
        storage, compute, operations = Counter(), Counter(), Counter()
        for name, rest in _OPERATION.findall(_STRING.sub('""', text)):
            types = _TENSOR.findall(rest)
            if name in _NO_WORK or not types:
                continue
            shape, element = types[-1]
            if name == "coreai.constant":
                storage[element] += math.prod(map(int, shape.split("x")[:-1]))
            else:
                operations[name] += 1
                compute[element] += 1
        return cls(
            functions, *(dict(c.most_common()) for c in (storage, compute, operations))
        )

    def __str__(self) -> str:
        lines = ["functions: " + (", ".join(self.functions) or "none")]
        for label in ("storage_types", "compute_types", "operation_distribution"):
            counts = getattr(self, label)
            if counts:
                lines.append(f"{label}:")
                lines += [f"  {name}: {count}" for name, count in counts.items()]
        return "\n".join(lines)
