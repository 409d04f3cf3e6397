"""Sources that nest deeply, grow without bound or hold many mistakes.

Each is answered with an error that names the limit and a place, in bounded time
and memory. Each runs in a process of its own, whose end is part of the test.
"""

import os
import signal
import subprocess
import sys
import threading

import pytest

import bessemer

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
MANY = 200_000


def kernel(body, head=""):
    return (
        f"{HEAD}{head}\nkernel void k(device float *o, "
        f"uint i [[thread_position_in_grid]]) {{ {body} }}\n"
    )


def macros(first, step):
    """2 ** 25 copies of `first`."""
    lines = [f"#define A0 {first}"]
    lines += [f"#define A{j + 1} {step.format(j)}" for j in range(25)]
    return "\n".join(lines)


TOKENS = "more than 20000 tokens"
CONTROLS = "more than 1000 statements"
BRACKETS = "bracket nesting level"
ANY = ""
DEEP = {
    "sum": (kernel("o[i] = " + "1+" * MANY + "1;"), TOKENS),
    "sum of variables": (kernel("o[i] = " + "i+" * MANY + "1;"), TOKENS),
    "comma": (kernel("i," * MANY + "o[i] = 1;"), TOKENS),
    "comma in parentheses": (kernel("o[i] = (" + "i," * MANY + "i);"), TOKENS),
    "conditional": (kernel("o[i] = " + "i ? 1 : " * MANY + "0;"), TOKENS),
    "assignment": (kernel("int x; " + "x = " * MANY + "1;"), TOKENS),
    "else if": (
        kernel("if (i) o[i] = 0;" + "else if (i == 1) o[i] = 1;" * MANY),
        CONTROLS,
    ),
    "if": (kernel("if (i) " * MANY + "o[i] = 1;"), CONTROLS),
    "for": (kernel("for (;;) " * MANY + "o[i] = 1;"), CONTROLS),
    "labels": (kernel("switch (i) {" + "case 1: " * MANY + ";}"), ANY),
    "parentheses": (kernel("o[i] = " + "(" * MANY + "1" + ")" * MANY + ";"), BRACKETS),
    "braces": (kernel("{" * MANY + "}" * MANY), BRACKETS),
    "calls": (kernel("o[i] = " + "sin(" * MANY + "1" + ")" * MANY + ";"), BRACKETS),
    "initialisers": (kernel("int a = " + "{" * MANY + "}" * MANY + ";"), BRACKETS),
    "subscripts": (kernel("o[i] = " + "o[(int)" * MANY + "0" + "]" * MANY + ";"), ANY),
    "attributes": (kernel("[[a(" * MANY + ")]]" * MANY), ANY),
    "namespaces": (HEAD + "namespace a {" * MANY + "}" * MANY, BRACKETS),
    "complements": (kernel("o[i] = " + "~" * MANY + "i;"), TOKENS),
    "casts": (kernel("o[i] = " + "(int)" * MANY + "i;"), ANY),
    "pointers": (kernel("int " + "*" * MANY + "p;"), ANY),
    "templates": (
        kernel("W<" * MANY + "int" + ">" * MANY + " w;",
               "template <typename T> struct W { T x; };"),
        TOKENS,
    ),
    "template arguments": (
        kernel("W<int, " * MANY + "int" + ">" * MANY + " w;",
               "template <typename T, typename U> struct W { T x; };"),
        ANY,
    ),
    "words": (kernel("threadgroup " * MANY), TOKENS),
    "macro of a sum": (kernel("o[i] = A25;", macros("1+1", "A{0}+A{0}")), TOKENS),
    "macro of statements": (
        kernel("A25", macros("o[i] = 1;", "A{0} A{0}")),
        "more than 4000000 tokens",
    ),
    "macro of nothing": (kernel("A25 x;", macros("", "A{0} A{0}")), "macros more than"),
    "macro arguments": (
        kernel("o[i] = " + "F(" * 20000 + "1" + ")" * 20000 + ";", "#define F(x) x"),
        "arguments of macros",
    ),
    "instantiations": (
        kernel(
            "o[i] = F<22, 1>::v;",
            "template <int N, int M> struct F { static constexpr int v = "
            "F<N - 1, M * 2>::v + F<N - 1, M * 2 + 1>::v; };\n"
            "template <int M> struct F<0, M> { static constexpr int v = 1; };",
        ),
        "more than 200000 template instantiations",
    ),
    "endless constant": (
        kernel("constexpr int z = f(1); o[i] = z;",
               "constexpr int f(int n) { while (true) ++n; return n; }"),
        "step limit",
    ),
}  # fmt: skip

CHILD = """
import resource, sys, bessemer
source = sys.stdin.read()
try:
    bessemer.compile(source)
except bessemer.CompileError as error:
    print(error)
    print("diagnostics:", len(error.diagnostics))
    print("MiB:", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""


def compile_apart(source):
    result = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=source,
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result
    return result.stdout


@pytest.mark.parametrize("name", DEEP)
def test_depth_and_growth(name):
    source, words = DEEP[name]
    answer = compile_apart(source)
    assert "error: " in answer and words in answer, answer[:2000]
    assert answer.startswith("<source>:"), answer[:2000]
    # No advice about options of Clang, and lines of readable length.
    assert "use -f" not in answer
    assert max(map(len, answer.splitlines())) < 400
    assert int(answer.rsplit("MiB: ", 1)[1]) < 1500


def test_ordinary_sources_stay_far_below():
    bessemer.compile(
        kernel("o[i] = " + "i+" * 2000 + "1;")
        + "constant int table[] = {" + "1," * 100_000 + "};\n"
        + "void f(int i) { if (i) return; " + "else if (i == 1) return;" * 200 + "}"
    )  # fmt: skip


def test_many_errors():
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(kernel("".join(f"x{j} = 1;" for j in range(5000))))
    diagnostics = caught.value.diagnostics
    assert len(diagnostics) == 21
    assert "too many errors" in diagnostics[-1].message
    assert len(str(caught.value)) < 20_000


def test_many_warnings():
    library = bessemer.compile(kernel("{ float z; o[i] = z; }" * 500))
    assert 50 <= len(library.diagnostics) <= 150


def test_long_lines_are_cut_around_the_caret():
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(kernel("o[i] = 1;" + " " * 5000 + "é = oops;" + " " * 5000))
    for diagnostic in caught.value.diagnostics:
        _, line, caret = str(diagnostic).splitlines()[:3]
        assert line.startswith("...") and line.endswith("...")
        assert len(line) < 180
        # The caret counts bytes, as the column does.
        place = line.encode()[caret.index("^") :]
        assert place.startswith(("é".encode(), b"oops", b"="))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.mkdir(), "it is not a regular file"),
        (os.mkfifo, "it is not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "it is not a regular file"),
        (lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_RDWR), 65 << 20),
         "it has more than 64 MiB"),
        (lambda path: path.write_text('#include "x.h"\n#include "x.h"\n'), ""),
    ],
    ids=["folder", "pipe", "device", "large", "itself"],
)  # fmt: skip
def test_odd_files(tmp_path, make, words):
    make(tmp_path / "x.h")
    with pytest.raises(bessemer.CompileError, match=words) as caught:
        bessemer.compile('#include "x.h"\n' + kernel(""), include_dirs=[tmp_path])
    assert "x.h" in str(caught.value)


def test_control_c_ends_a_compilation():
    source = kernel("".join(f"o[i] += {j};" for j in range(300_000)))
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            bessemer.compile(source)
            # Faster than the timer: wait for it.
            timer.join()
    finally:
        timer.join()
    bessemer.compile(kernel("o[i] = 1;"))
