# SPDX-License-Identifier: BSD-3-Clause
"""Factorizations: what they answer, that they may be shared, saved, pickled and stopped."""
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sparse
import scipy.sparse.linalg

import frond
from test_solve import DTYPES, assert_solves, random_matrix


def laplacian(n):
    """Of a grid of n x n x n points."""
    line = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
    one = sparse.identity(n)
    return (sparse.kron(sparse.kron(line, one), one) + sparse.kron(sparse.kron(one, line), one)
            + sparse.kron(sparse.kron(one, one), line)).tocsc()


@pytest.mark.parametrize("dtype", DTYPES)
def test_determinants(dtype):
    matrix = random_matrix(20, dtype)
    sign, logarithm = frond.factorize(matrix).slogdet()
    expected_sign, expected = np.linalg.slogdet(matrix.toarray().astype(np.complex128 if np.dtype(dtype).kind == "c" else np.float64))
    assert abs(sign - expected_sign) < 1e-4 and abs(logarithm - expected) < 1e-4 * abs(expected)
    definite = sparse.identity(4) * 2.0
    assert frond.factorize(definite, symmetry="symmetric").logdet() == pytest.approx(4 * np.log(2))
    with pytest.raises(ValueError, match="slogdet"):
        frond.factorize(-1.0 * sparse.identity(3)).logdet()


def test_inertia_and_null_spaces():
    matrix = sparse.diags([1.0, -2.0, 3.0, 0.0], format="csc")
    factorization = frond.factorize(matrix, symmetry="symmetric")
    assert factorization.inertia == (2, 1, 1)
    assert factorization.is_singular
    basis = factorization.null_space()
    assert basis.shape == (4, 1) and abs(basis[3, 0]) == pytest.approx(1)
    with pytest.raises(frond.SingularMatrixError):
        factorization.solve(np.ones(4))
    assert frond.factorize(sparse.identity(3)).null_space().shape == (3, 0)
    with pytest.raises(frond.UsageError, match="Schur"):
        frond.factorize(matrix, schur=[0]).null_space()


@pytest.mark.parametrize("dtype", DTYPES)
def test_entries_of_the_inverse(dtype):
    matrix = random_matrix(30, dtype)
    inverse = np.linalg.inv(matrix.toarray())
    factorization = frond.factorize(matrix)
    tolerance = 1e3 * np.finfo(dtype).eps
    np.testing.assert_allclose(factorization.inverse_diagonal(), inverse.diagonal(), rtol=tolerance, atol=tolerance)
    pattern = sparse.random(30, 30, 0.1, random_state=2)
    entries = factorization.inverse_entries(pattern, refined=True)
    for i, j in zip(*entries.nonzero()):
        assert abs(entries[i, j] - inverse[i, j]) < tolerance


def test_schur_complements():
    matrix = random_matrix(40, np.float64)
    kept = [7, 3, 39]
    others = [i for i in range(40) if i not in kept]
    dense = matrix.toarray()
    a11, a12 = dense[np.ix_(others, others)], dense[np.ix_(others, kept)]
    a21, a22 = dense[np.ix_(kept, others)], dense[np.ix_(kept, kept)]
    factorization = frond.factorize(matrix, schur=kept)
    complement = factorization.schur_complement()
    np.testing.assert_allclose(complement, a22 - a21 @ np.linalg.solve(a11, a12), rtol=1e-10)
    b = np.arange(40.0)
    x2 = np.linalg.solve(complement, factorization.condense(b))
    assert_solves(matrix, factorization.expand(b, x2), b, np.float64)
    with pytest.raises(ValueError, match="Schur"):
        frond.factorize(matrix).schur_complement()


def test_samples_by_single_factors():
    matrix = laplacian(4)
    factorization = frond.factorize(matrix, symmetry="symmetric")
    half = factorization.solve_part("lower", np.identity(64), "H")
    np.testing.assert_allclose(half @ half.T, np.linalg.inv(matrix.toarray()), atol=1e-12)


