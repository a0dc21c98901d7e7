# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as text, means, and tables in Markdown."""
import math

ABSENT = "–"


def text(value, digits=2):
    """A figure with so many digits after the point, whole numbers without; a dash for None."""
    if value is None:
        return ABSENT
    if isinstance(value, int) or digits == 0:
        return f"{value:.0f}"
    return f"{value:.{digits}f}"


def significant(value, digits=3):
    """As many digits as are significant, without an exponent."""
    if value is None:
        return ABSENT
    if value == 0:
        return "0"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def ratio(numerator, denominator):
    """None where one of them is absent or there is nothing to divide by."""
    return numerator / denominator if numerator is not None and denominator else None


def geometric_mean(values):
    """Of positive values; None if there are none."""
    values = list(values)
    if not values or any(value is None or value <= 0 for value in values):
        return None
    return math.exp(sum(map(math.log, values)) / len(values))


def table(headers, rows):
    """Markdown; columns of figures to the right, those with words to the left."""
    holds_figures = [all(is_figure(cell) for cell in column) for column in zip(*rows)] or [False] * len(headers)
    lines = ["| " + " | ".join(headers) + " |", "|" + "|".join("--:" if right else ":--" for right in holds_figures) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def is_figure(cell):
    return cell == ABSENT or cell[:1].isdigit() and set(cell) <= set("0123456789. to")
