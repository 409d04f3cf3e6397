"""Every test starts from the same random numbers, and hears Ctrl-C."""

import signal
import sys

import pytest

SEED = 20240611


def pytest_configure():
    # A shell starts background jobs with it ignored, as would be their children.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def seeded():
    if torch := sys.modules.get("torch"):
        torch.manual_seed(SEED)
    print("seed", SEED)
