"""A model with kernels against PyTorch: converted, saved, loaded, run, compared.

torch_defn is no test: nothing compares it with the Metal body. This does, over
several cases, best with sizes that are no multiples of a tile.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch.utils._pytree import keystr, tree_flatten_with_path

from bessemer.runtime import AIModel, NDArray, StorageKind
from bessemer.torch.comparison import Comparison, compare
from bessemer.torch.converter import TorchConverter
from bessemer.torch.decompositions import get_decomp_table
from bessemer.torch.dtypes import NARROWED

Inputs = Mapping[str, torch.Tensor]


@dataclass
class Case:
    """One run of the model."""

    inputs: dict[str, list[int]]  # Their shapes.
    outputs: list[Comparison] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every output agrees with the reference."""
        return all(output.ok for output in self.outputs)

    def __str__(self) -> str:
        shapes = ", ".join(f"{name} {shape}" for name, shape in self.inputs.items())
        return "\n".join([f"inputs {shapes}", *(f"  {o}" for o in self.outputs)])


@dataclass
class ValidationReport:
    """All cases; print it to see where results are wrong."""

    cases: list[Case]

    @property
    def ok(self) -> bool:
        return all(case.ok for case in self.cases)

    def __str__(self) -> str:
        wrong = sum(not case.ok for case in self.cases)
        heading = f"{len(self.cases) - wrong} of {len(self.cases)} cases right"
        return "\n".join([heading, *map(str, self.cases)])


def validate(
    model: torch.nn.Module,
    inputs: Inputs | Callable[[random.Random], Inputs],
    *,
    kernels=(),
    dynamic_shapes=None,
    cases: int | None = None,
    seed: int = 0,
    input_names: list[str] | None = None,
    output_names: list[str] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
) -> ValidationReport:
    """Compares the converted model with `model(**inputs)`.

    `inputs` are tensors by the names of forward's parameters, or a function that
    makes them from a random.Random; then `cases` of them (8) are run. With
    `dynamic_shapes` one program, made for the first case, serves all.
    """
    model = model.eval()
    make = inputs if callable(inputs) else lambda _: inputs
    cases = cases or (8 if callable(inputs) else 1)
    generator = random.Random(seed)
    names = {"input_names": input_names, "output_names": output_names}
    report = ValidationReport([])
    with tempfile.TemporaryDirectory() as folder:
        function = None
        for _ in range(cases):
            values = dict(make(generator))
            if function is None or dynamic_shapes is None:
                program = _convert(model, values, kernels, dynamic_shapes, names)
                function = _load(program, Path(folder))
            report.cases.append(
                _run(
                    model, function, values, output_names, {"rtol": rtol, "atol": atol}
                )
            )
    return report


async def validate_numerical_output(
    *,
    model: torch.nn.Module,
    custom_kernels=None,
    metal_inputs: bool = False,
    input_names: list[str] | None = None,
    output_names: list[str] | None = None,
    atol: float = 1e-2,
    rtol: float = 1e-5,
    dynamic_shapes=None,
    **inputs: torch.Tensor,
) -> None:
    """`validate` under a name and with arguments that test suites use.

    `metal_inputs` needs no answer: every array here can be read by a kernel.
    """
    report = validate(
        model,
        inputs,
        kernels=custom_kernels or (),
        dynamic_shapes=dynamic_shapes,
        input_names=input_names,
        output_names=output_names,
        rtol=rtol,
        atol=atol,
    )
    if not report.ok:
        raise AssertionError(str(report))


def _convert(model, values: Inputs, kernels, dynamic_shapes, names):
    exported = torch.export.export(
        model, (), dict(values), dynamic_shapes=dynamic_shapes
    )
    converter = TorchConverter().register_custom_kernels(kernels)
    converter.add_exported_program(
        exported.run_decompositions(get_decomp_table()), **names
    )
    return converter.to_coreai()


def _load(program, folder: Path):
    asset = program.save_asset(folder / "model.aimodel")
    return AIModel.open(asset.path).load_function("main")


def _outputs(results, names) -> list[tuple[str, torch.Tensor]]:
    """What a model returned, by `names`, else by the way to each: output['mean'][0].

    The names in the graph are those of operators, which nobody chose.
    """
    found = [
        (f"output{keystr(path)}", value)
        for path, value in tree_flatten_with_path(results)[0]
        if isinstance(value, torch.Tensor)
    ]
    if names and len(names) == len(found):
        return [(name, value) for name, (_, value) in zip(names, found, strict=True)]
    return found


def _run(model, function, values: Inputs, names, tolerances: dict) -> Case:
    with torch.no_grad():
        expected = model(**{name: value.clone() for name, value in values.items()})
    expected = _outputs(expected, names)
    case = Case({name: list(value.shape) for name, value in values.items()})
    arrays = {
        name: NDArray(_narrow(value), backing=StorageKind.METAL)
        for name, value in zip(function.desc.input_names, values.values(), strict=True)
    }
    results = function.run(arrays)
    if len(results) != len(expected):
        reason = f"{len(results)} outputs, expected {len(expected)}"
        case.outputs.append(Comparison("outputs", False, reason))
        return case
    for result, (name, reference) in zip(results.values(), expected, strict=True):
        actual = _as_torch(result)
        case.outputs.append(compare(name, actual, _narrow(reference), **tolerances))
    return case


def _narrow(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(NARROWED.get(tensor.dtype, tensor.dtype))


def _as_torch(array: NDArray) -> torch.Tensor:
    data = array.numpy()
    if array.dtype == "bfloat16":  # torch.from_numpy does not know it.
        return torch.from_numpy(data.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(data)
