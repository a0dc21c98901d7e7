# SPDX-License-Identifier: BSD-3-Clause
"""Frequency response of a simply supported steel plate: (K + i omega C - omega^2 M) u = f at many frequencies.

The matrices are complex and symmetric, and all have one pattern, which is analysed once. The plate's equation is discretized by
finite differences, whose eigenvectors are products of sines, so that modal superposition gives the same response in another way.
"""
import sys
import time

import frond
import numpy as np
import pictures
import scipy.sparse as sparse

LENGTH, WIDTH, THICKNESS, H = 0.6, 0.4, 0.002, 0.0125  # in m; H is the distance of grid points
YOUNG, POISSON, DENSITY = 210e9, 0.3, 7850.0  # in Pa, 1, and kg/m^3
C_MASS, C_STIFFNESS = 10.0, 1.5e-5  # C = C_MASS M + C_STIFFNESS K; in 1/s and s
SOURCE = 0.1375, 0.1625  # where the force acts, and the displacement is measured, in m from a corner


def responses(K, C, M, force, frequencies):
    """The displacements at all points, a column for each frequency in Hz; several are computed at a time."""
    matrices = (K + 1j * omega * C - omega**2 * M for omega in 2 * np.pi * frequencies)
    return frond.solve_batch(matrices, force).T


def modal_superposition(bending, mass, frequencies):
    """The displacement at the source, for a force of 1 N, and the natural frequencies in Hz."""
    (x, y), (j, k) = SOURCE, np.meshgrid(np.arange(1, nx + 1), np.arange(1, ny + 1))
    laplace = 4 / H**2 * (np.sin(np.pi * j * H / LENGTH / 2)**2 + np.sin(np.pi * k * H / WIDTH / 2)**2)
    squares = (bending / mass * laplace**2).reshape(-1, 1)  # of the natural frequencies, in radians per second
    shapes = (np.sin(np.pi * j * x / LENGTH) * np.sin(np.pi * k * y / WIDTH)).reshape(-1, 1)
    omega = 2 * np.pi * frequencies
    terms = shapes**2 / (squares + 1j * omega * (C_MASS + C_STIFFNESS * squares) - omega**2)
    return 4 / (LENGTH * WIDTH * mass) * terms.sum(axis=0), np.sort(np.sqrt(squares.ravel())) / (2 * np.pi)


def draw(file, frequencies, displacements, peaks):
    plt = pictures.pyplot()
    figure, axes = plt.subplot_mosaic("cccc;0123", figsize=(9, 5), gridspec_kw={"height_ratios": [2, 1]})
    axes["c"].semilogy(frequencies, 1e6 * abs(displacements[source]), color="black")
    axes["c"].set(title="Response of a steel plate, and its shape at four resonances", xlim=frequencies[[0, -1]],
                  xlabel="frequency in Hz", ylabel="displacement in µm/N")
    for panel, peak in zip("0123", peaks[::2]):
        axes["c"].plot(frequencies[peak], 1e6 * abs(displacements[source, peak]), "o", color="firebrick")
        shape = displacements[:, peak] / max(displacements[:, peak], key=abs)
        axes[panel].contourf(np.pad(shape.real.reshape(ny, nx), 1), np.linspace(-1.05, 1.05, 22), cmap="RdBu_r")
        axes[panel].set(aspect="equal", xticks=[], yticks=[], title=f"{frequencies[peak]:.0f} Hz")
    figure.savefig(file)


picture = pictures.requested(__doc__)
nx, ny = round(LENGTH / H) - 1, round(WIDTH / H) - 1
bending, mass = YOUNG * THICKNESS**3 / (12 * (1 - POISSON**2)), DENSITY * THICKNESS  # in N m and kg/m^2
lines = [sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n)) / H**2 for n in (nx, ny)]
laplace = sparse.kronsum(*lines).tocsc()
K, M = bending * H**2 * laplace @ laplace, mass * H**2 * sparse.identity(nx * ny)
source = round(SOURCE[0] / H) - 1 + nx * (round(SOURCE[1] / H) - 1)
force = np.zeros(nx * ny)
force[source] = 1
frequencies = np.arange(20.0, 352.0, 2.0)
start = time.perf_counter()
displacements = responses(K, C_MASS * M + C_STIFFNESS * K, M, force, frequencies)
print(f"{frequencies.size} frequencies, {K.shape[0]} unknowns: {time.perf_counter() - start:.2f} seconds")
expected, natural = modal_superposition(bending, mass, frequencies)
amplitudes = abs(displacements[source])
peaks = 1 + np.flatnonzero((amplitudes[1:-1] > amplitudes[:-2]) & (amplitudes[1:-1] > amplitudes[2:]))
print("resonances in Hz:         ", *(f"{frequency:5.0f}" for frequency in frequencies[peaks]))
print("natural frequencies in Hz:", *(f"{frequency:5.1f}" for frequency in natural[natural < frequencies[-1]]))
difference = max(abs(displacements[source] / expected - 1))
print(f"largest relative difference from modal superposition: {difference:.1e}")
if picture:
    draw(picture, frequencies, displacements, peaks)
sys.exit(0 if difference < 1e-8 else 1)