def test_other_values_of_a_pattern():
    matrix = random_matrix(40, np.float64)
    factorization = frond.factorize(matrix)
    b = np.ones(40)
    other = matrix.copy()
    other.data *= 1 + np.arange(other.nnz) / other.nnz
    assert_solves(other, factorization.refactorize(other).solve(b), b, np.float64)
    assert_solves(matrix, factorization.refactorize(matrix.data).solve(b), b, np.float64)
    different = random_matrix(40, np.float64, seed=9)
    assert_solves(different, factorization.refactorize(different).solve(b), b, np.float64)


@pytest.mark.parametrize("kind", ["csc", "csr", "coo"])
@pytest.mark.parametrize("part", ["whole", "lower", "upper"])
def test_values_alone_come_in_the_order_of_what_was_given(kind, part):
    """With one triangle, too, and with entries of one position that add up."""
    whole = random_matrix(30, np.float64)
    whole = (whole + whole.T).tocsr()
    given = {"whole": whole, "lower": sparse.tril(whole), "upper": sparse.triu(whole)}[part].asformat(kind)
    if kind == "coo":
        places = np.random.default_rng(3).permutation(np.tile(np.arange(given.nnz), 2))
        given = sparse.coo_matrix((given.data[places] / 2, (given.row[places], given.col[places])), shape=given.shape)
    factorization = frond.factorize(given, symmetry="symmetric")
    b = np.arange(1.0, 31)
    assert_solves(whole, factorization.solve(b), b, np.float64)
    assert_solves(2 * whole, factorization.refactorize(2 * given.data).solve(b), b, np.float64)
    copy = pickle.loads(pickle.dumps(factorization))
    assert_solves(3 * whole, copy.refactorize(3 * given.data).solve(b), b, np.float64)
    with pytest.raises(frond.UsageError, match=f"{given.nnz} entries"):
        factorization.refactorize(given.data[1:])


def test_values_alone_of_matrices_without_an_order():
    matrix = random_matrix(30, np.float64)
    factorization = frond.factorize(matrix.tobsr((2, 2)))
    with pytest.raises(frond.UsageError, match="give the matrix"):
        factorization.refactorize(matrix.data)
    b = np.ones(30)
    assert_solves(2 * matrix, factorization.refactorize(2 * matrix.toarray()).solve(b), b, np.float64)


def test_inertia_is_that_of_hermitian_matrices():
    matrix = laplacian(3).astype(np.complex128)
    assert frond.factorize(matrix, symmetry="hermitian").inertia == (27, 0, 0)
    with pytest.raises(frond.UsageError, match="not known"):
        frond.factorize(matrix, symmetry="symmetric").inertia


def test_analyses_take_what_factorizations_take():
    matrix = random_matrix(20, np.float64)
    analysis = frond.analyze(matrix, order=range(20), schur=[3, 4])
    factorization = analysis.factorize()
    assert factorization.schur_complement().shape == (2, 2)
    assert frond.factorize(matrix, matching=True, block_triangular=False, load_thread=False)["fronts"] > 0


def test_imaginary_parts_are_never_lost():
    matrix = random_matrix(20, np.float64)
    factorization = frond.factorize(matrix, schur=[1])
    for call in (lambda: factorization.refactorize(matrix * 1j), lambda: factorization.refactorize(matrix.data * 1j),
                 lambda: factorization.condense(np.ones(20) * 1j), lambda: frond.solve_batch([matrix, matrix * 1j], np.ones(20))):
        with pytest.raises(frond.UsageError, match="complex"):
            call()


def test_indices_are_integers():
    matrix = random_matrix(20, np.float64)
    for schur in ([0.5], [2**40], [-1]):
        with pytest.raises(frond.UsageError):
            frond.factorize(matrix, schur=schur)


