"""What TorchMetalKernel refuses, with the exact words."""

import re

import pytest
import torch

from bessemer.torch import MetalParameter, TorchMetalKernel

ID = MetalParameter("id", "uint", "thread_position_in_grid")


def one(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def two(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x.sin(), x.cos()


def listed(x: torch.Tensor) -> list[torch.Tensor]:
    return [x.sin(), x.cos()]


def variadic(*args: torch.Tensor) -> torch.Tensor:
    return args[0].clone()


def variadic_keywords(x: torch.Tensor, **kwargs: torch.Tensor) -> torch.Tensor:
    return x.clone()


def takes_str(x: str) -> torch.Tensor:
    return torch.zeros(1)


def takes_unknown(x) -> torch.Tensor:
    return x.clone()


def takes_list(x: [torch.Tensor]) -> torch.Tensor:
    return x[0].clone()


def unresolved(x: "Missing") -> torch.Tensor:  # noqa: F821
    return x.clone()


def returns_int(x: torch.Tensor) -> int:
    return 1


def returns_any_tuple(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return (x,)


def returns_nothing(x: torch.Tensor):
    return x.clone()


def make(**changes):
    arguments = {
        "name": "k",
        "input_names": ["x"],
        "result_names": ["y"],
        "src": "y[id] = x[id];",
        "torch_defn": one,
        "metal_params": [ID],
    }
    return TorchMetalKernel(**(arguments | changes))


RETURNS = (
    "Metal kernels only support return types of `torch.Tensor`, `list[torch.Tensor]`, "
    "or `tuple[torch.Tensor]` (with a concrete number of tuple members). The torch "
    "callback has a return type of "
)
INPUTS = (
    "custom kernels only support `torch.Tensor`, `float`, `bool` and `int` inputs, got "
)
VARIADIC = "custom kernels do not support variadic parameters (*args / **kwargs); got parameter "

# (changed arguments, class, whole message)
CONSTRUCTION = [
    ({"name": ""}, ValueError, "Kernel name must be a non-empty string, got ''"),
    ({"name": "  "}, ValueError, "Kernel name must be a non-empty string, got '  '"),
    ({"name": 5}, ValueError, "Kernel name must be a non-empty string, got 5"),
    (
        {"result_names": []},
        ValueError,
        "result_names must contain at least one entry",
    ),
    (
        {"input_names": ["x", "x"]},
        ValueError,
        "Duplicate input names: ['x']",
    ),
    (
        {"result_names": ["o", "o"]},
        ValueError,
        "Duplicate result names: ['o']",
    ),
    (
        {"result_names": ["x"]},
        ValueError,
        "Names appear in both input_names and result_names: ['x']",
    ),
    (
        {"torch_defn": variadic},
        TypeError,
        VARIADIC + "'args' with kind variadic positional",
    ),
    (
        {"torch_defn": variadic_keywords},
        TypeError,
        VARIADIC + "'kwargs' with kind variadic keyword",
    ),
    (
        {"torch_defn": takes_str},
        TypeError,
        INPUTS + "<class 'str'> for parameter 'x' of torch_defn",
    ),
    (
        {"torch_defn": takes_unknown},
        TypeError,
        INPUTS
        + "<class 'inspect._empty'>: parameter 'x' of torch_defn needs an annotation",
    ),
    (
        {"input_names": ["x", "z"]},
        ValueError,
        "torch function should have same number of parameters as specified by input "
        "names, expected 2, got 1",
    ),
    ({"torch_defn": returns_int}, TypeError, RETURNS + "<class 'int'>"),
    (
        {"torch_defn": returns_any_tuple},
        TypeError,
        RETURNS + "tuple[torch.Tensor, ...]",
    ),
    (
        {"torch_defn": returns_nothing},
        TypeError,
        RETURNS + "<class 'inspect._empty'>",
    ),
    (
        {"result_names": ["a", "b"]},
        ValueError,
        "torch_defn returns a single torch.Tensor, but result_names has 2 entries: "
        "['a', 'b']",
    ),
    (
        {"torch_defn": two, "result_names": ["a", "b", "c"]},
        ValueError,
        "torch_defn returns tuple of 2 tensors, but result_names has 3 entries: "
        "['a', 'b', 'c']",
    ),
    (
        {"template_dtypes": {"z": "TYPE"}},
        ValueError,
        "Inputs {'z'} not specified as part of the kernel's input names. All input "
        "names provided for templates must correspond to entries in the `input_names` "
        "list.",
    ),
]

# (changed arguments, class, part of the message): the original lets these pass.
STRICTER = [
    ({"name": "my kernel!"}, ValueError, "identifier"),
    ({"name": "1abc"}, ValueError, "identifier"),
    ({"name": "a::b"}, ValueError, "identifier"),
    ({"name": "größe"}, ValueError, "identifier"),
    ({"input_names": "x"}, TypeError, "input_names=['x']"),
    ({"input_names": [""]}, ValueError, "'' in input_names is not an identifier"),
    ({"input_names": ["a b"]}, ValueError, "'a b' in input_names"),
    ({"input_names": ["device"]}, ValueError, "keyword of Metal"),
    ({"src": None}, TypeError, "src of kernel 'k' must be a string"),
    ({"helper_src": 3}, TypeError, "helper_src of kernel 'k'"),
    (
        {"metal_params": [MetalParameter("id", "uint", "thread_position_in_gird")]},
        ValueError,
        "did you mean 'thread_position_in_grid'",
    ),
    (
        {"metal_params": [MetalParameter("id", "float", "thread_position_in_grid")]},
        ValueError,
        "has type 'float'",
    ),
    (
        {"metal_params": [MetalParameter("i", "uint2", "thread_index_in_simdgroup")]},
        ValueError,
        "is one of uint, ushort",
    ),
    (
        {"metal_params": [MetalParameter("x", "uint", "thread_position_in_grid")]},
        ValueError,
        "Metal parameter 'x' is also in input_names",
    ),
    ({"metal_params": [ID, ID]}, ValueError, "Metal parameter 'id' is also in"),
    ({"template_dtypes": {"x": ""}}, ValueError, "must be an identifier"),
    ({"template_dtypes": {"x": 3}}, ValueError, "must be an identifier"),
    ({"template_dtypes": ["x"]}, TypeError, "must map input names to placeholders"),
    ({"template_dtypes": {"xx": "T"}}, ValueError, "Did you mean 'x'?"),
    ({"input_names": None}, TypeError, "input_names must be a list of names, got None"),
    ({"input_names": [["x"]]}, TypeError, "input_names must hold strings, got ['x']"),
    ({"result_names": [3]}, TypeError, "result_names must hold strings, got 3"),
    ({"input_names": ["tensor"]}, ValueError, "that the generated signature uses"),
    ({"input_names": ["uint8_t"]}, ValueError, "that the generated signature uses"),
    ({"metal_params": ID}, TypeError, "metal_params=[MetalParameter(name='id'"),
    ({"metal_params": 5}, TypeError, "metal_params must be a list"),
    ({"metal_params": ["id"]}, TypeError, "metal_params must hold MetalParameter("),
    (
        {"metal_params": [MetalParameter("id", "uint", None)]},
        ValueError,
        "Unknown attribute None",
    ),
    (
        {"metal_params": [MetalParameter("id", "uint4", "thread_position_in_grid")]},
        ValueError,
        "has type 'uint4', but [[thread_position_in_grid]] is one of uint, uint2",
    ),
    (
        {"metal_params": [MetalParameter("i d", "uint", "thread_position_in_grid")]},
        ValueError,
        "'i d' in metal_params is not an identifier",
    ),
    ({"torch_defn": None}, TypeError, "torch_defn must be a function"),
    ({"torch_defn": torch.sin}, TypeError, "wrap it in a function"),
    ({"torch_defn": takes_list}, TypeError, INPUTS + "[<class 'torch.Tensor'>]"),
    ({"torch_defn": unresolved}, NameError, "not under TYPE_CHECKING"),
]


@pytest.mark.parametrize("changes, error, message", CONSTRUCTION)
def test_construction(changes, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        make(**changes)


@pytest.mark.parametrize("changes, error, part", STRICTER)
def test_construction_stricter(changes, error, part):
    with pytest.raises(error, match=re.escape(part)):
        make(**changes)


def test_duplicate_template_strings():
    def add(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return x + z

    with pytest.raises(
        ValueError, match=r"^Provided duplicated template strings \['TYPE'\]\. Each "
    ):
        make(
            torch_defn=add,
            input_names=["x", "z"],
            template_dtypes={"x": "TYPE", "z": "TYPE"},
        )


CALL = {
    "threads_per_grid": (4, 1, 1),
    "threads_per_thread_group": (1, 1, 1),
    "result_shapes": [[4]],
}
CALL_SITE = [
    (
        {"threads_per_grid": (16, 1)},
        ValueError,
        "threads_per_grid must be a 3-tuple, got 2 elements: (16, 1)",
    ),
    (
        {"threads_per_thread_group": (1, 1, 1, 1)},
        ValueError,
        "threads_per_thread_group must be a 3-tuple, got 4 elements: (1, 1, 1, 1)",
    ),
    (
        {"result_shapes": []},
        ValueError,
        "result_shapes must contain one shape per result name; expected 1 (for ['y']), "
        "got 0",
    ),
    (
        {"threads_per_grid": (4.5, 1, 1)},
        TypeError,
        "threads_per_grid must hold integers, got 4.5 in (4.5, 1, 1)",
    ),
    (
        {"threads_per_grid": (-1, 1, 1)},
        ValueError,
        "threads_per_grid must not be negative, got (-1, 1, 1)",
    ),
    (
        {"threads_per_grid": (0, 1, 1)},
        ValueError,
        "threads_per_grid must be positive, got (0, 1, 1)",
    ),
    (
        {"threads_per_thread_group": (0, 1, 1)},
        ValueError,
        "threads_per_thread_group must be positive, got (0, 1, 1)",
    ),
    (
        {"threads_per_grid": 4},
        TypeError,
        "threads_per_grid must be a 3-tuple, got 4",
    ),
    (
        {"threads_per_grid": "4 1"},
        TypeError,
        "threads_per_grid must be a 3-tuple, got '4 1'",
    ),
    (
        {"threads_per_grid": (2**32, 1, 1)},
        ValueError,
        "threads_per_grid must be below 2**32, got 4294967296 in (4294967296, 1, 1)",
    ),
    (
        {"threads_per_thread_group": (None, 1, 1)},
        TypeError,
        "threads_per_thread_group must hold integers, got None in (None, 1, 1)",
    ),
    (
        {"result_shapes": 4},
        TypeError,
        "result_shapes must be a list with one shape per result, got 4; write "
        "result_shapes=[list(x.shape)]",
    ),
    (
        {"result_shapes": [[-4]]},
        ValueError,
        "result_shapes[0] (for 'y') must not be negative, got [-4]",
    ),
    (
        {"result_shapes": [4]},
        TypeError,
        "result_shapes[0] (for 'y') must be a list of sizes, got 4; write "
        "result_shapes=[[...]]",
    ),
]


@pytest.mark.parametrize("changes, error, message", CALL_SITE)
def test_call_site(changes, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        make()(torch.ones(4), **(CALL | changes))


@pytest.mark.parametrize("shape", [[2, 2], [5]])
def test_wrong_result_shapes_name_the_call(shape):
    kernel = make()
    with pytest.raises(ValueError) as caught:
        kernel(torch.ones(4), **(CALL | {"result_shapes": [shape]}))
    line = caught.traceback[0].lineno + 1
    assert str(caught.value) == (
        f"{__file__}:{line}: kernel 'k': result_shapes[0] (for 'y') is {shape}, but "
        "torch_defn returned a tensor of shape [4]"
    )


ROWS = torch.export.Dim("rows", min=2, max=64)


@pytest.mark.parametrize(
    "sizes, given, returned",
    [
        (lambda x: [x.shape[1], x.shape[0]], "[16, rows]", "[rows, 16]"),
        (lambda x: [x.shape[0] * x.shape[1]], "[16*rows]", "[rows, 16]"),
    ],
)
def test_wrong_symbolic_result_shapes_name_the_dims(sizes, given, returned):
    kernel = make()

    class Model(torch.nn.Module):
        def forward(self, x):
            return kernel(x, **(CALL | {"result_shapes": [sizes(x)]}))

    with pytest.raises(ValueError) as caught:
        torch.export.export(
            Model(), (torch.ones(4, 16),), dynamic_shapes={"x": {0: ROWS}}
        )
    assert re.fullmatch(
        rf"{re.escape(__file__)}:\d+: kernel 'k': result_shapes\[0\] \(for 'y'\) is "
        rf"{re.escape(given)}, but torch_defn returned a tensor of shape "
        rf"{re.escape(returned)}",
        str(caught.value),
    )


def test_sizes_without_a_name_are_those_of_an_input():
    kernel = make()

    class Model(torch.nn.Module):
        def forward(self, x):
            return kernel(x, **(CALL | {"result_shapes": [[x.shape[0] + 1]]}))

    sizes = {"x": {0: torch.export.Dim.DYNAMIC}}
    with pytest.raises(ValueError, match=r"is \[x.shape\[0\] \+ 1\], but .* \[x.sha"):
        torch.export.export(Model(), (torch.ones(4),), dynamic_shapes=sizes)


def test_dispatch_arguments_are_required():
    with pytest.raises(
        TypeError,
        match=r"TorchMetalKernel.__call__\(\) missing 3 required keyword-only "
        r"arguments: 'threads_per_grid', 'threads_per_thread_group', and "
        r"'result_shapes'",
    ):
        make()(torch.ones(4))


def test_wrong_inputs_are_refused():
    kernel = make()
    for error in (TypeError, RuntimeError):
        with pytest.raises(
            error,
            match=r"^coreai_metal_kernels::k\(\) takes 1 inputs \(x\), got 0: mis",
        ):
            kernel(**CALL)
        with pytest.raises(error, match=r"takes 1 inputs \(x\), got 2: too many"):
            kernel(torch.ones(4), torch.ones(4), **CALL)
        with pytest.raises(error, match=r"got an unexpected keyword argument 'z'"):
            kernel(torch.ones(4), z=1, **CALL)


def test_large_threadgroups_are_left_to_the_device():
    make()(torch.ones(4), **(CALL | {"threads_per_thread_group": (2048, 1, 1)}))


def test_list_of_wrong_length():
    kernel = make(torch_defn=listed, result_names=["a", "b", "c"])
    with pytest.raises(ValueError, match="^Expected 3 results, got 2$"):
        kernel(torch.ones(4), **(CALL | {"result_shapes": [[4]] * 3}))
