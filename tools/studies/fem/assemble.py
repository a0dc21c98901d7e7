#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Assembles matrices of finite elements on meshes of tetrahedra by FreeFEM, and writes them as Matrix Market files.

    tools/studies/fem/assemble.py FOLDER [NAME...]     # all by default; files that are there are not made again
    frond bench FOLDER --threads 2

Debian has FreeFEM in the packages freefem++ and libfreefem++. Each physics is a script (*.edp); CASES lists shapes, sizes and
parameters. Unknowns that boundary conditions give are eliminated: FreeFEM leaves them a unit diagonal, and they are left out here.
So are pressures in corners where all velocities are given, of which nothing is left.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import accumulate
from pathlib import Path

HERE = Path(__file__).resolve().parent
FREEFEM = "FreeFem++-nw"
MODULES = "/usr/lib/freefem++"  # where Debian installs what FreeFEM loads, and where it does not look by itself

# Name: script, element, shape, length of edges, other parameters than DEFAULTS.
CASES = {
    "diffusion_p1_plate": ("diffusion", "P1", "plate", 0.085, {}),
    "diffusion_p1_corner": ("diffusion", "P1", "corner", 0.06, {"grading": 8, "contrast": 1e6}),
    "diffusion_p1_bend": ("diffusion", "P1", "bend", 0.057, {"contrast": 1}),
    "diffusion_p2_bend": ("diffusion", "P2", "bend", 0.2, {"contrast": 1}),
    "diffusion_p2_corner": ("diffusion", "P2", "corner", 0.12, {"contrast": 1e4}),
    "diffusion_p2_plate": ("diffusion", "P2", "plate", 0.073, {}),
    "convection_p1_plate": ("convection", "P1", "plate", 0.085, {}),
    "convection_p1_bend": ("convection", "P1", "bend", 0.08, {"peclet": 1e4}),
    "convection_p1_corner": ("convection", "P1", "corner", 0.042, {"grading": 1}),
    "convection_p2_corner": ("convection", "P2", "corner", 0.16, {"peclet": 1e3}),
    "convection_p2_plate": ("convection", "P2", "plate", 0.13, {"peclet": 1}),
    "elasticity_p1_plate": ("elasticity", "P1", "plate", 0.16, {}),
    "elasticity_p1_corner": ("elasticity", "P1", "corner", 0.095, {"contrast": 1e5, "grading": 6}),
    "elasticity_p1_bend": ("elasticity", "P1", "bend", 0.098, {"nu": 0.49}),
    "elasticity_p2_bend": ("elasticity", "P2", "bend", 0.28, {}),
    "elasticity_p2_plate": ("elasticity", "P2", "plate", 0.19, {"contrast": 1, "nu": 0.45}),
    "stokes_plate": ("stokes", "P2", "plate", 0.3, {}),
    "stokes_corner": ("stokes", "P2", "corner", 0.19, {"grading": 5}),
    "stokes_bend": ("stokes", "P2", "bend", 0.22, {"contrast": 1e4}),
    "stokes_bend_finer": ("stokes", "P2", "bend", 0.17, {"contrast": 1}),
    "maxwell_step_plate": ("maxwell", "Edge03d", "plate", 0.15, {"shift": 10}),
    "maxwell_step_bend": ("maxwell", "Edge03d", "bend", 0.11, {"shift": 1e-2}),
    "maxwell_cavity_corner": ("maxwell", "Edge03d", "corner", 0.11, {"shift": -30}),
    "maxwell_cavity_second_bend": ("maxwell", "Edge13d", "bend", 0.24, {"shift": -20}),
    "waves_bend": ("waves", "Edge03d", "bend", 0.22, {"wave": 4}),
    "waves_plate": ("waves", "Edge03d", "plate", 0.11, {"wave": 8}),
    "waves_second_corner": ("waves", "Edge13d", "corner", 0.18, {"wave": 6}),
}
DEFAULTS = {"grading": 3, "contrast": 1000, "peclet": 100, "nu": 0.3, "shift": 1, "wave": 3}
UNSYMMETRIC = {"convection"}


