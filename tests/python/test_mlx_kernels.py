"""MLX's kernels against NumPy, where BESSEMER_MLX names a checkout of MLX."""

import os
from pathlib import Path

import pytest
from mlx_kernels import FAMILIES
from mlx_kernels.__main__ import outcomes

FOLDER = os.environ.get("BESSEMER_MLX")


@pytest.mark.skipif(not FOLDER, reason="BESSEMER_MLX names no checkout of MLX")
@pytest.mark.parametrize("family", FAMILIES)
def test_family(family):
    found = outcomes(Path(FOLDER), family)
    failures = [f"{o.case.kernel} {o.case.label}: {o.reason}"
                for o in found if o.status != "right"]  # fmt: skip
    assert found and not failures, "\n".join(failures)
