# SPDX-License-Identifier: BSD-3-Clause
"""The published tables 3 to 7 with ours beside them."""
from dataclasses import dataclass

from load_exchange import published
from load_exchange.figures import ABSENT, ratio, significant, table, text
from load_exchange.simulations import Case

MEMORY = ("memory", "off")  # tables 3 and 4
TIME = ("flops", "off")  # tables 5 and 6
THREADED_TIME = ("flops", "on")  # table 7
KINDS = [MEMORY, TIME, THREADED_TIME]


@dataclass
class Study:
    """Matrices and axes of a study, and what was found."""

    matrices: list
    ranks: list
    mechanisms: list
    results: object

    def run(self, matrix, num_ranks, mechanism, kind):
        return self.results.run(Case(matrix.label, num_ranks, mechanism, *kind))

    def figure(self, matrix, num_ranks, mechanism, kind, key):
        run = self.run(matrix, num_ranks, mechanism, kind)
        return run[key] if run else None

    def matrix(self, name):
        return next((matrix for matrix in self.matrices if matrix.name == name), None)

    def peak_memory(self, matrix, num_ranks, mechanism):
        """Millions of entries on the rank that has most."""
        entries = self.figure(matrix, num_ranks, mechanism, MEMORY, "peak_active_entries_max")
        return None if entries is None else entries / 1e6

    def seconds(self, matrix, num_ranks, mechanism, thread):
        return self.figure(matrix, num_ranks, mechanism, ("flops", thread), "predicted_seconds")

    def messages(self, matrix, num_ranks, mechanism):
        return self.figure(matrix, num_ranks, mechanism, TIME, "load_messages")


def shown_name(matrix):
    return matrix.name + (" *" if matrix.origin == "stand-in" else "")


def decisions_table(study):
    """Table 3. The mapping decides how many there are; were runs of a matrix to differ, fewest and most are told."""
    rows = []
    for matrix in study.matrices:
        row = [shown_name(matrix)]
        for num_ranks in study.ranks:
            row.append(text(published.DECISIONS.get((matrix.name,), {}).get(num_ranks), 0))
            counts = {study.figure(matrix, num_ranks, mechanism, kind, "dynamic_decisions")
                      for mechanism in study.mechanisms for kind in KINDS} - {None}
            row.append(" to ".join(map(str, sorted({min(counts), max(counts)}))) if counts else ABSENT)
        rows.append(row)
    headers = ["decisions"]
    for num_ranks in study.ranks:
        headers += [f"paper, P = {num_ranks}", f"ours, P = {num_ranks}"]
    return table(headers, rows)


def peak_memory_table(study, num_ranks):
    """Table 4 for so many ranks."""
    names = ["increments", "snapshot", "naive"]
    rows = []
    for matrix in study.matrices:
        told = published.PEAK_MEMORY.get((matrix.name, num_ranks), {})
        ours = [study.peak_memory(matrix, num_ranks, mechanism) for mechanism in study.mechanisms]
        rows.append([shown_name(matrix)] + [text(told.get(name)) for name in names] + [text(figure) for figure in ours])
    return table(["millions of entries"] + [f"paper: {name}" for name in names] + study.mechanisms, rows)


def seconds_table(study, num_ranks, thread):
    """Table 5 (without the load thread) or 7 (with it) for so many ranks: seconds with increments, and the others relative to them."""
    others = [mechanism for mechanism in study.mechanisms if mechanism != "increments"]
    rows = []
    for matrix in study.matrices:
        told = published.SECONDS.get((matrix.name, num_ranks, thread), {})
        increments = study.seconds(matrix, num_ranks, "increments", thread)
        row = [shown_name(matrix), text(told.get("increments")), text(told.get("snapshot")),
               text(ratio(told.get("snapshot"), told.get("increments"))), significant(increments)]
        row += [text(ratio(study.seconds(matrix, num_ranks, mechanism, thread), increments)) for mechanism in others]
        rows.append(row)
    headers = ["seconds", "paper: increments", "paper: snapshot", "paper: snapshot / increments", "increments"]
    return table(headers + [f"{mechanism} / increments" for mechanism in others], rows)


def messages_table(study, num_ranks):
    """Table 6 for so many ranks."""
    rows = []
    for matrix in study.matrices:
        told = published.MESSAGES.get((matrix.name, num_ranks), {})
        counts = {mechanism: study.messages(matrix, num_ranks, mechanism) for mechanism in study.mechanisms}
        row = [shown_name(matrix), text(told.get("increments"), 0), text(told.get("snapshot"), 0),
               text(ratio(told.get("increments"), told.get("snapshot")), 1)]
        row += [text(counts[mechanism], 0) for mechanism in study.mechanisms]
        rows.append(row + [text(ratio(counts.get("increments"), counts.get("snapshot")), 1)])
    headers = ["messages", "paper: increments", "paper: snapshot", "paper: increments / snapshot"]
    return table(headers + study.mechanisms + ["increments / snapshot"], rows)


def snapshot_formula(num_ranks, num_decisions, num_reservations):
    """A start, an answer and an end from or to every other rank, and a reservation for every slave."""
    return 3 * (num_ranks - 1) * num_decisions + num_reservations


def formula_table(study, num_ranks):
    """Messages of snapshots against the formula; what is above it was answered again for a better candidate."""
    rows = []
    for matrix in study.matrices:
        run = study.run(matrix, num_ranks, "snapshot", TIME)
        formula = snapshot_formula(num_ranks, run["dynamic_decisions"], run["slaves_chosen"]) if run else None
        told = published.MESSAGES.get((matrix.name, num_ranks), {}).get("snapshot")
        told_decisions = published.DECISIONS.get((matrix.name,), {}).get(num_ranks)
        told_formula = snapshot_formula(num_ranks, told_decisions, 0) if told_decisions else None
        rows.append([shown_name(matrix), text(run and run["dynamic_decisions"], 0), text(run and run["slaves_chosen"], 0), text(formula, 0),
                     text(run and run["load_messages"], 0), text(ratio(run and run["load_messages"], formula), 3),
                     text(ratio(told, told_formula), 3)])
    return table(["snapshots", "decisions", "slaves", "3 (P - 1) decisions + slaves", "messages", "messages / formula",
                  "paper: messages / (3 (P - 1) decisions)"], rows)
