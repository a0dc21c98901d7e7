# SPDX-License-Identifier: BSD-3-Clause
"""What tests read from reports in Markdown."""
import sys


def tables_of(path):
    """[heading, first column's title] -> rows of cells, the titles first."""
    tables = {}
    with open(path, encoding="utf-8") as file:
        heading, titles = "", None
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("#"):
                heading, titles = line.strip("# \n"), None
            elif not line.startswith("|"):
                titles = None
            elif titles is None:
                titles = cells
                tables.setdefault((heading, titles[0]), []).append(titles)
            elif not set(line) <= set("|:-\n"):
                tables.setdefault((heading, titles[0]), []).append(cells)
    return tables


def expect(what, told, computed):
    if told != computed:
        sys.exit(f"{what}: {told} in the report, {computed} in the results")
