"""How far a result is from its reference: numbers, and a map of where."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch

# dtype -> (rtol, atol); integers and booleans are compared exactly.
TOLERANCES = {
    torch.float32: (1e-4, 1e-5),
    torch.float16: (1e-2, 1e-3),
    torch.bfloat16: (2e-2, 1e-2),
}
_MAP_ROWS, _MAP_COLUMNS = 16, 48


@dataclass
class Comparison:
    """One tensor against its reference."""

    name: str
    ok: bool
    reason: str = ""  # Why the tensors cannot be compared: dtype or shape.
    wrong: int = 0
    elements: int = 0
    cosine: float = 1.0
    relative_l2: float = 0.0
    max_error: float = 0.0
    worst: tuple[int, ...] = ()  # The index of the largest error.
    # The share of wrong elements of every tile of the last two axes.
    tiles: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    tile: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        verdict = "ok" if self.ok else "WRONG"
        if self.reason:
            return f"{self.name}: {verdict}: {self.reason}"
        text = (
            f"{self.name}: {verdict}: {self.wrong} of {self.elements} elements wrong, "
            f"cosine {self.cosine:.9f}, relative L2 {self.relative_l2:.3g}, largest "
            f"error {self.max_error:.3g}"
        )
        if self.ok:
            return text
        return f"{text} at {list(self.worst)}\n{self.tile_map()}"

    def tile_map(self) -> str:
        """A character for each tile: `.` right, 1-9 tenths wrong, `#` all wrong."""
        rows = ["".join(map(_mark, row)) for row in self.tiles]
        height, width = self.tile
        return f"  map of tiles of {height} x {width} elements:\n" + "\n".join(
            f"    {row}" for row in rows
        )


def compare(
    name: str,
    actual: torch.Tensor,
    expected: torch.Tensor,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    tile: int = 16,
) -> Comparison:
    """Compares dtype, shape and every element; NaN equals NaN."""
    if actual.dtype != expected.dtype:
        return Comparison(
            name, False, f"dtype {actual.dtype}, expected {expected.dtype}"
        )
    if actual.shape != expected.shape:
        reason = f"shape {list(actual.shape)}, expected {list(expected.shape)}"
        return Comparison(name, False, reason)
    defaults = TOLERANCES.get(expected.dtype, (0.0, 0.0))
    rtol = defaults[0] if rtol is None else rtol
    atol = defaults[1] if atol is None else atol
    a, e = (t.detach().cpu().double().numpy() for t in (actual, expected))
    wrong = ~np.isclose(a, e, rtol=rtol, atol=atol, equal_nan=True)
    error = _errors(a, e)
    worst = np.unravel_index(np.argmax(error), error.shape) if error.size else ()
    tiles, size = _tiles(wrong, tile)
    return Comparison(
        name,
        not wrong.any(),
        wrong=int(wrong.sum()),
        elements=wrong.size,
        cosine=_cosine(a.ravel(), e.ravel()),
        relative_l2=_relative_l2(a.ravel(), e.ravel()),
        max_error=float(error.max()) if error.size else 0.0,
        worst=tuple(map(int, worst)),
        tiles=tiles,
        tile=size,
    )


def _errors(a: np.ndarray, e: np.ndarray) -> np.ndarray:
    """Absolute errors; infinite where one side alone is not a finite number."""
    with np.errstate(invalid="ignore"):
        error = np.abs(a - e)
    same = (a == e) | (np.isnan(a) & np.isnan(e))
    return np.where(same, 0.0, np.where(np.isnan(error), np.inf, error))


def _cosine(a: np.ndarray, e: np.ndarray) -> float:
    norms = np.linalg.norm(a) * np.linalg.norm(e)
    if norms == 0:
        return 1.0 if np.array_equal(a, e) else 0.0
    return float(np.dot(a, e) / norms)


def _relative_l2(a: np.ndarray, e: np.ndarray) -> float:
    norm = np.linalg.norm(e)
    distance = np.linalg.norm(_errors(a, e))
    return float(distance / norm) if norm else float(distance)


def _tiles(wrong: np.ndarray, tile: int) -> tuple[np.ndarray, tuple[int, int]]:
    """Shares of wrong elements; outer axes fold into rows, tiles grow to fit."""
    width = wrong.shape[-1] if wrong.ndim else 1
    flat = wrong.reshape(-1, width) if width else wrong.reshape(0, 0)
    rows, columns = flat.shape
    height, breadth = (
        max(tile, -(-size // limit))
        for size, limit in ((rows, _MAP_ROWS), (columns, _MAP_COLUMNS))
    )
    shares = [
        [
            flat[r : r + height, c : c + breadth].mean()
            for c in range(0, columns, breadth)
        ]
        for r in range(0, rows, height)
    ]
    return np.array(shares).reshape(-1, -(-columns // breadth)), (height, breadth)


def _mark(share: float) -> str:
    if share == 0:
        return "."
    return "#" if share == 1 else str(max(1, int(share * 10)))