def test_errors_are_those_of_the_call_that_failed():
    """After an interruptible call, too, whose sentence is kept apart."""
    n = 20_000
    matrix = sparse.diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(n, n), format="csr")
    matrix.data[matrix.indptr[7]:matrix.indptr[8]] = 0
    factorization = frond.factorize(matrix)
    assert factorization.is_singular
    with pytest.raises(frond.UsageError, match="forward_error_bound"):
        factorization["forward_error_bound"]


def test_room_for_solutions():
    matrix = random_matrix(30, np.float64)
    factorization = frond.factorize(matrix)
    x = np.empty(30)
    assert factorization.solve(np.ones(30), out=x) is x
    assert_solves(matrix, x, np.ones(30), np.float64)
    with pytest.raises(ValueError, match="out"):
        factorization.solve(np.ones(30), out=np.empty(29))
    with pytest.raises(ValueError, match="out"):
        factorization.solve(np.ones(30), out=np.empty(30, np.float32))


def test_an_ordering_of_its_own():
    matrix = random_matrix(30, np.float64)
    order = np.arange(30)[::-1]
    factorization = frond.factorize(matrix, order=order)
    assert sorted(factorization["elimination_order"]) == list(range(30))
    assert_solves(matrix, factorization.solve(np.ones(30)), np.ones(30), np.float64)
    with pytest.raises(ValueError, match="order"):
        frond.factorize(matrix, order=[1, 2])


def test_signatures_of_scipy():
    matrix = random_matrix(40, np.float64).tocsc()
    b = np.ones(40)
    lu = frond.splu(matrix, permc_spec="COLAMD", diag_pivot_thresh=0.1)
    assert lu.shape == (40, 40) and lu.nnz > 0
    assert_solves(matrix, lu.solve(b), b, np.float64)
    assert_solves(matrix.T, lu.solve(b, "T"), b, np.float64)
    assert_solves(matrix, frond.factorized(matrix)(b), b, np.float64)
    with pytest.raises(np.linalg.LinAlgError):
        frond.splu(sparse.csc_matrix((2, 2)))


def test_linear_operators():
    matrix = laplacian(8)
    inverse = frond.factorize(matrix - 0.5 * sparse.identity(512), symmetry="symmetric").as_linear_operator()
    values = scipy.sparse.linalg.eigsh(matrix, k=4, sigma=0.5, OPinv=inverse, return_eigenvectors=False)
    expected = scipy.sparse.linalg.eigsh(matrix, k=4, sigma=0.5, return_eigenvectors=False)
    np.testing.assert_allclose(np.sort(values), np.sort(expected), rtol=1e-10)


def test_analyses_predict():
    matrix = laplacian(10)
    analysis = frond.analyze(matrix, symmetry="symmetric")
    predicted = analysis["predicted_factor_entries"]
    assert "order 1000" in repr(analysis) and analysis.figures["n"] == 1000
    factorization = analysis.factorize()
    assert factorization["factor_entries"] == predicted
    with pytest.raises(ValueError, match="analyse it again"):
        analysis.factorize()


def test_with_statements_give_memory_back():
    with frond.factorize(random_matrix(30, np.float64)) as factorization:
        factorization.solve(np.ones(30))
        assert factorization["backward_error"] < 1e-14
        assert "order 30" in repr(factorization)
    with pytest.raises(ValueError, match="closed"):
        factorization.solve(np.ones(30))
    assert "closed" in repr(factorization)


