"""Sources with slips of the pen: always an answer, never a failure of the compiler."""

import random

import pytest
from msl_mutations import good_sources, mutate, unclean


@pytest.mark.parametrize("seed", range(8))
def test_mutations(seed):
    chance, sources = random.Random(seed), list(good_sources())
    for _ in range(60):
        source = mutate(chance, sources)
        problem = unclean(source)
        assert problem is None, f"seed {seed}: {problem}\n{source}"
