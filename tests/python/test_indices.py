"""Operators that pick or write by indices: against PyTorch, and out of range."""

import pytest
import torch
from models import call, convert, load
from test_operators import Function, check, floats, integers

from bessemer.errors import KernelFault

I32 = torch.int32
TABLE = torch.arange(20, dtype=torch.float32).reshape(5, 4)


def rows(*values):
    return torch.tensor(values, dtype=torch.int64)


# Each with an example whose indices are right; `bad` is put in their place.
OPERATORS = {
    "embedding": (
        lambda t, i: torch.nn.functional.embedding(i, t),
        (TABLE, rows(1, 2)),
    ),
    "index_select": (lambda t, i: t.index_select(0, i), (TABLE, rows(1, -0))),
    "index_select_columns": (lambda t, i: t.index_select(1, i), (TABLE, rows(1, 2))),
    "index": (lambda t, i: t[i], (TABLE, rows(1, -2))),
    "index_pair": (lambda t, i: t[rows(0, 1), i], (TABLE, rows(1, -2))),
    "index_columns": (lambda t, i: t[:, i], (TABLE, rows(1, -2))),
    "take_along": (
        lambda t, i: t.gather(0, i.expand(2, 2)),
        (TABLE, rows(0, 3)),
    ),
    "gather_columns": (
        lambda t, i: t.gather(1, i[:, None].expand(2, 3)),
        (TABLE, rows(0, 3)),
    ),
    "scatter": (
        lambda t, i: t.scatter(0, i[:, None].expand(2, 4), torch.ones(2, 4)),
        (TABLE, rows(0, 3)),
    ),
    "scatter_value": (
        lambda t, i: t.scatter(1, i[None], 7.0),
        (TABLE, rows(0, 3)),
    ),
    "scatter_add": (
        lambda t, i: t.scatter_add(0, i[:, None].expand(2, 4), torch.ones(2, 4)),
        (TABLE, rows(3, 3)),
    ),
    "index_add": (
        lambda t, i: t.index_add(0, i, torch.ones(2, 4)),
        (TABLE, rows(3, 3)),
    ),
    "index_copy": (
        lambda t, i: t.index_copy(0, i, torch.ones(2, 4)),
        (TABLE, rows(1, 3)),
    ),
    "index_fill": (lambda t, i: t.index_fill(0, i, 3.0), (TABLE, rows(1, 3))),
    "index_put": (
        lambda t, i: t.index_put((i,), torch.full((4,), 9.0)),
        (TABLE, rows(1, -1)),
    ),
    "index_put_columns": (
        lambda t, i: torch.ops.aten.index_put(t, [None, i], torch.ones(5, 2)),
        (TABLE, rows(1, 3)),
    ),
    "index_put_accumulate": (
        lambda t, i: t.index_put((i,), torch.ones(2, 4), accumulate=True),
        (TABLE, rows(1, 1)),
    ),
}
# The extent that the operator's indices must fit.
EXTENTS = {
    name: 4
    for name in (
        "index_select_columns", "index_pair", "index_columns", "gather_columns",
        "scatter_value", "index_put_columns",
    )
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_in_range(name, tmp_path):
    function, args = OPERATORS[name]
    check(function, args, tmp_path)


@pytest.mark.parametrize("bad", ["above", "below"])
@pytest.mark.parametrize("name", OPERATORS)
def test_out_of_range(name, bad, tmp_path):
    function, (table, indices) = OPERATORS[name]
    loaded = load(convert(Function(function), (table, indices)), tmp_path)
    extent = EXTENTS.get(name, 5)
    wrong = indices.clone()
    wrong[1] = extent if bad == "above" else -extent - 1
    text = (
        rf"aten\.\w+.*: Index {wrong[1]} is out of range \[-{extent}, {extent}\) for "
        r"gather/scatter dimension \d\."
    )
    with pytest.raises(RuntimeError, match=text) as caught:
        call(loaded, table, wrong)
    assert isinstance(caught.value, KernelFault)
    # The function still works, and nothing was written to the caller's arrays.
    assert torch.equal(table, TABLE)
    torch.testing.assert_close(
        call(loaded, table, indices)[0], function(table, indices)
    )


def test_a_selected_row_that_only_the_run_knows(tmp_path):
    """The exporter's own guards keep x[n - 7] inside."""

    def pick(x, y):
        return y[:, x.shape[0] - 7]

    sizes = ({0: torch.export.Dim("n", min=7, max=11)}, {})
    y = floats(3, 5)
    loaded = load(
        convert(Function(pick), (floats(9), y), dynamic_shapes=(sizes,)), tmp_path
    )
    for n in (7, 9, 11):
        assert torch.equal(call(loaded, torch.zeros(n), y)[0], y[:, n - 7])


WRITES = {
    "slice_scatter": lambda x, y: torch.slice_scatter(x, y[:, :2], 1, 1, 3),
    "slice_scatter_steps": lambda x, y: torch.slice_scatter(x, y[:, :2], 1, 0, 4, 2),
    "select_scatter": lambda x, y: torch.select_scatter(x, y[0], 0, -1),
    "scatter_reduce": lambda x, y: torch.scatter_reduce(
        x, 0, torch.zeros_like(y, dtype=torch.int64), y, "amax"
    ),
    "mask": lambda x, y: torch.where(y > 0, x, 0.0),
    "masked_fill": lambda x, y: x.masked_fill(y > 0, 2.5),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes(name, tmp_path):
    check(WRITES[name], (floats(3, 4, 2), floats(3, 4, 2)), tmp_path)


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.bool]
)
def test_element_types(dtype, tmp_path):
    table = integers(6, 3, low=0, high=2).to(dtype)

    def both(t, i):
        return t[i], t.index_put((i,), t[:2])

    check(both, (table, rows(4, -5)), tmp_path)


