# SPDX-License-Identifier: BSD-3-Clause
"""Means over the matrices, and what the paper finds: does it hold in ours?"""
from load_exchange import published
from load_exchange.figures import geometric_mean, ratio, table, text

FAR = 1.2  # the paper calls increments "never far" from snapshots in memory: its largest ratio is 1.01 / 0.84


def relative_means(study, num_ranks, figure):
    """(matrices, {mechanism: (mean relative to the best, mean relative to increments)}) over the matrices for which
    figure(matrix, num_ranks, mechanism) of every mechanism is there and positive; geometric means."""
    rows = [[figure(matrix, num_ranks, mechanism) for mechanism in study.mechanisms] for matrix in study.matrices]
    rows = [row for row in rows if all(row)]
    reference = study.mechanisms.index("increments") if "increments" in study.mechanisms else None
    means = {}
    for column, mechanism in enumerate(study.mechanisms):
        to_best = geometric_mean(row[column] / min(row) for row in rows)
        to_increments = None if reference is None else geometric_mean(row[column] / row[reference] for row in rows)
        means[mechanism] = (to_best, to_increments)
    return len(rows), means


def summary_table(study, figure):
    """A row for each number of ranks: means of every mechanism relative to the best, and to increments."""
    others = [mechanism for mechanism in study.mechanisms if mechanism != "increments"]
    rows = []
    for num_ranks in study.ranks:
        num_matrices, means = relative_means(study, num_ranks, figure)
        rows.append([str(num_ranks), str(num_matrices)] + [text(means[mechanism][0]) for mechanism in study.mechanisms]
                    + [text(means[mechanism][1]) for mechanism in others])
    headers = ["P", "matrices"] + [f"{mechanism} / best" for mechanism in study.mechanisms]
    return table(headers + [f"{mechanism} / increments" for mechanism in others], rows)


def summary_figures(study):
    """(what, figure) of each table of means."""
    return [("Time without the load thread", lambda *case: study.seconds(*case, "off")),
            ("Time with the load thread", lambda *case: study.seconds(*case, "on")),
            ("Peak of active memory, schedule by memory", study.peak_memory),
            ("Load messages", study.messages)]


# Findings ------------------------------------------------------------------------------------------------------------------------


class Mean:
    """The geometric mean over matrices and numbers of ranks of how one figure relates to another; None if nothing was simulated."""

    def __init__(self, study, over, under, matrices, ranks=None):
        pairs = [(matrix, num_ranks) for matrix in matrices for num_ranks in (ranks or study.ranks)]
        ratios = [ratio(over(*pair), under(*pair)) for pair in pairs]
        self.ratios = [value for value in ratios if value]
        self.value = geometric_mean(self.ratios)

    def __str__(self):
        return text(self.value, 3)


def beside_published(study, mean, over, under, matrices, rows, names, *rest):
    """The mean, and as far as the paper has `rows` of these matrices whose keys (matrix, ranks, ...) end with the rest: its mean of
    names[0] / names[1], and ours over the same cases."""
    by_name = {matrix.name: matrix for matrix in matrices}
    told = {key: figures[names[0]] / figures[names[1]] for key, figures in rows.items()
            if key[0] in by_name and key[1] in study.ranks and key[len(key) - len(rest):] == rest}
    if not told:
        return str(mean)
    same = geometric_mean(ratio(over(by_name[key[0]], key[1]), under(by_name[key[0]], key[1])) for key in told)
    return f"{mean} (paper: {text(geometric_mean(told.values()), 3)}, ours of the same cases: {text(same, 3)})"


def at_most(value, bound):
    return None if value is None or bound is None else value <= bound


def above(value, bound):
    return None if value is None else value > bound


def memory_findings(study, where, matrices):
    def peak(mechanism):
        return lambda matrix, num_ranks: study.peak_memory(matrix, num_ranks, mechanism)

    snapshot = Mean(study, peak("snapshot"), peak("increments"), matrices)
    naive = Mean(study, peak("naive"), peak("increments"), matrices)
    farthest = max((1 / value for value in snapshot.ratios), default=None)

    def told(mean, mechanism):
        return f"{mechanism} / increments " + beside_published(study, mean, peak(mechanism), peak("increments"), matrices,
                                                               published.PEAK_MEMORY, (mechanism, "increments"))

    return [
        (f"{where}: peak memory of snapshots is at most that of increments", at_most(snapshot.value, 1.0),
         told(snapshot, "snapshot")),
        (f"{where}: peak memory of increments is at most that of naive", at_most(1.0, naive.value),
         told(naive, "naive")),
        (f"{where}: increments never need much more memory than snapshots (at most {FAR} times as much)", at_most(farthest, FAR + 0.005),
         f"largest increments / snapshot {text(farthest)}"),
    ]


