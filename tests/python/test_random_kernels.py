"""Random kernels: compiled code equals the interpreter, bit for bit.

BESSEMER_RANDOM_KERNELS=FIRST:LAST runs other seeds than the default ones.
"""

import os

import generate_kernels
import interpreter
import numpy as np
import pytest

FIRST, LAST = map(int, os.environ.get("BESSEMER_RANDOM_KERNELS", "0:6").split(":"))
SHAPES = [(150, 64), (100, 100), (64, 32), (96, 40)]


@pytest.mark.parametrize("seed", range(FIRST, LAST))
def test_compiled_equals_interpreted(seed, tmp_path):
    text = generate_kernels.generate(seed)
    print(text)
    source = interpreter.from_text(text, tmp_path, "--math=safe")
    threads, group = SHAPES[seed % 4]
    rng = np.random.default_rng(seed)
    source.compare(
        "fuzz",
        rng.integers(-200, 200, threads).astype(np.int32),
        (rng.standard_normal(threads) * 10).astype(np.float32),
        np.array([5], np.int32),
        np.zeros(threads, np.uint64),
        np.zeros(threads, np.float32),
        threads=threads,
        group=group,
        ulps={4: 0},
    )
