# SPDX-License-Identifier: BSD-3-Clause
"""Heating a plate to a wanted temperature: an interior-point method for quadratic programs with sparse data and bounds.

    minimize x^T H x / 2 + c^T x   subject to   A x = b   and   B x >= d, with one entry in each row of B, 1 or -1

x holds temperature and heating at each point, and A x = b is the heat equation. Where the price of heating is convex, u^2, every
step leads downhill. The price u (1 - u), for heaters that are on or off, is concave: a step leads downhill if the inertia of its
matrix is (variables, equations, 0), and the diagonal of H is enlarged until it is.
"""
import sys

import frond
import numpy as np
import pictures
import scipy.sparse as sparse

POINTS, HOTTEST, STRONGEST = 50, 1.05, 40.0  # of the grid in each direction; limits of temperature and heating


def longest(values, change):
    """The step, at most 1, that keeps values + step * change positive."""
    return min(1.0, 0.99 * np.min(values[change < 0] / -change[change < 0], initial=np.inf))


def interior_point(H, c, A, b, B, d, x):
    """A local minimum, from x with B x > d: x, the multipliers of A and of B, the inertia there, and how often it factorized."""
    m, n = A.shape
    y, z, slack, barrier, shift, count = np.zeros(m), np.ones(d.size), B @ x - d, 1.0, 0.0, 0
    K = sparse.tril(sparse.bmat([[H + sparse.identity(n), A.T], [A, None]]), format="csc")
    diagonal = K.indptr[:n]  # the places of the diagonal of H: it comes first in each column
    factorization = frond.factorize(K, symmetry="symmetric", matching="always", reuse="many")

    def residual(barrier):
        """Of the gradient of the Lagrangian, the equations, and the products that are to be `barrier`."""
        return max(abs(H @ x + c - A.T @ y - B.T @ z).max(), abs(A @ x - b).max(), abs(slack * z - barrier).max())

    def inertia(shift):
        K.data[diagonal] = H.diagonal() + abs(B).T @ (z / slack) + shift
        return factorization.refactorize(K.data).inertia

    while residual(0) > 1e-8 and count < 500:
        while residual(barrier) < 10 * barrier:
            barrier /= 10
        shift = shift / 3 if shift > 1e-8 else 0.0
        while inertia(shift) != (n, m, 0):
            shift, count = max(1e-4, 4 * shift), count + 1
        count += 1
        right = np.concatenate([A.T @ y + B.T @ (barrier / slack) - H @ x - c, b - A @ x])
        dx, dy = np.split(factorization.solve(right) * np.repeat([1, -1], [n, m]), [n])
        change = B @ dx
        dz = (barrier - z * change) / slack - z
        step = longest(slack, change)
        x, y, z = x + step * dx, y + step * dy, z + longest(z, dz) * dz
        slack = B @ x - d
    return x, y, z, inertia(0.0), count


def star(angles):
    """The distances from the centre to the edge of the region where the temperature 1 is wanted."""
    return 0.28 + 0.1 * np.cos(5 * angles)


picture = pictures.requested(__doc__)
size, h = POINTS**2, 1 / (POINTS + 1)
X, Y = np.meshgrid(*2 * [h * np.arange(1, POINTS + 1) - 0.5])
wanted = 1.0 * (np.hypot(X, Y) < star(np.arctan2(X, Y))).ravel()
line = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(POINTS, POINTS))
identity, zero, one = sparse.identity(size), np.zeros(size), np.ones(size)
A = sparse.hstack([sparse.kronsum(line, line), -h**2 * STRONGEST * identity]).tocsr()  # heating is relative to the strongest
B = sparse.bmat([[-identity, None], [None, identity], [None, -identity]]).tocsr()
d = np.concatenate([-HOTTEST * one, zero, -one])
maps, is_right = [], True
for curvature, linear, price in ((0.01, 0.0, "u^2"), (-0.01, 0.005, "u (1 - u)")):
    H, c = sparse.diags(np.repeat([1, curvature], size)), np.concatenate([-wanted, linear * one])
    x, y, z, inertia, count = interior_point(H, c, A, zero, B, d, np.concatenate([zero, one / 2]))
    slack, (temperature, heating) = B @ x - d, x.reshape(2, POINTS, POINTS)
    violation = max(abs(H @ x + c - A.T @ y - B.T @ z).max(), abs(A @ x).max(), -slack.min(), -z.min(), (slack * z).max())
    on_or_off = np.mean(np.minimum(heating, 1 - heating) < 1e-3)
    print(f"price {price}: {count} factorizations, inertia {inertia}, optimal to {violation:.0e}, {on_or_off:.1%} on or off")
    is_right = is_right and violation < 1e-7 and inertia == (2 * size, size, 0)
    maps += [("Temperature (wanted: 1 inside)", temperature, "inferno", 0, HOTTEST),
             (f"Heating if its price is {price}", STRONGEST * heating, "viridis", 0, STRONGEST)]
if picture:
    figure, axes = pictures.maps(maps[0], maps[1], maps[3])
    angles = np.linspace(0, 2 * np.pi, 400)
    for panel in axes:
        panel.plot(0.5 + star(angles) * np.sin(angles), 0.5 + star(angles) * np.cos(angles), color="white", linewidth=1)
    figure.savefig(picture)
sys.exit(0 if is_right else 1)
