# SPDX-License-Identifier: BSD-3-Clause
"""The page that tells how far runs and simulations agree."""
import math
from statistics import median

from load_exchange.figures import geometric_mean, ratio, significant, table, text
from simulation_check.comparison import CLOSE, DIFFERENT, FIXED_KINDS, KINDS_OF_PAIRS, pairs_that_differ

INTRODUCTION = """# `frond simulate` against runs

Each configuration was run in {num_rounds} by `mpiexec -n P frond solve --threads 1`, and simulated once by `frond simulate --ranks P
--hosts 1 --cores {num_cores} --machine ...`, with the same ordering. Processor: {processor}, {num_cores} cores. Real figures are medians
over the runs. Seconds are those of the tasks (`task_seconds`): neither side has what comes before them in its figures. Peaks are of the
rank that held most active memory: contribution blocks, workspaces, and rows that have come and are not assembled, in entries, which
both count the same way. Before each run memory was touched, so that it does not wait for pages that the host of a virtual machine
has taken back.

{others}
{mapping}
"""

MESSAGES = """Of a row-distributed front the master chooses, from what it knows of loads at that moment, who takes how many rows, and
may take rows itself. The numbers of `slave_task`, `slave_answer`, `settle`, `row_map`, `rows` and `front` follow from these choices, with 2
processes too. A run in which threads and messages meet otherwise chooses otherwise, so that totals need not agree. What must agree
whatever is chosen:
"""

FIXED = """Without a row-distributed front nothing is chosen: who does what, and to whom it sends, follows from the mapping. Then each
kind of message must be sent as often in every run as in the simulation. Delayed pivots make fronts larger, and may make a stream of
rows longer by a message; they are not simulated.
"""


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "–"


def millions(entries):
    return significant(entries / 1e6)


def span(values):
    """The figure, or the lowest and the highest of several runs."""
    return text(values[0]) if values[0] == values[-1] else f"{text(values[0])} to {text(values[-1])}"


def span_of_ratios(ratios):
    return f"{text(min(ratios))} to {text(max(ratios))}"


def told_others(others):
    return (f"Beyond what the runs' own processes account for, cores were busy by {text(median(others))} of a core at the median and "
            f"{text(max(others))} at most: other programs, and what the system does for all.")


def told_mapping(comparisons):
    others = [comparison.configuration.label for comparison in comparisons if not comparison.has_same_mapping]
    if not others:
        return "In every configuration the simulation has the mapping of the runs."
    return f"In {len(others)} of {len(comparisons)} configurations the simulation has another mapping than the runs: {'; '.join(others)}."


def matrices_table(comparisons):
    rows = {}
    for comparison in comparisons:
        run = comparison.runs[0]
        matrix = comparison.configuration.matrix
        rows[matrix] = [matrix.label, text(run["n"]), text(run["nnz"]), run["field"], run["method"],
                        significant(run["predicted_factor_flops"] / 1e9), text(run["largest_front"]), text(comparison.delayed_pivots),
                        text(ratio(run["factor_flops"], run["predicted_factor_flops"]))]
    headers = ["matrix", "order", "entries", "field", "method", "Gflop", "largest front", "delayed pivots", "flops done / predicted"]
    return table(headers, list(rows.values()))


def names_of(comparison):
    configuration = comparison.configuration
    return [configuration.matrix.label, text(configuration.num_ranks), configuration.schedule, configuration.mechanism]


NAMES = ["matrix", "P", "schedule", "mechanism"]


def times_table(comparisons):
    rows = [[*names_of(comparison), significant(comparison.seconds),
             f"{significant(comparison.all_seconds[0])} to {significant(comparison.all_seconds[-1])}",
             significant(comparison.predicted_seconds), text(comparison.time_ratio)] for comparison in comparisons]
    return table([*NAMES, "real s", "of runs", "predicted s", "predicted / real"], rows)


def peaks_table(comparisons):
    rows = [[*names_of(comparison), millions(comparison.peak),
             f"{millions(comparison.all_peaks[0])} to {millions(comparison.all_peaks[-1])}",
             millions(comparison.predicted_peak), text(comparison.peak_ratio)] for comparison in comparisons]
    return table([*NAMES, "real peak, million entries", "of runs", "predicted", "predicted / real"], rows)