SORTS = {
    "sort": lambda x: tuple(x.sort(dim=-1, stable=True)),
    "sort_descending": lambda x: tuple(x.sort(dim=0, descending=True, stable=True)),
    "argsort": lambda x: x.argsort(dim=1, stable=True),
    "topk": lambda x: x.topk(2, 1)[0],
    "topk_smallest": lambda x: x.topk(3, -1, largest=False)[0],
}
SORTED_TYPES = [
    torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int16,
    torch.int32, torch.int64, torch.bool,
]  # fmt: skip


@pytest.mark.parametrize("dtype", SORTED_TYPES, ids=str)
@pytest.mark.parametrize("name", SORTS)
def test_sorting(name, dtype, tmp_path):
    # Few values: equal ones must keep their order.
    x = integers(3, 5, 7, low=0, high=4).to(dtype)
    if name.startswith("topk") and dtype is torch.bool:
        pytest.skip("torch has no topk of booleans")
    check(SORTS[name], (x,), tmp_path)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("n", [1, 31, 32, 33, 64, 65, 300, 4097])
def test_sorting_of_rows(n, descending, tmp_path):
    x = floats(2, n).round(decimals=1)
    x[:, ::7] = float("nan")
    x[:, ::5] = float("inf")
    x[:, 1::9] = -0.0

    def sort(x):
        return tuple(x.sort(dim=-1, descending=descending, stable=True))

    check(sort, (x,), tmp_path)


def test_sorting_of_dynamic_extents(tmp_path):
    def sort(x):
        return x.sort(dim=0, stable=True)[1]

    n = torch.export.Dim("n", min=1, max=100_000)
    check(
        sort,
        (floats(50),),
        tmp_path,
        dynamic_shapes=({0: n},),
        calls=[(floats(k).round(decimals=1),) for k in (1, 32, 33, 1000, 5000)],
    )


def test_sorting_of_nothing(tmp_path):
    check(lambda x: tuple(x.sort(0)), (torch.zeros(0, 3),), tmp_path / "a")
    check(lambda x: tuple(x.sort(0)), (torch.tensor(2.0),), tmp_path / "b")
