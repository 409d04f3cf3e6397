"""The picture of docs/performance.md from what `./dev bench --json FILE` wrote.

python bench/picture.py FILE.json PICTURE.svg
"""

import json
import math
import sys
from pathlib import Path
from xml.etree import ElementTree

WIDTH, LEFT, RIGHT, TOP = 760, 190, 60, 64
BAR, GAP = 9, 10  # Of one bar; between two cases.
COLOURS = ("#1f5fa8", "#9cc3e6")  # One thread, more threads.
TEXT, FAINT = "#333333", "#cccccc"


class Picture:
    """Horizontal bars, a group for each case, from 0 to `most` times native."""

    def __init__(self, height: int, most: float):
        self.most = most
        self.root = ElementTree.Element(
            "svg",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH} {height}",
            attrib={"font-family": "sans-serif", "font-size": "12"},
        )
        self.bar(0, 0, WIDTH, height, "#ffffff")

    def x(self, ratio: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ratio / self.most

    def bar(self, x: float, y: float, width: float, height: float, fill: str):
        places = {"x": x, "y": y, "width": width, "height": height}
        texts = {name: f"{value:.1f}" for name, value in places.items()}
        ElementTree.SubElement(self.root, "rect", fill=fill, **texts)

    def text(self, x: float, y: float, text: str, anchor: str = "start", **more):
        element = ElementTree.SubElement(
            self.root,
            "text",
            x=f"{x:.1f}",
            y=f"{y:.1f}",
            fill=TEXT,
            attrib={"text-anchor": anchor, **more},
        )
        element.text = text

    def mark(self, ratio: float, bottom: float):
        """A line over all cases."""
        colour = TEXT if ratio == 1 else FAINT
        self.bar(self.x(ratio) - 0.5, TOP - 6, 1, bottom - TOP + 6, colour)
        self.text(self.x(ratio), TOP - 10, f"{ratio:g}", "middle")


def mean(rows: list[dict]) -> float:
    return math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))


def draw(results: list[dict]) -> Picture:
    threads = sorted({row["threads"] for row in results})
    cases = list(dict.fromkeys(row["case"] for row in results))
    ratios = {(row["case"], row["threads"]): row["ratio"] for row in results}
    step = len(threads) * BAR + GAP
    bottom = TOP + len(cases) * step
    picture = Picture(bottom + 12, math.ceil(max(ratios.values()) * 2) / 2)
    picture.text(12, 20, "Time, native code of the same algorithm = 1 (less is better)")
    for number, count in enumerate(threads):
        rows = [row for row in results if row["threads"] == count]
        label = f"{count} thread{'s' * (count > 1)}: {mean(rows):.2f} in the mean"
        picture.bar(LEFT + 190 * number, 29, BAR, BAR, COLOURS[number])
        picture.text(LEFT + 190 * number + BAR + 5, 38, label)
    for ratio in range(math.floor(picture.most) + 1):
        picture.mark(ratio, bottom)
    for place, case in enumerate(cases):
        y = TOP + place * step
        picture.text(LEFT - 8, y + (step - GAP) / 2 + 4, case, "end")
        for number, count in enumerate(threads):
            if (ratio := ratios.get((case, count))) is None:
                continue
            end = picture.x(ratio)
            picture.bar(LEFT, y + number * BAR, end - LEFT, BAR - 1, COLOURS[number])
            size = {"font-size": "9"}
            picture.text(end + 4, y + number * BAR + 8, f"{ratio:.2f}", **size)
    return picture


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    results = json.loads(Path(sys.argv[1]).read_text())["results"]
    tree = ElementTree.ElementTree(draw(results).root)
    ElementTree.indent(tree)
    tree.write(sys.argv[2], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
