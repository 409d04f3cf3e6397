"""A random kernel with defined results, from a seed.

    python -m kernels.generate SEED        prints one kernel

Every kernel is called `fuzz` and has the buffers of SIGNATURE. It combines
control flow (uniform, divergent, nested; loops with break and continue; switch
with and without break; early return), arithmetic of every type, vectors,
structs, helper functions, private and threadgroup arrays, barriers under
uniform control, simdgroup matrices, atomics and locks whose order no one can
see, packed vectors, and simdgroup and quadgroup operations whose result does
not depend on inactive lanes.
"""

from __future__ import annotations

import random
import sys

from kernels.expressions import FLOATS, INTEGERS, SCALARS, VECTORS
from kernels.shared import Shared
from kernels.syntax import Block, Expr, Kernel, Line

PROLOGUE = """#include <metal_stdlib>
using namespace metal;

struct Uniforms { int a; uint b; float c; };
struct Record { int a; uchar b[3]; half c; long d; float2 e; };
"""
SIGNATURE = """kernel void fuzz(device const int *ints [[buffer(0)]],
                 device const float *floats [[buffer(1)]],
                 constant Uniforms &u [[buffer(2)]],
                 device ulong *out [[buffer(3)]],
                 device float *float_out [[buffer(4)]],
                 device atomic_uint *counters [[buffer(5)]],
                 device atomic_int *extremes [[buffer(6)]],
                 device atomic_float *sums [[buffer(7)]],
                 device uchar *bytes [[buffer(8)]],
                 device Record *records [[buffer(9)]],
                 threadgroup int *bound [[threadgroup(0)]],
                 uint3 position [[thread_position_in_grid]],
                 uint3 size [[threads_per_grid]],
                 uint3 in_group [[thread_position_in_threadgroup]],
                 uint3 actual [[threads_per_threadgroup]],
                 uint3 group [[threadgroup_position_in_grid]],
                 uint3 groups [[threadgroups_per_grid]],
                 uint t [[thread_index_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simdgroup [[simdgroup_index_in_threadgroup]])"""
IDS = """const uint total = size.x * size.y * size.z;
const uint i = (position.z * size.y + position.y) * size.x + position.x;
const uint n = actual.x * actual.y * actual.z;
const uint g = (group.z * groups.y + group.y) * groups.x + group.x;"""


