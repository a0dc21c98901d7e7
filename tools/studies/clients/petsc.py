# SPDX-License-Identifier: BSD-3-Clause
"""Solves systems of a grid by PETSc and MUMPS on any number of processes: petsc.py lu|cholesky|indefinite N

A matrix of N x N cells is factorized, then again with other values; a third time with several right-hand sides. Each answer is
checked by its residual.
"""
import sys

import numpy
import petsc4py

petsc4py.init([])
from petsc4py import PETSc  # noqa: E402  (options first)


def grid_matrix(kind, n):
    matrix = PETSc.Mat().createAIJ([n * n, n * n], nnz=5, comm=PETSc.COMM_WORLD)
    lower = -1.05 if kind == "lu" else -1.0
    shift = -0.9 if kind == "indefinite" else 0.0
    for row in range(*matrix.getOwnershipRange()):
        i, j = divmod(row, n)
        matrix[row, row] = 4 + shift
        for is_there, col, value in ((i > 0, row - n, lower), (i < n - 1, row + n, -1.0), (j > 0, row - 1, lower), (j < n - 1, row + 1, -1.0)):
            if is_there:
                matrix[row, col] = value
    matrix.assemble()
    return matrix


def residual(matrix, b, x):
    difference = b.duplicate()
    matrix.mult(x, difference)
    difference.axpy(-1.0, b)
    return difference.norm() / (matrix.norm() * x.norm())


def main():
    kind, n = sys.argv[1], int(sys.argv[2])
    matrix = grid_matrix(kind, n)
    solver = PETSc.KSP().create(PETSc.COMM_WORLD)
    solver.setType("preonly")
    factors = solver.getPC()
    factors.setType("lu" if kind == "lu" else "cholesky")
    factors.setFactorSolverType("mumps")
    b, x = matrix.createVecs()
    begin, end = b.getOwnershipRange()
    b.setArray(numpy.sin(numpy.arange(begin, end) + 1.0))
    worst = 0.0
    for scale in (1.0, 3.0):
        matrix.scale(scale)
        solver.setOperators(matrix)
        solver.solve(b, x)
        worst = max(worst, residual(matrix, b, x))
    factor = factors.getFactorMatrix()
    many = PETSc.Mat().createDense([n * n, 3], comm=PETSc.COMM_WORLD)
    many.setUp()
    many.setRandom()
    many.assemble()
    solutions = many.duplicate()
    factor.matSolve(many, solutions)
    product = matrix.matMult(solutions)
    product.axpy(-1.0, many)
    worst = max(worst, product.norm() / (matrix.norm() * solutions.norm()))
    negative = factor.getMumpsInfog(12) if kind == "indefinite" and not numpy.iscomplexobj(x.getArray()) else 0
    norm = x.norm()
    if PETSc.COMM_WORLD.rank == 0:
        print(f"negative {negative}\nanswer {norm:.12g}\n{'accurate' if worst < 1e-12 else f'residual {worst:.1e}'}")


main()
