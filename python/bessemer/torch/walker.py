"""From an exported graph to a program: one operation for each FX node.

Nothing is lowered here: ATen calls become `torch.call` (the contract stands in
lib/convert/torch/TorchToCoreAI.h), custom kernels become kernel operations,
parameters and buffers become constants.
"""

from __future__ import annotations

import contextlib
import operator

import torch
from torch.export.graph_signature import (
    ConstantArgument,
    InputKind,
    OutputKind,
    SymIntArgument,
    TensorArgument,
)

from bessemer._bessemer import Program
from bessemer.errors import ConversionError
from bessemer.torch import attributes as attr
from bessemer.torch.constants import as_constant
from bessemer.torch.control import emit_control
from bessemer.torch.dimensions import dimensions
from bessemer.torch.dtypes import tensor_type
from bessemer.torch.kernel_ops import KernelEmitter
from bessemer.torch.locations import describe, location
from bessemer.torch.metal_kernel import NAMESPACE
from bessemer.torch.symbolic import rounded_quotient

# Checks of the exporter that compute nothing.
_ASSERTIONS = {
    "aten._assert_async.msg",
    "aten._assert_scalar.default",
    "aten._assert_tensor_metadata.default",
    "aten.sym_constrain_range.default",
    "aten.sym_constrain_range_for_size.default",
}
_TOKEN = "!coreai.token"
_SYMBOLIC_FUNCTIONS = {
    torch.sym_max: "sym_max",
    torch.sym_min: "sym_min",
    torch.sym_float: "sym_float",
    torch.sym_int: "sym_int",
}


def target_name(target) -> str:
    """`aten.add.Tensor`, `_operator.mul`; what messages and the lowering call it."""
    if isinstance(target, torch._ops.OpOverload):
        return str(target)
    if target in _SYMBOLIC_FUNCTIONS:
        return f"torch.{_SYMBOLIC_FUNCTIONS[target]}"
    name = getattr(target, "__name__", str(target))
    return f"{getattr(target, '__module__', None) or 'torch'}.{name}"


