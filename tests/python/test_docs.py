"""The Python of the README and of the guide does what the text says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page", ["README.md", "docs/guide.md", "docs/pytorch-and-mlx.md"]
)
def test_blocks(page, tmp_path, monkeypatch):
    """Blocks of a page share their names, as for somebody who reads on."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    blocks = list(BLOCK.finditer(text))
    assert blocks
    names = {"__name__": "__main__"}
    for block in blocks:
        # Line numbers of the page in a traceback.
        lines = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(lines + block[1], str(ROOT / page), "exec"), names)
