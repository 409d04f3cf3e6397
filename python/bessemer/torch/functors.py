"""Functor files of PyTorch's Metal kernels against ATen on the CPU.

`python -m bessemer.torch.check_functors FILE.metal` compiles a file with functors and
REGISTER_UNARY_OP / REGISTER_BINARY_OP lines, runs every kernel that they make over
layouts and shapes, and compares with the operator of that name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

import torch

from bessemer.errors import CompileError, InputError, KernelFault, UnsupportedError
from bessemer.torch.functor_cases import SHAPES, operands, place
from bessemer.torch.functor_launch import Functor, launch, parse
from bessemer.torch.shaders import compile_shader

_SEED = 20240611
# What an input is cast from, or a result to, by the kernels that cast.
_CAST_FROM = {torch.int64: torch.int16, torch.float32: torch.float16}
# Operators whose name in Metal is not ATen's.
_NAMES = {"log_gamma": "lgamma", "gamma": "lgamma"}


@dataclass
class KernelResult:
    """What came of one kernel. `failures` say case and difference."""

    functor: Functor
    cases: int = 0
    failures: list[str] = field(default_factory=list)
    skipped: str = ""  # Why it was not run.


@dataclass
class FunctorReport:
    results: list[KernelResult]
    others: list[str]  # Kernels of the file that are no functor's.

    @property
    def ok(self) -> bool:
        return not any(r.failures or r.skipped for r in self.results)

    def rows(self) -> list[tuple]:
        """(operator, input type, kernels, cases, cases right) each."""
        groups = defaultdict(list)
        for result in self.results:
            key = result.functor.operator, str(result.functor.input)[6:]
            groups[key].append(result)
        return [
            (
                *key,
                len(group),
                sum(r.cases for r in group),
                sum(r.cases - len(r.failures) for r in group),
            )
            for key, group in groups.items()
        ]

    def __str__(self) -> str:
        lines = [f"{'operator':32} {'input':10} kernels   cases   right"]
        for operator, dtype, kernels, cases, right in self.rows():
            mark = "" if cases == right else "  WRONG"
            lines.append(
                f"{operator:32} {dtype:10} {kernels:7} {cases:7} {right:7}{mark}"
            )
        for result in self.results:
            name = result.functor.kernel
            lines += [f"{name}: {failure}" for failure in result.failures[:1]]
            lines += [f"{name}: not run: {result.skipped}"] * bool(result.skipped)
        lines += [f"{name}: not run: no functor's kernel" for name in self.others]
        return "\n".join(lines)

    def to_junit(self) -> str:
        suite = ElementTree.Element("testsuite", name="functors")
        suite.set("tests", str(len(self.results)))
        suite.set("failures", str(sum(bool(r.failures) for r in self.results)))
        suite.set("skipped", str(sum(bool(r.skipped) for r in self.results)))
        for result in self.results:
            functor = result.functor
            case = ElementTree.SubElement(
                suite, "testcase", classname=functor.operator, name=functor.kernel
            )
            if result.skipped:
                ElementTree.SubElement(case, "skipped", message=result.skipped)
            if result.failures:
                failure = ElementTree.SubElement(
                    case, "failure", message=result.failures[0]
                )
                failure.text = "\n".join(result.failures)
        return ElementTree.tostring(suite, encoding="unicode")


def check_functors(
    source: str,
    *,
    references: Mapping[str, Callable] | None = None,
    only: str = ".*",
    seen: Callable[[KernelResult], None] = lambda result: None,
) -> FunctorReport:
    """Runs every kernel of the source and compares it with ATen.

    `references` are functions by operator, where torch has none of that name;
    `only` is a regular expression for operators or whole names of kernels; `seen` is
    called after each kernel. Raises InputError for a reference of no functor.
    """
    library = compile_shader(source)
    functors = {name: parse(name, args) for name, args in library._signatures().items()}
    operators = {f.operator for f in functors.values() if f is not None}
    for name in references or {}:
        if name not in operators:
            has = ", ".join(sorted(operators)) or "none"
            raise InputError(f"no functor {name!r} for a reference; there are: {has}")
    report = FunctorReport([], [])
    for name, functor in functors.items():
        if functor is None:
            report.others.append(name)
        elif re.fullmatch(only, name) or re.fullmatch(only, functor.operator):
            reference = (references or {}).get(functor.operator)
            result = _check(functor, library, reference or find_reference(functor))
            report.results.append(result)
            seen(result)
    return report


def find_reference(functor: Functor) -> Callable | None:
    """The function of torch with the operator's name."""
    name = _NAMES.get(functor.operator, functor.operator)
    for module in torch, torch.special, torch.ops.aten:
        for word in name, f"special_{name}":
            if hasattr(module, word):
                return getattr(module, word)
    return None