class Generator(Shared):
    def __init__(self, seed: int):
        super().__init__(random.Random(seed))
        self.counter = 0
        self.budget = self.random.randint(6, 26)
        self.depth = 0
        self.uses_barriers = self.random.random() < 0.45
        self.frozen: set[str] = {"i", "n", "g", "t"}
        # A shuffle could read a lane that is gone.
        self.may_return, self.may_shuffle = True, True

    def fresh(self, letter: str) -> str:
        self.counter += 1
        return f"{letter}{self.counter}"

    def declare(self, kind: str, value: Expr | str) -> list[Line]:
        name = self.fresh("v")
        line = Line([f"{kind} {name} = ", value, ";"])
        self.scopes[-1][name] = kind
        return [line]

    def body(self, count: int, **context) -> list:
        self.scopes.append({})
        self.depth += 1
        statements = []
        for _ in range(count):
            statements += self.statement(**context)
        self.depth -= 1
        self.scopes.pop()
        return statements

    def statement(self, uniform: bool, loop: bool) -> list:
        if self.budget <= 0 or self.depth > 4:
            return self.assignment()
        self.budget -= 1
        choices = [self.assignment] * 3 + [self.declaration] * 2
        choices += [lambda: self.branch(uniform, loop)] * 3
        choices += [lambda: self.loop(uniform)] * 3
        choices += [
            lambda: self.switch(uniform, loop),
            self.reduction,
            self.quad,
            self.turns,
            self.private_array,
            self.record,
            self.own_memory,
            self.packed,
            self.atomic,
            self.locked,
        ]
        if loop and not uniform:
            choices += [self.leave_loop] * 2
        if self.may_return and not self.uses_barriers and not uniform:
            choices.append(self.early_return)
        if uniform:
            if self.may_shuffle:
                choices += [self.shuffle, self.any_shuffle]
            if self.uses_barriers:
                choices += [self.exchange] * 3 + [self.shared_atomic, self.matrix]
        return self.random.choice(choices)()

    # Variables.

    def declaration(self) -> list:
        kind = self.random.choice(SCALARS + VECTORS)
        return self.declare(kind, self.of(kind))

    def assignment(self) -> list:
        kinds = [k for scope in self.scopes for k in scope.values()]
        targets = [(n, k) for k in kinds for n in self.names(k) if n not in self.frozen]
        if not targets:
            return self.declaration()
        name, kind = self.random.choice(targets)
        if kind in VECTORS and self.random.random() < 0.4:
            element, count = kind[:-1], int(kind[-1])
            index = self.of("uint", 2)
            value = self.of(element, 1)
            return [Line([f"{name}[", index, f" % {count}u] = ", value, ";"])]
        operator = "="
        if kind in INTEGERS:
            operator = self.random.choice(["=", "+=", "^=", "-=", "*=", "|="])
        return [Line([f"{name} {operator} ", self.of(kind), ";"])]

    # Control flow.

    def branch(self, uniform: bool, loop: bool) -> list:
        stays = uniform and self.random.random() < 0.4
        condition = self.uniform_condition() if stays else self.of("bool")
        context = {"uniform": stays, "loop": loop and not stays}
        result = [Block(["if (", condition, ")"],
                        self.body(self.random.randint(1, 3), **context))]  # fmt: skip
        if self.random.random() < 0.5:
            otherwise = self.body(self.random.randint(1, 3), **context)
            result.append(Block(["else"], otherwise))
        return result

    def loop(self, uniform: bool) -> list:
        stays = uniform and self.random.random() < 0.5
        name = self.fresh("k")
        self.frozen.add(name)
        most = self.random.choice([3, 7])
        if not stays:
            bound: Expr = self.make("int", f"int({{a}} & {most})", a=self.of("int", 1))
        elif self.random.random() < 0.5:
            bound = Expr("int", [f"int({self.random.randint(1, 5)})"])
        else:
            bound = Expr("int", ["int((u.a & 3) + 1)"])
        self.scopes.append({name: "int"})
        # What only some threads leave has no barriers or shuffles in it.
        body = self.body(self.random.randint(1, 3), uniform=stays, loop=not stays)
        self.scopes.pop()
        form = self.random.random()
        if form < 0.6 or stays:
            head = [f"for (int {name} = 0, e{name} = ", bound, f"; {name} < e{name}; "
                    f"++{name})"]  # fmt: skip
            return [Block(head, body)]
        declare = Line([f"int {name} = 0, e{name} = ", bound, ";"])
        step = Line([f"if (++{name} > e{name}) break;"])
        if form < 0.8:
            return [declare, Block(["while (true)"], [step, *body])]
        last = self.of("bool", 1)
        tail = ["} while (", last, ");"]
        return [declare, Block(["do"], [step, *body], tail, False)]

    def leave_loop(self) -> list:
        word = self.random.choice(["break", "continue"])
        return [Line(["if (", self.of("bool"), f") {word};"])]

    def early_return(self) -> list:
        self.may_shuffle = False
        store = Line(["out[i] = ", self.of("ulong"), "; return;"])
        return [Block(["if (", self.of("bool"), ")"], [store])]

    def switch(self, uniform: bool, loop: bool) -> list:
        cases = []
        values = self.random.sample(range(-1, 6), self.random.randint(1, 4))
        for value in values:
            # `continue` may leave a switch in a loop, `break` may not.
            body = self.body(1, uniform=False, loop=False)
            if loop and not uniform and self.random.random() < 0.2:
                body.append(Line(["if (", self.of("bool"), ") continue;"]))
            end = "} break;" if self.random.random() < 0.7 else "}"
            cases.append(Block([f"case {value}:"], body, [end], False))
        default = self.body(1, uniform=False, loop=False)
        cases.insert(self.random.randint(0, len(cases)),
                     Block(["default:"], default, ["} break;"], False))  # fmt: skip
        return [Block(["switch (", self.of("int"), " & 7)"], cases, ["}"], False)]

    # Across lanes.

    def reduction(self) -> list:
        if self.random.random() < 0.2:
            vote = self.random.choice(["simd_all", "simd_any", "quad_any", "quad_all"])
            value = self.make("bool", f"{vote}({{a}})", a=self.of("bool"))
            return self.declare("bool", value)
        if self.random.random() < 0.2:
            form = "ulong(simd_vote::vote_t(simd_ballot({a})))"
            return self.declare("ulong", self.make("ulong", form, a=self.of("bool")))
        if self.random.random() < 0.15:
            return self.declare(
                "uint",
                "uint(simd_is_first()) + 2u * popcount("
                "uint(simd_vote::vote_t(simd_active_threads_mask())))",
            )
        kind = self.random.choice(["int", "uint", "short", "uchar", "float", "half"])
        functions = ["simd_min", "simd_max", "simd_broadcast_first"]
        if kind in INTEGERS:
            functions += [
                "simd_sum", "simd_product", "simd_xor", "simd_or", "simd_and",
                "simd_prefix_inclusive_sum", "simd_prefix_exclusive_sum",
                "simd_prefix_inclusive_product", "simd_prefix_exclusive_product",
            ]  # fmt: skip
        function = self.random.choice(functions)
        # Of zeros with different signs either may come out.
        zero = " + 0" if kind in FLOATS else ""
        form = f"{kind}({function}({{a}}){zero})"
        return self.declare(kind, self.make(kind, form, a=self.of(kind)))

    def quad(self) -> list:
        kind = self.random.choice(["int", "uint", "short"])
        function = self.random.choice(
            ["quad_sum", "quad_max", "quad_xor", "quad_prefix_inclusive_sum",
             "quad_broadcast_first"]
        )  # fmt: skip
        return self.declare(kind, self.make(kind, f"{kind}({function}({{a}}))",
                                            a=self.of(kind)))  # fmt: skip

    def shuffle(self) -> list:
        """A source lane that does not exist gives an unspecified value."""
        self.may_return = False
        kind = self.random.choice(["int", "ushort", "float", "half", "char"])
        distance = self.random.choice([1, 2, 3, 7, 16])
        form, source = self.random.choice(
            [
                (f"simd_shuffle_xor({{a}}, {distance})", f"(t ^ {distance})"),
                (f"simd_shuffle({{a}}, ushort((lane * {distance} + 1) & 31))",
                 f"((t & ~31u) + ((lane * {distance} + 1) & 31))"),
                (f"simd_shuffle_rotate_down({{a}}, {distance})",
                 f"((t & ~31u) + ((lane + {distance}) & 31))"),
                (f"simd_shuffle_up({{a}}, {distance})", "t"),
                (f"simd_shuffle_down({{a}}, {distance})", f"(t + {distance})"),
                (f"quad_shuffle_xor({{a}}, {distance & 3})", f"(t ^ {distance & 3})"),
                ("simd_shuffle_and_fill_up({a}, {a}, 3, 8)",
                 "((t & ~7u) + ((t - 3) & 7))"),
            ]
        )  # fmt: skip
        lines = self.declare(kind, self.make(kind, form, a=self.of(kind)))
        name = list(self.scopes[-1])[-1]
        lines[0].parts.append(f"\nif ({source} >= n) {name} = 0;")
        return lines

    def any_shuffle(self) -> list:
        self.may_return = False
        kind = self.random.choice(["int", "ushort", "float", "uchar"])
        source, value = self.of("uint", 1), self.of(kind)
        at = self.fresh("s")
        lines = [Line([f"ushort {at} = ushort(", source, " & 31u);"])]
        form = f"simd_shuffle({{a}}, {at})"
        result = self.declare(kind, self.make(kind, form, a=value))
        name = list(self.scopes[-1])[-1]
        lines[0].parts += ["\n", *result[0].parts]
        lines[0].parts.append(f"\nif ((t & ~31u) + {at} >= n) {name} = 0;")
        return lines

    # Memory.

    def private_array(self) -> list:
        name, kind = self.fresh("a"), self.random.choice(INTEGERS + ["float", "half"])
        count = self.random.choice([3, 4, 7, 16])
        first, value, value2 = self.of(kind, 1), self.of(kind, 1), self.of(kind, 1)
        index = [self.of("uint", 2) for _ in range(3)]
        result = [
            Line([f"{kind} {name}[{count}];\nfor (int q = 0; q < {count}; ++q) "
                  f"{name}[q] = {kind}(", first, " + q);"]),
            Line([f"{name}[", index[0], f" % {count}u] = ", value, ";"]),
        ]  # fmt: skip
        if self.random.random() < 0.3 and kind in INTEGERS:
            byte = Line([f"((thread uchar *){name})[", index[1],
                         f" % {count}u] ^= 0x5a;"])  # fmt: skip
            result.append(byte)
        result.append(Line([f"{name}[", index[1], f" % {count}u] = ", value2, ";"]))
        load = Expr(kind, [f"{name}[", index[2], f" % {count}u]"])
        return result + self.declare(kind, load)

    def record(self) -> list:
        name = self.fresh("r")
        fill = Line(
            [
                f"Record {name} = records[i];\n{name}.a += ",
                self.of("int", 1),
                f"; {name}.b[",
                self.of("uint", 2),
                " % 3u] = ",
                self.of("uchar", 2),
                f"; {name}.e = ",
                self.of("float2", 2),
                ";",
            ]
        )
        if self.random.random() < 0.5:
            fill.parts += [
                "\nif (",
                self.of("bool", 1),
                f") {name} = records[",
                "(i * 5 + 1) % total];",
            ]
        if self.random.random() < 0.5 and not self.uses_barriers:
            fill.parts += [f"\nfloat_out[total + i] = {name}.e.y;"]
        value = Expr("long", [f"long({name}.a * 3 + {name}.b[1] + {name}.d)"])
        return [fill, *self.declare("long", value)]

    def bits(self, kind: str) -> Expr:
        """A value whose every bit is defined: a NaN's sign is not."""
        value = self.of(kind, 1)
        if kind != "half":
            return value
        return self.make(kind, "fmax({a}, half(-60000))", a=value)

    def own_memory(self) -> list:
        """Eight bytes of device memory that no other thread touches."""
        kind = self.random.choice(["uchar", "short", "uint", "half"])
        size = {"uchar": 1, "short": 2, "uint": 4, "half": 2}[kind]
        place = f"((device {kind} *)(bytes + i * 8))"
        index = self.of("uint", 2)
        store = Line([f"{place}[", index, f" % {8 // size}u] = ", self.bits(kind), ";"])
        load = Expr(kind, [f"{place}[", self.of("uint", 2), f" % {8 // size}u]"])
        return [store, *self.declare(kind, load)]

    def packed(self) -> list:
        kind, size = self.random.choice([("uchar", 1), ("short", 2), ("half", 2)])
        count = self.random.choice([2, 4] if size == 1 else [2, 3])
        places = 8 // (size * count)
        name = self.fresh("q")
        index, value = self.of("uint", 2), self.bits(kind)
        line = Line([f"device packed_{kind}{count} *{name} = "
                     f"(device packed_{kind}{count} *)(bytes + i * 8) + ",
                     self.of("uint", 2), f" % {places}u;\n(*{name})[",
                     index, f" % {count}u] = ", value, ";"])  # fmt: skip
        load = Expr(kind, [f"{kind}{count}(*{name}).y"])
        line.parts += ["\n", *self.declare(kind, load)[0].parts]
        return [line]

    def locked(self) -> list:
        """A critical section whose order no one can see."""
        order, name = "memory_order_relaxed", self.fresh("d")
        take = f"atomic_exchange_explicit(counters + 40, 1u, {order}) == 0u"
        work = Line(["*(device uint *)(counters + 41) += ", self.of("uint", 1), ";"])
        give = f"atomic_store_explicit(counters + 40, 0u, {order});"
        if self.random.random() < 0.5:
            inside = Block([f"if ({take})"], [work, Line([f"{give} break;"])])
            return [Block(["while (true)"], [inside], loose=False)]
        inside = Block([f"if ({take})"], [work, Line([f"{give} {name} = true;"])])
        loop = Block([f"for (bool {name} = false; !{name};)"], [inside], loose=False)
        return [loop]

    def atomic(self) -> list:
        order = "memory_order_relaxed"
        index = self.random.choice(
            [["3"], ["g & 7"], [self.of("uint", 1), " & 7u"]]
        )  # fmt: skip
        # Each slot of counters has one operation: they do not commute.
        form = self.random.randrange(5)
        if form == 0:
            name = self.random.choice(["add", "sub"])
            return [Line([f"atomic_fetch_{name}_explicit(counters + (", *index, "), ",
                          self.of("uint", 1), f", {order});"])]  # fmt: skip
        if form == 1:
            name = self.random.choice(["or", "and", "xor"])
            at = {"or": 8, "and": 16, "xor": 24}[name]
            return [Line([f"atomic_fetch_{name}_explicit(counters + {at} + (", *index,
                          "), ", self.of("uint", 1), f", {order});"])]  # fmt: skip
        if form == 2:
            name = self.random.choice(["min", "max"])
            at = {"min": 0, "max": 8}[name]
            return [Line([f"atomic_fetch_{name}_explicit(extremes + {at} + (", *index,
                          "), ", self.of("int", 1), f", {order});"])]  # fmt: skip
        if form == 3:  # small integers: sums are exact
            return [Line(["atomic_fetch_add_explicit(sums + (", *index, "), float(",
                          self.of("int", 1), f" & 255), {order});"])]  # fmt: skip
        place = self.fresh("p")
        return [
            Line(
                [
                    f"device atomic_uint *{place} = counters + 32 + (",
                    *index,
                    f");\nuint o{place} = atomic_load_explicit({place}, {order}), "
                    f"w{place} = ",
                    self.of("uint", 1),
                    f";\n"
                    f"while (!atomic_compare_exchange_weak_explicit({place}, "
                    f"&o{place}, o{place} * 3 + w{place} * 0, {order}, {order})) {{}}",
                ]
            )
        ]

    # The whole.

    def helper(self) -> Block:
        name = self.fresh("helper")
        self.in_helper = True
        self.scopes.append({"a": "int", "b": "int"})
        self.budget, saved = 0, self.budget
        step, result = self.of("int", 1), self.of("int", 1)
        stop, change = self.of("bool", 2), self.of("int", 2)
        loop = Block(["for (int k = 0; k < (b & 7); ++k)"],
                     [Block(["if (", stop, ")"], [Line(["return ", result, ";"])]),
                      Line(["a = int(", step, ") + k;"])])  # fmt: skip
        by_reference = Block(["if ((a & 1) == 0)"], [Line(["b ^= ", change, ";"])])
        last = Line(["return a - b;"])
        self.budget = saved
        self.scopes.pop()
        self.in_helper = False
        self.helpers.append((name, "int", ["int", "int"]))
        return Block([f"static int {name}(int a, int b)"], [loop, by_reference, last])

    def kernel(self) -> Kernel:
        helpers = [self.helper() for _ in range(self.random.randint(0, 2))]
        body: list = []
        for kind in ("int", "uint", "float"):
            body += self.declare(kind, self.of(kind))
        for _ in range(self.random.randint(3, 8)):
            body += self.statement(uniform=True, loop=False)
        epilogue = [Line(["ulong h = 0;"])]
        for kind in INTEGERS + ["bool"]:
            epilogue += [Line([f"h = h * 31 + ulong({v});"]) for v in self.names(kind)]
        floats = [f"float({v})" for kind in FLOATS for v in self.names(kind)]
        for kind in VECTORS:
            for name in self.names(kind):
                element = f"{name}.y"
                if kind[:-1] in INTEGERS:
                    epilogue.append(Line([f"h = h * 31 + ulong({element});"]))
                else:
                    floats.append(f"float({element})")
        epilogue.append(Line(["out[i] = h;"]))
        epilogue += [Line([f"float_out[(2 + {k}) * total + i] = {value};"])
                     for k, value in enumerate(floats[:6])]  # fmt: skip
        prefix: list = [Line([text]) for text in self.tiles.values()]
        prefix.append(Line([IDS]))
        return Kernel(PROLOGUE, helpers, SIGNATURE, prefix + body, epilogue)


def generate(seed: int) -> Kernel:
    return Generator(seed).kernel()


if __name__ == "__main__":
    print(generate(int(sys.argv[1])).text())
