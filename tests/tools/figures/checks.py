# SPDX-License-Identifier: BSD-3-Clause
"""How a figure is compared with what is true: each check gets a run, a key and its value, and gives the deviation over what is allowed,
or None where nothing is known."""
import math
import pathlib
import re
import sys

import numpy as np
import scipy.sparse as sparse
from scipy.sparse import csgraph

from truth import EPS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools" / "scripts"))
import recount_flops  # noqa: E402

TAU = 32 * EPS  # of docs/design.md, "Proofs of the rank"
COUNTED = .03  # of bytes that are counted from outside
ROUNDED = 1e-6  # of what is computed in double precision from an inverse


def same(truth_of):
    """Exactly what truth_of(run) says; None: it says nothing."""
    def check(run, _key, value):
        expected = truth_of(run)
        return None if expected is None else 0. if expected == value else math.inf
    return check


def within(low_of, high_of=lambda run: math.inf):
    """Between two numbers."""
    def check(run, _key, value):
        low, high = low_of(run), high_of(run)
        values = value if isinstance(value, list) else [value]
        return None if low is None or high is None or value is None else 0. if all(low <= one <= high for one in values) else math.inf
    return check


def word(words):
    return within_set(set(words.split()))


def within_set(words):
    return lambda _run, _key, value: 0. if value in words else math.inf


def backward(error_of):
    """Within a factor of 2, or the rounding of the longest row."""
    def check(run, _key, value):
        if value is None or run.x is None:
            return None
        true, rounding = error_of(run), (np.diff(run.truth.sparse.indptr).max(initial=0) + 4) * EPS
        return min(abs(value - true) / rounding, max(value, true) / max(min(value, true), 1e-300) / 2)
    return check


def normwise(run):
    residuals, _sizes = run.truth.residuals(run.x)
    whole = abs(run.truth.sparse).sum(axis=1).max() * abs(run.x).max() + abs(run.truth.b).max()
    return residuals.max() / whole if whole > 0 else 0.


def componentwise(run):
    residuals, sizes = run.truth.residuals(run.x)
    return max(r / s if s > 0 else 0. for r, s in zip(residuals, sizes))


def estimate(true_of):
    """A lower estimate: not above the truth by more than rounding, nor below it by more than 10."""
    def check(run, _key, value):
        if value is None or run.x is None or run.truth.dense is None or (run.truth.is_exact and not run.is_regular):
            return None
        true = true_of(run)
        rounding = np.finfo(np.float32).eps if run["precision"] == "mixed" else EPS
        allowed = 1 + ROUNDED + 100 * run.truth.order * rounding * run.truth.bauer
        return None if not true < 1 / EPS or allowed > 2 else max(value / true / allowed, true / value / 10 if value > 0 else math.inf)
    return check


def skeel(run):
    sizes = abs(run.truth.sparse) @ abs(run.x) + abs(run.truth.b)
    return (abs(run.truth.inverse) @ sizes).max() / abs(run.x).max()


def bound(run, _key, value):
    return None if value is None or not run.is_regular or not abs(run.x).any() else run.truth.error_of(run.x) / (1.01 * value)


def digits(run, _key, value):
    """The digits that the verdict promises."""
    found = re.search(r"at least (\d+) digits of x", value)
    return None if not found or not run.is_regular or not abs(run.x).any() else run.truth.error_of(run.x) * 10. ** int(found[1]) / 1.01


def determinant(run, key, value):
    """Relative to 1e-10, or to what rounding of all entries may change."""
    if value is None or not run.truth.is_exact or run["rank_verdict"] == "in_doubt" or run["schur_order"] or run["perturbed_pivots"]:
        return None
    if run.truth.rank < run.truth.order or run["rank_verdict"].endswith("singular") and run["rank_verdict"] != "nonsingular":
        return 0. if run["determinant.real"] == 0 or run.truth.rank == run.truth.order else math.inf
    allowed = max(1e-10, 100 * run.truth.order * EPS * run.truth.bauer) * (1e7 if run["precision"] == "mixed" else 1)
    if allowed > .1:
        return None
    real, imaginary, exponent = run.truth.determinant
    told = complex(run["determinant.real"], run["determinant.imaginary"])
    in_range = .5 <= max(abs(told.real), abs(told.imag)) < 1
    difference = abs(told * 2. ** max(-1000, min(1000, run["determinant.exponent"] - exponent)) - complex(real, imaginary))
    return difference / abs(complex(real, imaginary)) / allowed if in_range else math.inf