def test_four_threads_at_once():
    matrix = random_matrix(200, np.float64)
    factorization = frond.factorize(matrix)
    sides = np.random.default_rng(1).standard_normal((200, 4))
    expected = [factorization.solve(sides[:, k]) for k in range(4)]
    wrong = []

    def work(k):
        for _ in range(50):
            if not np.array_equal(factorization.solve(sides[:, k]), expected[k]):
                wrong.append(k)
            other = random_matrix(50, np.float64, seed=k)
            if np.abs(other @ frond.solve(other, np.ones(50)) - 1).max() > 1e-12:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_calls_let_other_threads_run():
    matrix = laplacian(24)
    counts = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counts[0] += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=count)
    thread.start()
    for _ in range(20):  # a call that lets nobody run would leave time for a step or two before and after it
        frond.factorize(matrix, symmetry="symmetric", threads=1)
        if counts[0] > 100:
            break
    done.set()
    thread.join()
    assert counts[0] > 100


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_pickles_solve_in_another_process(format, tmp_path):
    matrix = random_matrix(60, np.float64).asformat(format)
    factorization = frond.factorize(matrix, symmetry="general", pivot_threshold=0.1)
    b = np.arange(60.0)
    (tmp_path / "factors.pickle").write_bytes(pickle.dumps(factorization))
    code = ("import pickle, sys, numpy as np; f = pickle.load(open(sys.argv[1], 'rb'));"
            "np.save(sys.argv[2], f.solve(np.arange(60.0)))")
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "factors.pickle"), str(tmp_path / "x.npy")], check=True)
    assert np.array_equal(np.load(tmp_path / "x.npy"), factorization.solve(b))


def test_files_of_factors(tmp_path):
    matrix = laplacian(6)
    factorization = frond.factorize(matrix, symmetry="symmetric")
    factorization.save(tmp_path / "factors")
    loaded = frond.load(tmp_path / "factors", matrix, symmetry="symmetric")
    assert np.array_equal(loaded.solve(np.ones(216)), factorization.solve(np.ones(216)))
    with pytest.raises(ValueError):
        frond.load(tmp_path / "factors", 2 * matrix, symmetry="symmetric")
    with pytest.raises(FileNotFoundError):
        frond.load(tmp_path / "none", matrix, symmetry="symmetric")
    with pytest.raises(OSError):
        factorization.save("/no/such/folder/factors")


def test_limits_of_memory_and_time():
    matrix = laplacian(20)
    with pytest.raises(MemoryError, match="bytes"):
        frond.factorize(matrix, memory_limit="1MB")
    with pytest.raises(frond.StoppedError):
        frond.factorize(matrix, time_limit=1e-6)


def test_large_singular_matrices_say_so():
    n = 30_000  # enough entries for a call that Ctrl-C may end
    matrix = sparse.diags([np.ones(n - 1), np.append(np.full(n - 1, 4.0), 0.0)], [1, 0], format="csr")
    with pytest.raises(frond.SingularMatrixError, match="singular"):
        frond.solve(matrix, np.ones(n))


def test_progress():
    heard = []
    frond.factorize(laplacian(20), symmetry="symmetric", progress=heard.append)
    assert heard and heard == sorted(heard) and heard[-1] <= 1 + 1e-9


def test_ctrl_c_ends_a_factorization():
    code = """
import sys, time, threading, os, signal
sys.path.insert(0, sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs tests in the background ignores it
from test_factorization import laplacian
import frond
matrix = laplacian(70)
print("begun", flush=True)
try:
    frond.factorize(matrix, symmetry="symmetric")
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code, os.path.dirname(__file__)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "interrupted\n"


def test_ctrl_c_ends_a_solve_while_other_threads_solve():
    code = """
import sys, threading, signal
sys.path.insert(0, sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)
from test_factorization import laplacian
import frond, numpy as np
factorization = frond.factorize(laplacian(24), symmetry="symmetric", threads=1)
sides = np.ones((24**3, 256), order="F")
ends = []
enough = threading.Event()

def solve_on():
    try:
        while not enough.is_set():
            factorization.solve(sides)
    except BaseException as error:
        ends.append(error)

others = [threading.Thread(target=solve_on) for _ in range(4)]
[other.start() for other in others]
print("begun", flush=True)
try:
    while True:
        factorization.solve(sides)
except KeyboardInterrupt:
    ends.append("interrupted")
finally:  # a process that exits while threads are in the BLAS pulls its buffers from under them
    enough.set()
    [other.join() for other in others]
    print(ends, flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code, os.path.dirname(__file__)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "['interrupted']\n"