def is_zero(value):
    """Whether an entry as FreeFEM writes it, a number or (re,im), is zero: forms that couple no unknowns leave such entries."""
    return not value.strip("(-0.,)")


def assemble(case, folder):
    """Runs FreeFEM on a script that sets the parameters and includes that of the physics; returns the file that it writes."""
    script, element, shape, size, others = case
    numbers = ", ".join(f"{name} = {value}" for name, value in {"size": size, **DEFAULTS, **others}.items())
    output = folder / "matrix.txt"
    main = folder / "main.edp"
    main.write_text(f'string shape = "{shape}", output = "{output}";\nreal {numbers};\nmacro element() {element} //\n'
                    f'include "{script}.edp"\n')
    paths = {"FF_INCLUDEPATH": f"{HERE};;", "FF_LOADPATH": os.environ.get("FF_LOADPATH", f"{MODULES};;")}
    run = subprocess.run([FREEFEM, "-nw", "-ne", "-v", "0", str(main)], env={**os.environ, **paths}, capture_output=True, text=True)
    if run.returncode:
        missing = " (install libfreefem++, or name the folder of FreeFEM's modules by FF_LOADPATH)" if "Load error" in run.stdout else ""
        sys.exit(f"{FREEFEM} failed on {script}.edp with exit code {run.returncode}{missing}:\n{run.stdout[-2000:]}")
    return output


def entries(path):
    """Rows, columns (from 0) and values, as text, of FreeFEM's file: two comments, a line of sizes, then an entry a line."""
    with path.open() as lines:
        for _ in range(3):
            next(lines)
        for line in lines:
            row, col, value = line.split()
            if not is_zero(value):
                yield int(row), int(col), value


def convert(path, target, is_symmetric):
    """Writes the matrix without the unknowns that are coupled to no other; of a symmetric one the lower triangle."""
    with path.open() as lines:
        order = int([next(lines) for _ in range(3)][2].split()[0])
    is_coupled = bytearray(order)
    has_diagonal = bytearray(order)
    is_complex = False
    num_entries = 0
    for row, col, value in entries(path):
        num_entries += col <= row or not is_symmetric
        if row == col:
            has_diagonal[row] = 1
        else:
            is_coupled[row] = is_coupled[col] = 1
            is_complex = is_complex or value[0] == "("
    new_number = list(accumulate(is_coupled))  # from 1; of an unknown that is left out it means nothing
    left = new_number[-1]
    num_entries -= sum(diagonal > coupled for diagonal, coupled in zip(has_diagonal, is_coupled))
    field, symmetry = "complex" if is_complex else "real", "symmetric" if is_symmetric else "general"
    partial = target.with_suffix(".partial")  # an interrupted run leaves no file that looks complete
    with partial.open("w") as out:
        out.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n{left} {left} {num_entries}\n")
        for row, col, value in entries(path):
            if is_coupled[row] and (col <= row or not is_symmetric):
                out.write(f"{new_number[row]} {new_number[col]} {value.strip('()').replace(',', ' ')}\n")
    partial.rename(target)
    return left, num_entries


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or not set(sys.argv[2:]) <= set(CASES):
        sys.exit(f"{__doc__}\nNames: {', '.join(CASES)}")
    if not shutil.which(FREEFEM):
        sys.exit(f"{FREEFEM} is missing: on Debian, apt-get install --no-install-recommends freefem++ libfreefem++")
    target_folder = Path(sys.argv[1])
    target_folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or CASES:
        target = target_folder / f"{name}.mtx"
        if target.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            order, num_entries = convert(assemble(CASES[name], Path(folder)), target, CASES[name][0] not in UNSYMMETRIC)
        print(f"{name}: {order} unknowns, {num_entries} entries written", flush=True)


if __name__ == "__main__":
    main()
