"""The net: every keyword of every task through every entrance, the order of the layers, help and doctests."""