def time_findings(study, where, matrices):
    def seconds(mechanism, thread):
        return lambda matrix, num_ranks: study.seconds(matrix, num_ranks, mechanism, thread)

    without = Mean(study, seconds("snapshot", "off"), seconds("increments", "off"), matrices)
    threaded = Mean(study, seconds("snapshot", "on"), seconds("increments", "on"), matrices)
    gain = Mean(study, seconds("increments", "off"), seconds("increments", "on"), matrices)

    def told(mean, thread):
        return "snapshot / increments " + beside_published(study, mean, seconds("snapshot", thread), seconds("increments", thread), matrices,
                                                           published.SECONDS, ("snapshot", "increments"), thread)

    is_halved = None if None in (without.value, threaded.value) else threaded.value - 1 <= (without.value - 1) / 2
    return [
        (f"{where}: without the thread, snapshots take longer than increments", above(without.value, 1.0),
         told(without, "off")),
        (f"{where}: with the thread, they still do", above(threaded.value, 1.0),
         told(threaded, "on")),
        (f"{where}: the thread saves at least half of what snapshots cost more", is_halved,
         f"{without} without, {threaded} with the thread"),
        (f"{where}: increments take no longer with the thread", at_most(1.0, gain.value), f"without / with the thread {gain}"),
    ]


def message_findings(study, where, matrices):
    def messages(mechanism):
        return lambda matrix, num_ranks: study.messages(matrix, num_ranks, mechanism)

    means = [Mean(study, messages("increments"), messages("snapshot"), matrices, [num_ranks]) for num_ranks in study.ranks]
    evidence = "increments / snapshot " + "; ".join(
        f"P = {num_ranks}: " + beside_published(study, mean, messages("increments"), messages("snapshot"), matrices, published.MESSAGES,
                                                ("increments", "snapshot"), num_ranks) for num_ranks, mean in zip(study.ranks, means))
    values = [mean.value for mean in means]
    is_known = None not in values
    grows = all(fewer < more for fewer, more in zip(values, values[1:])) if is_known and len(values) > 1 else None
    return [
        (f"{where}: increments send more messages than snapshots", min(values) > 1 if is_known else None, evidence),
        (f"{where}: they send ten times as many", min(values) > 10 if is_known else None, evidence),
        (f"{where}: the more ranks, the larger that ratio", grows, evidence),
    ]


def snapshot_wait_finding(study, where, matrices):
    def waited(thread):
        return lambda matrix, num_ranks: study.figure(matrix, num_ranks, "snapshot", ("flops", thread), "snapshot_seconds")

    mean = Mean(study, waited("on"), waited("off"), matrices)
    told = published.SNAPSHOT_SECONDS
    return (f"{where}: the thread shortens the wait for snapshots (in the paper, of CONV3D64 with 128 processes, from "
            f"{told['off']:.0f} s to {told['on']:.0f} s)", at_most(mean.value, 1.0), f"with / without the thread {mean}")


def findings(study):
    """(finding of the paper, does it hold or None, our figures): in the mean, and of ULTRASOUND3."""
    found = []
    places = [("mean", study.matrices)]
    if study.matrix("ULTRASOUND3"):
        places.append(("ULTRASOUND3", [study.matrix("ULTRASOUND3")]))
    for where, matrices in places:
        found += memory_findings(study, where, matrices)
        found += time_findings(study, where, matrices)
        found += message_findings(study, where, matrices)
        found.append(snapshot_wait_finding(study, where, matrices))
    return found


def findings_table(study):
    verdicts = {True: "holds", False: "does not hold", None: "not simulated"}
    rows = [[finding, verdicts[holds], figures] for finding, holds, figures in findings(study)]
    return table(["finding of the paper", "in ours", "our figures, geometric means over matrices and P"], rows)
