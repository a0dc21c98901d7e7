# SPDX-License-Identifier: BSD-3-Clause
"""What the examples share: the option --picture, and figures of matplotlib, which is imported for a picture only."""
import argparse
import sys


def requested(description):
    """The file of the option --picture; None without it."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", metavar="FILE.png", help="draw the result; needs matplotlib")
    return parser.parse_args().picture


def pyplot():
    """matplotlib.pyplot, without windows."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("--picture needs matplotlib: apt-get install python3-matplotlib, or pip install matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    plt.rcParams.update({"font.size": 11, "axes.titlesize": 11, "savefig.dpi": 100, "figure.constrained_layout.use": True})
    return plt


def maps(*panels):
    """A figure of maps of the unit square side by side, and its axes: of a title, values, a colour map, and its limits each."""
    plt = pyplot()
    figure, axes = plt.subplots(1, len(panels), figsize=(3 * len(panels), 3.8))
    for panel, (title, values, colours, lowest, highest) in zip(axes, panels):
        image = panel.imshow(values, plt.get_cmap(colours, 30), vmin=lowest, vmax=highest, origin="lower", extent=(0, 1, 0, 1))
        figure.colorbar(image, ax=panel, orientation="horizontal")
        panel.set(title=title, xticks=[], yticks=[])
    return figure, axes
