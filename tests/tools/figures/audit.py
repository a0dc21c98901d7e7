#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Recomputes the figures of `frond solve --json`, `frond analyze --json` and the interface of C by means that share nothing with Frond:

    PYTHONPATH=interfaces/python FROND_LIBRARY=build/release/libfrond.so.0 tests/tools/figures/audit.py build/release/tools/frond \
        [--seeds 48] [--first-seed 1] [--size 10] [--matrices DIR] [--most-rows 700] [--counter LIBRARY] [--seconds] \
        [--mpiexec MPIEXEC --message-counter LIBRARY]

Integers without rounding stand for real numbers, NumPy's dense algebra for what is too large for them, SciPy's graphs for patterns,
recount_flops.py for the factors, the system for bytes and seconds. Prints what each figure was compared with, how often, and the worst
ratio of a deviation to what is allowed: above 1 the figure is false. A figure without a row fails, too.
"""
import argparse
import collections
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import scipy.io
import scipy.sparse as sparse

import frond
from checks import recount_flops
from families import draw
from table import ROWS
from truth import EPS, Truth


class Run:
    """Figures by their names in JSON, nested ones joined by dots, and what they are about."""

    def __init__(self, name, truth, figures, x=None, **facts):
        self.name, self.truth, self.figures, self.x = name, truth, flat(figures), x
        self.facts = facts

    def __getitem__(self, key):
        return self.figures.get(key)

    @property
    def is_regular(self):
        """Whether there is a solution that the figures are about, and it can be told from others."""
        return self.truth.is_exact and self.truth.rank == self.truth.order and self.x is not None

    def unmet(self, factor):
        residuals, sizes = self.truth.residuals(self.x)
        return int((residuals > factor * np.maximum(45, np.diff(self.truth.sparse.indptr) + 4) * EPS * sizes).sum())


def flat(figures, prefix=""):
    """{"a": {"b": 1}, "c": [{"d": 2}]} as {"a.b": 1, "c.d": [2]}."""
    result = {}
    for key, value in figures.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            value = {inner: [one[inner] for one in value] for inner in value[0]}
        result.update(flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value})
    return result


class Auditor:
    """Runs the program and the library, and keeps the worst ratio of each row."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.row_of, self.worst, self.counts, self.failures = {}, collections.Counter(), collections.Counter(), []

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, matrix, symmetry="general"):
        """Without rounding: 17 digits are those of a number and of no other."""
        scipy.io.mmwrite(self.path(name), matrix, precision=17, symmetry=symmetry)
        return self.path(name)

    def call(self, command, matrix, *options, environment=None):
        """What JSON has, and what the system says of the process."""
        arguments = [self.program, command, matrix, "--json", self.path("run.json"), *options]
        started = time.perf_counter()
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        said = process.stderr.read().decode()
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        if process.returncode not in (0, 3):
            raise RuntimeError(f"{' '.join(arguments)}: {process.returncode}: {said}")
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file), {"wall": wall, "resident": usage.ru_maxrss * 1024, "matrix": matrix}

    def row_for(self, key):
        if key not in self.row_of:
            self.row_of[key] = next((row for row in ROWS if any(fnmatch.fnmatchcase(key, one) for one in row.keys.split())), None)
            if self.row_of[key] is None:
                self.failures.append(f"{key}: there is no row that says how to recompute it")
        return self.row_of[key]

    def judge(self, run):
        for key, value in run.figures.items():
            row = self.row_for(key)
            ratio = None if row is None else row.check(run, key, value)
            if ratio is not None:
                self.counts[key] += 1
                self.worst[key] = max(self.worst[key], ratio)
                if not ratio <= 1:
                    self.failures.append(f"{run.name}: {key} is {value}: {ratio:.3g} of what is allowed ({row.oracle})")

    def told(self, key):
        with open(self.path("run.json"), encoding="utf-8") as file:
            figures = json.load(file)
        return figures if key is None else figures[key]

    def print_table(self):
        """A line for each figure; messages of all types together."""
        lines = {}
        for key, row in sorted(self.row_of.items()):
            if row:
                _row, count, worst = lines.get(key.split("by_type")[0], (row, 0, 0))
                lines[key.split("by_type")[0]] = row, count + self.counts[key], max(worst, self.worst[key])
        print("| figure | compared with | allowed | times | worst ratio |\n|---|---|---|---:|---:|")
        for key, (row, count, worst) in lines.items():
            print(f"| `{key}` | {row.oracle} | {row.allowed} | {count} | {worst:.2g} |")

    def read_vector(self, name):
        x = scipy.io.mmread(self.path(name))
        return x[:, 0] if x.shape[1] == 1 else x

    def audit(self, name, matrix, b, *options, symmetry="general", **asked):
        """A run of `analyze`, two of `solve`, and one through the interface of C."""
        truth, file = Truth(matrix, b), self.write("A.mtx", matrix, symmetry)
        analysed, facts_of_analysis = self.call("analyze", file)
        analysed_method = analysed["method"]
        for left in self.folder.glob("[xo].*"):
            left.unlink()
        figures, facts = self.call("solve", file, "--rhs", self.write("b.mtx", b[:, None]), "--out", self.path("x.mtx"), "--error-bounds",
                                   "all", "--write-ordering", self.path("o.txt"), "--threads", "2", *options)
        self.judge(Run(f"{name}, analyze", truth, analysed, ranks=1, file_symmetry=symmetry, keeps_zeros=keeps_zeros(figures),
                       **facts_of_analysis))
        x = self.read_vector("x.mtx") if os.path.exists(self.path("x.mtx")) else None
        facts = {**facts, **self.order_facts(file, figures), "analysed_method": analysed_method, "nrhs": 1, "threads": 2, "ranks": 1,
                 "work": "static",
                 "analysis_of": None, "schur_order": 0, "load_exchange": "none", "schedule": "none", "load_thread": False, **asked}
        self.judge(Run(f"{name}, solve {' '.join(options)}", truth, figures, x, **facts))
        if not options:
            self.audit_made(name, truth, file)
            self.audit_library(name, truth, matrix, b, {**facts, "nrhs": None})
        return figures

    def order_facts(self, file, figures):
        with open(self.path("o.txt"), encoding="ascii") as lines:
            permutes = any(len(line.split()) == 2 for line in lines)
        order, entries = recount_flops.read_pattern(file, keeps_zeros(figures))
        return {"keeps_zeros": keeps_zeros(figures), "recount": (order, entries, *recount_flops.read_ordering(self.path("o.txt"), order)), "permutes_rows": permutes}

    def audit_made(self, name, truth, file):
        """What Frond says of right-hand sides that it makes: the seed gives an identity of the same order the same x."""
        identity = sparse.identity(truth.order, dtype=truth.sparse.dtype, format="csc")
        xs = []
        for matrix in self.write("I.mtx", identity), file:
            self.call("solve", matrix, "--out", self.path("x.mtx"), "--set", "seed=7", "--method", "lu")
            xs.append(self.read_vector("x.mtx"))
        self.judge(Run(f"{name}, b of Frond's", truth, {"forward_error": self.told("forward_error")}, xs[1], made_x=xs[0]))

    def audit_library(self, name, truth, matrix, b, facts):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with frond.factorize(matrix, error_bounds="all", threads=2) as factorization:
                try:
                    x = factorization.solve(b)
                except frond.SingularMatrixError as error:
                    x = error.x
                except frond.FrondError:
                    x = None
                figures = factorization.figures
        facts = {key: value for key, value in facts.items() if key not in ("wall", "resident", "recount", "keeps_zeros")}
        self.judge(Run(f"{name}, C", truth, as_json(figures), x, **facts))


