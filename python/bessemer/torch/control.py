"""torch.cond and while_loop as operations with regions."""

from __future__ import annotations

import torch

from bessemer.errors import ConversionError
from bessemer.torch.locations import describe, location


def emit_control(walker, node: torch.fx.Node, emitter) -> None:
    """Emits a call of a higher-order operator."""
    emit = _EMITTERS.get(node.target.name())
    if emit is None:
        raise ConversionError(
            f"{describe(node)}: {node.target.name()} cannot be converted; torch.cond "
            "and while_loop can"
        )
    walker.values[node] = emit(walker, node, emitter)


def _emit_cond(walker, node, emitter) -> list:
    predicate, then, otherwise, operands = node.args
    results, blocks = walker.program.create_with_regions(
        walker.block,
        "coreai.if",
        [walker.value_of(predicate, node)],
        walker.result_types(node),
        location(node),
        2,
    )
    values = [walker.value_of(operand, node) for operand in operands]
    for branch, block in zip((then, otherwise), blocks, strict=True):
        with walker.region(block):
            walker.emit("coreai.yield", _walk(walker, branch, values, emitter), [], {})
    return results


def _emit_while(walker, node, emitter) -> list:
    condition, body, carried, additional = node.args
    inits = [walker.value_of(value, node) for value in carried]
    fixed = [walker.value_of(value, node) for value in additional]
    results, (before, after) = walker.program.create_with_regions(
        walker.block,
        "coreai.while",
        inits,
        walker.result_types(node),
        location(node),
        2,
    )
    types = [walker.program.type_of(value) for value in inits]
    with walker.region(before):
        arguments = [walker.program.add_argument(before, t) for t in types]
        test = _walk(walker, condition, arguments + fixed, emitter)
        walker.emit("coreai.condition", test + arguments, [], {})
    with walker.region(after):
        arguments = [walker.program.add_argument(after, t) for t in types]
        values = _walk(walker, body, arguments + fixed, emitter)
        walker.emit("coreai.yield", values, [], {})
    return results


def _walk(walker, branch: torch.fx.Node, values: list, emitter) -> list:
    """Emits a graph that is an attribute of the current one; its results."""
    module = getattr(walker.module, branch.target)
    with walker.graph(module):
        placeholders = [n for n in module.graph.nodes if n.op == "placeholder"]
        for placeholder, value in zip(placeholders, values, strict=True):
            walker.values[placeholder] = [value]
        walker.walk(emitter)
        output = next(n for n in module.graph.nodes if n.op == "output")
        results = output.args[0]
        if not isinstance(results, (list, tuple)):
            results = [results]
        return [walker.value_of(value, output) for value in results]


_EMITTERS = {"cond": _emit_cond, "while_loop": _emit_while}
