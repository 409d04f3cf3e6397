"""Kernels as trees of statements, so that a failing one can be made smaller."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Expr:
    """An expression of a type, from text and operands."""

    kind: str
    parts: list[str | Expr]

    def text(self) -> str:
        return join(self.parts)


def join(parts: list[str | Expr]) -> str:
    return "".join(p if isinstance(p, str) else p.text() for p in parts)


@dataclass
class Line:
    """One statement, or several that belong together."""

    parts: list[str | Expr]

    def text(self, indent: str) -> str:
        return indent + join(self.parts).replace("\n", "\n" + indent) + "\n"


@dataclass
class Block:
    """`head { body tail`, where tail begins with the closing brace. A block
    without `loose` makes no sense without its head (cases of a switch)."""

    head: list[str | Expr]
    body: list[Line | Block]
    tail: list[str | Expr] = field(default_factory=lambda: ["}"])
    loose: bool = True

    def text(self, indent: str) -> str:
        inner = "".join(statement.text(indent + "  ") for statement in self.body)
        return f"{indent}{join(self.head)} {{\n{inner}{indent}{join(self.tail)}\n"


@dataclass
class Kernel:
    """A source with one kernel: what stands before its body, and the body."""

    prologue: str
    helpers: list[Block]
    signature: str
    body: list[Line | Block]
    epilogue: list[Line]

    def text(self) -> str:
        helpers = "".join(helper.text("") for helper in self.helpers)
        main = Block([self.signature], [*self.body, *self.epilogue])
        return f"{self.prologue}\n{helpers}\n{main.text('')}"


def lists(kernel: Kernel) -> Iterator[list]:
    """Every list of statements, outer ones first."""
    queue: list[list] = [kernel.helpers, kernel.body, kernel.epilogue]
    while queue:
        statements = queue.pop(0)
        yield statements
        queue += [s.body for s in statements if isinstance(s, Block)]


def expressions(kernel: Kernel) -> Iterator[tuple[list, int]]:
    """Every place (list, index) that holds an expression, outer ones first."""
    for statements in lists(kernel):
        for statement in statements:
            heads = (
                [statement.head, statement.tail]
                if isinstance(statement, Block)
                else [statement.parts]
            )
            while heads:
                parts = heads.pop(0)
                for index, part in enumerate(parts):
                    if isinstance(part, Expr):
                        yield parts, index
                        heads.append(part.parts)


def literal(kind: str) -> Expr:
    return Expr(kind, ["true" if kind == "bool" else f"{kind}(1)"])


def smaller(kernel: Kernel) -> Iterator[Kernel]:
    """Kernels a step smaller, the largest steps first. Not all are valid."""

    def edited(number: int, places, edit):
        result = copy.deepcopy(kernel)
        edit(list(places(result))[number])
        return result

    for size in (8, 4, 2, 1):
        for number, statements in enumerate(lists(kernel)):
            for start in range(0, len(statements) - size + 1, size):

                def cut(found, start=start, size=size):
                    del found[start : start + size]

                yield edited(number, lists, cut)
    for number, statements in enumerate(lists(kernel)):
        for index, statement in enumerate(statements):
            if isinstance(statement, Block) and statement.loose:

                def unwrap(found, index=index):
                    found[index : index + 1] = found[index].body

                yield edited(number, lists, unwrap)
    for number, (parts, index) in enumerate(expressions(kernel)):
        old = parts[index]
        if old.text() == literal(old.kind).text():
            continue
        same = [p for p in old.parts if isinstance(p, Expr) and p.kind == old.kind]
        for new in [literal(old.kind), *same]:

            def replace(place, new=new):
                place[0][place[1]] = copy.deepcopy(new)

            yield edited(number, expressions, replace)


def shrink(kernel: Kernel, fails, attempts: int) -> Kernel:
    """The smallest kernel found for which `fails(text)` still holds."""
    progress = True
    while progress and attempts > 0:
        progress = False
        for candidate in smaller(kernel):
            attempts -= 1
            if attempts < 0:
                break
            if fails(candidate.text()):
                kernel = candidate
                progress = True
                break
    return kernel
