"""Models around Metal kernels as authors write them, each with its PyTorch reference."""
