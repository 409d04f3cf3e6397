"""Random Metal kernels with defined results, from a seed.

    python generate_kernels.py SEED        prints one kernel

Every kernel is called `fuzz`, has the buffers of PARAMETERS and combines
control flow (uniform and divergent), integer arithmetic of every width, float
and half arithmetic without transcendental functions, private arrays, helper
functions, threadgroup memory with barriers under uniform control, and
cross-lane operations whose result does not depend on inactive lanes.
"""

import random
import sys

PARAMETERS = """device const int *ints [[buffer(0)]],
                 device const float *floats [[buffer(1)]],
                 constant int &uniform_value [[buffer(2)]],
                 device ulong *out [[buffer(3)]],
                 device float *float_out [[buffer(4)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]],
                 uint n [[threads_per_threadgroup]],
                 uint g [[threadgroup_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]"""
INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
FLOATS = ["float", "half"]


class Generator:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.scopes: list[list[tuple[str, str]]] = [[]]
        self.counter = 0
        self.budget = self.random.randint(8, 30)
        self.uses_barriers = self.random.random() < 0.5
        self.constants: set[str] = set()

    # Expressions.

    def variables(self, kinds):
        return [name for scope in self.scopes for name, kind in scope if kind in kinds]

    def integer(self, depth=0) -> str:
        choice = self.random.random()
        names = self.variables(INTEGERS)
        if depth > 2 or choice < 0.35:
            if names and choice < 0.25:
                return self.random.choice(names)
            leaves = ["int(i)", "lane", "t", "g", "ints[i]", "uniform_value"]
            leaves.append(str(self.random.choice([0, 1, 2, 3, 7, 31, 100, 255, -1])))
            return self.random.choice(leaves)
        a, b = self.integer(depth + 1), self.integer(depth + 1)
        kind = self.random.choice(INTEGERS)
        forms = [
            f"({kind})({a}) {self.random.choice('+-*/%&|^')} ({kind})({b})",
            f"({kind})({a}) << (({b}) & 7)",
            f"({kind})({a}) >> (({b}) & 7)",
            f"{self.random.choice(['min', 'max'])}(({kind})({a}), ({kind})({b}))",
            f"({self.condition(depth + 1)} ? ({kind})({a}) : ({kind})({b}))",
            f"{self.random.choice(['popcount', 'clz', 'ctz'])}(({kind})({a}))",
            f"absdiff(({kind})({a}), ({kind})({b}))",
            f"mulhi(({kind})({a}), ({kind})({b}))",
            f"rotate(({kind})({a}), ({kind})({b}))",
            f"addsat(({kind})({a}), ({kind})({b}))",
            f"helper(int({a}), int({b}))",
            f"int({self.number(depth + 1)})",
            f"-({kind})({a})",
            f"~({kind})({a})",
        ]
        return "(" + self.random.choice(forms) + ")"

    def number(self, depth=0) -> str:
        names = self.variables(FLOATS)
        choice = self.random.random()
        if depth > 2 or choice < 0.4:
            if names and choice < 0.3:
                return f"float({self.random.choice(names)})"
            leaves = ["floats[i]", "float(lane)", "0.5f", "-1.25f", "3.0f", "0.1f"]
            return self.random.choice(leaves)
        a, b = self.number(depth + 1), self.number(depth + 1)
        forms = [
            f"{a} {self.random.choice('+-*/')} {b}",
            f"float(half({a}) {self.random.choice('+-*')} half({b}))",
            f"{self.random.choice(['min', 'max', 'fmin', 'fmax'])}({a}, {b})",
            f"fma({a}, {b}, {self.number(depth + 1)})",
            f"{self.random.choice(['floor', 'ceil', 'trunc', 'rint', 'fabs'])}({a})",
            f"sqrt(fabs({a}))",
            f"float(int({self.integer(depth + 1)}) & 1023)",
            f"({self.condition(depth + 1)} ? {a} : {b})",
            f"select({a}, {b}, {self.condition(depth + 1)})",
        ]
        return "(" + self.random.choice(forms) + ")"

    def condition(self, depth=0) -> str:
        comparison = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        if self.random.random() < 0.25:
            return f"({self.number(depth + 1)} {comparison} {self.number(depth + 1)})"
        kind = self.random.choice(["int", "uint", "long", "short"])
        a, b = self.integer(depth + 1), self.integer(depth + 1)
        simple = f"(({kind})({a}) {comparison} ({kind})({b}))"
        if self.random.random() < 0.2:
            joint = self.random.choice(["&&", "||"])
            return f"({simple} {joint} (({a}) & 3) == 1)"
        return simple

    def uniform_condition(self) -> str:
        return self.random.choice(
            [
                "(g & 1) == 0",
                "uniform_value > 3",
                "n > 40",
                "(int(g) ^ uniform_value) & 2",
            ]
        )

    # Statements.

    def emit(self, text: str):
        self.lines.append("  " * len(self.scopes) + text)

    def declare(self, kind: str, value: str):
        name = f"v{self.counter}"
        self.counter += 1
        self.emit(f"{kind} {name} = {kind}({value});")
        self.scopes[-1].append((name, kind))
        return name

    def block(self, header: str, uniform: bool, loop: bool):
        self.emit(header + " {")
        self.scopes.append([])
        for _ in range(self.random.randint(1, 3)):
            self.statement(uniform, loop)
        self.scopes.pop()
        self.emit("}")

    def statement(self, uniform: bool, loop=False):
        if self.budget <= 0 or len(self.scopes) > 4:
            return self.assignment()
        self.budget -= 1
        choices = [self.assignment] * 4 + [
            self.declaration,
            lambda: self.branch(uniform, loop),
            lambda: self.branch(uniform, loop),
            lambda: self.loop(uniform),
            lambda: self.loop(uniform),
            self.switch,
            self.reduction,
            self.array,
        ]
        if loop and not uniform:
            choices.append(self.leave_loop)
        if uniform and self.uses_barriers:
            choices += [self.exchange, self.exchange, self.shuffle]
        self.random.choice(choices)()

    def declaration(self):
        if self.random.random() < 0.3:
            self.declare(self.random.choice(FLOATS), self.number())
        else:
            self.declare(self.random.choice(INTEGERS), self.integer())

    def assignment(self):
        names = self.variables(INTEGERS + FLOATS)
        names = [name for name in names if name not in self.constants]
        if not names:
            return self.declaration()
        name = self.random.choice(names)
        kind = dict(pair for scope in self.scopes for pair in scope)[name]
        if kind in FLOATS:
            self.emit(f"{name} = {kind}({self.number()});")
        else:
            self.emit(
                f"{name} {self.random.choice(['=', '+=', '^='])} "
                f"{kind}({self.integer()});"
            )

    def branch(self, uniform: bool, loop: bool):
        stays = uniform and self.random.random() < 0.4
        condition = self.uniform_condition() if stays else self.condition()
        self.block(f"if ({condition})", stays, loop and not stays)
        if self.random.random() < 0.5:
            self.block("else", stays, loop and not stays)

    def loop(self, uniform: bool):
        name = f"k{self.counter}"
        self.counter += 1
        stays = uniform and self.random.random() < 0.5
        bound = f"{self.random.randint(1, 5)}"
        if not stays:
            bound = f"int(({self.integer()}) & {self.random.choice([3, 7])})"
        elif self.random.random() < 0.5:
            bound = "(uniform_value & 3) + 1"
        self.constants.add(name)
        self.emit(
            f"for (int {name} = 0, e{name} = {bound}; {name} < e{name}; ++{name}) {{"
        )
        self.scopes.append([(name, "int")])
        for _ in range(self.random.randint(1, 3)):
            self.statement(stays, loop=True)
        self.scopes.pop()
        self.emit("}")

    def leave_loop(self):
        word = self.random.choice(["break", "continue"])
        self.emit(f"if ({self.condition()}) {word};")

    def switch(self):
        self.emit(f"switch (int({self.integer()}) & 3) {{")
        for value in range(self.random.randint(1, 3)):
            self.emit(f"case {value}: {{")
            self.scopes.append([])
            self.assignment()
            self.scopes.pop()
            self.emit("}")
            if self.random.random() < 0.7:
                self.emit("  break;")
        self.emit("default: {")
        self.scopes.append([])
        self.assignment()
        self.scopes.pop()
        self.emit("}}")

    def reduction(self):
        if self.random.random() < 0.2:
            return self.declare("float", f"simd_sum({self.number()})")
        function = self.random.choice(
            ["simd_sum", "simd_min", "simd_max", "simd_xor", "simd_or",
             "simd_prefix_inclusive_sum", "simd_prefix_exclusive_sum",
             "simd_broadcast_first"]
        )  # fmt: skip
        kind = self.random.choice(["int", "uint"])
        if self.random.random() < 0.2:
            vote = f"(ulong)simd_vote::vote_t(simd_ballot({self.condition()}))"
            return self.declare("ulong", vote)
        return self.declare(kind, f"{function}({kind}({self.integer()}))")

    def array(self):
        name = f"a{self.counter}"
        self.counter += 1
        self.emit(f"int {name}[4] = {{int({self.integer()}), 1, 2, 3}};")
        self.emit(f"{name}[({self.integer()}) & 3] = int({self.integer()});")
        self.declare("int", f"{name}[({self.integer()}) & 3]")

    def exchange(self):
        self.emit(f"tile[t] = int({self.integer()});")
        self.emit("threadgroup_barrier(mem_flags::mem_threadgroup);")
        distance = self.random.choice([1, 5, 32, 33])
        self.declare("int", f"tile[(t + {distance}) % n]")
        self.emit("threadgroup_barrier(mem_flags::mem_threadgroup);")

    def shuffle(self):
        # A source lane that does not exist gives an unspecified value.
        xor = self.random.choice([1, 2, 7, 16])
        value = f"simd_shuffle_xor(int({self.integer()}), {xor})"
        name = self.declare("int", value)
        self.emit(f"if ((t ^ {xor}) >= n) {name} = 0;")

    def kernel(self) -> str:
        for kind in ("int", "uint", "float"):
            self.declare(kind, self.number() if kind == "float" else self.integer())
        for _ in range(self.random.randint(4, 9)):
            self.statement(uniform=True)
        integers = self.variables(INTEGERS)
        self.emit("ulong h = 0;")
        for name in integers:
            self.emit(f"h = h * 31 + ulong({name});")
        self.emit("out[i] = h;")
        numbers = self.variables(FLOATS)
        self.emit(f"float_out[i] = {numbers[-1]};")
        body = "\n".join(self.lines)
        tile = "  threadgroup int tile[256];\n" if self.uses_barriers else ""
        return (
            "#include <metal_stdlib>\nusing namespace metal;\n\n"
            "static int helper(int a, int b) {\n"
            "  while (a > 100) {\n    if ((a & b) == 1)\n      return b;\n"
            "    a = a / 2 - 1;\n  }\n  return a < b ? a + 1 : b - a;\n}\n\n"
            f"kernel void fuzz({PARAMETERS}) {{\n{tile}{body}\n}}\n"
        )


def generate(seed: int) -> str:
    return Generator(seed).kernel()


if __name__ == "__main__":
    print(generate(int(sys.argv[1])))
