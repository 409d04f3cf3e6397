"""Random expressions with defined results, bit for bit."""

from __future__ import annotations

import random

from kernels.syntax import Expr

SIGNED = ["char", "short", "int", "long"]
UNSIGNED = ["uchar", "ushort", "uint", "ulong"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float", "half", "bfloat"]
SCALARS = INTEGERS + FLOATS + ["bool"]
VECTORS = ["int2", "int4", "uint3", "uchar4", "short2", "float2", "float3", "half4"]
DEEPEST = 3


def element_of(vector: str) -> tuple[str, int]:
    return vector[:-1], int(vector[-1])


class Expressions:
    """Variables in scope, and expressions over them."""

    def __init__(self, generator: random.Random):
        self.random = generator
        self.scopes: list[dict[str, str]] = [{}]
        self.helpers: list[tuple[str, str, list[str]]] = []
        self.in_helper = False

    def names(self, kind: str) -> list[str]:
        return [n for scope in self.scopes for n, k in scope.items() if k == kind]

    def make(self, kind: str, form: str, **operands: Expr) -> Expr:
        """`form` names operands in braces."""
        parts: list[str | Expr] = []
        for piece in form.replace("}", "{").split("{"):
            parts.append(operands[piece] if piece in operands else piece)
        return Expr(kind, parts)

    def of(self, kind: str, depth: int = 0) -> Expr:
        names = self.names(kind)
        if names and self.random.random() < 0.3:
            return Expr(kind, [self.random.choice(names)])
        if kind == "bool":
            return self.condition(depth)
        if kind in VECTORS:
            return self.vector(kind, depth)
        leaf = depth >= DEEPEST or self.random.random() < 0.3
        if kind in FLOATS:
            return self.float_leaf(kind) if leaf else self.number(kind, depth)
        return self.integer_leaf(kind) if leaf else self.integer(kind, depth)

    def integer_leaf(self, kind: str) -> Expr:
        leaves = ["i", "lane", "t", "g", "n", "u.a", "u.b"]
        leaves += ["ints[i]", "ints[(i * 7 + 3) % total]", "ints[t]"]
        if self.in_helper:
            leaves = ["a", "b"]
        leaves += [str(self.random.choice([0, 1, 2, 3, 7, 31, 100, 255, -1, 65537]))]
        return Expr(kind, [f"{kind}({self.random.choice(leaves)})"])

    def integer(self, kind: str, depth: int) -> Expr:
        a, b = self.of(kind, depth + 1), self.of(kind, depth + 1)
        other = self.random.choice(INTEGERS)
        c = self.of(other, depth + 1)
        forms = [
            f"{kind}({{a}} {self.random.choice('+-*/%&|^')} {{b}})",
            f"{kind}({{a}} {self.random.choice('+-*&')} {{b}})",
            f"{kind}({{a}} << ({{b}} & 7))",
            f"{kind}({{a}} >> ({{b}} & 7))",
            f"{self.random.choice(['min', 'max'])}({{a}}, {{b}})",
            f"{kind}({{q}} ? {{a}} : {{b}})",
            f"{kind}({self.random.choice(['popcount', 'clz', 'ctz'])}({{a}}))",
            "mulhi({a}, {b})",
            "rotate({a}, {b})",
            f"{self.random.choice(['addsat', 'subsat', 'hadd', 'rhadd'])}({{a}}, {{b}})",
            f"{kind}(absdiff({{a}}, {{b}}))",
            f"{kind}(-{{a}})",
            f"{kind}(~{{a}})",
            f"{kind}({{c}})",
            f"{kind}({{c}})",
            f"{kind}({{f}})",
            "clamp({a}, min({a}, {b}), max({a}, {b}))",
            "reverse_bits({a})",
            "extract_bits({a}, 1, 5)",
        ]
        if self.helpers and not self.in_helper:
            forms += [self.call_of("int", kind)] * 2
        operands = {"a": a, "b": b, "c": c}
        form = self.random.choice(forms)
        if "{q}" in form:
            operands["q"] = self.of("bool", depth + 1)
        if "{f}" in form:
            operands["f"] = self.of(self.random.choice(FLOATS), depth + 1)
        if "{x}" in form:
            operands |= {x: self.of("int", depth + 1) for x in ("x", "y")}
        return self.make(kind, form, **operands)

    def call_of(self, result: str, kind: str) -> str:
        name, _, _ = self.random.choice(self.helpers)
        return f"{kind}({name}({{x}}, {{y}}))"

    def float_leaf(self, kind: str) -> Expr:
        leaves = ["0.5f", "-1.25f", "3.0f", "0.1f"]
        if not self.in_helper:
            leaves += ["float(lane)", "floats[i]", "floats[(i + 11) % total]", "u.c"]
        return Expr(kind, [f"{kind}({self.random.choice(leaves)})"])

    def number(self, kind: str, depth: int) -> Expr:
        a, b = self.of(kind, depth + 1), self.of(kind, depth + 1)
        other = self.of(self.random.choice(FLOATS), depth + 1)
        forms = [
            f"{kind}({{a}} {self.random.choice('+-*')} {{b}})",
            f"{kind}({{a}} {self.random.choice('+-*/')} {{b}})",
            f"{kind}(float({{c}}))",
            f"{kind}({{i}})",
            f"{kind}({{q}} ? {{a}} : {{b}})",
            f"{kind}(-{{a}})",
        ]
        if kind != "bfloat":
            unary = self.random.choice(
                ["floor", "ceil", "trunc", "rint", "round", "fabs", "abs", "sign"]
            )
            forms += [
                # Of zeros with different signs either may come out.
                f"{kind}({self.random.choice(['min', 'max', 'fmin', 'fmax'])}"
                f"({{a}}, {{b}}) + {kind}(0))",
                "fma({a}, {b}, {a})",
                f"{unary}({{a}})",
                "sqrt(fabs({a}))",
                "select({a}, {b}, {q})",
                "step({a}, {b})",
                "fdim({a}, {b})",
            ]
        form = self.random.choice(forms)
        operands = {"a": a, "b": b, "c": other}
        if "{q}" in form:
            operands["q"] = self.of("bool", depth + 1)
        if "{i}" in form:
            operands["i"] = self.of(self.random.choice(INTEGERS), depth + 1)
        return self.make(kind, form, **operands)

    def condition(self, depth: int) -> Expr:
        comparison = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        kind = self.random.choice(INTEGERS + FLOATS)
        a, b = self.of(kind, depth + 1), self.of(kind, depth + 1)
        simple = self.make("bool", f"({{a}} {comparison} {{b}})", a=a, b=b)
        if depth < DEEPEST and self.random.random() < 0.25:
            joint = self.random.choice(["&&", "||", "!="])
            other = self.of("bool", depth + 1)
            return self.make("bool", f"({{a}} {joint} {{b}})", a=simple, b=other)
        if depth < DEEPEST and self.random.random() < 0.1:
            vector = self.random.choice(VECTORS)
            a, b = self.of(vector, DEEPEST), self.of(vector, DEEPEST)
            form = f"{self.random.choice(['any', 'all'])}({{a}} {comparison} {{b}})"
            return self.make("bool", form, a=a, b=b)
        return simple

    def uniform_condition(self) -> Expr:
        text = self.random.choice(
            ["(g & 1) == 0", "u.a > 3", "n > 40", "(int(g) ^ u.a) & 2", "u.b != 0u"]
        )
        return Expr("bool", [f"bool({text})"])

    def vector(self, kind: str, depth: int) -> Expr:
        element, count = element_of(kind)
        choice = self.random.random()
        if depth >= DEEPEST or choice < 0.35:
            scalars = {f"e{i}": self.of(element, DEEPEST) for i in range(count)}
            form = ", ".join(f"{{{name}}}" for name in scalars)
            return self.make(kind, f"{kind}({form})", **scalars)
        a, b = self.of(kind, depth + 1), self.of(kind, depth + 1)
        if choice < 0.5:
            swizzle = "".join(self.random.choices("xyzw"[:count], k=count))
            return self.make(kind, f"{{a}}.{swizzle}", a=a)
        if choice < 0.6:
            c = self.of("bool", depth + 1)
            return self.make(kind, "({c} ? {a} : {b})", a=a, b=b, c=c)
        if choice < 0.7:
            return self.make(kind, "select({a}, {b}, {a} > {b})", a=a, b=b)
        operator = self.random.choice(["+", "-", "*", "min", "max"])
        if len(operator) == 3:
            # Of zeros with different signs either may come out.
            zero = f" + {kind}(0)" if element in FLOATS else ""
            return self.make(kind, f"({operator}({{a}}, {{b}}){zero})", a=a, b=b)
        return self.make(kind, f"({{a}} {operator} {{b}})", a=a, b=b)
