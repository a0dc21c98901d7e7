#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the verdicts that frond gives with one set of OpenBLAS kernels and with another.

    tools/studies/compare_kernels.py build/release/tools/frond RESULTS.tsv [FILE...] [--stokes COUNT] [--kernels A,B]

OpenBLAS chooses its kernels by the processor, and each rounds in its own way; OPENBLAS_CORETYPE overrules that choice when a process
starts. Kernels that this processor cannot run are left out, and so are those that fail a product with plain loops, which some do.
For each kernel and matrix RESULTS.tsv gets a line with verdict, exit code and rank; lines that are there are not computed again.
Matrices are the files, and COUNT matrices of Stokes problems, made here, whose rank is known. In the end it prints how many matrices
have one verdict, exit code and rank with all kernels, how many of the known ranks are found, and lists the others.
"""
import argparse
import ctypes
import ctypes.util
import json
import os
import random
import subprocess
import sys
import tempfile

KERNELS = ["Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Sandybridge", "Haswell", "SkylakeX", "Cooperlake", "Athlon",
           "Opteron", "Barcelona", "Bobcat", "Bulldozer", "Piledriver", "Steamroller", "Excavator", "Zen"]
MOST_SECONDS = 60


class Grid:
    """The entries of a symmetric matrix of velocities and pressures, its lower triangle."""

    def __init__(self):
        self.order = 0
        self.entries = {}

    def new(self, count):
        self.order += count
        return self.order - count

    def add(self, i, j, value):
        if value:
            position = (max(i, j), min(i, j))
            self.entries[position] = self.entries.get(position, 0.0) + value


def add_viscous_term(grid, width, height, first, viscosity):
    """A 5-point operator with zeros around it; the viscosity of an edge is that of a cell that touches it."""
    for y in range(height):
        for x in range(width):
            here = first + y * width + x
            for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                nu = viscosity(x + max(dx, 0), y + max(dy, 0))
                grid.add(here, here, nu)
                if (dx, dy) in ((1, 0), (0, 1)) and x + dx < width and y + dy < height:
                    grid.add(here + dx + dy * width, here, -nu)


def add_staggered_domain(grid, n, viscosity):
    """Velocities on the edges between n by n cells of pressure: a constant pressure is the null vector."""
    u, v, p = grid.new((n - 1) * n), grid.new(n * (n - 1)), grid.new(n * n)
    add_viscous_term(grid, n - 1, n, u, viscosity)
    add_viscous_term(grid, n, n - 1, v, viscosity)
    for y in range(n):
        for x in range(n):
            if x + 1 < n:
                grid.add(p + y * n + x, u + y * (n - 1) + x, 1.0)
                grid.add(p + y * n + x + 1, u + y * (n - 1) + x, -1.0)
            if y + 1 < n:
                grid.add(p + y * n + x, v + y * n + x, 1.0)
                grid.add(p + (y + 1) * n + x, v + y * n + x, -1.0)
    return 1


def add_unstable_domain(grid, n, viscosity):
    """Velocities at the nodes between n by n cells of pressure, an unstable pair: a constant on each colour of a chessboard."""
    m = n - 1
    u, v, p = grid.new(m * m), grid.new(m * m), grid.new(n * n)
    add_viscous_term(grid, m, m, u, viscosity)
    add_viscous_term(grid, m, m, v, viscosity)
    for y in range(m):
        for x in range(m):
            for dx in (0, 1):
                for dy in (0, 1):
                    grid.add(p + (y + dy) * n + x + dx, u + y * m + x, 0.5 - dx)
                    grid.add(p + (y + dy) * n + x + dx, v + y * m + x, 0.5 - dy)
    return 2


def stokes_matrix(seed):
    """Enclosed flow in one to three domains that do not touch, viscosities over 2 to 6 orders of magnitude, some of these matrices
    scaled by powers of 2: one to three exact null vectors, of pressures. Returns the grid and the number of null vectors."""
    draw = random.Random(seed)
    grid = Grid()
    left = 1 + seed % 3
    num_null = left
    orders = draw.randint(2, 6)
    while left > 0:
        add = draw.choice([add_staggered_domain, add_unstable_domain]) if left > 1 else add_staggered_domain
        viscosities = {}
        left -= add(grid, draw.randint(6, 20),
                    lambda x, y: viscosities.setdefault((x, y), 10 ** draw.uniform(-orders / 2, orders / 2)))
    if draw.random() < 0.5:
        scales = [2.0 ** draw.randint(-20, 20) for _ in range(grid.order)]
        grid.entries = {(i, j): value * scales[i] * scales[j] for (i, j), value in grid.entries.items()}
    return grid, num_null


def write_matrix(grid, path):
    with open(path, "w", encoding="ascii") as out:
        out.write("%%MatrixMarket matrix coordinate real symmetric\n")
        out.write(f"{grid.order} {grid.order} {len(grid.entries)}\n")
        out.writelines(f"{i + 1} {j + 1} {value!r}\n" for (i, j), value in grid.entries.items())


def product_error(blas, name, make, epsilon, size=97):
    """The largest error of C = A B by the routine, in units of epsilon of the sums of magnitudes."""
    draw = random.Random(1)
    is_complex = name[0] in "cz"
    values = [[complex(draw.uniform(-1, 1), draw.uniform(-1, 1) if is_complex else 0) for _ in range(size * size)] for _ in range(2)]
    arrays = [make(v) for v in values + [[0j] * (size * size)]]
    n, none = ctypes.byref(ctypes.c_int(size)), ctypes.c_char(b"N")
    one, zero = make([1 + 0j]), make([0j])
    getattr(blas, name)(ctypes.byref(none), ctypes.byref(none), n, n, n, one, arrays[0], n, arrays[1], n, zero, arrays[2], n)
    kept = [list(array) for array in arrays]
    parts = [[complex(v[2 * k], v[2 * k + 1]) for k in range(size * size)] if is_complex else v for v in kept]
    a, b, c = parts
    worst = 0
    for j in range(size):
        for i in range(size):
            terms = [a[i + k * size] * b[k + j * size] for k in range(size)]
            worst = max(worst, abs(c[i + j * size] - sum(terms)) / sum(map(abs, terms)))
    return worst / epsilon


def solve_error(blas, size=97):
    """The residual of L X = B by dtrsm, in units of epsilon of the terms."""
    draw = random.Random(2)
    lower = [[draw.uniform(-1, 1) if i > j else 4.0 if i == j else 0.0 for i in range(size)] for j in range(size)]  # [column][row]
    right = [draw.uniform(-1, 1) for _ in range(size * size)]
    x = (ctypes.c_double * (size * size))(*right)
    flat = (ctypes.c_double * (size * size))(*[v for column in lower for v in column])
    n, one = ctypes.byref(ctypes.c_int(size)), ctypes.byref(ctypes.c_double(1))
    blas.dtrsm_(*[ctypes.byref(ctypes.c_char(letter)) for letter in (b"L", b"L", b"N", b"N")], n, n, one, flat, n, x, n)
    worst = 0
    for j in range(size):
        for i in range(size):
            terms = [lower[k][i] * x[k + j * size] for k in range(i + 1)]
            worst = max(worst, abs(right[i + j * size] - sum(terms)) / (abs(right[i + j * size]) + sum(map(abs, terms))))
    return worst * 2 ** 52


def check_kernels():
    """In a process of its own, whose kernels are chosen: the name of what is wrong, or nothing."""
    blas = ctypes.CDLL(ctypes.util.find_library("openblas") or "libopenblas.so.0")
    blas.openblas_get_corename.restype = ctypes.c_char_p
    core = blas.openblas_get_corename().decode()
    if core.lower() != os.environ["OPENBLAS_CORETYPE"].lower():
        return f"not for this processor ({core})"

    def reals(kind):
        return lambda values: (kind * len(values))(*[v.real for v in values])

    def pairs(kind):
        return lambda values: (kind * (2 * len(values)))(*[part for v in values for part in (v.real, v.imag)])

    checks = {"dgemm": product_error(blas, "dgemm_", reals(ctypes.c_double), 2 ** -52),
              "sgemm": product_error(blas, "sgemm_", reals(ctypes.c_float), 2 ** -23),
              "zgemm": product_error(blas, "zgemm_", pairs(ctypes.c_double), 2 ** -52),
              "cgemm": product_error(blas, "cgemm_", pairs(ctypes.c_float), 2 ** -23),
              "dtrsm": solve_error(blas)}
    wrong = [f"{name} by {error:.1e} eps" for name, error in checks.items() if not error < 100]
    return "wrong: " + ", ".join(wrong) if wrong else ""


def usable_kernels(names):
    usable = []
    for name in names:
        env = dict(os.environ, OPENBLAS_CORETYPE=name)
        run = subprocess.run([sys.executable, __file__, "--check"], env=env, capture_output=True, text=True, check=False)
        fault = run.stdout.strip() if run.returncode == 0 else f"ends with {run.returncode}"
        if fault:
            print(f"{name}: {fault}")
        else:
            usable.append(name)
    return usable


def outcome(program, path, kernel):
    """Verdict, exit code and bounds of the rank, as one word."""
    env = dict(os.environ, OPENBLAS_CORETYPE=kernel)
    try:
        run = subprocess.run([program, "solve", path, "--threads", "1", "--json", "-"], env=env, capture_output=True, text=True,
                             check=False, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return "too_slow"
    try:
        said = json.loads(run.stdout)
    except ValueError:
        return f"none {run.returncode}"
    return f"{said['verdict']} {run.returncode} {said['rank_verdict']} {said['rank_lowest']} {said['rank_highest']}"


def read_results(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as lines:
        return {tuple(line.rstrip("\n").split("\t")[:2]): line.rstrip("\n").split("\t")[2] for line in lines}


def report(results, kernels, names, known):
    differing, missed = [], []
    for name in names:
        outcomes = {kernel: results[name, kernel] for kernel in kernels}
        if len(set(outcomes.values())) > 1:
            differing.append(f"{name}: {outcomes}")
        if name in known and any(o.split()[3:] != [str(known[name])] * 2 for o in outcomes.values()):
            missed.append(f"{name}: rank {known[name]}: {sorted(set(outcomes.values()))}")
    print(f"kernels: {', '.join(kernels)}")
    print(f"one outcome: {len(names) - len(differing)} of {len(names)} matrices", *differing, sep="\n  ")
    print(f"known rank found with all kernels: {len(known) - len(missed)} of {len(known)}", *missed, sep="\n  ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--stokes", type=int, default=0)
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument("--write-stokes", metavar="FOLDER", help="keep them there")
    args = parser.parse_args()
    kernels = usable_kernels(args.kernels.split(","))
    results = read_results(args.results)
    known = {}
    with tempfile.TemporaryDirectory() as scratch, open(args.results, "a", encoding="utf-8") as out:
        paths = {os.path.basename(path): path for path in args.files}
        for seed in range(args.stokes):
            grid, num_null = stokes_matrix(seed)
            name = f"stokes_{seed}.mtx"
            paths[name] = os.path.join(args.write_stokes or scratch, name)
            known[name] = grid.order - num_null
            write_matrix(grid, paths[name])
        for name, path in paths.items():
            for kernel in kernels:
                if (name, kernel) not in results:
                    results[name, kernel] = outcome(args.program, path, kernel)
                    out.write(f"{name}\t{kernel}\t{results[name, kernel]}\n")
                    out.flush()
    report(results, kernels, list(paths), known)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        print(check_kernels())
    else:
        main()
