"""Malformed sources, dtypes, inputs, assets and texts, and the message each gets."""

import hashlib
import re
import shutil

import numpy as np
import pytest
import torch
from models import ID, Binary, Unary, convert, make_add

from bessemer.errors import AssetError
from bessemer.runtime import AIModel, NDArray
from bessemer.torch import AIProgram, TorchMetalKernel
from bessemer.torch.kernel_check import check_kernel


def clone(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


# (body, helper source, what the message holds: severity and words, in this order)
SOURCES = [
    ("A[s] = sdfs", "", ["undeclared identifier 'A'", "the kernel declares x (input)"]),
    ("y[id] = x[id]", "", ["expected ';' after expression"]),
    ("y[id] = xs[id];", "", ["undeclared identifier 'xs'"]),
    ("y[idx] = x[idx];", "", ["undeclared identifier 'idx'", "did you mean 'id'?"]),
    ("y[id] = x[id][0];", "", ["subscripted value is not"]),
    ("y[id, 0] = x[id];", "", ["a tensor takes one subscript per dimension"]),
    ("y[id] = expp(x[id]);", "", ["undeclared identifier 'expp'"]),
    ("y[id] = x[id]; /* open", "", ["unterminated /* comment"]),
    ("y[id] = x[id]; }", "", ["this '}' closes no brace of the text"]),
    ("if (id < 4) { y[id] = 1;", "", ["this '{' is never closed"]),
    ("y[id] = 1; } void other() {", "", ["this '}' closes no brace of the text"]),
    ("y[id] = x.extent(0);", "", ["no member named 'extent'"]),
    ('y[id] = "text";', "", ["assigning to 'float' from incompatible type"]),
    ("int4 v = x[id]; y[id] = v;", "", ["from incompatible type 'int4'"]),
    ("return 1;", "", ["should not return a value", "write its results, as in y["]),
    ("throw 1;", "", ["cannot use 'throw'", "Metal has no exceptions"]),
    ("try { y[id] = 1; } catch (...) {}", "", ["Metal has no exceptions"]),
    ("double d = x[id]; y[id] = d;", "", ["Metal has no double; use float"]),
    ("goto nowhere;", "", ["undeclared label 'nowhere'"]),
    ("x.get_extent(id) = 4;", "", ["expression is not assignable"]),
    ("y[id] = 'ab;", "", ["expected expression"]),
    ("y[Id] = 1;", "", ["undeclared identifier 'Id'", "did you mean 'id'?"]),
    ("y[gidd] = 1;", "", ["undeclared identifier 'gidd'"]),
    ("y[lane_id] = 1;", "", ["MetalParameter('lane_id', 'uint', 'thread_index_in_si"]),
    ("y[grid_size] = 1;", "", ["MetalParameter('grid_size', 'uint', 'grid_size') to"]),
    ("y[id.x] = x[id.x];", "", ["for .x, .y and .z the MetalParameter needs"]),
    (
        "y[id] = x.shape[0];",
        "",
        ["'metal::tensor<device float, dextents<int, 1>"],
    ),
    ("y[id] = x.size(0);", "", ["no member named 'size'", "has get_extent(i)"]),
    ("y[id][0] = 1;", "", ["takes all its subscripts in one bracket"]),
    ("__syncthreads();", "", ["threadgroup_barrier(mem_flags::mem_threadgroup)"]),
    ("y[threadIdx.x] = 1;", "", ["[[thread_position_in_threadgroup]]"]),
    ("y[id] = expf(x[id]);", "", ["undeclared identifier 'expf'", "write exp"]),
    ("y[id] = std::exp(x[id]);", "", ["'std'", "write metal::, or no prefix"]),
    ('printf("%f", x[id]);', "", ["Metal has no printf"]),
    ("kernel void f(uint i) { y[i] = 1; }", "", ["functions go into helper_src"]),
    ("y[id] = f(0);", "float f(uint i) { return x[i]; }", ["not see: pass it"]),
    ("#define N 1\ny[id] = N;", "", ["a preprocessor line cannot begin src"]),
    ("y[id] = x[id]; // copy", "", ["a // comment at the end of src takes in"]),
    ("\n#if 1\ny[id] = 1;\n#endif", "", ["a preprocessor line at the end of src"]),
    ("y[id] = x[id]; \\", "", ["a backslash at the end of src"]),
    ("y[id] = N;", "#define N 1 \\", ["joins the kernel's line to helper_src"]),
    ("TYPE v = 1; y[id] = v;", "", ["unknown type name 'TYPE'", "{'x': 'TYPE'}"]),
    (
        "y[id] = x[id];",
        "#include <missing.h>",
        ["'missing.h' file not found", "put what the file holds into helper_src"],
    ),
    (
        "y[id] = n;",
        "constant int n [[function_constant(0)]];",
        ["function constants have no values in a model, but the kernel uses 'n'"],
    ),
    ("y[id] = x[id];", "#error no tensors", ["no tensors"]),
    ("y[id] = f(x[id]);", "float f(float v) { return v", ["'{' is never closed"]),
    (
        "y[id] = x[id];",
        "template <int N> struct S { static constexpr int v = S<N + 1>::v; };\n"
        "constant int z = S<0>::v;",
        ["recursive template instantiation exceeded maximum depth"],
    ),
    (
        "constexpr auto f = [](int n) { while (true) ++n; return n; };"
        "constexpr int z = f(1); y[id] = z;",
        "",
        ["must be initialized by a constant expression", "step limit"],
    ),
    (
        "y[id] = mpp::tensor_ops::matmul3d(x);",
        "",
        ["no member named 'matmul3d' in namespace 'mpp::tensor_ops'"],
    ),
]


def specialised(body, helper=""):
    kernel = TorchMetalKernel("k", ["x"], ["y"], body, clone, [ID], helper)
    return kernel, kernel.specialise([(1, "float", False)], [(1, "float")])


@pytest.mark.parametrize("body, helper, words", SOURCES)
def test_sources(body, helper, words):
    error = check_kernel(*specialised(body, helper))
    message = str(error)
    assert re.match(
        r"kernel 'k' \(.*test_malformed\.py:\d+\) does not compile:", message
    )
    position = 0
    for word in words:
        assert word in message[position:], message
        position = message.index(word, position)
    # Every diagnostic lies in this file, or in the text of the body or helper.
    for diagnostic in error.diagnostics:
        assert diagnostic.file.endswith(("test_malformed.py", "src>", "helper_src>"))
        assert "[[kernel]]" not in diagnostic.source_line


def test_literals_of_scalars_keep_lines_apart():
    """With them the body has lines of its own, so it may end in a comment."""

    def scaled(x: torch.Tensor, c: float) -> torch.Tensor:
        return x * c

    body = "#define TWICE(v) (2 * v)\ny[id] = TWICE(x[id]) * c; // TWICE"
    kernel = TorchMetalKernel("k", ["x", "c"], ["y"], body, scaled, [ID])
    inputs = [(1, "float", False), (0, "float", True)]
    source = kernel.specialise(inputs, [(1, "float")], [("float", "c", 0.5)])
    assert check_kernel(kernel, source) is None


def test_texts_that_no_source_can_hold():
    for text in ("y[id] = 1;\0", "// \ud800"):
        with pytest.raises(ValueError, match="src of kernel 'k' has '.*', which no"):
            specialised(text)


@pytest.mark.parametrize(
    "dtype, words",
    [
        (
            torch.float8_e5m2,
            "kernel input at index 0 has unsupported dtype: f8E5M2 ('x",
        ),
        (
            torch.complex64,
            "kernel input at index 0 has unsupported dtype: complex<f32>",
        ),
        (
            torch.bool,
            "kernel input at index 0 has unsupported dtype: i1 ('x' of kernel 'dt', ",
        ),
        (torch.uint64, "kernel input at index 0 has unsupported dtype: ui64"),
    ],
    ids=str,
)
def test_dtypes(dtype, words):
    kernel = TorchMetalKernel("dt", ["x"], ["y"], "y[id] = x[id];", clone, [ID])
    with pytest.raises(TypeError, match=re.escape(words)) as caught:
        convert(Unary(kernel), (torch.zeros(4).to(dtype),), [kernel])
    message = str(caught.value)
    assert "kernels take float16, bfloat16, float32 and integers of 8 to 32" in message
    instead = {torch.bool: "x.to(torch.uint8)", torch.complex64: "view_as_real(x)"}
    assert message.endswith(instead.get(dtype, "32 bits"))


@pytest.fixture(scope="module")
def program():
    kernel = make_add()
    x = torch.ones(16)
    names = {"input_names": ["x", "y"], "output_names": ["z"]}
    return convert(Binary(kernel), (x, x), [kernel], **names)


@pytest.fixture(scope="module")
def asset(program, tmp_path_factory):
    return program.save_asset(tmp_path_factory.mktemp("asset") / "add.aimodel").path


@pytest.fixture(scope="module")
def function(asset):
    return AIModel.open(asset).load_function("main")


OK = np.ones(16, np.float32)
NOT = 'Value for "x" in input is not an NDArray. '
TAKES = "x: float32[16], y: float32[16]"
INPUTS = [
    ({"x": OK}, f"y: missing input of function 'main'. It takes: {TAKES}"),
    (
        {"x": OK, "y": OK, "q": OK},
        f"q is not a declared input of this function. It has: {TAKES}",
    ),
    (
        {"x": OK.astype(np.float16), "y": OK},
        "x has an invalid scalar type: float16, expected: float32",
    ),
    (
        {"x": OK.astype(bool), "y": OK},
        "x has an invalid scalar type: bool, expected: float32",
    ),
    ({"x": OK[:4], "y": OK}, "x has an invalid shape: [4], expected: [16]"),
    ({"x": OK[None], "y": OK}, "x has an invalid shape: [1, 16], expected: [16]"),
    ({3: OK, "y": OK}, "Key for 'inputs' dict must be a string."),
    ({"x": None, "y": OK}, NOT + "It is a NoneType"),
    ({"x": "text", "y": OK}, NOT + "It is a str"),
    (
        {"x": torch.ones(16, device="meta"), "y": OK},
        NOT + "It is a Tensor: the tensor lies on meta; call .c",
    ),
    (
        {"x": torch.ones(16).to_sparse(), "y": OK},
        NOT + "It is a Tensor: tensors with layout torch.spars",
    ),
    (
        {"x": [[1], [2, 3]], "y": OK},
        NOT + "It is a list: Unable to create NDArray from [[1]",
    ),
    ({"x": OK.astype(">f4"), "y": OK}, "x: arrays in foreign byte order (>f4)"),
    ([OK, OK], f"inputs must be a dict of arrays by name ({TAKES}), got list"),
]


@pytest.mark.parametrize("inputs, message", INPUTS)
def test_inputs(inputs, message, function):
    with pytest.raises((RuntimeError, TypeError), match=f"^{re.escape(message)}"):
        function.run(inputs)


def test_states_and_names(function, asset):
    with pytest.raises(
        RuntimeError, match="s is not a declared state of this function"
    ):
        function.run({"x": OK, "y": OK}, {"s": OK})
    with pytest.raises(KeyError, match="No input descriptor named: q"):
        function.desc.input_descriptor("q")
    with pytest.raises(KeyError, match="No function named 'nope'; the model has: main"):
        AIModel.open(asset).load_function("nope")


@pytest.mark.parametrize(
    "data, message",
    [
        (3, "Unable to create NDArray from 3: pass a NumPy array"),
        ("a", "Unable to create NDArray from 'a'"),
        (None, "Unable to create NDArray from None"),
        (
            [[1], [1, 2]],
            "Unable to create NDArray from [[1], [1, 2]]: setting an array",
        ),
        (torch.ones(2, requires_grad=True), "Unable to create NDArray from tensor("),
        (OK.astype(">f4"), "Unable to create NDArray with elements of >f4"),
        (np.array(["a"]), "Unable to create NDArray with elements of <U1"),
    ],
)
def test_arrays(data, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        NDArray(data)


def rewrite(folder, data):
    (folder / "main.mlirb").write_bytes(data)
    (folder / "main.hash").write_bytes(hashlib.sha256(data).digest())


def body(folder):
    return (folder / "main.mlirb").read_bytes()


def flipped(data, at=500):
    return data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :]


def metadata(text):
    return lambda p: (p / "metadata.json").write_text(text)


NOISE = np.random.default_rng(7).bytes(3000)
ASSETS = {
    "no metadata": (
        lambda p: (p / "metadata.json").unlink(),
        "metadata.json is missing",
    ),
    "no body": (lambda p: (p / "main.mlirb").unlink(), "main.mlirb is missing"),
    "no hash": (lambda p: (p / "main.hash").unlink(), "main.hash is missing"),
    "json": (metadata("{"), "metadata.json: is not valid JSON"),
    "version": (metadata('{"assetVersion": "9.9"}'), 'asset version "9.9" is not supp'),
    "original": (metadata('{"assetVersion": "2.0"}'), "convert the model again with"),
    "truncated": (
        lambda p: (p / "main.mlirb").write_bytes(body(p)[:100]),
        "main.mlirb: does not match main.hash: the file is damaged or truncated",
    ),
    "empty": (
        lambda p: (p / "main.mlirb").write_bytes(b""),
        "main.mlirb: does not match main.hash",
    ),
    "flipped": (
        lambda p: (p / "main.mlirb").write_bytes(flipped(body(p))),
        "main.mlirb: does not match main.hash",
    ),
    "truncated, own hash": (lambda p: rewrite(p, body(p)[:100]), "checksum"),
    "flipped, own hash": (lambda p: rewrite(p, flipped(body(p))), "checksum"),
    "noise": (lambda p: rewrite(p, NOISE), "the program is not MLIR bytecode"),
    "noise with a magic number": (
        lambda p: rewrite(p, b"ML\xefR\x0d" + NOISE),
        "the program was not written by Bessemer",
    ),
}


@pytest.mark.parametrize("name", ASSETS)
def test_assets(name, asset, tmp_path):
    damage, words = ASSETS[name]
    folder = tmp_path / "damaged.aimodel"
    shutil.copytree(asset, folder)
    damage(folder)
    with pytest.raises(AssetError, match=re.escape(words)):
        AIModel.open(folder).load_function("main")


def test_paths(program, tmp_path):
    with pytest.raises(FileNotFoundError, match="none.aimodel: no such file"):
        AIModel.open(tmp_path / "none.aimodel")
    file = tmp_path / "file.aimodel"
    file.write_text("text")
    with pytest.raises(AssetError, match="is not an asset: an .aimodel is a directory"):
        AIModel.open(file)
    with pytest.raises(
        ValueError, match="is a file, not an asset; remove it or choose"
    ):
        program.save_asset(file)
    with pytest.raises(
        ValueError, match=r"must use the \.aimodel extension, got '\.fo"
    ):
        program.save_asset(tmp_path / "model.foo")


# (change of a program's text, what the message says)
TEXTS = [
    (lambda t: "hello", "1:1: custom op 'hello' is unknown"),
    (lambda t: t.rstrip()[:-1], "expected operation name in quotes"),
    (
        lambda t: t.replace("metal4_kernel", "metal5_kernel"),
        "custom op 'coreai.metal5_kernel' is unknown",
    ),
    (lambda t: t.replace("16xf32>", "16xf99>"), "expected non-function type"),
    (
        lambda t: t.replace("dense<[16, 1, 1]>", "dense_resource<__elided__>"),
        "the text was printed with elided weights, print it in full",
    ),
    (
        lambda t: re.sub(r'kernel_name = "\w+", ', "", t),
        "requires attribute 'kernel_name'",
    ),
    (
        lambda t: t.replace("[16, 1, 1]> : tensor<3x", "[16, 1]> : tensor<2x"),
        "expects different type than prior uses",
    ),
    (lambda t: t.replace('"y"', '"x"'), "has two inputs named 'x'; rename one"),
    (lambda t: " \n", "the program's text is empty"),
    (lambda t: t.replace("output %", "output %zz"), "undeclared SSA value name"),
    (lambda t: t.replace("[16, 1, 1]", "[16, 1]"), "([2]) does not match type ([3])"),
    (lambda t: t.replace("coreai.output", "llvm.return"), "Dialect `llvm' not found"),
    (
        lambda t: re.sub(r"coreai\.output .*", "", t),
        "'coreai.graph' op must end with coreai.output",
    ),
    (
        lambda t: t.replace("-> (tensor<16xf32>", "-> (tensor<17xf32>"),
        "has type 'tensor<16xf32>', but @main declares 'tensor<17xf32>'",
    ),
]


@pytest.mark.parametrize("change, words", TEXTS)
def test_program_texts(change, words, program):
    text = str(program)
    changed = change(text)
    assert changed != text
    with pytest.raises(ValueError, match=re.escape(words)):
        AIProgram.parse(changed)


def test_program_texts_show_the_line(program):
    text = str(program).replace("tensor<16xf32> {", "tensor<16xf99> {", 1)
    with pytest.raises(ValueError) as caught:
        AIProgram.parse(text)
    message, line, caret = str(caught.value).splitlines()
    assert message == "2:39: expected non-function type"
    assert line[: caret.index("^")].endswith("tensor<16x")
