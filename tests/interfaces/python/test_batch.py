# SPDX-License-Identifier: BSD-3-Clause
"""Many systems of one pattern."""
import numpy as np
import pytest
import scipy.sparse as sparse

import frond

N = 60


def matrices(number, dtype=np.float64):
    """A shifted Laplacian for each, complex where `dtype` is."""
    laplacian = sparse.diags([-1, 2.5, -1], [-1, 0, 1], shape=(N, N), format="csc").astype(dtype)
    shift = 1j if np.dtype(dtype).kind == "c" else 1
    return [(laplacian + k * shift * sparse.identity(N)).astype(dtype).tocsc() for k in range(number)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("threads", [1, 3])
def test_each_system_is_solved(dtype, threads):
    systems = matrices(7, dtype)
    b = np.random.default_rng(1).standard_normal((7, N, 2)).astype(dtype)
    x = frond.solve_batch(systems, b, threads=threads)
    assert x.shape == b.shape and x.dtype == dtype
    for k, matrix in enumerate(systems):
        assert np.abs(matrix @ x[k] - b[k]).max() < 100 * np.finfo(dtype).eps


def test_right_hand_sides_of_all_shapes():
    systems = matrices(3)
    shared = frond.solve_batch(systems, np.arange(N))
    own = frond.solve_batch(systems, np.tile(np.arange(N), (3, 1)))
    assert shared.shape == own.shape == (3, N) and np.array_equal(shared, own)
    assert np.allclose(shared[2], frond.solve(systems[2], np.arange(N)))
    assert frond.solve_batch([], np.arange(N)).shape == (0, N)
    assert frond.solve_batch([], np.empty((0, N, 2))).shape == (0, N, 2)
    adjoint = frond.solve_batch(matrices(2, np.complex128), np.ones(N), trans="H")
    assert np.allclose(matrices(2, np.complex128)[1].conj().T @ adjoint[1], 1)


def test_generators_are_read_in_parts(monkeypatch):
    monkeypatch.setattr(frond._batch, "_CHUNK_BYTES", 3000)
    told = []
    x = frond.solve_batch((matrix for matrix in matrices(9)), np.ones(N))
    listed = frond.solve_batch(matrices(9), np.ones(N), progress=told.append)
    assert x.shape == (9, N) and np.array_equal(x, listed)
    assert told == sorted(told) and told[-1] == 1 and len(told) == 9


def test_symmetry_may_change_from_system_to_system():
    systems = matrices(4)
    systems[2].data[1] = 7
    x = frond.solve_batch(systems, np.ones(N))
    for matrix, solution in zip(systems, x):
        assert np.allclose(matrix @ solution, 1)


def test_the_system_that_is_singular_is_named(monkeypatch):
    monkeypatch.setattr(frond._batch, "_CHUNK_BYTES", 3000)
    systems = matrices(6)
    systems[4].data[:] = 0
    with pytest.raises(frond.SingularMatrixError, match="^system 4: ") as raised:
        frond.solve_batch(systems, np.ones(N))
    assert np.allclose(systems[5] @ raised.value.x[5], 1)


@pytest.mark.parametrize("change, word", [
    (lambda systems: systems.__setitem__(1, sparse.identity(N, format="csc")), "matrix 1 has entries at other places"),
    (lambda systems: systems[2].data.__setitem__(3, np.nan), "system 2: "),
    (lambda systems: systems.__setitem__(0, 3.0), "a float in it"),
])
def test_misuse_is_an_error_that_names_the_system(change, word):
    systems = matrices(4)
    change(systems)
    with pytest.raises(frond.UsageError, match=word):
        frond.solve_batch(systems, np.ones(N))


@pytest.mark.parametrize("b", [np.ones(N + 1), np.ones((3, N)), np.ones((5, N)), np.ones((4, N + 1)), np.ones((1, 1, 1, 1))])
def test_right_hand_sides_that_do_not_fit(b):
    with pytest.raises(frond.UsageError, match="right-hand sides"):
        frond.solve_batch(matrices(4), b)
