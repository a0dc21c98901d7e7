# SPDX-License-Identifier: BSD-3-Clause
"""Vibrations of an L-shaped membrane: eigenvalues of K v = lambda M v by shift and invert, and a proof that none is missed.

The lowest eigenvalue is 9.6397238440219 (Betcke and Trefethen, 2005); the third one is 2 pi^2. Sylvester's law of inertia says
that K - sigma M has as many negative eigenvalues as there are lambda below sigma.
"""
import sys

import frond
import numpy as np
import pictures
import scipy.sparse as sparse
from scipy.sparse.linalg import eigsh

LOWEST = 9.6397238440219


def membrane(cells):
    """Stiffness and mass of bilinear elements on three unit squares, each of cells^2 elements, and the interior points."""
    h = 1 / cells
    n = 2 * cells - 1
    stiffness = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n)) / h
    mass = sparse.diags([1, 4, 1], [-1, 0, 1], shape=(n, n)) * h / 6
    x, y = np.meshgrid(np.arange(1, n + 1) * h, np.arange(1, n + 1) * h)
    inside = (x < 1) | (y < 1)
    kept = np.flatnonzero(inside)
    K = (sparse.kron(stiffness, mass) + sparse.kron(mass, stiffness)).tocsr()[kept][:, kept]
    M = sparse.kron(mass, mass).tocsr()[kept][:, kept]
    return K, M, inside


def modes_near(K, M, sigma, count):
    """The eigenvalues closest to sigma, from the lowest on, and their vectors."""
    factorization = frond.factorize(K - sigma * M, symmetry="symmetric")  # indefinite, unless sigma is below all of them
    return eigsh(K, count, M, sigma=sigma, OPinv=factorization.as_linear_operator())


def draw(file, inside, eigenvalues, vectors):
    figure, axes = pictures.pyplot().subplots(2, 4, figsize=(8, 4.4))
    for panel, value, vector in zip(axes.flat, eigenvalues, vectors.T):
        heights = np.zeros(inside.shape)
        heights[inside] = vector / abs(vector).max() * np.sign(vector[np.argmax(abs(vector))])
        panel.contourf(np.pad(heights, 1), np.linspace(-1, 1, 22), cmap="RdBu_r", extent=(0, 2, 0, 2))
        panel.fill([1, 2, 2, 1], [1, 1, 2, 2], color="white")
        panel.plot([0, 2, 2, 1, 1, 0, 0], [0, 0, 1, 1, 2, 2, 0], color="black", linewidth=1)
        panel.set(aspect="equal", xlim=(-0.03, 2.03), ylim=(-0.03, 2.03), title=rf"$\lambda$ = {value:.3f}")
        panel.axis("off")
    figure.suptitle("Modes of an L-shaped membrane")
    figure.savefig(file)


picture = pictures.requested(__doc__)
print("unknowns   lowest eigenvalue")
lowest = []
for cells in (12, 24, 48):
    K, M, inside = membrane(cells)
    eigenvalues, vectors = modes_near(K, M, 0.0, 8)
    lowest.append(eigenvalues[0])
    print(f"{K.shape[0]:8d}   {eigenvalues[0]:.6f}")
for power in (4 / 3, 2):  # of h in the error, the first one because of the corner: Richardson's extrapolation
    lowest = lowest[1:] + np.diff(lowest) / (2**power - 1)
third = 12 * cells**2 * (1 - np.cos(np.pi / cells)) / (2 + np.cos(np.pi / cells))  # tends to 2 pi^2
print(f"extrapolated: {lowest[0]:.6f} (theory: {LOWEST:.6f})")
print(f"third eigenvalue: {eigenvalues[2]:.10f} (theory for these elements: {third:.10f})")

low, high = 350.0, 450.0  # an interval in the middle of the spectrum
below_low, below_high = (frond.factorize(K - sigma * M, symmetry="symmetric", keep="none").inertia[1] for sigma in (low, high))
count = below_high - below_low
values, shapes = modes_near(K, M, (low + high) / 2, count + 4)
found = np.count_nonzero((values > low) & (values < high))
residual = np.linalg.norm(K @ shapes - M @ shapes * values, axis=0).max() / high
print(f"eigenvalues from {low:g} to {high:g}: {found}; by inertia: {below_high} - {below_low} = {count}")
if picture:
    draw(picture, inside, eigenvalues, vectors)
is_right = abs(lowest[0] - LOWEST) < 2e-4 and abs(eigenvalues[2] - third) < 1e-9 and found == count and residual < 1e-9
sys.exit(0 if is_right else 1)
