"""Places of the user's code, for messages and for the program."""

from __future__ import annotations

import contextlib
import os
import re
import sys

import torch
from torch.fx import traceback as node_meta

import bessemer
from bessemer.authoring.places import line_map
from bessemer.torch import attributes as attr

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
# Frames of these packages are not the user's.
_OWN = tuple(os.path.dirname(m.__file__) + os.sep for m in (torch, bessemer))


_CALL = "bessemer_call"


def call_site():
    """A context that tells nodes traced in it the line of the caller's caller.

    The exporter itself notes the frames of modules only, not of the functions that
    they call. Inside torch.cond frames are out of reach.
    """
    if torch.compiler.is_dynamo_compiling() or not torch.compiler.is_exporting():
        return contextlib.nullcontext()
    frame = sys._getframe(2)
    return _annotated({_CALL: (frame.f_code.co_filename, frame.f_lineno)})


@contextlib.contextmanager
def _annotated(notes: dict):
    with node_meta.preserve_node_meta(), node_meta.annotate(notes):
        yield


def user_frame(node: torch.fx.Node) -> tuple[str, int] | None:
    """The innermost frame of the node's stack that is the user's."""
    if _CALL in (node.meta.get("custom") or {}):
        return tuple(node.meta["custom"][_CALL])
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    own = [f for f in frames if not f[0].startswith((*_OWN, "<"))]
    return (own[-1][0], int(own[-1][1])) if own else None


def location(node: torch.fx.Node) -> str:
    """`file.py:12`; no folders, so that assets do not depend on the machine."""
    frame = user_frame(node)
    return f"{os.path.basename(frame[0])}:{frame[1]}" if frame else ""


def kernel_location(node: torch.fx.Node, kernel, source) -> str:
    """The call's location and where the kernel's text stands, as MLIR spells it.

    convert/plan/KernelPlaces.h describes it. No folders, here too.
    """
    places = [
        attr.array([str(number), attr.string(os.path.basename(file)), str(line)])
        for number, file, line in line_map(kernel, source)
    ]
    notes = {"kernel": attr.string(kernel.name), "places": attr.array(places)}
    frame = user_frame(node)
    call = "unknown"
    if frame:
        call = f"{attr.string(os.path.basename(frame[0]))}:{frame[1]}:0"
    return f"loc(fused<{attr.dictionary(notes)}>[{call}])"


def describe(node: torch.fx.Node) -> str:
    """The node and the user's line, for messages."""
    return f"{place(node)}node {node.name!r}"


def place(node: torch.fx.Node) -> str:
    """`FILE:LINE: `, or nothing."""
    frame = user_frame(node)
    return f"{frame[0]}:{frame[1]}: " if frame else ""
