# SPDX-License-Identifier: BSD-3-Clause
"""One row for each figure: its keys, what it is compared with, what is allowed, and the check."""
import collections
import math
import os

import numpy as np
from scipy.sparse import csgraph

from checks import (TAU, backward, bound, components, componentwise, consistency, consistency_error, determinant, digits, estimate,
                    graph_blocks, idle, inertia, is_analysed_again, kept_bytes, kind, messages, normwise, null_pivots,
                    peak_bytes, rank, recounted, scalar_bytes, seconds, skeel, same, speed, told, undelayed, within, word)
from truth import EPS

Row = collections.namedtuple("Row", "keys oracle allowed check")
ZERO_ALONE = "nothing is counted in one process"
ROWS = [
    Row("matrix", "the argument", "same", told("matrix")),
    Row("n", "rows of the matrix", "same", same(lambda run: run.truth.order)),
    Row("nnz", "entries of SciPy's matrix", "same", same(lambda run: run.truth.entries(run.facts).nnz)),
    Row("stored_entries", "those of one triangle unless general", "same", same(lambda run: run.truth.count_stored(run["symmetry"], run.facts))),
    Row("symmetry symmetry_detected field", "entries of A and its transpose", "same", lambda run, key, value: kind(run, key, value)),
    Row("read_seconds analysis_seconds ordering_seconds factor_seconds solve_seconds error_bound_seconds load_factors_seconds "
        "save_factors_seconds task_seconds snapshot_seconds replication_seconds", "a clock outside: none is above, all together not below",
        "2 % + 1 ms", seconds),
    Row("gflops_per_second", "flops that were done, times 4 if complex, over seconds", "1e-12", speed),
    Row("method", "eigenvalues: cholesky only if all are positive", "a known word", lambda run, _key, value: 0. if value in (
        "ldlt", "ldlh", "lu") or run.truth.is_positive else math.inf),
    Row("ordering", "a known word", "same", word("dissection metis amd natural given")),
    Row("matching", "rows: the order that was written names them", "same", lambda run, _key, value: None if "recount" not in run.facts
        else 0. if (value == "rows") == run.facts["permutes_rows"] and value in ("none", "pairs", "rows") else math.inf),
    Row("structural_rank", "SciPy's structural_rank()", "same", same(lambda run: int(csgraph.structural_rank(run.truth.pattern)))),
    Row("blocks", "strong components after SciPy's matching", "same", same(lambda run: graph_blocks(run)[0])),
    Row("largest_block", "the largest of these", "same", same(lambda run: graph_blocks(run)[1])),
    Row("block_levels", "between 1 and the blocks", "bound", within(lambda run: 1, lambda run: run["blocks"] or 1)),
    Row("threads ranks analysis_of schur_order load_exchange schedule load_thread work nrhs", "as asked", "same",
        lambda run, key, value: None if key not in run.facts else 0. if run.facts[key] == value else math.inf),
    Row("subtrees", "at most the fronts", "bound", within(lambda run: min(1, run["fronts"]), lambda run: run["fronts"])),
    Row("nodes_type1 nodes_type2 nodes_type3", "all three: the fronts", "same", lambda run, _key, _value: 0. if sum(
        run[f"nodes_type{k}"] for k in (1, 2, 3)) == run["fronts"] else math.inf),
    Row("grid_rows grid_cols", "0 if and only if no node is of type 3", "same", lambda run, _key, value: 0. if (value > 0) == (
        run["nodes_type3"] > 0) else math.inf),
    Row("fronts levels.fronts", "at most n; levels together: all", "same", lambda run, _key, _value: None if
        is_analysed_again(run) else 0. if run["fronts"] <= run.truth.order and (
            run["levels.fronts"] is None or sum(run["levels.fronts"]) == run["fronts"]) else math.inf),
    Row("roots", "connected components of A + A^T, by SciPy", "same", same(components)),
    Row("tree_height", "levels", "same", same(lambda run: None if
        run["levels.fronts"] is None or is_analysed_again(run) else len(run["levels.fronts"]))),
    Row("largest_front", "no less than the longest column, no more than n", "bound", within(
        recounted("longest"), lambda run: run.truth.order)),
    Row("levels.largest_front", "the largest front, if no pivot is delayed", "same", lambda run, _key, value: None if
        undelayed("fronts")(run) is None else 0. if max(value, default=0) == run["largest_front"] else math.inf),
    Row("elimination_flops", "recount_flops.py", "same", same(recounted("flops"))),
    Row("exact_factor_entries", "recount_flops.py", "same", same(recounted("entries"))),
    Row("predicted_factor_flops", "those without zeros stored for speed", "at least", within(recounted("flops"))),
    Row("predicted_factor_entries", "those without zeros stored for speed", "at least", within(recounted("entries"))),
    Row("factor_flops", "predicted ones, if no pivot is delayed", "same", same(undelayed("predicted_factor_flops"))),
    Row("factor_entries", "predicted ones, if no pivot is delayed", "same", same(undelayed("predicted_factor_entries"))),
    Row("levels.flops flops_done_per_rank", "their sum is factor_flops", "1e-12", lambda run, key, value: abs(
        sum(value) - run["factor_flops"]) / (1e-12 * max(1, run["factor_flops"]))),
    Row("flops_assigned_per_rank", "their sum is no less than predicted", "1e-12", within(lambda run: 0)),
    Row("predicted_flops_per_rank", "their sum is predicted_factor_flops", "1e-9", lambda run, _key, value: abs(
        sum(value) - run["predicted_factor_flops"]) / (1e-9 * run["predicted_factor_flops"] + 1)),
    Row("predicted_factor_bytes_per_rank", "their sum: entries, and those of a Schur complement, times the scalar's size", "1 per rank",
        lambda run, _key, value: abs(sum(value) - (run["predicted_factor_entries"] + (run["schur_order"] or 0) ** 2) * scalar_bytes(run)) /
        len(value) if run["precision"] in (None, "full") else None),
    Row("predicted_active_bytes_per_rank", "in one process at most predicted_active_bytes", "bound", within(
        lambda run: 0, lambda run: run["predicted_active_bytes"] if len(run["predicted_active_bytes_per_rank"]) == 1 else math.inf)),
    Row("predicted_factor_bytes", "no less than the entries take", "bound", within(
        lambda run: run["predicted_factor_entries"] * scalar_bytes(run) if run["precision"] in (None, "full") else 0)),
    Row("factor_bytes", "predicted ones, if no pivot is delayed; pages that were touched, from outside", "same; 3 %", kept_bytes(
        same(undelayed("predicted_factor_bytes")))),
    Row("predicted_active_bytes", "predicted_peak_bytes without the factors", "same", same(
        lambda run: run["predicted_peak_bytes"] - run["predicted_factor_bytes"])),
    Row("predicted_peak_bytes", "no less than the factors, no more than the bound", "bound", within(
        lambda run: run["predicted_factor_bytes"], lambda run: run["upper_bound_bytes"] or math.inf)),
    Row("metered_peak_bytes", "no less than the factors, or a process's; never above the bound if no pivot is delayed; pages that were "
        "touched, from outside: no fewer, and no more than the limit; other memory as json.md says", "bound; 3 %", peak_bytes(within(
            lambda run: run["factor_bytes"] if run["ranks"] in (None, 1) else max(run["metered_peak_bytes_per_rank"]),
            lambda run: math.inf if undelayed("n")(run) is None else run["upper_bound_bytes"] or math.inf))),
    Row("upper_bound_bytes", "no less than the peak", "bound", within(lambda run: run["predicted_peak_bytes"])),
    Row("metered_peak_bytes_per_rank", "the largest is metered_peak_bytes", "same", lambda run, _key, value: 0. if
        max(value) == run["metered_peak_bytes"] else math.inf),
    Row("peak_active_bytes_per_rank", "the peak without the factors in one process", "same", same(
        lambda run: [run["metered_peak_bytes"] - run["factor_bytes"]] if run["ranks"] == 1 else None)),
    Row("memory_limit_bytes", "as asked, or less than the machine has", "same", lambda run, _key, value: 0. if value == run.facts.get(
        "memory_limit", value) and value <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") else math.inf),
    Row("analysis_bytes", "no less than an integer for each variable", "bound", within(lambda run: 4 * run.truth.order)),
    Row("peak_bytes", "the process' highest resident memory, from wait4()", "bound", within(
        lambda run: run["metered_peak_bytes"], lambda run: run.facts.get("resident", math.inf) + 4096)),
    Row("peak_bytes_per_rank", "the highest of the first process", "same", same(
        lambda run: [run["peak_bytes"]] if run["ranks"] == 1 else None)),
    Row("estimated_peak_bytes", "between predicted_peak_bytes and that with resident memory", "bound", within(
        lambda run: run["predicted_peak_bytes"], lambda run: run.facts.get("resident", math.inf) + run["predicted_peak_bytes"])),
    Row("delayed_pivots levels.delayed_pivots", "0 with Cholesky; levels together: all", "same", lambda run, key, value: 0. if (
        sum(run["levels.delayed_pivots"] or [run["delayed_pivots"]]) == run["delayed_pivots"]
        and not (run["method"] == "cholesky" and run["delayed_pivots"])) else math.inf),
    Row("two_by_two_pivots levels.two_by_two_pivots", "half of n at most, 0 with LU and Cholesky; levels together: all", "same",
        lambda run, _key, _value: 0. if 2 * run["two_by_two_pivots"] <= (run.truth.order if run["method"][:3] == "ldl" else 0)
        and sum(run["levels.two_by_two_pivots"] or [run["two_by_two_pivots"]]) == run["two_by_two_pivots"] else math.inf),
    Row("kept_pivots", "0 of a first factorization; others are tested with refactorize", "same",
        lambda _run, _key, value: 0. if value == 0 else math.inf),
    Row("perturbed_pivots levels.perturbed_pivots levels.null_pivots", "levels together: all; perturbed: 0 unless static", "same",
        lambda run, key, value: None if key == "levels.null_pivots" else 0. if sum(run["levels.perturbed_pivots"] or [
            run["perturbed_pivots"]]) == run["perturbed_pivots"] else math.inf),
    Row("pivot_growth", "1 with Cholesky; without scaling the factors that solve_part() inverts", "1e-6", lambda run, _key, value: abs(
        value / run.facts["growth"] - 1) / 1e-6 if "growth" in run.facts else 0. if value > 0 and (
            run["method"] != "cholesky" or value == 1) or not run["factor_flops"] else math.inf),
    Row("smallest_pivot", "positive", "bound", within(lambda run: 0)),
    Row("determinant.real determinant.imaginary determinant.exponent determinant", "without rounding, by Bareiss' elimination", "1e-10",
        determinant),
    Row("inertia.positive inertia.negative inertia.zero", "exact pivots; eigenvalues of complex ones", "same", inertia),
    Row("inertia", "null only for LU, complex symmetric and not positive definite ones", "same", lambda run, _key, _value: None),
    Row("null_pivots first_null_pivot null_pivot_variables", "n less the rank", "same", null_pivots),
    Row("rank_verdict rank_lowest rank_highest", "the rank without rounding, and rho(|A^-1| |A|)", "same", rank),
    Row("rank_proof", "tau rho(|A^-1| |A|), by NumPy's eigenvalues, of a nonsingular matrix; at most tau", "at least", within(
        lambda run: 0 if run["rank_verdict"] != "nonsingular" or not run.is_regular else .99 * TAU * run.truth.bauer,
        lambda run: 1 if run["rank_verdict"] != "singular" else TAU)),
    Row("rank_proof_rest rank_proof_vectors", "no less than 0", "bound", within(lambda run: 0)),
    Row("scaling", "a known word", "same", word("none equilibrate matching")),
    Row("equilibration_sweeps", "0 without scaling", "same", within(
        lambda run: 0, lambda run: 0 if run["scaling"] == "none" else math.inf)),
    Row("refinement_steps", "at most refine-steps", "bound", within(lambda run: 0, lambda run: 10)),
    Row("krylov_steps", "at most krylov-steps", "bound", within(lambda run: 0, lambda run: 60)),
    Row("backward_error", "exact residuals of the x that was written", "2, or (row + 4) eps", backward(normwise)),
    Row("componentwise_backward_error", "exact residuals of the x that was written", "2, or (row + 4) eps", backward(componentwise)),
    Row("missed_equations negligible_equations", "equations counted by exact residuals", "same but at the edge", lambda run, key, value:
        None if run.x is None or value is None else 0. if
        run.unmet(1.5) <= run["missed_equations"] + run["negligible_equations"] <= run.unmet(.67) else math.inf),
    Row("negligible_size", "0 without such equations, at most 1", "bound", within(
        lambda run: 0, lambda run: 1 if run["negligible_equations"] else 0)),
    Row("condition_number", "the exact inverse, 1-norms", "1 + 1e-6, 10 below", estimate(lambda run: run.truth.condition)),
    Row("componentwise_condition_number", "the exact inverse, by the definition", "1 + 1e-6, 10 below", estimate(skeel)),
    Row("forward_error_bound", "the exact solution", "1.01", bound),
    Row("description", "the digits that it promises: the exact solution", "1.01", digits),
    Row("forward_error", "the x of the same seed for an identity", "1e-12 of it + eps", lambda run, _key, value: None if value is None or
        "made_x" not in run.facts else abs(value - abs(run.x - run.facts["made_x"]).max() / abs(run.facts["made_x"]).max()) / (
            1e-12 * value + EPS)),
    Row("consistency consistent_right_hand_sides", "the exact rank of A and of A with b", "same", consistency),
    Row("consistency_error", "exact residuals: normwise error to componentwise error", "bound, 2", consistency_error),
    Row("verdict", "solved: exact residuals", "1e-13", lambda run, _key, value: None if value != "solved" or run.x is None else
        normwise(run) / 1e-13),
    Row("precision", "as asked", "same", told("precision")),
    Row("notes memory_limit_reason peak_is_of_factorization", "words", "-", lambda _run, _key, _value: None),
    Row("null_space_dimension", "n less the exact rank", "same", same(
        lambda run: run.truth.order - run.truth.rank if "null_space" in run.facts else None)),
    Row("null_space_backward_error", "|A Z| of what was written", "2, or (row + 4) eps", lambda run, _key, value: None if
        "null_space" not in run.facts else backward(lambda r: r.truth.null_error(r.facts["null_space"]))(run, _key, value)),
    Row("inverse_entries", "entries that were asked for", "same", told("inverse_entries")),
    Row("inverse_backward_error", "|A X - I| of the columns that were written", "2, or (row + 4) eps", lambda run, _key, value: None if
        "inverse" not in run.facts else backward(lambda r: r.truth.inverse_error(r.facts["inverse"]))(run, _key, value)),
    Row("expansion_backward_error", "exact residuals of equations that are not kept", "2, or (row + 4) eps",
        lambda run, _key, value: None if
        "kept" not in run.facts else backward(lambda r: r.truth.expansion_error(r.facts["expanded"], r.facts["kept"]))(run, _key, value)),
    Row("checkpoint.*", "files of factors and blocks, or all fronts and flops, in the folder", "same", lambda run, key, value: None if
        key not in run.facts else 0. if run.facts[key] == value else math.inf),
    Row("checkpoint survival survival.* replicated_bytes", "null where it was not asked for", "same", lambda _run, _key, value: 0. if
        value is None else None),
    Row("main_messages load_messages", "by type and by rank: calls of MPI while frond factorizes, counted from outside; sums; "
        "none in one process", "same", messages),
    Row("dynamic_decisions* slaves_chosen* slave_refusals* tasks_taken* request_rounds empty_request_rounds rounds_refused_for_memory "
        "records main_message* load_message* load_thread_cpu_seconds has_left_per_rank parts_moved_per_rank bytes_moved_per_rank "
        "seconds_at_rest_per_rank snapshot_seconds_per_rank", ZERO_ALONE, "same", idle),
    # Of the interface of C alone.
    Row("elimination_order", "a permutation: that of the file", "same", lambda run, _key, value: 0. if sorted(value) == list(
        range(run.truth.order)) else math.inf),
    Row("backward_errors", "the largest is backward_error", "same", lambda run, _key, value: 0. if max(value) == run["backward_error"]
        else math.inf),
    Row("forward_error_bounds", "the largest is forward_error_bound", "same", lambda run, _key, value: 0. if all(
        math.isnan(one) for one in value) or np.nanmax(value) == run["forward_error_bound"] else math.inf),
]