def as_json(figures):
    """The figures of the interface of C by the names of those of JSON that they stand for."""
    names = {"positive_eigenvalues": "inertia.positive", "negative_eigenvalues": "inertia.negative", "zero_eigenvalues": "inertia.zero",
             "determinant_real": "determinant.real", "determinant_imaginary": "determinant.imaginary",
             "determinant_exponent": "determinant.exponent"}
    result = {names.get(name, name): value for name, value in figures.items()}
    variables = [int(one) + 1 for one in result.pop("null_pivots")]
    result.update({"null_pivots": len(variables), "null_pivot_variables": variables, "block_levels": 1, "schur_order": 0})
    result["precision"] = "mixed" if result.pop("is_mixed") else "full"
    result["blocks"] = result["blocks"] or None
    return result


def growth_of(matrix, method):
    """The largest entry of what has the pivots, over that of the matrix: from the inverses of the factors, column by column."""
    with frond.factorize(matrix, method=method, scaling="none", block_triangular="never") as factorization:
        lower, diagonal = (np.linalg.inv(factorization.solve_part(part, np.eye(matrix.shape[0]))) for part in ("lower", "diagonal"))
        return factorization.figures, abs(lower @ diagonal).max() / abs(matrix).max()


def audit_growth(auditor, seeds):
    for seed in seeds:
        rng = np.random.default_rng(seed)
        matrix = rng.standard_normal((9, 9)) * (rng.random((9, 9)) < .6) + np.eye(9)
        for method, given in ("lu", matrix), ("ldlt", matrix + matrix.T):
            figures, growth = growth_of(sparse.csc_matrix(given), method)
            auditor.judge(Run(f"growth, seed {seed}, {method}", Truth(given, given[0]), {
                key: figures[key] for key in ("pivot_growth", "method")}, growth=growth))


