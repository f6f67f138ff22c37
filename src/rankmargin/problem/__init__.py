"""What is minimised: rows, losses, kernels, and the spaces and products of functions."""
