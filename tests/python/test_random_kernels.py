"""Random kernels: compiled code equals the interpreter, bit for bit.

BESSEMER_RANDOM_KERNELS=FIRST:LAST runs other seeds than the default ones, in
batches on all cores with BESSEMER_RANDOM_CAMPAIGN=FIRST:LAST;
`python -m kernels.check FIRST LAST --shrink FOLDER` also makes failures small.
"""

import os
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from kernels.generate import generate
from kernels.syntax import shrink

from kernels import check


def seeds(variable: str, default: str) -> range:
    return range(*map(int, os.environ.get(variable, default).split(":")))


SEEDS = seeds("BESSEMER_RANDOM_KERNELS", "0:12")
CAMPAIGN = seeds("BESSEMER_RANDOM_CAMPAIGN", "5000:6000")


@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_equals_interpreted(seed):
    text = generate(seed).text()
    print(text)
    check.compare(text, seed, check.two_configurations(seed))


def test_campaign():
    batches = [
        CAMPAIGN[at : at + check.BATCH] for at in range(0, len(CAMPAIGN), check.BATCH)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # they wait for programs
        found = list(pool.map(lambda batch: list(check.problems(batch)), batches))
    failures = [failure for batch in found for failure in batch]
    assert not failures, "\n".join(f"seed {s} {c}: {m}" for s, c, m in failures)


def test_seeds_repeat():
    assert generate(7).text() == generate(7).text()
    assert generate(7).text() != generate(8).text()


def test_shrinking_keeps_what_fails():
    seed = next(s for s in range(100) if "simd_prefix" in generate(s).text())

    def fails(text):
        return "simd_prefix" in text and text.count("{") == text.count("}")

    small = shrink(generate(seed), fails, attempts=20000).text()
    assert fails(small)
    # Of the body one statement is left, and what is around it.
    body = small[small.index("kernel void fuzz") :].split("{", 1)[1]
    around = len(re.findall(r"while \(|break;", body))
    assert body.count(";") - around <= 1
