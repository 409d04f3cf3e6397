"""Every row of the guide's tables of errors and rules has a test."""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ERRORS, GUIDE = "test_authoring_errors.py", "test_guide.py"

# Row: (file, test, words that the test looks for).
CONSTRUCTION = {  # 12.1
    "empty name": (ERRORS, "test_construction", "must be a non-empty string, got ''"),
    "no results": (ERRORS, "test_construction", "result_names must contain at least"),
    "duplicate input": (ERRORS, "test_construction", "Duplicate input names: ['x']"),
    "duplicate result": (ERRORS, "test_construction", "Duplicate result names: ['o']"),
    "name in both": (ERRORS, "test_construction", "Names appear in both input_names"),
    "variadic": (ERRORS, "test_construction", "do not support variadic parameters"),
    "annotation": (ERRORS, "test_construction", "custom kernels only support `torch.T"),
    "count": (ERRORS, "test_construction", "should have same number of parameters"),
    "return": (ERRORS, "test_construction", "Metal kernels only support return types"),
    "one tensor": (ERRORS, "test_construction", "returns a single torch.Tensor, but"),
    "tuple": (ERRORS, "test_construction", "returns tuple of 2 tensors, but result_n"),
    "template key": (ERRORS, "test_construction", "Inputs {'z'} not specified"),
    "template twice": (
        ERRORS,
        "test_duplicate_template_strings",
        "Provided duplicated template strings",
    ),
}
CONVERSION = {  # 12.2
    "grid": (ERRORS, "test_call_site", "threads_per_grid must be a 3-tuple, got 2"),
    "group": (ERRORS, "test_call_site", "threads_per_thread_group must be a 3-tuple"),
    "shapes": (ERRORS, "test_call_site", "must contain one shape per result name"),
    "budget": (GUIDE, "test_parameter_budget", "support 31 inputs, got 32"),
    "name": (GUIDE, "test_a_name_is_registered_once", "is already registered; set "),
    "input dtype": ("test_malformed.py", "test_dtypes", "unsupported dtype: f8E5M2"),
    "result dtype": (GUIDE, "test_result_dtype_without_a_metal_type", "f8E5M2"),
    "int scalar": (GUIDE, "test_scalars_out_of_range", "outside the 32-bit int range"),
    "float scalar": (GUIDE, "test_scalars_out_of_range", "is not finite; NaN/Inf"),
}
CAUSES = {  # 16.3
    "invalid parameters": (
        "test_compat.py",
        "test_bad_metal_warns_at_conversion_and_fails_at_load",
        "Kernel coreai.metal4_kernel invoked with invalid parameters",
    ),
    "budget": CONVERSION["budget"],
    "registered": CONVERSION["name"],
    "input dtype": CONVERSION["input dtype"],
    "shapes": CONVERSION["shapes"],
    "count": CONSTRUCTION["count"],
    "annotation": CONSTRUCTION["annotation"],
    "branch": ("test_kernel_control.py", "test_kernels_in_branches_and_loops", ""),
    "tensor operations": ("test_malformed.py", "test_sources", "no member named 'mat"),
    "axes": ("test_validation.py", "test_axis_reversal_is_seen", ""),
}
RULES = {  # 16.2
    "3": (GUIDE, "test_decompositions_come_first", "run_decompositions"),
    "5": (GUIDE, "test_names_of_body_and_declarations_are_compared", "undeclared"),
    "6": (GUIDE, "test_extents_are_reversed", "get_extent"),
    "7": (GUIDE, "test_fixed_result_shapes_under_a_dynamic_dimension", "fixed size 8"),
    "9": (GUIDE, "test_registration_may_come_after", ""),
    "10": (GUIDE, "test_the_wrong_object_of_a_name", "another TorchMetalKernel named"),
    "11": (GUIDE, "test_every_backing_is_allowed", "m.aimodel"),
    "12": (GUIDE, "test_scalars_are_literals", ""),
    "13": (GUIDE, "test_the_whole_parameter_budget_runs", ""),
    "14": ("test_kernel_control.py", "test_kernels_in_branches_and_loops", ""),
    "15": (GUIDE, "test_bad_metal_is_an_error_at_conversion", "does not compile"),
    "18": (GUIDE, "test_tensors_keep_their_dtype_at_a_kernel", "coreai.cast"),
    "19": (GUIDE, "test_a_reference_must_be_traceable", "torch_defn reads the values"),
}
ROWS = {
    f"{table} {row}": place
    for table, rows in (
        ("12.1", CONSTRUCTION),
        ("12.2", CONVERSION),
        ("16.3", CAUSES),
        ("16.2", RULES),
    )
    for row, place in rows.items()
}


def strings(tree):
    """All string constants, those joined by name or `+` apart."""
    return [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]


@pytest.mark.parametrize("row", ROWS)
def test_the_row_has_a_test(row):
    file, test, words = ROWS[row]
    tree = ast.parse((HERE / file).read_text())
    functions = [n.name for n in tree.body if isinstance(n, ast.FunctionDef)]
    assert test in functions
    assert any(words in text for text in strings(tree) if isinstance(text, str))
