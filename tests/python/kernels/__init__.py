"""Random Metal kernels: generation, comparison, shrinking."""
