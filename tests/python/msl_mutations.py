"""Metal sources that are nearly right: seeded changes of the tokens of good ones.

`python msl_mutations.py SEED SECONDS` runs a campaign of its own: it prints what
was no clean answer, and how many sources there were.
"""

import os
import random
import re
import signal
import sys
import tempfile
import time

from msl_rules import MORE_RULES

import bessemer

TOKEN = re.compile(r'\w+|"[^"\n]*"|\s+|::|<<|>>|->|[<>=!+\-*/&|]=|&&|\|\||\+\+|.', re.S)
WORDS = """if else for while do switch case default break continue return goto template
typename struct class union enum namespace using const constexpr static extern inline
operator sizeof auto void bool char short int long half float double uint3 float4 half2
device constant threadgroup thread kernel vec metal atomic_int simd_sum dot as_type
threadgroup_barrier float3x3 this new delete [[ ]] ( ) { } [ ] < > ; , . :: ... = == + -
* / % & | ^ ~ ! ? : # ## #define #if #endif \\ \n 0 1 -1 1.0h 0x 4294967296 1e400 "" ' @
$ ` é [[buffer(0)]] [[thread_position_in_grid]] [[host_name("x")]] [[kernel]] constant int
[[function_constant(0)]] #pragma METAL fp decltype alignas noexcept __attribute__ template<>
co_await requires concept asm try catch throw typedef volatile restrict union{} lambda []{}
""".split()
HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
KERNEL = "kernel void k(device float *f, device int *n, constant int *c) {{\n{}\n}}\n"


def good_sources():
    """The legal snippets of the rules, as sources."""
    for _, snippet, error in MORE_RULES:
        if error is not None:
            continue
        if snippet.startswith("scope:"):
            yield snippet.removeprefix("scope:")
        else:
            yield snippet if "kernel void" in snippet else KERNEL.format(snippet)


def mutate(chance, sources):
    tokens = TOKEN.findall(chance.choice(sources))
    other = TOKEN.findall(chance.choice(sources))
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(len(tokens) + 1)
        end = min(len(tokens), at + chance.choice((1, 1, 2, 5)))
        kind = chance.randrange(7)
        if kind == 0:
            del tokens[at:end]
        elif kind == 1:
            tokens.insert(at, f" {chance.choice(WORDS)} ")
        elif kind == 2:
            tokens[at:end] = [f" {chance.choice(WORDS)} "]
        elif kind == 3:
            tokens[at:at] = tokens[at:end] * chance.choice((1, 2, 30))
        elif kind == 4:
            begin = chance.randrange(len(other))
            tokens[at:at] = other[begin : begin + chance.randrange(1, 12)]
        elif kind == 5 and end < len(tokens):
            tokens[at], tokens[end] = tokens[end], tokens[at]
        elif kind == 6:
            tokens = tokens[:at]
        if not tokens:
            tokens = [";"]
    head = HEAD if chance.random() < 0.9 else ""
    return head + "".join(tokens)


def unclean(source):
    """What is wrong with the answer to `source`; None if nothing is."""
    try:
        library = bessemer.compile(source)
        str(library.diagnostics)
        return None
    except bessemer.CompileError as error:
        text = str(error)
        if "error: " not in text:
            return f"no error in the message: {text}"
        if len(text) > 60_000:
            return f"a message of {len(text)} characters"
        for word in ("/bessemer/", "__bsm", "OpenCL", "use -f"):
            if word in text and word not in source:
                return f"{word} in the message: {text}"
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def campaign(seed, seconds):
    chance, sources = random.Random(seed), list(good_sources())
    end, count = time.time() + seconds, 0
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    while time.time() < end:
        source = mutate(chance, sources)
        # For the one that ends the process.
        with open(
            os.path.join(tempfile.gettempdir(), f"mutation-{seed}.metal"), "w"
        ) as file:
            file.write(source)
        signal.alarm(60)
        try:
            problem = unclean(source)
        except KeyboardInterrupt:
            problem = "more than a minute"
        signal.alarm(0)
        count += 1
        if problem:
            print(f"==== {problem}\n---- {source}", flush=True)
    print(f"{count} sources from seed {seed}")


if __name__ == "__main__":
    campaign(int(sys.argv[1]), float(sys.argv[2]))
