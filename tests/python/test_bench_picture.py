"""The picture of the bench has a bar for each ratio, in proportion."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

PROGRAM = Path(__file__).resolve().parents[2] / "bench" / "picture.py"
RATIOS = {("vadd", 1): 0.5, ("vadd", 2): 1.0, ("silu", 1): 2.0}


def test_bars_are_in_proportion(tmp_path):
    rows = [{"case": c, "threads": t, "ratio": r} for (c, t), r in RATIOS.items()]
    (tmp_path / "bench.json").write_text(json.dumps({"results": rows}))
    subprocess.run(
        [sys.executable, PROGRAM, "bench.json", "bench.svg"], cwd=tmp_path, check=True
    )
    root = ElementTree.parse(tmp_path / "bench.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    bars = [float(r.get("width")) for r in root.iter(f"{name}rect")]
    one = next(width for width in bars if bars.count(2 * width) and width > 20)
    assert {one, 2 * one, 4 * one} <= set(bars)
    texts = [text.text for text in root.iter(f"{name}text")]
    assert {"vadd", "silu", "0.50", "1.00", "2.00"} <= set(texts)
    assert "1 thread: 1.00 in the mean" in texts


def test_wrong_usage_explains():
    result = subprocess.run(
        [sys.executable, PROGRAM], check=False, capture_output=True, text=True
    )
    assert result.returncode == 2
    assert "FILE.json" in result.stderr
