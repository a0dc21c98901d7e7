# SPDX-License-Identifier: BSD-3-Clause
"""What callers do to matrices, arrays, solvers and callbacks while these are in use, and arguments that cannot be meant."""
import copy
import itertools
import os
import pickle
import signal
import threading

import numpy as np
import pytest
import scipy.sparse as sparse

import frond
from test_factorization import laplacian


def doubtful():
    """Of a matrix whose second pivot is as small as rounding errors of the first one."""
    return frond.factorize(sparse.csc_matrix(np.diag(np.array([1e8, 1e-8], np.float32))), scaling="none")


def without_complement():
    """Of a regular matrix whose first variables are those of a singular block."""
    return frond.factorize(sparse.csc_matrix([[0.0, 0, 1], [0, 2, 1], [1, 1, 3]]), schur=[2])


# Lives.


def test_a_factorization_is_closed_while_a_thread_uses_it():
    started = threading.Event()
    matrix = laplacian(16)
    factorization = frond.factorize(matrix, progress=lambda fraction: started.set())
    started.clear()
    ends = []

    def refactorize():
        try:
            factorization.refactorize(2 * matrix)
            ends.append("done")
        except frond.FrondError as error:
            ends.append(error)

    thread = threading.Thread(target=refactorize)
    thread.start()
    assert started.wait(60)
    factorization.close()
    thread.join(60)
    assert ends == ["done"]
    with pytest.raises(frond.UsageError, match="closed"):
        factorization.solve(np.ones(16**3))
    with pytest.raises(frond.UsageError, match="closed"), factorization:
        pass


def test_a_factorization_is_closed_while_threads_solve():
    matrix = laplacian(12)
    sides = np.ones((12**3, 400), order="F")
    for _attempt in range(5):
        solutions = []
        started = threading.Barrier(4)
        factorization = frond.factorize(matrix)

        def solve(solve=factorization.solve, started=started, solutions=solutions):
            started.wait()
            try:
                solutions.append(solve(sides))
            except frond.UsageError as error:  # closed before
                solutions.append(error)

        threads = [threading.Thread(target=solve) for _ in range(3)]
        for thread in threads:
            thread.start()
        started.wait()
        factorization.close()
        for thread in threads:
            thread.join(60)
        assert len(solutions) == 3
        for solution in solutions:
            assert isinstance(solution, frond.UsageError) or np.allclose(matrix @ solution, sides)


def test_a_factorization_is_closed_by_its_own_progress():
    held = []
    matrix = laplacian(8)
    held.append(frond.factorize(matrix, progress=lambda fraction: [one.close() for one in held]))
    held[0].refactorize(2 * matrix)
    with pytest.raises(frond.UsageError, match="closed"):
        held[0].solve(np.ones(512))


@pytest.mark.parametrize("error", [KeyError, SystemExit, KeyboardInterrupt])
def test_progress_may_raise(error):
    def refuse(fraction):
        raise error("enough")

    with pytest.raises(error, match="enough"):
        frond.factorize(laplacian(10), progress=refuse)
    calls = []
    factorization = frond.factorize(laplacian(10), progress=lambda fraction: calls[1] if calls else None)
    calls.append(0)
    with pytest.raises(IndexError):
        factorization.refactorize(laplacian(10))
    assert "without factors" in repr(factorization)
    calls.clear()
    assert np.allclose(laplacian(10) @ factorization.refactorize(laplacian(10)).solve(np.ones(1000)), 1)


