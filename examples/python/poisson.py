# SPDX-License-Identifier: BSD-3-Clause
"""Shear flow past a cylinder: Poisson's equation by linear finite elements, symmetric positive definite.

The stream function obeys laplace(psi) = VORTICITY outside the unit disc, and psi = 0 on it. Far away the flow is parallel to the
x axis and faster with growing y. The exact solution is known, so that the order of convergence can be measured.
"""
import sys

import frond
import numpy as np
import pictures
import scipy.sparse as sparse

VORTICITY, HALF_WIDTH = 0.5, 3.0  # the square around the disc has twice this width


def exact(x, y):
    z2 = (x + 1j * y)**2
    return y * (1 - 1 / abs(z2)) + VORTICITY / 4 * (2 * y**2 + (1 / z2).real - 1)


def mesh(rings):
    """Points on rays from the disc to the square, triangles between them, and which points are on the boundary."""
    rays = np.exp(1j * np.linspace(0, 2 * np.pi, 5 * rings, endpoint=False))  # `rings` is a multiple of 8: they meet the corners
    lengths = HALF_WIDTH / np.maximum(abs(rays.real), abs(rays.imag))
    points = rays[:, None] * lengths[:, None]**np.linspace(0, 1, rings + 1)  # closer to each other near the disc
    a = np.arange(points.size).reshape(points.shape)
    b = np.roll(a, -1, axis=0)  # the next ray
    triangles = [np.stack(t, axis=-1).reshape(-1, 3) for t in ((a[:, :-1], a[:, 1:], b[:, 1:]), (a[:, :-1], b[:, 1:], b[:, :-1]))]
    return points.ravel().view(float).reshape(-1, 2), np.vstack(triangles), a[:, [0, -1]].ravel()


def flow(rings):
    """Points, triangles, the stream function at the points, and the factorization that gave it."""
    points, triangles, boundary = mesh(rings)
    corners = points[triangles]
    edges = np.roll(corners, 1, axis=1) - np.roll(corners, -1, axis=1)  # opposite to each corner
    areas = abs(edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]) / 2
    stiffness = np.einsum("tid,tjd->tij", edges, edges) / (4 * areas[:, None, None])
    rows, columns = np.repeat(triangles, 3, axis=1).ravel(), np.tile(triangles, 3).ravel()
    A = sparse.csr_matrix((stiffness.ravel(), (rows, columns)))
    psi = exact(*points.T)  # replaced by what is computed, except on the boundary
    b = -VORTICITY / 3 * np.bincount(triangles.ravel(), np.repeat(areas, 3)) - A[:, boundary] @ psi[boundary]
    free = np.setdiff1d(np.arange(len(points)), boundary)
    factorization = frond.factorize(A[free][:, free], symmetry="symmetric", error_bounds="first")
    psi[free] = factorization.solve(b[free])
    return points, triangles, psi, factorization


def draw(file, points, triangles, psi):
    figure, axes = pictures.pyplot().subplots(figsize=(6, 5))
    from matplotlib.tri import LinearTriInterpolator, Triangulation
    grid = Triangulation(*points.T, triangles)
    speed = np.hypot(*LinearTriInterpolator(grid, psi).gradient(*points.T))
    figure.colorbar(axes.tricontourf(grid, speed, 15, cmap="YlGnBu"), label="speed")
    upstream = np.linspace(-2, 3, 26)  # heights at which streamlines come from far away
    axes.tricontour(grid, psi, upstream + VORTICITY / 2 * upstream**2, colors="black", linewidths=0.7, linestyles="solid")
    disc = np.exp(1j * np.linspace(0, 2 * np.pi, 200))
    axes.fill(disc.real, disc.imag, facecolor="lightgrey", edgecolor="black", zorder=3)
    axes.set(aspect="equal", xlabel="x / radius", ylabel="y / radius", title="Streamlines of a shear flow past a cylinder")
    figure.savefig(file)


picture = pictures.requested(__doc__)
print("unknowns   largest error")
errors = []
for rings in (8, 16, 32, 64, 128):
    points, triangles, psi, factorization = flow(rings)
    errors.append(abs(psi - exact(*points.T)).max())
    print(f"{factorization.shape[0]:8d}   {errors[-1]:.3e}")
order = np.log2(errors[-2] / errors[-1])
print(f"order of convergence: {order:.2f} (theory: 2)\n{factorization['method']}: {factorization['description']}")
if picture:
    draw(picture, points, triangles, psi)
sys.exit(0 if abs(order - 2) < 0.1 and factorization["forward_error_bound"] < 1e-10 else 1)
