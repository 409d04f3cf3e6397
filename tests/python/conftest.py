"""Every test starts from the same random numbers."""

import sys

import pytest

SEED = 20240611


@pytest.fixture(autouse=True)
def seeded():
    if torch := sys.modules.get("torch"):
        torch.manual_seed(SEED)
    print("seed", SEED)
