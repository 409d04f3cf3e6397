"""What the threads of a simdgroup or group do together."""

from __future__ import annotations

from kernels.expressions import Expressions
from kernels.syntax import Expr, Line

BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
# Threads of the largest group, and the bytes that all tiles may take: a group
# has 32 KiB, 4 of them are bound as an argument (SIGNATURE).
MOST_THREADS = 1024
TILE_BYTES = 28 * 1024
ARGUMENT_INTS = 1024
SIZES = {"int": 4, "uchar": 1, "half": 2, "ulong": 8, "float3": 16}


class Shared(Expressions):
    """Statements with threadgroup memory and barriers."""

    def __init__(self, generator):
        super().__init__(generator)
        self.tiles: dict[str, str] = {}
        self.tile_bytes = 0

    def tile(self, name: str, declaration: str, size: int) -> bool:
        """Declares it; false where there is no room for it."""
        if name not in self.tiles:
            if self.tile_bytes + size > TILE_BYTES:
                return False
            self.tile_bytes += size
            self.tiles[name] = f"threadgroup {declaration};"
        return True

    def exchange(self) -> list:
        kind = self.random.choice(["int", "uchar", "half", "ulong", "float3", "bound"])
        if kind == "bound":
            kind, tile = "int", "bound"
        else:
            tile = f"tile_{kind}"
            size = SIZES[kind] * MOST_THREADS
            if not self.tile(tile, f"{kind} {tile}[{MOST_THREADS}]", size):
                kind, tile = "int", "bound"
        value = self.of("int") if kind == "float3" else self.of(kind)
        store = Line([f"{tile}[t] = {kind}(", value, f");\n{BARRIER}"])
        distance = self.random.choice([1, 5, 32, 33])
        other = f"{tile}[(t + {distance}) % n]"
        if kind == "float3":
            load = self.declare("float", Expr("float", [f"{other}.y"]))
        else:
            load = self.declare(kind, Expr(kind, [other]))
        load[0].parts.append(f"\n{BARRIER}")
        store.parts += ["\n", *load[0].parts]
        return [store]

    def shared_atomic(self) -> list:
        if not self.tile("shared", "atomic_int shared[8]", 32):
            return self.exchange()
        name = self.random.choice(["add", "max", "or"])
        order = "memory_order_relaxed"
        # Before the declaration, whose variable they may not name.
        index, value = self.of("uint", 1), self.of("int", 1)
        declared = self.declare("int", Expr("int", [
            f"atomic_load_explicit(shared + (t & 7), {order})"]))  # fmt: skip
        return [Line([f"if (t < 8) atomic_store_explicit(shared + t, int(t), {order});\n"
                      f"{BARRIER}\natomic_fetch_{name}_explicit(shared + (",
                      index, " & 7u), ", value,
                      f", {order});\n{BARRIER}\n", *declared[0].parts,
                      f"\n{BARRIER}"])]  # fmt: skip

    def turns(self) -> list:
        """Lanes with the same key go together, one key after the other."""
        key, value = self.of("int", 1), self.of("int", 1)
        name = self.fresh("w")
        lines = self.declare("int", Expr("int", ["0"]))
        result = list(self.scopes[-1])[-1]
        form = self.random.choice(
            [
                f"if ({name} == f{name}) {{ WORK break; }}",
                f"if ({name} != f{name}) continue; WORK break;",
            ]
        )
        before, after = form.split("WORK")
        lines[0].parts += [
            f"\nint {name} = 3 & int(", key, f");\nwhile (true) {{\n"
            f"int f{name} = simd_broadcast_first({name});\n{before}"
            f"{result} = simd_sum(", value, f");{after}\n}}",
        ]  # fmt: skip
        return lines

    def matrix(self) -> list:
        """A product of 8x8 matrices in every simdgroup, where all are complete.

        Elements are small integers, so that every order of adding is exact; in
        half up to 8 * 15 * 15 + 15 < 2048.
        """
        kind = self.random.choice(["float", "half"])
        tile = f"matrices_{kind}"
        size = 2 * MOST_THREADS * SIZES.get(kind, 4)
        if not self.tile(tile, f"{kind} {tile}[{2 * MOST_THREADS}]", size):
            return self.exchange()
        name, matrix = self.fresh("m"), f"simdgroup_matrix<{kind}, 8, 8>"
        first, second = self.of("int", 1), self.of("int", 1)
        place = f"{tile} + 64 * simdgroup, 8"
        transposed = ", ulong2(0, 0), true" if self.random.random() < 0.4 else ""
        filled = f"make_filled_simdgroup_matrix<{kind}, 8, 8>({kind}(3))"
        scaled = f"{matrix}({kind}({self.random.randint(0, 5)}))"
        b = self.random.choice([filled, scaled, f"{name}a"])
        product = self.random.choice(
            [
                f"simdgroup_multiply({name}d, {name}a, {name}b);",
                f"simdgroup_multiply_accumulate({name}d, {name}a, {name}b, {filled});",
                f"{name}d = {name}a; simdgroup_multiply_accumulate({name}d, {name}b, "
                f"{name}a, {name}d);",
            ]
        )
        touch = (
            f"{name}d.thread_elements()[{self.random.randint(0, 1)}] += {kind}(1);\n"
        )
        lines = self.declare(kind, Expr(kind, [f"{kind}(0)"]))
        result = list(self.scopes[-1])[-1]
        distance = self.random.choice([0, 1, 32, 37])
        lines[0].parts += [
            f"\nif ((n & 31u) == 0) {{\n{tile}[2 * t] = {kind}(15 & int(", first,
            f"));\n{tile}[2 * t + 1] = {kind}(15 & int(", second, f"));\n{BARRIER}\n"
            f"{matrix} {name}a, {name}b, {name}d;\n"
            f"simdgroup_load({name}a, {place}{transposed});\n"
            f"{name}b = {b};\n{product}\n",
            touch if self.random.random() < 0.5 else "",
            f"simdgroup_store({name}d, {place});\n{BARRIER}\n"
            f"{result} = {tile}[(2 * t + {distance}) % (2 * n)];\n{BARRIER}\n}}",
        ]  # fmt: skip
        return lines
