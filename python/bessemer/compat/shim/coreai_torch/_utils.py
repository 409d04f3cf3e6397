"""The name `coreai_torch._utils`: what scripts take from it."""


def print_graph(exported_program) -> None:
    """Prints the graph of an exported program as Python code."""
    exported_program.graph_module.print_readable()