def counts_table(comparisons):
    rows = []
    for comparison in comparisons:
        cells = names_of(comparison)
        for key in "dynamic_decisions", "slaves_chosen", "main_messages":
            real, predicted = comparison.counts(key)
            cells += [span(real), text(predicted)]
        rows.append([*cells, text(comparison.delayed_pivots)])
    headers = ["decisions", "predicted", "slaves", "predicted", "messages", "predicted", "delayed pivots"]
    return table([*NAMES, *headers], rows)


# Order ---------------------------------------------------------------------------------------------------------------------------


def pairs_table(comparisons):
    pairs = pairs_that_differ(comparisons)
    rows = []
    for what, belongs in KINDS_OF_PAIRS:
        of_kind = [pair for pair in pairs if belongs(pair)]
        certain = [pair for pair in of_kind if pair.is_certain]
        alike = sum(pair.is_ordered_alike for pair in of_kind)
        certain_alike = sum(pair.is_ordered_alike for pair in certain)
        rows.append([what, text(len(of_kind)), text(alike), percent(alike, len(of_kind)), text(len(certain)),
                     percent(certain_alike, len(certain))])
    return table(["pairs", "differ", "ordered alike", "share", "differ in every run", "share of these"], rows)


def misordered_table(comparisons, most=12):
    wrong = sorted((pair for pair in pairs_that_differ(comparisons) if not pair.is_ordered_alike), key=lambda pair: -pair.real_factor)
    if not wrong:
        return "No pair is ordered otherwise.\n"
    rows = [[pair.faster.configuration.label, pair.slower.configuration.label, text(pair.real_factor), text(pair.predicted_factor)]
            for pair in wrong[:most]]
    told = f"{len(wrong)} pairs are ordered otherwise" + (f"; the {most} whose real times differ most:" if len(wrong) > most else ":")
    return told + "\n\n" + table(["really faster", "really slower", "slower / faster, real", "predicted"], rows)


# Groups --------------------------------------------------------------------------------------------------------------------------


def groups_of(comparisons):
    """(name, those that belong to it), empty ones left out."""
    groups = [("all", comparisons)]
    for count in dict.fromkeys(comparison.configuration.num_ranks for comparison in comparisons):
        groups.append((f"P = {count}", [one for one in comparisons if one.configuration.num_ranks == count]))
    for schedule in dict.fromkeys(comparison.configuration.schedule for comparison in comparisons):
        groups.append((f"schedule by {schedule}", [one for one in comparisons if one.configuration.schedule == schedule]))
    for matrix in dict.fromkeys(comparison.configuration.matrix for comparison in comparisons):
        groups.append((matrix.label, [one for one in comparisons if one.configuration.matrix == matrix]))
    groups.append(("root on a grid", [one for one in comparisons if one.has_grid]))
    groups.append(("no root on a grid", [one for one in comparisons if not one.has_grid]))
    groups.append(("delayed pivots", [one for one in comparisons if one.delayed_pivots > 0]))
    return [(name, members) for name, members in groups if members]


def spread_of(ratios):
    """The factor of one standard deviation of the logarithms."""
    mean = geometric_mean(ratios)
    return math.exp(math.sqrt(sum(math.log(value / mean) ** 2 for value in ratios) / len(ratios)))


def time_groups_table(comparisons):
    rows = []
    for name, members in groups_of(comparisons):
        ratios = [member.time_ratio for member in members]
        noise = geometric_mean(ratio(member.all_seconds[-1], member.all_seconds[0]) for member in members)
        rows.append([name, text(len(members)), text(geometric_mean(ratios)), text(spread_of(ratios)), span_of_ratios(ratios),
                     text(noise)])
    headers = ["configurations", "number", "geometric mean", "spread (factor)", "lowest to highest", "slowest / fastest run, mean"]
    return table(headers, rows)