def keeps_zeros(figures):
    """Whether frond solved the matrix of a file with its zeros."""
    return "that were left out" not in str(figures["notes"])


def audit_models(auditor):
    """Model problems that are too large for exact arithmetic."""
    for model in "laplacian2d5 12", "kkt3d 3", "convection3d 5", "circuit 300", "helmholtz3d 5", "elasticity3d 3":
        file = auditor.path("model.mtx")
        subprocess.run([auditor.program, "generate", *model.split(), "--out", file], check=True, stdout=subprocess.DEVNULL)
        audit_file(auditor, file, model)


def audit_file(auditor, file, name):
    matrix = scipy.io.mmread(file).tocsc().astype(complex if "complex" in str(scipy.io.mminfo(file)) else float)
    symmetry = scipy.io.mminfo(file)[5]
    auditor.audit(name, matrix, matrix @ np.ones(matrix.shape[0]), symmetry=symmetry, file_symmetry=symmetry)


def audit_answers(auditor):
    """Other answers, files and ways to solve, of matrices with few variables."""
    path, rng = auditor.path, np.random.default_rng(5)
    matrix = sparse.csc_matrix(rng.integers(-3, 4, (12, 12)) * (rng.random((12, 12)) < .4) + np.diag(rng.integers(4, 9, 12)), dtype=float)
    b, general = matrix @ np.ones(12), {"symmetry": "general"}
    indefinite = matrix + matrix.T - sparse.diags([9.] * 6 + [0.] * 6)
    for options in ("--pivoting", "static"), ("--precision", "mixed"), ("--method", "ldlt"), ("--scaling", "none"), \
            ("--memory-limit", "100MB"):
        asked = {"precision": "mixed"} if "mixed" in options else {"memory_limit": 10 ** 8} if "100MB" in options else {}
        auditor.audit("answers", indefinite, indefinite @ np.ones(12), *options, **asked)
    auditor.audit("factors", matrix, b, "--save-factors", path("F"))
    auditor.audit("factors", matrix, b, "--load-factors", path("F"))
    figures = auditor.audit("checkpoint", matrix, b, "--checkpoint", path("C"))
    written = sum(file.stat().st_size for file in pathlib.Path(path("C")).glob("*/*.rank-0.*") if file.suffix in (".factors", ".blocks"))
    auditor.judge(Run("checkpoint", Truth(matrix, b), {"checkpoint": figures["checkpoint"]}, **{"checkpoint.bytes_written": written}))
    auditor.audit("resume", matrix, b, "--resume", path("C"), **{
        "checkpoint.fronts_found": figures["fronts"], "checkpoint.flops_found": figures["factor_flops"], "checkpoint.bytes_written": 0})
    audit_schur(auditor, matrix, b)
    audit_inverse(auditor, matrix, b, general)
    audit_null_space(auditor)


