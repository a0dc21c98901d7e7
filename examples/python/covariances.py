# SPDX-License-Identifier: BSD-3-Clause
"""A random field from noisy values at scattered sites: kriging by sparse precision matrices (Lindgren, Rue and Lindstroem, 2011).

The field is Gaussian, of variance 1, and correlated over a distance that is estimated by its likelihood, which takes determinants.
Standard deviations of the result are entries of an inverse, of which only those that are wanted are computed.
"""
import sys

import frond
import numpy as np
import pictures
import scipy.sparse as sparse

POINTS, SITES, NOISE = 80, 150, 0.1  # of the grid in each direction, the number of observations, their standard deviation


def precision(distance):
    """The inverse of the covariance matrix of the field on the unit square: (kappa^2 - laplace)^2, scaled."""
    h, kappa = 1 / (POINTS - 1), np.sqrt(8) / distance
    line = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(POINTS, POINTS)).tolil()
    line[0, 0] = line[-1, -1] = 1
    operator = kappa**2 * sparse.identity(POINTS**2) + sparse.kronsum(line, line) / h**2
    return (operator @ operator * (h**2 / (4 * np.pi * kappa**2))).tocsc()


def interpolation(sites):
    """The matrix that takes values on the grid to values at the sites, between four points of the grid each."""
    cell = np.floor(sites * (POINTS - 1)).astype(int)
    (fx, fy), (x, y) = (sites * (POINTS - 1) - cell).T, cell.T
    weights = np.stack([(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy])
    columns = np.stack([x + POINTS * y, x + 1 + POINTS * y, x + POINTS * (y + 1), x + 1 + POINTS * (y + 1)])
    return sparse.csr_matrix((weights.T.ravel(), columns.T.ravel(), 4 * np.arange(SITES + 1)), (SITES, POINTS**2))


def estimate(distance):
    """The log-likelihood of a distance of correlation, and the mean of the field; `prior` and `posterior` are factorized for it."""
    Q = precision(distance)
    prior.refactorize(Q)
    posterior.refactorize(Q + B.T @ B / NOISE**2)
    mean = posterior.solve(B.T @ y / NOISE**2)
    misfit = (y @ y - y @ (B @ mean)) / NOISE**2
    return -(SITES * np.log(2 * np.pi * NOISE**2) + posterior.logdet() - prior.logdet() + misfit) / 2, mean


picture = pictures.requested(__doc__)
random = np.random.default_rng(3)
sites = random.random((2 * SITES, 2))
sites = sites[np.linalg.norm(sites - [0.65, 0.6], axis=1) > 0.22][:SITES]  # nothing is known inside a circle
B = interpolation(sites)
prior = frond.factorize(precision(0.3), symmetry="symmetric", reuse="many")
posterior = frond.factorize(precision(0.3) + B.T @ B, symmetry="symmetric", reuse="many")
truth = prior.solve_part("lower", random.standard_normal(POINTS**2), trans="H")  # L^-T z has the covariance of the field
y = B @ truth + NOISE * random.standard_normal(SITES)

best = max(np.geomspace(0.1, 1, 11), key=lambda distance: estimate(distance)[0])
likelihood, mean = estimate(best)
deviation = np.sqrt(posterior.inverse_diagonal())
around = posterior.inverse_entries(B.T @ B)  # covariances of the four points around each site
at_sites = (B @ around).multiply(B).sum(axis=1).A1
print(f"distance of correlation: {best:.3f} (of the field: 0.300), log-likelihood {likelihood:.3f}")
print(f"standard deviation: {deviation.min():.3f} to {deviation.max():.3f}, at sites at most {np.sqrt(at_sites.max()):.3f}")
print(f"points where the field is within two standard deviations of its mean: {np.mean(abs(truth - mean) < 2 * deviation):.1%}")

S = B @ prior.solve(B.T.toarray()) + NOISE**2 * np.identity(SITES)  # the covariance matrix of the observations
expected = -(SITES * np.log(2 * np.pi) + np.linalg.slogdet(S)[1] + y @ np.linalg.solve(S, y)) / 2
some = np.arange(0, POINTS**2, 997)
units = np.identity(POINTS**2)[:, some]
differences = [abs(likelihood / expected - 1), abs(deviation[some]**2 / posterior.solve(units)[some].diagonal() - 1).max(),
               abs(at_sites / (B @ posterior.solve(B.T.toarray())).diagonal() - 1).max()]
print("relative differences from dense matrices: " + ", ".join(f"{difference:.1e}" for difference in differences))
if picture:
    field, average, spread = (values.reshape(POINTS, POINTS) for values in (truth, mean, deviation))
    figure, axes = pictures.maps(("Field and sites", field, "RdBu_r", -3, 3), ("Mean from observations", average, "RdBu_r", -3, 3),
                                 ("Standard deviation", spread, "viridis", 0, 1.2))
    for panel in axes:
        panel.plot(*sites.T, "k.", markersize=3)
    figure.savefig(picture)
sys.exit(0 if max(differences) < 1e-9 else 1)