def _check(functor: Functor, library, reference: Callable | None) -> KernelResult:
    result = KernelResult(functor)
    if not functor.arity:
        result.skipped = "its parameters are of no known form"
        return result
    if reference is None:
        result.skipped = f"torch has no {functor.operator}; name a reference"
        return result
    random = torch.Generator().manual_seed(_SEED)
    try:
        for layout in functor.launch.layouts:
            for shape in SHAPES:
                failure = _case(functor, library, reference, layout, shape, random)
                result.cases += 1
                if failure:
                    result.failures.append(f"{layout} {list(shape)}: {failure}")
    except (CompileError, UnsupportedError) as error:
        result.skipped = str(error)
    return result


def _case(functor, library, reference, layout, shape, random) -> str:
    """What is wrong; empty if nothing is."""
    cast = functor.launch.cast
    stored = _CAST_FROM.get(functor.input, functor.input) if cast == "in" else None
    dtypes = [stored or functor.input, *[functor.input] * (functor.arity - 1)]
    # Integers are not divided by zero.
    positive = functor.arity == 2 and not functor.input.is_floating_point
    inputs = operands(dtypes, shape, layout, random, positive)
    try:
        expected = evaluate(reference, [x.to(functor.input) for x in inputs])
    except Exception as error:  # It is anybody's function.
        return f"the reference raised {type(error).__name__}: {error}"
    if not isinstance(expected, torch.Tensor):
        return f"the reference returned no tensor but {type(expected).__name__}"
    output = functor.output or expected.dtype
    if cast == "out":
        output = torch.float16 if output == torch.float32 else torch.float32
    tolerance = _tolerance({expected.dtype, output})
    if expected.dtype.is_complex and not output.is_complex:
        expected = expected.real
    expected = expected.to(output).expand(shape)
    actual = place(torch.zeros(shape, dtype=output), layout)
    try:
        launch(functor, getattr(library, functor.kernel), actual, inputs)
        torch.testing.assert_close(
            actual, expected, equal_nan=True, check_stride=False, **tolerance
        )
    except (AssertionError, KernelFault, InputError) as error:
        return " ".join(str(error).split())
    return ""


def evaluate(reference: Callable, inputs) -> torch.Tensor:
    """ATen's result. Where ATen has no half or bfloat of its own, float's is."""
    try:
        return reference(*inputs)
    except RuntimeError as error:
        if "not implemented" not in str(error) and "not support" not in str(error):
            raise
    return reference(*[x.float() for x in inputs])


def _tolerance(dtypes: set[torch.dtype]) -> dict[str, float]:
    """c10/metal's approximations are not ATen's: a few units more than torch.testing."""
    if torch.bfloat16 in dtypes:
        return {"rtol": 1.6e-2, "atol": 1e-5}
    if torch.float16 in dtypes:
        return {"rtol": 2e-3, "atol": 1e-4}
    if dtypes & {torch.float32, torch.complex64}:
        return {"rtol": 1e-4, "atol": 2e-5}
    return {"rtol": 0, "atol": 0}