def audit_schur(auditor, matrix, b):
    kept = [0, 3, 7]
    scipy.io.mmwrite(auditor.path("x2.mtx"), np.array([[1.], [2.], [3.]]))
    auditor.write("A.mtx", matrix)
    auditor.write("b.mtx", b[:, None])
    figures, facts = auditor.call("solve", auditor.path("A.mtx"), "--rhs", auditor.path("b.mtx"), "--schur", "1,4,8", "--expand",
                                  auditor.path("x2.mtx"), auditor.path("y.mtx"))
    block = np.delete(np.delete(matrix.toarray(), kept, axis=0), kept, axis=1)
    of_block = {key: figures.pop(key) for key in ("determinant", "inertia", "rank_lowest", "rank_highest")}
    x, error = auditor.read_vector("y.mtx"), figures.pop("expansion_backward_error")
    auditor.judge(Run("schur", Truth(matrix, b), figures, schur_order=3, **facts))
    auditor.judge(Run("schur, expanded", Truth(matrix, b), {"expansion_backward_error": error}, x, kept=kept, expanded=x))
    auditor.judge(Run("schur, block", Truth(block, block[0]), {**of_block, "rank_verdict": figures["rank_verdict"]}))


def audit_inverse(auditor, matrix, b, kinds):
    full = sparse.csc_matrix(np.ones(matrix.shape))
    auditor.audit("inverse", matrix, b, "--inverse-entries", auditor.write("P.mtx", full, **kinds), auditor.path("V.mtx"),
                  "--refine-inverse", inverse_entries=full.nnz)
    inverse = sparse.coo_matrix(scipy.io.mmread(auditor.path("V.mtx"))).toarray()
    auditor.judge(Run("inverse", Truth(matrix, b), {"inverse_backward_error": auditor.told("inverse_backward_error")}, inverse,
                      inverse=inverse))


def audit_null_space(auditor):
    for seed in 6, 8, 18:
        name, matrix, b = draw(seed, 10)
        figures = auditor.audit(f"null space of {name}", matrix, b, "--null-space", auditor.path("Z.mtx"))
        if figures["null_space_dimension"]:
            vectors = scipy.io.mmread(auditor.path("Z.mtx"))
            auditor.judge(Run(name, Truth(matrix, b), {key: figures[key] for key in ("null_space_dimension", "null_space_backward_error")},
                              vectors, null_space=vectors))


def audit_families(auditor, arguments):
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        name, matrix, b = draw(seed, arguments.size)
        auditor.audit(f"seed {seed}, {name}", matrix, b)


def audit_matrices(auditor, folder, most_rows):
    """Real matrices of a folder that are small enough for dense algebra."""
    for file in sorted(pathlib.Path(folder).glob("*.mtx*")):
        try:
            rows, columns, _entries, kind, field, _symmetry = scipy.io.mminfo(file)
        except ValueError:
            continue  # Frond reads more kinds of headers than SciPy
        if 0 < rows == columns <= most_rows and kind == "coordinate" and field != "pattern":
            audit_file(auditor, file, file.name)


def audit_seconds(auditor):
    """Phases beside a clock outside, less what a tiny system takes; resident memory beside what is metered."""
    small, large = auditor.path("small.mtx"), auditor.path("large.mtx")
    for file, size in (small, "2"), (large, "34"):
        subprocess.run([auditor.program, "generate", "laplacian3d7", size, "--out", file], check=True, stdout=subprocess.DEVNULL)
    _figures, facts = auditor.call("solve", small, "--threads", "1")
    started = facts["wall"]
    figures, facts = auditor.call("solve", large, "--threads", "1")
    matrix = sparse.csc_matrix(scipy.io.mmread(large))
    auditor.judge(Run("seconds", Truth(matrix, matrix @ np.ones(matrix.shape[0])), figures, file_symmetry="symmetric",
                      measures_seconds=started, analysed_method="cholesky", **facts))


