"""bessemer run: kernels that leave their memory are named, whatever they hit."""

import pytest
from command_line import bessemer, refused

KERNEL = """#include <metal_stdlib>
using namespace metal;
kernel void leaves(device int *data, uint i [[thread_position_in_grid]]) {
  threadgroup int shared[8];
  int own[8];
  for (int k = 1; k < 2000000; ++k) {
    BODY;
  }
  data[0] += shared[i & 7] + own[data[1] & 7];
}
"""
AT_ONCE = "invalid memory access (SIGSEGV) at address 0x"
LATER = "damaged the memory of the process"


@pytest.mark.parametrize(
    "body, messages",
    [
        ("data[i + k * 8] = 7", [AT_ONCE, "from the start of argument 'data'"]),
        ("data[int(i) - k] = 7", [AT_ONCE, "before the start of argument 'data'"]),
        ("data[i] += data[i + k * 100000]", [AT_ONCE]),
        ("shared[i + k * 8] = 7 + data[i]", [AT_ONCE, LATER]),
        ("own[(data[i] + 1) * k] = 7", [AT_ONCE, LATER]),
    ],
)
def test_kernels_that_leave_their_memory(body, messages, tmp_path):
    file = tmp_path / "kernel.metal"
    file.write_text(KERNEL.replace("BODY", body))
    result = bessemer(f"run {file} --threads 8 --arg data=zeros[8]")
    assert refused(result, "kernel 'leaves' ")
    if messages == [AT_ONCE, LATER]:
        assert AT_ONCE in result.stderr or LATER in result.stderr
    else:
        assert all(message in result.stderr for message in messages)