def rank(run, key, value):
    if not run.truth.is_exact or run["schur_order"]:
        return None
    verdict, order, true = run["rank_verdict"], run.truth.order, run.truth.rank
    if verdict in ("singular", "structurally_singular", "in_doubt") and true == order:  # to rounding, or in doubt: there is a reason
        is_near = 1 / (TAU * max(run.truth.bauer, 1e-300)) if verdict != "in_doubt" else 0.
        return is_near if key == "rank_verdict" else 0. if verdict != "in_doubt" or run["rank_lowest"] <= true else math.inf
    if key == "rank_verdict":
        return math.inf if (verdict in ("presumed", "nonsingular")) != (true == order) and verdict != "in_doubt" else 0.
    is_bound = run["rank_lowest"] <= true <= run["rank_highest"] or \
        run.truth.order > 0 and run.truth.is_nearly_of_rank(run["rank_highest"])
    return 0. if is_bound and (verdict == "in_doubt" or run["rank_lowest"] == run["rank_highest"]) else math.inf


def inertia(run, key, value):
    """Exact where the rank is beyond doubt."""
    if value is None or not run.truth.is_hermitian or run["perturbed_pivots"] or run["schur_order"]:
        return None
    if run["rank_verdict"] == "in_doubt" or run.truth.dense is None or run.truth.is_exact and run["rank_highest"] != run.truth.rank:
        return None
    if not run.truth.is_exact and np.linalg.cond(run.truth.dense) > 1e12:
        return None
    return 0. if run.truth.inertia[("positive", "negative", "zero").index(key.split(".")[1])] == value else math.inf


def null_pivots(run, key, value):
    """As many as the rank lacks; what is left without them has full rank."""
    if run["rank_verdict"] == "in_doubt" or run["verdict"] == "not_positive_definite" or run["schur_order"]:
        return None
    variables, missing = run["null_pivot_variables"], run.truth.order - run["rank_highest"]
    if len(variables) != missing and run["structural_rank"] < run.truth.order:
        return None  # the structure knows what pivots do not show
    if key == "null_pivots":
        return 0. if value == missing else math.inf
    if key == "first_null_pivot":
        return 0. if value == (variables[0] if variables else 0) else math.inf
    return 0. if len(set(value)) == missing and all(1 <= one <= run.truth.order for one in value) else math.inf


def consistency(run, key, value):
    """What is called inconsistent has no solution; what is called consistent has x for one."""
    if value is None or not run.truth.is_exact or run.truth.is_complex or run.truth.rank == run.truth.order:
        return 0. if value is None and run["verdict"] != "singular" else None
    if value == "inconsistent" or value == 0:
        return math.inf if run.truth.is_consistent else 0.
    return normwise(run) / 1e-13 if value in ("consistent", 1) else None


def consistency_error(run, _key, value):
    """At most what x leaves of an equation, at least what it leaves in norm."""
    if value is None or run.x is None:
        return None
    return 0. if normwise(run) <= 2 * value + 8 * EPS and value <= max(componentwise(run), normwise(run)) * 2 + 8 * EPS else math.inf


def graph_blocks(run):
    """Strong components of the graph whose rows are matched with columns, and the size of the largest."""
    if run["blocks"] is None:
        return None, None
    pattern = run.truth.pattern
    match = csgraph.maximum_bipartite_matching(pattern, perm_type="row")
    if (match < 0).any():
        return None, None
    _count, labels = csgraph.connected_components(pattern[match], connection="strong")
    sizes = np.bincount(labels)
    return len(sizes), int(sizes.max())


def components(run):
    """Connected components of the pattern of A + A^T, rows permuted as the order says."""
    if "recount" not in run.facts or run["blocks"] and run["block_levels"] > 1:
        return None
    order, entries, rows, cols = run.facts["recount"]
    pairs = np.array([(rows[i], cols[j]) for i, j in entries] or [(0, 0)])
    return csgraph.connected_components(sparse.coo_matrix((np.ones(len(pairs)), pairs.T), (order, order)), directed=False)[0]


def recounted(what):
    """The factors of the order of elimination that was written, by recount_flops.py."""
    def of_run(run):
        if "recount" not in run.facts or run["block_levels"] != 1 or run["schur_order"]:
            return None
        order, entries, rows, cols = run.facts["recount"]
        counts = recount_flops.count_columns(recount_flops.neighbours_in_order(order, entries, rows, cols))
        is_lu = run.facts["analysed_method"] == "lu"
        return {"entries": sum(2 * c - 1 if is_lu else c for c in counts), "longest": max(counts, default=0),
                "flops": float(sum((c - 1) + 2 * (c - 1) ** 2 if is_lu else c * c for c in counts))}[what]
    return of_run