def audit_processes(auditor, mpiexec, counter):
    """Of several processes all parts together are the whole, and the answer is what it was."""
    file, counts = auditor.path("model.mtx"), auditor.path("counts.txt")
    for model, method, symmetry in ("kkt3d 4", "ldlt", "symmetric"), ("convection3d 13", "lu", "general"):
        subprocess.run([auditor.program, "generate", *model.split(), "--out", file], check=True, stdout=subprocess.DEVNULL)
        matrix = sparse.csc_matrix(scipy.io.mmread(file))
        truth = Truth(matrix, matrix @ np.ones(matrix.shape[0]))
        for count in 2, 3:
            subprocess.run([mpiexec, "-n", str(count), "env", f"LD_PRELOAD={counter}", f"MESSAGE_COUNTS={counts}", auditor.program,
                            "solve", file, "--threads", "1", "--json", auditor.path("run.json")],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            sent = [read_counts(f"{counts}.{rank}") for rank in range(count)] if counter else ()
            auditor.judge(Run(f"{model}, {count} processes", truth, auditor.told(None), ranks=count, file_symmetry=symmetry,
                              analysed_method=method, sent=sent))


def read_counts(path):
    """{communicator: {first byte: (messages, bytes)}} of message_counter.cpp."""
    counts = {}
    with open(path, encoding="ascii") as lines:
        for communicator, kind, *sent in (map(int, line.split()) for line in lines):
            counts.setdefault(communicator, {})[kind] = tuple(sent)
    return counts


def audit_bytes(auditor, counter):
    """Memory beside what allocation_counter.cpp counts. With no more than what is needed no block leaves pages to the process."""
    file, counts = auditor.path("model.mtx"), auditor.path("counts.txt")
    for model, options, thread_counts in (("elasticity3d 17", [], "12"), ("convection3d 29", [], "2"),
                                          ("kkt3d 18", ["--set", "pivot-threshold=0.5"], "1")):
        subprocess.run([auditor.program, "generate", *model.split(), "--out", file], check=True, stdout=subprocess.DEVNULL)
        needed, _facts = auditor.call("solve", file, "--threads", "1", *options)
        limit = max(needed["predicted_peak_bytes"], needed["metered_peak_bytes"])
        for threads in thread_counts:
            figures, _facts = auditor.call("solve", file, "--threads", threads, "--memory-limit", str(limit), *options,
                                           environment={"LD_PRELOAD": counter, "ALLOCATION_COUNTS": counts})
            with open(counts, encoding="ascii") as line:
                mapped_peak, mapped, heap_peak = map(int, line.read().split())
            auditor.judge(Run(f"bytes, {model}, threads: {threads}", None, {
                key: figures[key] for key in ("factor_bytes", "metered_peak_bytes", "memory_limit_bytes")},
                memory_limit=limit, mapped_peak=mapped_peak, mapped=mapped, heap_peak=heap_peak, beside=bytes_beside(figures)))


def bytes_beside(figures):
    """What is not metered, as docs/json.md has it."""
    panels = 128 * figures["threads"] * figures["largest_front"] * 8
    return 40 * figures["n"] + 400 * figures["fronts"] + max(panels, 4 * figures["stored_entries"])


def check_rows(auditor):
    """Every figure of the interface of C has a row, whether a run has had it or not."""
    library = frond.figures() if callable(frond.figures) else frond.figures
    for name in as_json({**dict.fromkeys(library), "null_pivots": []}):
        auditor.row_for(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=24, help="matrices of the families")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=10, help="most variables of these")
    parser.add_argument("--matrices", help="a folder of Matrix Market files")
    parser.add_argument("--most-rows", type=int, default=500, help="of these files")
    parser.add_argument("--mpiexec", help="also run several processes")
    parser.add_argument("--message-counter", default="", help="also count messages with this library, of message_counter.cpp")
    parser.add_argument("--counter", help="also count bytes with this library, of allocation_counter.cpp")
    parser.add_argument("--seconds", action="store_true", help="also compare seconds with a clock outside, on a quiet machine")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        auditor = Auditor(arguments.program, folder)
        audit_families(auditor, arguments)
        audit_growth(auditor, range(arguments.first_seed, arguments.first_seed + 3))
        audit_models(auditor)
        audit_answers(auditor)
        if arguments.matrices:
            audit_matrices(auditor, arguments.matrices, arguments.most_rows)
        if arguments.mpiexec:
            audit_processes(auditor, arguments.mpiexec, arguments.message_counter)
        if arguments.counter:
            audit_bytes(auditor, arguments.counter)
        if arguments.seconds:
            audit_seconds(auditor)
        check_rows(auditor)
    auditor.print_table()
    print(*auditor.failures[:200], sep="\n")
    sys.exit(bool(auditor.failures))


if __name__ == "__main__":
    main()