class GraphWalker:
    """Emits one exported program as one graph of a Program."""

    def __init__(self, program: Program, exported, kernels: dict):
        self.program = program
        self.exported = exported
        self.kernels = kernels
        self.values: dict[torch.fx.Node, list] = {}
        self.block = None
        self.module = exported.graph_module

    def run(self, name: str, input_names, output_names, state_names=None) -> dict:
        """Returns the generated sources: by kernel name, (kernel, source)."""
        emitter = KernelEmitter(self)
        for node in graph_nodes(self.exported):
            if self._is_kernel(node):
                emitter.check_types(node, self._kernel(node))
        states = self._states(state_names)
        inputs = self._user_inputs(input_names)
        self.block = self.program.add_graph(
            name,
            [(label, f"!coreai.handle<{self._type_of(n)}>") for n, label in states]
            + [(label, self._type_of(node)) for node, label in inputs],
        )
        self._read_states(states)
        for i, (node, _) in enumerate(inputs):
            self.values[node] = [self.program.input(self.block, len(states) + i)]
        self._add_constants()
        self.walk(emitter)
        tokens = self._write_states(states)
        self._set_outputs(output_names, tokens, [label for _, label in states])
        self.program.set_dimensions(
            name, dimensions(self.exported, [node for node, _ in inputs])
        )
        return emitter.sources

    def walk(self, emitter: KernelEmitter) -> None:
        """Emits the calls of the current graph."""
        for node in self.module.graph.nodes:
            if node.op == "call_function":
                self._call(node, emitter)
            # get_attr: a branch of a control flow node, which emits it.
            elif node.op not in ("placeholder", "get_attr", "output"):
                raise ConversionError(f"{describe(node)}: unexpected {node.op} node")

    @contextlib.contextmanager
    def region(self, block):
        """Operations go to this block."""
        outer, self.block = self.block, block
        yield
        self.block = outer

    @contextlib.contextmanager
    def graph(self, module: torch.fx.GraphModule):
        """Names of graphs are attributes of this module."""
        outer, self.module = self.module, module
        yield
        self.module = outer

    # Mutable buffers.

    def _states(self, names) -> list[tuple[torch.fx.Node, str]]:
        """Buffers that the program changes, in the order of its inputs."""
        changed = set(self.exported.graph_signature.buffers_to_mutate.values())
        nodes = self._placeholders()
        buffers = [
            nodes[spec.arg.name]
            for spec in self.exported.graph_signature.input_specs
            if spec.kind is InputKind.BUFFER and spec.target in changed
        ]
        labels = _labels("stateful input", [n.name for n in buffers], names, "state")
        return list(zip(buffers, labels, strict=True))

    def _read_states(self, states) -> None:
        self._tokens = {}
        for i, (node, _) in enumerate(states):
            handle = self.program.input(self.block, i)
            (token,) = self.emit("coreai.create_token", [], [_TOKEN], {})
            value, token = self.emit(
                "coreai.read_handle", [handle, token], [self._type_of(node), _TOKEN], {}
            )
            self.values[node] = [value]
            self._tokens[node] = (handle, token)

    def _write_states(self, states) -> list:
        """The token after the new value of each state is written."""
        outputs = {
            target: name
            for name, target in (
                self.exported.graph_signature.buffers_to_mutate.items()
            )
        }
        inputs = self.exported.graph_signature.inputs_to_buffers
        nodes = {node.name: node for node in self.exported.graph.nodes}
        tokens = []
        for node, _ in states:
            value = self.values[nodes[outputs[inputs[node.name]]]][0]
            handle, token = self._tokens[node]
            tokens += self.emit(
                "coreai.write_handle", [handle, value, token], [_TOKEN], {}
            )
        return tokens

    # Inputs, parameters and outputs.

    def _user_inputs(self, names) -> list[tuple[torch.fx.Node, str]]:
        nodes = self._placeholders()
        specs = self.exported.graph_signature.input_specs
        live = [
            nodes[spec.arg.name]
            for spec in specs
            if spec.kind is InputKind.USER_INPUT
            and isinstance(spec.arg, (TensorArgument, SymIntArgument))
        ]
        labels = _labels("input", [node.name for node in live], names)
        duplicates = sorted({label for label in labels if labels.count(label) > 1})
        if duplicates:
            raise ValueError(f"input_names has duplicates: {duplicates}")
        return list(zip(live, labels, strict=True))

    def _placeholders(self) -> dict[str, torch.fx.Node]:
        graph = self.exported.graph
        return {node.name: node for node in graph.nodes if node.op == "placeholder"}

    def _add_constants(self) -> None:
        """Parameters, buffers and lifted constants that the graph uses."""
        nodes = self._placeholders()
        exported = self.exported
        for spec in exported.graph_signature.input_specs:
            if spec.kind is InputKind.USER_INPUT:
                continue
            if nodes[spec.arg.name] in self.values:
                continue  # A state.
            if isinstance(spec.arg, ConstantArgument) or not nodes[spec.arg.name].users:
                continue
            if spec.kind is InputKind.CUSTOM_OBJ or spec.kind is InputKind.TOKEN:
                raise ConversionError(f"{spec.arg.name}: {spec.kind.name} inputs")
            data = exported.state_dict.get(spec.target)
            if data is None:
                data = exported.constants[spec.target]
            tensor = as_constant(data, spec.target)
            value = self.program.constant(self.block, tensor)
            self.values[nodes[spec.arg.name]] = [value]

    def _set_outputs(self, names, tokens: list, states: list[str]) -> None:
        specs = self.exported.graph_signature.output_specs
        output = next(n for n in self.exported.graph.nodes if n.op == "output")
        live = []
        for spec, value in zip(specs, output.args[0], strict=True):
            if spec.kind is OutputKind.BUFFER_MUTATION:
                continue
            if spec.kind is not OutputKind.USER_OUTPUT:
                raise ConversionError(
                    f"the program changes {spec.target or spec.arg.name!r} "
                    f"({spec.kind.name.lower().replace('_', ' ')}): inputs stay what "
                    "they are; return the new value, or keep it in a buffer"
                )
            if isinstance(value, torch.fx.Node):
                live.append(value)
        labels = _labels("output", _unique([node.name for node in live]), names)
        duplicates = sorted({label for label in labels if labels.count(label) > 1})
        if duplicates:
            raise ValueError(f"output_names has duplicates: {duplicates}")
        self.program.set_outputs(
            self.block,
            tokens + [self.values[node][0] for node in live],
            states + labels,
        )

    # Calls.

    def _call(self, node: torch.fx.Node, emitter: KernelEmitter) -> None:
        target = node.target
        if target is operator.getitem and node.args[0] in self.values:
            source, index = node.args
            self.values[node] = [self.values[source][index]]
            return
        if isinstance(target, torch._ops.HigherOrderOperator):
            return emit_control(self, node, emitter)
        if isinstance(target, torch._ops.OpOverload):
            if self._is_kernel(node):
                kernel = self._kernel(node)
                self.values[node] = emitter.emit(node, kernel)
                return
            if str(target) in _ASSERTIONS:
                return
        self._torch_call(node)

    def _is_kernel(self, node: torch.fx.Node) -> bool:
        target = node.target
        return isinstance(target, torch._ops.OpOverload) and (
            target.namespace == NAMESPACE
        )

    def _kernel(self, node: torch.fx.Node):
        namespace, _, name = node.target._schema.name.partition("::")
        kernel = self.kernels.get(f"{namespace}::{name}.default")
        if kernel is not None:
            return kernel
        same = [k for k in self.kernels.values() if name.startswith(f"{k.name}_")]
        hint = (
            f"another TorchMetalKernel named {same[0].name!r} is registered, not the "
            "one that is called"
            if same
            else "register it with register_custom_kernels()"
        )
        raise ConversionError(
            f"unable to handle call function op: target: {name}.default, namespace: "
            f"{namespace}; {hint} ({describe(node)})"
        )

    def _torch_call(self, node: torch.fx.Node) -> None:
        operands: list = []
        target, values = rounded_quotient(node) or (
            target_name(node.target),
            _schema_values(node),
        )
        arguments = [self.argument(value, operands, node) for value in values]
        results = self.result_types(node)
        self.values[node] = self.emit(
            "torch.call",
            operands,
            results,
            {
                "target": attr.string(target),
                "arguments": attr.array(arguments),
            },
            location(node),
        )

    def argument(self, value, operands: list, node: torch.fx.Node) -> str:
        """An argument as attribute text; tensors and symbols become operands."""
        if isinstance(value, torch.fx.Node):
            if value not in self.values:
                raise ConversionError(f"{describe(node)}: {value.name} has no value")
            operands.append(self.values[value][0])
            return attr.string(f"%{len(operands) - 1}")
        if isinstance(value, (list, tuple)):
            return attr.array([self.argument(v, operands, node) for v in value])
        return attr.scalar(value)

    def result_types(self, node: torch.fx.Node) -> list[str]:
        value = node.meta.get("val")
        values = value if isinstance(value, (list, tuple)) else [value]
        return [self._type_of(node, v) for v in values if v is not None]

    def _type_of(self, node: torch.fx.Node, value=None) -> str:
        value = node.meta.get("val") if value is None else value
        if isinstance(value, torch.Tensor):
            try:
                return tensor_type(value.shape, value.dtype)
            except TypeError as error:
                raise ConversionError(f"{describe(node)}: {error}") from None
        if isinstance(value, (bool, torch.SymBool)):
            return "tensor<i1>"
        if isinstance(value, (int, torch.SymInt)):
            return "tensor<si32>"
        if isinstance(value, (float, torch.SymFloat)):
            return "tensor<f32>"
        raise ConversionError(f"{describe(node)}: a value of type {type(value)}")

    # For the emitters.

    def value_of(self, value, user: torch.fx.Node):
        """A node's value, or a number as a constant."""
        if isinstance(value, torch.fx.Node):
            if value not in self.values:
                raise ConversionError(f"{describe(user)}: {value.name} has no value")
            return self.values[value][0]
        if isinstance(value, (bool, int, float)):
            constant = as_constant(torch.tensor(value), f"the number {value}")
            return self.program.constant(self.block, constant)
        raise ConversionError(f"{describe(user)}: {value!r} is not a tensor")

    def emit(self, name, operands, result_types, attributes, where="") -> list:
        return self.program.create_operation(
            self.block, name, operands, result_types, attr.dictionary(attributes), where
        )