def total(key):
    """The sum of a list of ranks or levels."""
    return lambda run: None if run[key] is None else sum(run[key])


def scalar_bytes(run):
    return (8 if run.truth.is_complex else 4) if run["precision"] in ("mixed", "single") else 16 if run.truth.is_complex else 8


def is_analysed_again(run):
    """Whether a note says so: the figures of the analysis are those of the first one."""
    return "once more as a whole" in " ".join(np.ravel(run["notes"] or ""))


def undelayed(key):
    """What was predicted, where no pivot was delayed, perturbed or null, and the method did not change."""
    def of_run(run):
        is_as_planned = not is_analysed_again(run) and not any(run[k] for k in ("delayed_pivots", "perturbed_pivots", "null_pivots")) and \
            run["method"] == run.facts.get("analysed_method") and run["precision"] == "full"
        return run[key] if is_as_planned else None
    return of_run


def kept_bytes(otherwise):
    """Of factors: what a count from outside, if there is one, finds after the factorization."""
    def check(run, key, value):
        return abs(value - run.facts["mapped"]) / (COUNTED * value) if "mapped" in run.facts else otherwise(run, key, value)
    return check


def peak_bytes(otherwise):
    """Of all that is metered: under a limit that leaves little else the pages are no fewer, and no more than the limit."""
    def check(run, key, value):
        if "mapped_peak" not in run.facts:
            return otherwise(run, key, value)
        peak = run.facts["mapped_peak"]
        return max(value / peak - 1, peak / run["memory_limit_bytes"] - 1, COUNTED * run.facts["heap_peak"] / run.facts["beside"]) / COUNTED
    return check


def speed(run, _key, value):
    """Of what was not found in a checkpoint; an operation of complex arithmetic stands for four."""
    flops = (run["factor_flops"] - (run["checkpoint.flops_found"] or 0)) * (4 if run.truth.is_complex else 1)
    return abs(value * run["factor_seconds"] * 1e9 - flops) / (1e-12 * flops + 1e-300) if run["factor_seconds"] > 0 else value


def seconds(run, _key, value):
    """Below a clock outside; in a run of some seconds all phases and the start of a process are that."""
    if value is None or "wall" not in run.facts:
        return None
    if "measures_seconds" not in run.facts:
        return value / run.facts["wall"]
    phases = sum(run[key] for key in ("read_seconds", "analysis_seconds", "factor_seconds", "solve_seconds", "error_bound_seconds"))
    return abs(run.facts["wall"] - run.facts["measures_seconds"] - phases) / (.02 * run.facts["wall"] + .001)


def messages(run, key, value):
    """The sums over types and over ranks; all parts of the figures of ranks, and what message_counter.cpp counts of each, too."""
    if run[f"{key}_per_rank"] is None:
        return None
    if not all(was_sent(run, key, rank, sent) for rank, sent in enumerate(run.facts.get("sent", []))):
        return math.inf
    by_type = sum(count for name, count in run.figures.items() if name.startswith(f"{key}_by_type."))
    sums = {by_type, sum(run[f"{key}_per_rank"]), value}
    return 0. if len(sums) == 1 and (value == 0 or len(run[f"{key}_per_rank"]) > 1) else math.inf


def was_sent(run, key, rank, sent):
    """Whether a rank sent just this many messages and bytes of each type on one communicator: the first byte numbers the types."""
    bytes_key = key.replace("messages", "message_bytes")
    names = [name.rpartition(".")[2] for name in run.figures if name.startswith(f"{key}_by_type_per_rank.")]
    figures = {kind: (run[f"{key}_by_type_per_rank.{name}"][rank], run[f"{bytes_key}_by_type_per_rank.{name}"][rank])
               for kind, name in enumerate(names)}
    return {kind: counts for kind, counts in figures.items() if counts != (0, 0)} in [{}, *sent.values()]


def told(key):
    """As the run was asked."""
    return same(lambda run: run.facts.get(key))


# What has no other oracle than that it is 0, null or a known word where nothing is to be counted.
def idle(run, _key, value):
    if run["ranks"] not in (None, 1):
        return None
    return 0. if not any(np.ravel(value)) or value is None else math.inf


def kind(run, key, value):
    """Of the file, or of the values where these were looked at."""
    if key == "field":
        return 0. if value == ("complex" if run.truth.is_complex else "real") else math.inf
    file = run.facts.get("file_symmetry", "general")
    if key == "symmetry_detected":
        return 0. if value == (file == "general" and run.truth.kind != "general") else math.inf
    return 0. if value == (run.truth.kind if file == "general" else file) else math.inf
