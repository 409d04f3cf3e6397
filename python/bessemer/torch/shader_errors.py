"""The buffer that kernels report errors to (c10/metal/error.h)."""

from __future__ import annotations

import numpy as np
import torch

_MESSAGE = np.dtype(
    [("file", "S128"), ("function", "S128"), ("text", "S250"), ("line", "u4")],
    align=True,
)
_MESSAGES = np.dtype([("count", "u4"), ("messages", _MESSAGE, 30)], align=True)

_messages = np.zeros(1, _MESSAGES)
# Every kernel reports to the same one, as on a stream of PyTorch.
error_buffer = torch.from_numpy(_messages.view(np.uint8))


def synchronize() -> None:
    """Raises the first error that kernels reported since the last call.

    Calls of kernels return when the kernels have run; there is nothing to wait for.
    """
    messages = _messages[0]
    count = int(messages["count"])
    messages["count"] = 0
    if not count:
        return
    first = messages["messages"][0]
    function, file, text = (
        bytes(first[part]).decode(errors="replace")
        for part in ("function", "file", "text")
    )
    more = f", and {count - 1} more" if count > 1 else ""
    raise torch.AcceleratorError(f"{text} ({function} at {file}:{first['line']}{more})")