def graph_nodes(exported):
    """The nodes of the program's graph and of its branches."""
    for module in exported.graph_module.modules():
        if isinstance(module, torch.fx.GraphModule):
            yield from module.graph.nodes


def _schema_values(node: torch.fx.Node) -> list:
    """All arguments in the schema's order, defaults filled in."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return [*node.args, *node.kwargs.values()]
    values = []
    for i, argument in enumerate(node.target._schema.arguments):
        if i < len(node.args) and not argument.kwarg_only:
            values.append(node.args[i])
        else:
            values.append(node.kwargs.get(argument.name, argument.default_value))
    return values


def _unique(names: list[str]) -> list[str]:
    """x, x_1, x_2 for what is called x three times."""
    result: list[str] = []
    for name in names:
        label, number = name, 0
        while label in result or (number and label in names):
            number += 1
            label = f"{name}_{number}"
        result.append(label)
    return result


def _labels(kind: str, live: list[str], names, option: str = "") -> list[str]:
    """The names the caller gave, or those of the graph."""
    if not names:
        return live
    names = list(names)
    if len(names) != len(live):
        what = kind if option else f"live {kind}"
        raise ValueError(
            f"Graph has {len(live)} {what}s ({live}), but {option or kind}_names has "
            f"{len(names)} entries ({names})."
        )
    return names
