# SPDX-License-Identifier: BSD-3-Clause
"""What the examples share: the option --picture, and figures of matplotlib, which is imported for a picture only."""
import argparse
import sys


def requested(description):
    """The file of the option --picture; None without it."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", metavar="FILE.png", help="draw the result; needs matplotlib")
    return parser.parse_args().picture


def subplots(*args, **kwargs):
    """A figure and its axes, as matplotlib.pyplot.subplots makes them, without a window."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("--picture needs matplotlib: apt-get install python3-matplotlib, or pip install matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"font.size": 11, "axes.titlesize": 11, "savefig.dpi": 100})
    return pyplot.subplots(*args, layout="constrained", **kwargs)
