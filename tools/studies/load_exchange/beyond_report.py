# SPDX-License-Identifier: BSD-3-Clause
"""The page of the study beyond the paper: more ranks, other networks, and a slow rank."""
from dataclasses import dataclass

from load_exchange.figures import ABSENT, geometric_mean, significant, table, text
from load_exchange.paper_report import failures, told_builds
from load_exchange.simulations import Case

INTRODUCTION = """# How processes know each other's load: more ranks, other networks

`frond simulate`, with a load thread in each process. Orderings are of the kind "{ordering}". {absent} was not simulated.

Machines, of cores with 5 GFlop/s:
{machines}
Matrices:
{matrices}"""

FIGURES = [  # title, key of the simulation, divisor
    ("Seconds", "predicted_seconds", 1),
    ("Peak of active memory of a rank, millions of entries", "peak_active_entries_max", 1e6),
    ("Load messages", "load_messages", 1),
]


@dataclass
class BeyondStudy:
    """Axes of the study, and what was found."""

    matrices: list
    machines: list
    ranks: list
    mechanisms: list
    schedules: list
    results: object

    def row(self, matrix, machine, num_ranks, schedule, key):
        """The figure of every mechanism; None where there is none."""
        runs = [self.results.run(Case(matrix.label, num_ranks, mechanism, schedule, "on", machine.name)) for mechanism in self.mechanisms]
        return [run[key] if run else None for run in runs]


def relative_to_best(figures):
    """Each over the smallest one; absent where that is 0 or anything is missing."""
    if not all(figures):
        return [None] * len(figures)
    return [figure / min(figures) for figure in figures]


def figures_table(study, machine, schedule, key, divisor):
    """A row for each matrix and number of ranks."""
    rows = []
    for matrix in study.matrices:
        for num_ranks in study.ranks:
            figures = study.row(matrix, machine, num_ranks, schedule, key)
            told = [significant(figure / divisor) if isinstance(figure, float) else text(figure) for figure in figures]
            rows.append([matrix.name, str(num_ranks)] + told + [text(value) for value in relative_to_best(figures)])
    headers = ["matrix", "P"] + study.mechanisms + [f"{mechanism} / best" for mechanism in study.mechanisms]
    return table(headers, rows)


def means_table(study, schedule, key):
    """Geometric means, relative to the best: over matrices for each machine and number of ranks, and over all of these."""
    rows = []
    everything = []
    for machine in study.machines:
        for num_ranks in study.ranks:
            found = [relative_to_best(study.row(matrix, machine, num_ranks, schedule, key)) for matrix in study.matrices]
            found = [row for row in found if row[0] is not None]
            everything += found
            rows.append([machine.name, str(num_ranks), str(len(found))] + means(study, found))
    rows.append(["all", "all", str(len(everything))] + means(study, everything))
    return table(["machine", "P", "cases"] + study.mechanisms, rows)


def means(study, found):
    return [text(geometric_mean(row[column] for row in found)) for column in range(len(study.mechanisms))]


def page(study, ordering, simulators, failed):
    machines = "".join(f"- {machine.name}: {machine.story}\n" for machine in study.machines)
    matrices = "".join(f"- {matrix.name} ({matrix.origin}): order {matrix.order}, {matrix.entries} stored entries; {matrix.method}; "
                       f"{matrix.story}\n" for matrix in study.matrices)
    sections = [INTRODUCTION.format(ordering=ordering, absent=ABSENT, machines=machines, matrices=matrices), told_builds(simulators)]
    for schedule in study.schedules:
        for title, key, divisor in FIGURES:
            sections += [f"## {title}, schedule by {schedule}: geometric means relative to the best\n", means_table(study, schedule, key)]
    for schedule in study.schedules:
        for title, key, divisor in FIGURES:
            for machine in study.machines:
                sections += [f"## {title}, schedule by {schedule}, machine {machine.name}\n",
                             figures_table(study, machine, schedule, key, divisor)]
    return "\n".join(sections + failures(failed))
