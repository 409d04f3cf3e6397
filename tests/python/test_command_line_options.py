"""The command line: nothing that is asked for is left undone silently."""

import numpy as np
import pytest
from command_line import bessemer, refused

KERNEL = """
kernel void s(device float *y, constant float &a,
              uint i [[thread_position_in_grid]]) { y[i] += a; }
"""
RUN = "run s.metal --threads 4 --arg a=1"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "s.metal").write_text(KERNEL)
    (tmp_path / "m.aimodel").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "words, message",
    [
        ("run m.aimodel --kernel foo", "m.aimodel is a model, and --kernel is for"),
        ("run m.aimodel --threads 5", "--threads is for Metal source"),
        ("run m.aimodel --group 5", "--group is for Metal source"),
        ("run m.aimodel --arg q=3", "--arg is for Metal source"),
        ("run m.aimodel --out z", "--out is for Metal source"),
        ("run m.aimodel -D N=1", "--define is for Metal source"),
        ("run m.aimodel -I .", "--include is for Metal source"),
        ("inspect m.aimodel --math safe", "--math is for Metal source"),
        (f"{RUN} --out y=[4] --save foo", "is no model, and --save is for models"),
        (f"{RUN} --out y=[4] --input x=1", "--input is for models"),
        (f"{RUN} --out y=[4] --state x=1", "--state is for models"),
        (f"{RUN} --out y=[4] --random", "--random is for models"),
        (f"{RUN} --out y=[4] --function f", "--function is for models"),
        (f"{RUN} --arg a=2 --out y=[4]", "--arg a=2: 'a' is given twice"),
        (f"{RUN} --out y=[4] --out y", "--out y: 'y' is given twice"),
        (f"{RUN} --arg y=1,2,3,4 --out y=[4]", "leave the type out"),
        (f"{RUN} --out y=[4]:s.metal", "would overwrite the source"),
        (f"{RUN} --out y=[4] --seed -1", "'-1' is no whole number from 0 on"),
        (f"{RUN} --out y=[4] --seed 1e3", "'1e3' is no whole number"),
        (f"{RUN} --out y=[4] --threads 5", "--threads"),
        (f"{RUN} --out y=[4] --group -5", "'-5' is no size; whole numbers X,Y,Z"),
        (f"{RUN} --out y=[4] --group 1,2,3,4", "'1,2,3,4' is no size"),
        (f"{RUN} --out y=[4] -I /no/where", "'/no/where', given for #include, is no"),
        (f"{RUN} --out y=[4,]", "is no type such as"),
        (f"{RUN} --out y=[2_2]", "is no type such as"),
        (f"{RUN} --out y=[4] --math exact", "exact not in"),
        ("compile s.metal -o foo.txt", "--output needs --emit"),
        ("compile s.metal --target nvidia:sm_90", "--target needs --emit"),
        ("compile s.metal --group 4", "--group needs --emit"),
        ("compile s.metal --emit asm --group 4,0", "sizes from 1 on, or 0,0,0"),
        ("compile s.metal --emit asm -o s.metal", "-o s.metal would overwrite the so"),
        ("compile s.metal --emit asm -o link", "-o link would overwrite the source"),
        ("compile m.aimodel", "m.aimodel is a model, which is compiled when it runs"),
        ("compile none.metal", "cannot read 'none.metal': No such file or directory"),
        ("run", "error: file is required\nbessemer run --help lists"),
        ("--frobnicate", "error: "),
    ],
)
def test_refuses(folder, words, message):
    (folder / "link").symlink_to("s.metal")
    before = sorted(folder.iterdir())
    assert refused(bessemer(words, cwd=folder), message)
    assert sorted(folder.iterdir()) == before
    assert (folder / "s.metal").read_text() == KERNEL


def test_group_sizes_of_compile(folder):
    short = bessemer("compile s.metal --emit llvm --group 5", cwd=folder)
    long = bessemer("compile s.metal --emit llvm --group 5,1,1", cwd=folder)
    free = bessemer("compile s.metal --emit llvm --group 0,0,0", cwd=folder)
    assert short.returncode == long.returncode == free.returncode == 0, short.stderr
    assert short.stdout == long.stdout != free.stdout


def test_help():
    every = bessemer("help")
    assert every.returncode == 0 and every.stdout == bessemer("--help").stdout
    assert "compile" in every.stdout and "help" in every.stdout
    run = bessemer("help", "run")
    assert run.returncode == 0 and run.stdout == bessemer("run", "--help").stdout
    assert "FILE.metal or MODEL.aimodel" in run.stdout
    assert refused(bessemer("help", "rnu"), "did you mean 'run'?")
    nothing = bessemer()
    assert nothing.returncode == 2 and nothing.stderr == every.stdout


def test_version():
    version = bessemer("version")
    assert version.returncode == 0 and version.stdout.startswith("bessemer ")
    assert bessemer("--version").stdout == version.stdout


def test_unknown_verbs_suggest():
    assert refused(bessemer("complie"), "did you mean 'compile'?\nbessemer help says")


BOOLEAN = """
constant bool negate [[function_constant(1)]];
kernel void s(device float *y, uint i [[thread_position_in_grid]]) {
  y[i] = negate ? -1 : 1;
}
"""


@pytest.mark.parametrize(
    "text, value",
    [("true", -1), ("True", -1), ("1", -1), ("false", 1), ("False", 1), ("0", 1)],
)
def test_boolean_constants(text, value, folder):
    (folder / "b.metal").write_text(BOOLEAN)
    run = "run b.metal --threads 2 --arg y=0,0 --constant"
    result = bessemer(f"{run} 1={text}", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"y: float32[2] {value} {value}\n"


@pytest.mark.parametrize("text", ["yes", "2", "-1"])
def test_no_boolean_constants(text, folder):
    (folder / "b.metal").write_text(BOOLEAN)
    run = f"run b.metal --threads 2 --arg y=0,0 --constant negate={text}"
    message = f"'{text}' is neither true, false, 1 nor 0"
    assert refused(bessemer(run, cwd=folder), message)


def test_a_file_of_numpys_own_type(folder):
    np.save(folder / "d.npy", np.zeros(4))
    result = bessemer(f"{RUN} --arg y=d.npy", cwd=folder)
    message = "'d.npy' has float64 elements, but float32 is wanted: save it with "
    assert refused(result, f"{message}.astype(numpy.float32)")
