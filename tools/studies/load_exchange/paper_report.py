# SPDX-License-Identifier: BSD-3-Clause
"""The page that repeats the paper's study."""
from load_exchange import published
from load_exchange.figures import ABSENT, significant, table, text
from load_exchange.matrices import predicted
from load_exchange.paper_checks import findings_table, summary_figures, summary_table
from load_exchange.paper_tables import decisions_table, formula_table, messages_table, peak_memory_table, seconds_table

INTRODUCTION = """# How processes know each other's load: the study of 2005, in simulation

Guermouche and L'Excellent compared three mechanisms in MUMPS on an IBM SP ("A study of various load information exchange mechanisms for
a distributed application using dynamic scheduling", 2005). These tables put figures of `frond simulate` beside theirs. Orderings are of
the kind "{ordering}", symmetric matrices are factorized as L D L^T, the others as L U, and the simulated machine is
{machine}. Machines differ: of times, ratios are to be compared. {absent} is a figure that the paper does not tell,
or that was not simulated. An asterisk marks a stand-in for a matrix of which there was no file.
"""

HOW_STAND_INS = """Stand-ins have the order and the entries per row of the original, and come from a problem of its kind; their sides were
chosen as slender as such parts are. Nothing else of them is the original's: their rows show how mechanisms relate, not what the
original needs. `tools/scripts/fetch_matrices.sh` downloads the originals, and `--matrix-dir` uses them.
"""


def matrices_table(matrices, orderings):
    """What was simulated: order and entries beside those of the paper."""
    rows = []
    for matrix in matrices:
        order, entries, _, what = published.MATRICES.get(matrix.name, (None, None, None, matrix.story))
        costs = predicted(orderings[matrix.label])
        rows.append([matrix.name, what, text(order), text(entries), matrix.origin, text(matrix.order), text(matrix.entries),
                     significant(costs["elimination_flops"] / 1e9), text(costs["largest_front"]), matrix.method, matrix.story])
    headers = ["matrix", "what", "paper: order", "paper: entries", "ours", "order", "entries", "Gflop", "largest front", "method", "how"]
    return table(headers, rows)


def page(study, ordering, machine, orderings, simulators, failed):
    sections = [INTRODUCTION.format(ordering=ordering, machine=machine.story, absent=ABSENT), told_builds(simulators), "## Matrices\n",
                matrices_table(study.matrices, orderings)]
    if any(matrix.origin == "stand-in" for matrix in study.matrices):
        sections.append(HOW_STAND_INS)
    sections += ["## Findings of the paper\n", findings_table(study), "## Table 3: dynamic decisions\n", decisions_table(study)]
    for num_ranks in study.ranks:
        sections += [f"## Table 4: peak of active memory, schedule by memory, P = {num_ranks}\n", peak_memory_table(study, num_ranks)]
    for number, thread, what in (5, "off", "without"), (7, "on", "with"):
        for num_ranks in study.ranks:
            sections += [f"## Table {number}: time of the factorization {what} the load thread, schedule by flops, P = {num_ranks}\n",
                         seconds_table(study, num_ranks, thread)]
    for num_ranks in study.ranks:
        sections += [f"## Table 6: load messages, schedule by flops, without the load thread, P = {num_ranks}\n",
                     messages_table(study, num_ranks), formula_table(study, num_ranks)]
    sections.append("## Means\n\nGeometric means over the matrices for which there are figures of all mechanisms.\n")
    for what, figure in summary_figures(study):
        sections += [f"### {what}\n", summary_table(study, figure)]
    return "\n".join(sections + failures(failed))


def told_builds(simulators):
    """Fingerprints of the programs that have simulated."""
    mixed = "s: figures may differ for that reason too" if len(simulators) > 1 else ""
    return f"Simulator: {len(simulators)} build{mixed} ({', '.join(simulators) or ABSENT}).\n"


def failures(failed):
    """A section of what could not be simulated; nothing if there is none."""
    if not failed:
        return []
    rows = [[case.label, text(case.num_ranks), case.machine, case.mechanism, case.schedule, case.load_thread, reason]
            for case, reason in failed]
    return ["## Failed simulations\n", table(["matrix", "P", "machine", "mechanism", "schedule", "thread", "why"], rows)]