def test_each_thread_hears_what_its_own_progress_has_raised():
    numbers = itertools.count()
    is_armed = []

    def refuse(fraction):
        if is_armed:
            raise KeyError(next(numbers))

    matrix = laplacian(6)
    factorization = frond.factorize(matrix, progress=refuse)
    is_armed.append(True)
    heard = []

    def refactorize():
        for _round in range(25):
            try:
                factorization.refactorize(matrix)
                heard.append(None)
            except KeyError as error:
                heard.append(error.args[0])
            except frond.FrondError as error:
                heard.append(error)

    threads = [threading.Thread(target=refactorize) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(heard) == 100 == len(set(heard))
    assert all(isinstance(number, int) for number in heard), heard


def test_progress_is_a_function_or_true():
    with pytest.raises(frond.UsageError, match="progress"):
        frond.factorize(sparse.identity(3), progress=5)


@pytest.mark.parametrize("raises", [True, False])
def test_the_handler_of_a_signal_decides(raises):
    """Whether a factorization ends is the affair of whoever handles SIGINT."""
    heard = []

    def handle(number, _frame):
        heard.append(number)
        if raises:
            raise TimeoutError

    matrix = laplacian(24)
    before = signal.signal(signal.SIGINT, handle)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        if raises:
            with pytest.raises(TimeoutError):
                while True:
                    frond.factorize(matrix)
        else:
            while not heard:
                x = frond.factorize(matrix).solve(np.ones(24**3))
                assert np.allclose(matrix @ x, 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


def test_what_is_only_analysed_cannot_be_pickled():
    analysis = frond.analyze(laplacian(3))
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="analysed"):
            attempt(analysis)
    analysis.factorize()
    for ask in (lambda: analysis["n"], lambda: analysis.figures, analysis.factorize):
        with pytest.raises(frond.UsageError, match="has been factorized"):
            ask()


# Arrays.


def test_matrices_may_change_after_they_were_factorized():
    matrix = sparse.csc_matrix([[4.0, 0, 1], [0, 5, 0], [2, 0, 6]])
    given = matrix.copy()
    factorization = frond.factorize(given)
    given.data *= 2
    given.indices[:] = given.indices[::-1].copy()
    for other in (factorization, pickle.loads(pickle.dumps(factorization)), copy.copy(factorization), copy.deepcopy(factorization)):
        assert np.allclose(matrix @ other.solve(np.ones(3)), 1)
    values = matrix.data * 3
    factorization.refactorize(values)
    values[:] = 7
    assert np.allclose(3 * matrix @ pickle.loads(pickle.dumps(factorization)).solve(np.ones(3)), 1)


def test_other_places_are_noticed_in_arrays_that_were_changed():
    given = sparse.csc_matrix([[4.0, 1], [0, 5]])
    factorization = frond.factorize(given)
    given.indices[:] = [0, 1, 1]
    given.indptr[:] = [0, 2, 3]
    assert np.allclose(given @ factorization.refactorize(given).solve(np.ones(2)), 1)


def test_nothing_is_written_where_nothing_may_be():
    factorization = frond.factorize(2 * sparse.identity(4))
    closed = np.zeros(4)
    closed.flags.writeable = False
    for out in (closed, np.frombuffer(bytes(32))):
        with pytest.raises(frond.UsageError, match="written"):
            factorization.solve(np.ones(4), out=out)
        assert not out.any()
    with pytest.raises(frond.UsageError, match="sparse"):
        factorization.solve(sparse.csc_matrix(np.ones((4, 1))), out=np.zeros((4, 1)))


@pytest.mark.parametrize("kind", ["csc", "csr"])
def test_arrays_that_are_too_short_are_damaged(kind):
    def short_values(matrix):
        matrix.data = matrix.data[:5].copy()

    def short_indices(matrix):
        matrix.indices = matrix.indices[:5].copy()

    def short_offsets(matrix):
        matrix.indptr = matrix.indptr[:5].copy()

    def far_offsets(matrix):
        matrix.indptr[-1] = 10**8

    def negative_offsets(matrix):
        matrix.indptr[-1] = -1

    for damage in (short_values, short_indices, short_offsets, far_offsets, negative_offsets):
        matrix = sparse.identity(9, format=kind)
        damage(matrix)
        for call in (frond.factorize, lambda given: frond.solve(given, np.ones(9)), frond.analyze):
            with pytest.raises(frond.UsageError, match="damaged"):
                call(matrix)
    triplets = sparse.identity(9, format="coo")
    triplets.data = triplets.data[:5]
    with pytest.raises(frond.UsageError, match="5 values"):
        frond.factorize(triplets)


@pytest.mark.parametrize("kind", ["csc", "csr"])
def test_there_may_be_room_behind_the_entries(kind):
    matrix = laplacian(3).asformat(kind)
    roomy = matrix.copy()
    roomy.data, roomy.indices = np.append(matrix.data, [np.nan, 3]), np.append(matrix.indices, np.array([99, -1], np.int32))
    factorization = frond.factorize(roomy)
    for solution in (frond.solve(roomy, np.ones(27)), factorization.solve(np.ones(27)), factorization.refactorize(roomy).solve(np.ones(27))):
        assert np.allclose(matrix @ solution, 1)


# Batches.


def test_a_generator_may_use_one_matrix_again_and_again():
    matrix = sparse.identity(3, format="csc")

    def generate():
        for value in (1.0, 2.0, 4.0):
            matrix.data[:] = value
            yield matrix

    np.testing.assert_allclose(frond.solve_batch(generate(), np.ones(3)), np.outer([1, 0.5, 0.25], np.ones(3)))


def test_a_batch_without_an_end_needs_no_more_than_its_right_hand_sides():
    drawn = []

    def generate():
        for number in itertools.count(1):
            drawn.append(number)
            yield number * sparse.identity(3, format="csc")

    with pytest.raises(frond.UsageError, match="right-hand sides for 5 systems"):
        frond.solve_batch(generate(), np.ones((5, 3)))
    assert len(drawn) < 8
    with pytest.raises(frond.UsageError, match="dense"):
        frond.solve_batch([sparse.identity(3)], sparse.identity(3))


# Answers that are not there.


def test_where_there_is_no_schur_complement():
    factorization = without_complement()
    x2 = np.ones(1)
    for ask in (factorization.schur_complement, lambda: factorization.condense(np.ones(3)), lambda: factorization.expand(np.ones(3), x2)):
        with pytest.raises(frond.SingularMatrixError, match="no Schur complement"):
            ask()
    assert np.allclose([[0, 0, 1], [0, 2, 1], [1, 1, 3]] @ factorization.solve(np.ones(3)), 1)
    for ask in (lambda given: given.schur_complement(), lambda given: given.condense(np.ones(3)), lambda given: given.expand(np.ones(3), x2)):
        for schur in (None, []):
            with pytest.raises(frond.UsageError, match="schur="):
                ask(frond.factorize(sparse.identity(3), schur=schur))
    regular = frond.factorize(4 * sparse.identity(3), schur=[1])
    with pytest.raises(frond.UsageError, match="x2 has the shape"):
        regular.expand(np.ones(3), np.ones(2))
    with pytest.raises(frond.UsageError, match="dense"):
        regular.condense(sparse.csc_matrix(np.ones((3, 1))))
    with pytest.raises(frond.UsageError, match=str(2**40)):
        frond.factorize(sparse.identity(3), schur=[0, 2**40])


def test_doubt_and_errors_are_passed_on():
    factorization = doubtful()
    assert factorization["rank_verdict"] == "in_doubt" and not factorization.is_singular
    with pytest.raises(frond.RankInDoubtError, match="determinant"):
        factorization.slogdet()
    with pytest.warns(frond.AccuracyWarning, match="backward error") as heard:
        diagonal = factorization.inverse_diagonal()
    assert heard[0].message.x is diagonal
    with pytest.warns(frond.AccuracyWarning):
        factorization.inverse_entries(sparse.identity(2))


def test_singular_is_what_handlers_of_scipy_expect():
    for call in (frond.splu, frond.factorized):
        with pytest.raises(RuntimeError, match="singular"):
            call(sparse.csc_matrix(np.ones((2, 2))))
    with pytest.raises(frond.UsageError, match="COLAMD"):
        frond.splu(sparse.identity(3), permc_spec="colamd")


# Names.


def test_paths_are_those_of_python(tmp_path):
    matrix = laplacian(3)
    factorization = frond.factorize(matrix)
    for path in (os.fsencode(tmp_path / "bytes"), tmp_path / "path", str(tmp_path / "text"), tmp_path / "\udcff"):
        factorization.save(path)
        assert os.path.exists(path)
        assert np.allclose(matrix @ frond.load(path, matrix).solve(np.ones(27)), 1)
    for path in (None, 0):
        with pytest.raises(TypeError):
            factorization.save(path)
        with pytest.raises(TypeError):
            frond.load(path, matrix)
    with pytest.raises(ValueError):
        factorization.save(f"{tmp_path}/a\0b")
    assert not (tmp_path / "a").exists()


def test_figures_have_names():
    factorization = frond.factorize(sparse.identity(3))
    for name in (0, "sort", None):
        with pytest.raises(KeyError):
            factorization[name]
    with pytest.raises(TypeError):
        list(factorization)
    with pytest.raises(TypeError):
        "n" in factorization
