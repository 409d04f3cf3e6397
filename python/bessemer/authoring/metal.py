"""CustomMetalKernel: names, body and attributes of a kernel, and its sources.

One object gives a source for each combination of ranks, element types and scalar
values that it is called with; they are cached, and named after their content.
"""

from __future__ import annotations

import difflib
import keyword
import math
import re
from collections.abc import Iterable, Mapping

from bessemer.authoring.attributes import KEYWORDS, SIGNATURE_NAMES
from bessemer.authoring.parameter import MetalParameter, check_parameter
from bessemer.authoring.places import remember
from bessemer.authoring.source import BufferParameter, GeneratedSource, generate

PARAMETER_LIMIT = 31
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FLOAT_MAX = 3.4028234663852886e38
_INT_RANGE = range(-(2**31), 2**31)


class CustomMetalKernel:
    """What a Metal kernel is made of; checked as far as text allows."""

    metal_type_mappings = {
        "bf16": "bfloat",
        "f16": "half",
        "f32": "float",
        "si8": "int8_t",
        "ui8": "uint8_t",
        "si16": "int16_t",
        "ui16": "uint16_t",
        "si32": "int",
        "ui32": "uint",
        "si64": "int64_t",
        "ui64": "uint64_t",
        "i1": "bool",
    }

    def __init__(
        self,
        name: str,
        input_names: list[str],
        result_names: list[str],
        src: str,
        metal_params: list[MetalParameter] | None = None,
        helper_src: str | None = None,
        template_dtypes: dict[str, str] | None = None,
    ) -> None:
        _check_kernel_name(name)
        self.name = name
        self.input_names = _name_list("input_names", input_names)
        self.result_names = _name_list("result_names", result_names)
        self.src = src
        self.metal_params = _parameter_list(metal_params)
        self.helper_src = helper_src
        self.template_dtypes = _template_map(template_dtypes)
        self.kernel_cache: dict = {}
        self._scalar_kernel_caches: dict = {}
        self._sources: dict[str, GeneratedSource] = {}
        # Tells kernels of one name apart in the names of their sources.
        self._name_salt = ""

    def _check_texts(self) -> None:
        """Names, attributes, templates and strings, against each other."""
        _check_names(self.input_names, self.result_names, self.metal_params)
        for parameter in self.metal_params:
            check_parameter(parameter)
        for label, text in (("src", self.src), ("helper_src", self.helper_src)):
            if not isinstance(text, str) and not (label == "helper_src" and not text):
                raise TypeError(
                    f"{label} of kernel {self.name!r} must be a string of Metal "
                    f"source, got {type(text).__name__}"
                )
            foreign = re.search("[\0\ud800-\udfff]", text or "")
            if foreign:
                raise ValueError(
                    f"{label} of kernel {self.name!r} has {foreign.group()!r}, which no "
                    "Metal source can hold"
                )
        _check_templates(self.template_dtypes, self.input_names)

    def specialise(
        self,
        inputs: list[tuple[int, str, bool]],
        results: list[tuple[int, str]],
        scalars: list[tuple[str, str, object]] = (),
    ) -> GeneratedSource:
        """The source for inputs (rank, metal type, is a scalar) and results.

        `scalars` (metal type, name, value) become literals in the body.
        """
        count = len(inputs) + len(results) + len(self.metal_params)
        if count > PARAMETER_LIMIT:
            raise ValueError(
                f"metal kernels support {PARAMETER_LIMIT} inputs, got {count}"
            )
        for kind, name, value in scalars:
            _check_scalar(kind, name, value)
        cache = self.kernel_cache
        if scalars:
            key = tuple((name, _cache_value(value)) for _, name, value in scalars)
            cache = self._scalar_kernel_caches.setdefault(key, {})
        key = tuple((rank, metal) for rank, metal, *_ in [*inputs, *results])
        if key not in cache:
            source = self._generate(inputs, results, scalars)
            self._sources[source.name] = source
            remember(self, source.name)
            cache[key] = (source.name, source.text)
        return self._sources[cache[key][0]]

    def _generate(self, inputs, results, scalars) -> GeneratedSource:
        types = {
            n: metal for n, (_, metal, _) in zip(self.input_names, inputs, strict=True)
        }
        return generate(
            self.name,
            [
                BufferParameter(name, metal, rank, scalar or rank == 0)
                for name, (rank, metal, scalar) in zip(
                    self.input_names, inputs, strict=True
                )
            ],
            [
                BufferParameter(name, metal, rank)
                for name, (rank, metal) in zip(self.result_names, results, strict=True)
            ],
            self.metal_params,
            self.src,
            self.helper_src,
            {word: types[name] for name, word in self.template_dtypes.items()},
            scalars,
            self._name_salt,
        )


