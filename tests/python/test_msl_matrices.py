"""Every form and shape of matrix constructor, in constant memory and in a kernel."""

import numpy as np
import pytest

import bessemer

# {C}, {R}: columns and rows; {S}: all scalars; {B}: columns in braces; {V}:
# columns as vectors; {VB} and {BV}: in turns. Each gives 1, 2, 3, ... but for the diagonals.
FORMS = ["({S})", "{{{S}}}", "{{{B}}}", " = {{{B}}}", "({B})", "({V})", "{{{V}}}"]
FORMS += ["({VB})", "{{{VB}}}", "{{{BV}}}"]
DIAGONAL = ["(7)", " = {T}{C}x{R}(7.0f)", " = {T}{C}x{R}(float{C}x{R}(7.0f))"]


def instance(form: str, element: str, columns: int, rows: int) -> str:
    lists = [
        ", ".join(str(c * rows + r + 1) for r in range(rows)) for c in range(columns)
    ]
    braces = [f"{{{text}}}" for text in lists]
    vectors = [f"{element}{rows}({text})" for text in lists]
    return form.format(
        S=", ".join(lists),
        B=", ".join(braces),
        V=", ".join(vectors),
        VB=", ".join((vectors, braces)[c % 2][c] for c in range(columns)),
        BV=", ".join((braces, vectors)[c % 2][c] for c in range(columns)),
        C=columns,
        R=rows,
        T=element,
    )


@pytest.mark.parametrize("element", ["float", "half"])
@pytest.mark.parametrize("rows", [2, 3, 4])
@pytest.mark.parametrize("columns", [2, 3, 4])
def test_constructors(columns, rows, element):
    forms = FORMS + DIAGONAL
    kind = f"{element}{columns}x{rows}"
    declarations = [
        f"{kind} m{i}{instance(form, element, columns, rows)};"
        for i, form in enumerate(forms)
    ]
    stores = "".join(
        f"  o[{(i * columns + c) * rows + r}] = m{i}[{c}][{r}];\n"
        for i in range(len(forms))
        for c in range(columns)
        for r in range(rows)
    )
    source = f"""#include <metal_stdlib>
using namespace metal;
{"".join(f"constant {text}" for text in declarations)}
kernel void constants(device float *o) {{
{stores}}}
kernel void locals(device float *o) {{
  {"".join(declarations)}
{stores}}}
"""
    library = bessemer.compile(source)
    counted = np.arange(1, columns * rows + 1, dtype=np.float32)
    diagonal = np.eye(columns, rows, dtype=np.float32) * 7
    want = [counted] * len(FORMS) + [diagonal.ravel()] * len(DIAGONAL)
    for kernel in (library.constants, library.locals):
        out = np.zeros(len(forms) * columns * rows, np.float32)
        kernel(out, threads=1)
        np.testing.assert_array_equal(out, np.concatenate(want))
