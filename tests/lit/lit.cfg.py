"""lit configuration: textual tests of passes, dialects and diagnostics.

Tests use the drivers of build/bin by name (bsm-msl, bsm-cpu, bsm-ir-opt, ...).
"""

import os

import lit.formats

config.name = "bessemer"  # noqa: F821 - provided by lit
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".ll", ".metal", ".mlir", ".test"]  # noqa: F821
config.excludes = ["Inputs"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821

build = lit_config.params["build"]  # noqa: F821
config.test_exec_root = os.path.join(build, "lit")  # noqa: F821
config.environment["PATH"] = os.pathsep.join(  # noqa: F821
    [os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", os.environ["PATH"]]
)
config.environment["BESSEMER_CACHE"] = os.path.join(build, "lit-cache")  # noqa: F821
