"""Places of the user's code, for messages and for the program."""

from __future__ import annotations

import os
import re

import torch

import bessemer

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
# Frames of these packages are not the user's.
_OWN = tuple(os.path.dirname(m.__file__) + os.sep for m in (torch, bessemer))


def user_frame(node: torch.fx.Node) -> tuple[str, int] | None:
    """The innermost frame of the node's stack that is the user's."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    own = [f for f in frames if not f[0].startswith((*_OWN, "<"))]
    return (own[-1][0], int(own[-1][1])) if own else None


def location(node: torch.fx.Node) -> str:
    """`file.py:12`; no folders, so that assets do not depend on the machine."""
    frame = user_frame(node)
    return f"{os.path.basename(frame[0])}:{frame[1]}" if frame else ""


def describe(node: torch.fx.Node) -> str:
    """The node and the user's line, for messages."""
    frame = user_frame(node)
    where = f"{frame[0]}:{frame[1]}: " if frame else ""
    return f"{where}node {node.name!r}"
