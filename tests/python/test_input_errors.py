"""What is wrong with a model's inputs is an ArgumentError, and a RuntimeError as well."""

import numpy as np
import pytest
import torch
from models import convert, load

import bessemer

X = np.zeros((2, 3), np.float32)
INPUTS = {
    "missing": {},
    "unknown": {"x": X, "z": X},
    "of another rank": {"x": X[0]},
    "of another shape": {"x": X.T},
    "of another dtype": {"x": X.astype(np.int32)},
    "by a number": {1: X},
    "no dict": [X],
}


@pytest.fixture(scope="module")
def function(tmp_path_factory):
    class Double(torch.nn.Module):
        def forward(self, x):
            return x + x

    program = convert(Double().eval(), (torch.zeros(2, 3),))
    return load(program, tmp_path_factory.mktemp("model"))


@pytest.mark.parametrize("what", INPUTS)
def test_inputs(function, what):
    expected = TypeError if what == "no dict" else (bessemer.ArgumentError)
    with pytest.raises(expected) as caught:
        function.run(INPUTS[what])
    if what != "no dict":
        assert isinstance(caught.value, RuntimeError)