def _cache_value(value):
    """Equal only for equal literals: 0.0 and -0.0 differ."""
    if isinstance(value, float) and value == 0 and math.copysign(1, value) < 0:
        return "-0.0"
    return value


def _check_scalar(kind: str, name: str, value) -> None:
    if kind == "int" and int(value) not in _INT_RANGE:
        from bessemer.errors import ScalarRangeError

        raise ScalarRangeError(
            f"int scalar {name!r}={value} is outside the 32-bit int range that "
            "MSL `int` supports"
        )
    if kind == "float" and not math.isfinite(value):
        raise ValueError(
            f"float scalar {name!r}={value} is not finite; "
            "NaN/Inf scalars are not supported"
        )
    if kind == "float" and abs(value) > _FLOAT_MAX:
        raise ValueError(
            f"float scalar {name!r}={value} is outside the range of MSL `float`"
        )


def _check_kernel_name(name) -> None:
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"Kernel name must be a non-empty string, got {name!r}")
    if not _IDENTIFIER.fullmatch(name):
        raise ValueError(
            "Kernel name must be an identifier (letters, digits and underscores, no "
            f"digit first), got {name!r}"
        )
    if keyword.iskeyword(name):
        raise ValueError(f"Kernel name must not be a keyword of Python, got {name!r}")


def _name_list(label: str, names) -> list[str]:
    if isinstance(names, str):
        raise TypeError(
            f"{label} must be a list of names, got the string {names!r}; "
            f"write {label}=[{names!r}]"
        )
    if not isinstance(names, Iterable):
        raise TypeError(f"{label} must be a list of names, got {names!r}")
    return list(names)


def _parameter_list(parameters) -> list[MetalParameter]:
    if isinstance(parameters, MetalParameter):
        raise TypeError(
            "metal_params must be a list of MetalParameter; write "
            f"metal_params=[{parameters}]"
        )
    if parameters is not None and not isinstance(parameters, Iterable):
        raise TypeError(
            f"metal_params must be a list of MetalParameter, got {parameters!r}"
        )
    parameters = list(parameters or [])
    for parameter in parameters:
        if not isinstance(parameter, MetalParameter):
            raise TypeError(
                "metal_params must hold MetalParameter(name, dtype, attr) objects, got "
                f"{parameter!r}"
            )
    return parameters


def _template_map(templates) -> dict[str, str]:
    if templates is not None and not isinstance(templates, Mapping):
        raise TypeError(
            "template_dtypes must map input names to placeholders, such as "
            f"{{'x': 'TYPE'}}; got {templates!r}"
        )
    return dict(templates or {})


def _check_names(inputs: list[str], results: list[str], parameters) -> None:
    if not results:
        raise ValueError("result_names must contain at least one entry")
    for label, names in (("input", inputs), ("result", results)):
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"{label}_names must hold strings, got {name!r}")
        duplicates = sorted({n for n in names if names.count(n) > 1}, key=str)
        if duplicates:
            raise ValueError(f"Duplicate {label} names: {duplicates}")
    overlap = [name for name in inputs if name in results]
    if overlap:
        raise ValueError(
            f"Names appear in both input_names and result_names: {sorted(overlap)}"
        )
    seen = dict.fromkeys(inputs, "input_names") | dict.fromkeys(results, "result_names")
    for parameter in parameters:
        if parameter.name in seen:
            raise ValueError(
                f"Metal parameter {parameter.name!r} is also in {seen[parameter.name]}"
            )
        seen[parameter.name] = "metal_params"
    for name, label in seen.items():
        if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
            raise ValueError(
                f"{name!r} in {label} is not an identifier: the kernel's body could "
                "not use it"
            )
        if name in KEYWORDS:
            raise ValueError(f"{name!r} in {label} is a keyword of Metal")
        if name in SIGNATURE_NAMES:
            raise ValueError(
                f"{name!r} in {label} is a name that the generated signature uses "
                "itself; choose another"
            )


def _check_templates(templates: dict[str, str], inputs: list[str]) -> None:
    unknown = set(templates) - set(inputs)
    if unknown:
        near = [m for u in unknown for m in difflib.get_close_matches(str(u), inputs)]
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"Inputs {unknown} not specified as part of the kernel's input names. All "
            "input names provided for templates must correspond to entries in the "
            f"`input_names` list.{hint}"
        )
    words = list(templates.values())
    duplicates = sorted({w for w in words if words.count(w) > 1})
    if duplicates:
        raise ValueError(
            f"Provided duplicated template strings {duplicates}. Each template string "
            "must be unique."
        )
    for name, word in templates.items():
        if not isinstance(word, str) or not _IDENTIFIER.fullmatch(word):
            raise ValueError(
                f"The template string of input {name!r} must be an identifier such as "
                f"'TYPE', got {word!r}"
            )
