"""Switches whose cases fall through, leave or meet again, and whose values are
casts, which cost nothing and which LLVM's structurisation once mixed up."""

import random

import interpreter
import numpy as np

# What a case may do: Metal text, and the same on a dictionary of integers.
ACTIONS = [
    ("a = 1;", lambda v: v.update(a=1)),
    ("a ^= i;", lambda v: v.update(a=v["a"] ^ v["i"])),
    ("b = 5;", lambda v: v.update(b=5)),
    ("b = short(x);", lambda v: v.update(b=(v["x"] + 0x8000) % 0x10000 - 0x8000)),
    ("c = uchar(x);", lambda v: v.update(c=v["x"] % 256)),
    ("c = uchar(a);", lambda v: v.update(c=v["a"] % 256)),
    ("c = 9;", lambda v: v.update(c=9)),
    ("a = int(c);", lambda v: v.update(a=v["c"])),
]
SEEDS = range(30, 70)
KERNEL = """
kernel void cases_SEED(device const int *in [[buffer(0)]],
                       device int *out [[buffer(1)]],
                       uint index [[thread_position_in_grid]]) {
  int i = int(index), x = in[i], a = x;
  short b = short(i);
  uchar c = uchar(i);
  switch (x & 7) {
CASES  }
  out[i] = (a * 31 + b) * 31 + c;
}
"""


def random_cases(seed: int):
    """(label or None for default, actions, whether it breaks) in text order."""
    rng = random.Random(seed)
    labels = rng.sample(range(8), rng.randrange(2, 5))
    labels.insert(rng.randrange(len(labels) + 1), None)
    return [
        (label, rng.sample(ACTIONS, rng.choice((0, 1, 1, 2))), rng.random() < 0.6)
        for label in labels
    ]


def text_of(seed: int) -> str:
    lines = ""
    for label, actions, leaves in random_cases(seed):
        head = "default:" if label is None else f"case {label}:"
        words = [text for text, _ in actions] + (["break;"] if leaves else [";"])
        lines += f"  {head} {' '.join(words)}\n"
    return KERNEL.replace("SEED", str(seed)).replace("CASES", lines)


def expected(seed: int, x: int, i: int) -> int:
    cases = random_cases(seed)
    labels = [label for label, _, _ in cases]
    wanted = x & 7 if x & 7 in labels else None
    values = {"x": x, "i": i, "a": x, "b": i, "c": i % 256}
    for _, actions, leaves in cases[labels.index(wanted) :]:
        for _, act in actions:
            act(values)
        if leaves:
            break
    result = (values["a"] * 31 + values["b"]) * 31 + values["c"]
    return (result + 2**31) % 2**32 - 2**31


def test_random_switches(tmp_path):
    source = interpreter.from_text(
        "#include <metal_stdlib>\nusing namespace metal;\n"
        + "".join(map(text_of, SEEDS)),
        tmp_path,
    )
    x = np.random.default_rng(0).integers(-(2**31), 2**31, 64).astype(np.int32)
    for seed in SEEDS:
        out = np.zeros_like(x)
        source.compare(f"cases_{seed}", x, out, threads=64, group=32)
        source.run(f"cases_{seed}", x, out, threads=64, group=32)
        want = [expected(seed, int(value), i) for i, value in enumerate(x)]
        assert out.tolist() == want, f"seed {seed}:\n{text_of(seed)}"