def peak_groups_table(comparisons):
    rows = []
    for name, members in groups_of(comparisons):
        ratios = [member.peak_ratio for member in members]
        close = sum(member.has_close_peak for member in members)
        noise = geometric_mean(ratio(member.all_peaks[-1], member.all_peaks[0]) for member in members)
        rows.append([name, text(len(members)), text(close), percent(close, len(members)), text(geometric_mean(ratios)),
                     span_of_ratios(ratios), text(noise)])
    return table(["configurations", "number", f"within {100 * CLOSE:.0f} %", "share", "geometric mean", "lowest to highest",
                  "highest / lowest run, mean"], rows)


def told_peaks(comparisons):
    farthest = max(comparisons, key=lambda comparison: abs(math.log(comparison.peak_ratio)))
    close = sum(comparison.has_close_peak for comparison in comparisons)
    return (f"Of {len(comparisons)} peaks {close} are within {100 * CLOSE:.0f} % ({percent(close, len(comparisons))}). The largest "
            f"deviation: predicted {text(farthest.peak_ratio)} times the real peak, of {farthest.configuration.label}.\n")


# Messages ------------------------------------------------------------------------------------------------------------------------


def invariants_table(comparisons):
    rows = [[f"`{kind}`", reason, text(sum(comparison.agrees(kind) for comparison in comparisons)), text(len(comparisons))]
            for kind, reason in FIXED_KINDS.items()]
    decisions = [comparison.counts("dynamic_decisions") for comparison in comparisons]
    rows.append(["decisions", "one for each row-distributed front, as no share is refused",
                 text(sum(set(real) == {predicted} for real, predicted in decisions)), text(len(comparisons))])
    rows.append(["`settle`, `slave_answer`", "as many as slaves that were chosen, and as `slave_task`, in runs and simulation each",
                 text(sum(one.told_once_per_slave() for one in comparisons)), text(len(comparisons))])
    return table(["messages", "why", "configurations that agree in every run", "of"], rows)


def fixed_table(comparisons):
    kinds = list(comparisons[0].simulated["main_messages_by_type"])
    rows = []
    for comparison in comparisons:
        real, predicted = comparison.counts("main_messages")
        others = [f"`{kind}` {span(comparison.messages(kind)[0])}, predicted {text(comparison.messages(kind)[1])}" for kind in kinds
                  if not comparison.agrees(kind)]
        rows.append([*names_of(comparison), span(real), text(predicted), text(comparison.delayed_pivots), "; ".join(others) or "none"])
    return table([*NAMES, "messages", "predicted", "delayed pivots", "kinds that differ"], rows)


def told_fixed(comparisons):
    unpivoted = [one for one in comparisons if one.delayed_pivots == 0]
    agreeing = sum(one.agrees_in_all() for one in unpivoted)
    return (f"All kinds agree in every run of {agreeing} of the {len(unpivoted)} configurations without delayed pivots, and of "
            f"{sum(one.agrees_in_all() for one in comparisons)} of all {len(comparisons)}.\n")


ORDER = f"""## Order of times

Pairs of configurations whose real times differ by more than {100 * (DIFFERENT - 1):.0f} %. Those that differ in every run: the slowest run
of the one was faster than the fastest of the other.
"""


def page(comparisons, fixed, facts):
    """`fixed`: configurations without row-distributed fronts; may be empty."""
    rounds = f"{facts['num_rounds']} round" + ("s" if facts["num_rounds"] > 1 else "")
    sections = [INTRODUCTION.format(num_rounds=rounds, num_cores=facts["num_cores"], processor=facts["processor"],
                                    others=told_others(facts["others"]), mapping=told_mapping([*comparisons, *fixed])),
                "## Matrices\n", matrices_table(comparisons), "## Seconds\n", times_table(comparisons), time_groups_table(comparisons),
                ORDER, pairs_table(comparisons), misordered_table(comparisons),
                "## Peaks of active memory\n", told_peaks(comparisons), peaks_table(comparisons), peak_groups_table(comparisons),
                "## Decisions and messages\n", counts_table(comparisons), MESSAGES, invariants_table([*comparisons, *fixed])]
    if fixed:
        sections += ["## Messages where nothing is chosen\n", FIXED, told_fixed(fixed), fixed_table(fixed)]
    return "\n".join(sections)
