# SPDX-License-Identifier: BSD-3-Clause
"""Solutions for every kind of matrix and right-hand side, against residuals that NumPy computes."""
import pathlib
import re
import warnings

import numpy as np
import pytest
import scipy.sparse as sparse

import frond

DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
FORMATS = ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"]


def random_matrix(n, dtype, seed=1, symmetric=False):
    """About five entries a row, and a strong diagonal."""
    random = np.random.default_rng(seed)
    matrix = sparse.random(n, n, 5 / n, random_state=random, format="csr").astype(dtype)
    if np.dtype(dtype).kind == "c":
        matrix.data = matrix.data + 1j * random.standard_normal(matrix.data.size).astype(matrix.data.real.dtype)
    if symmetric:
        matrix = matrix + matrix.T
    return (matrix + 6 * sparse.identity(n, dtype)).tocsr().astype(dtype)


def assert_solves(matrix, x, b, dtype):
    residual = np.abs(matrix @ x - b).max()
    scale = abs(matrix).sum(axis=1).max() * np.abs(x).max() + np.abs(b).max()
    assert residual <= 100 * np.finfo(dtype).eps * scale


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_formats_dtypes_and_indices(format, dtype, index):
    matrix = random_matrix(40, dtype).asformat(format)
    for name in ("indices", "indptr", "row", "col"):
        if hasattr(matrix, name):
            setattr(matrix, name, getattr(matrix, name).astype(index))
    b = np.arange(1, 41).astype(dtype)
    x = frond.solve(matrix, b)
    assert x.dtype == dtype and x.shape == (40,)
    assert_solves(matrix.tocsr(), x, b, dtype)


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_arrays_as_well_as_matrices(format):
    matrix = getattr(sparse, format + "_array")(random_matrix(30, np.float64))
    b = np.ones(30)
    assert_solves(matrix.tocsr(), frond.solve(matrix, b), b, np.float64)


def test_unsorted_and_duplicate_entries():
    rows = np.array([2, 0, 1, 1, 2, 0, 0])
    cols = np.array([2, 0, 1, 1, 0, 0, 2])
    values = np.array([5.0, 1.0, 2.0, 2.0, 1.0, 3.0, 1.0])
    coo = sparse.coo_matrix((values, (rows, cols)), (3, 3))
    b = np.array([1.0, 2.0, 3.0])
    expected = np.linalg.solve(coo.toarray(), b)
    np.testing.assert_allclose(frond.solve(coo, b), expected, rtol=1e-14)
    csr = sparse.csr_matrix((values[[1, 6, 5, 2, 3, 4, 0]], cols[[1, 6, 5, 2, 3, 4, 0]], [0, 3, 5, 7]), (3, 3))
    np.testing.assert_allclose(frond.solve(csr, b), expected, rtol=1e-14)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("columns", [0, 1, 3])
def test_several_right_hand_sides(order, columns):
    matrix = random_matrix(30, np.float64)
    b = np.asarray(np.random.default_rng(1).standard_normal((30, columns)), order=order)
    x = frond.solve(matrix, b)
    assert x.shape == (30, columns)
    if columns:
        assert_solves(matrix, x, b, np.float64)
    sliced = np.zeros((60, 6))[::2, ::2]
    assert frond.solve(matrix, sliced).shape == (30, 3)


@pytest.mark.parametrize("kind", [sparse.csc_matrix, sparse.csr_matrix, sparse.coo_matrix])
def test_sparse_right_hand_sides(kind):
    matrix = random_matrix(30, np.float64)
    b = kind(sparse.random(30, 4, 0.1, random_state=1))
    x = frond.solve(matrix, b)
    assert sparse.issparse(x) and x.shape == (30, 4)
    assert_solves(matrix, x.toarray(), b.toarray(), np.float64)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_complex_right_hand_sides_of_a_real_matrix(dtype):
    matrix = random_matrix(30, dtype)
    wide = np.complex64 if dtype == np.float32 else np.complex128
    b = (np.ones(30) + 2j * np.arange(30)).astype(wide)
    x = frond.solve(matrix, b)
    assert x.dtype == wide
    assert_solves(matrix, x, b, dtype)
    assert_solves(matrix, frond.factorize(matrix).solve(b), b, dtype)


def test_the_wider_type_counts():
    single = random_matrix(30, np.float32)
    b = np.ones(30)
    x = frond.solve(single, b)
    assert x.dtype == np.float64
    assert_solves(single.astype(np.float64), x, b, np.float64)
    assert frond.solve(single.astype(np.int64), [1] * 30).dtype == np.float64
    assert frond.factorize(single).solve(b).dtype == np.float32


@pytest.mark.parametrize("dtype", DTYPES)
def test_transposes_and_adjoints(dtype):
    matrix = random_matrix(30, dtype)
    b = np.ones(30, dtype)
    assert_solves(matrix.T.tocsr(), frond.solve(matrix, b, trans="T"), b, dtype)
    assert_solves(matrix.conj().T.tocsr(), frond.solve(matrix, b, trans="H"), b, dtype)


def test_symmetries():
    matrix = random_matrix(40, np.float64, symmetric=True)
    b = np.ones(40)
    lower = sparse.tril(matrix, format="csr")
    for given, symmetry in ((matrix, "detect"), (matrix, "symmetric"), (lower, "symmetric"), (matrix, "general")):
        factorization = frond.factorize(given, symmetry=symmetry)
        assert (factorization["method"] == "lu") == (symmetry == "general")
        assert_solves(matrix, factorization.solve(b), b, np.float64)
    hermitian = random_matrix(40, np.complex128)
    hermitian = (hermitian + hermitian.conj().T).tocsr()
    assert_solves(hermitian, frond.solve(hermitian, b, symmetry="hermitian"), b, np.complex128)
    skew = (matrix - 2 * sparse.triu(matrix) + sparse.diags(matrix.diagonal())).tocsr()
    assert_solves(skew, frond.solve(skew, b, symmetry="skew-symmetric"), b, np.float64)


def test_explicit_zeros_are_left_out_of_one_solve_and_kept_for_further_values():
    matrix = sparse.csc_matrix(([4.0, 0.0, 16.0, 0.0], ([0, 1, 1, 0], [0, 0, 1, 1])), shape=(2, 2))
    assert frond._matrix.Arrays(matrix, zeros=False).values.tolist() == [4.0, 16.0]
    for given in (matrix, matrix.tocsr(), matrix.tocoo()):
        assert frond.solve(given, [4.0, 16.0]).tolist() == [1.0, 1.0]
    factorization = frond.factorize(matrix)
    assert "1 of 3 of one triangle" in factorization["notes"]
    values = matrix.copy()
    values.data[1] = 1.0
    assert np.allclose(values @ factorization.refactorize(values).solve([4.0, 17.0]), [4.0, 17.0])
    assert "analysed again" in factorization["notes"]


def test_messages_count_from_0():
    with pytest.raises(frond.SingularMatrixError, match=r"variable 1 \(counted from 0\)"):
        frond.solve(sparse.csc_matrix([[1.0, 0.0], [0.0, 0.0]]), [1.0, 1.0])


def test_empty_and_tiny_systems():
    assert frond.solve(sparse.csr_matrix((0, 0)), np.empty(0)).shape == (0,)
    assert frond.solve(sparse.csr_matrix([[4.0]]), [8.0]).tolist() == [2.0]
    assert frond.solve(np.array([[2.0, 0.0], [1.0, 4.0]]), [2.0, 5.0]).tolist() == [1.0, 1.0]


def test_singular_matrices_are_linear_algebra_errors():
    matrix = sparse.csr_matrix([[1.0, 2.0], [2.0, 4.0]])
    with pytest.raises(frond.SingularMatrixError, match="singular") as raised:
        frond.solve(matrix, [1.0, 1.0])
    assert isinstance(raised.value, np.linalg.LinAlgError)
    assert raised.value.x.shape == (2,)
    with pytest.raises(frond.NotPositiveDefiniteError):
        frond.solve(sparse.diags([1.0, -1.0]), [1.0, 1.0], symmetry="symmetric", method="cholesky")


def test_a_missed_accuracy_is_a_warning():
    # Tiny pivots that are taken in this order, each in a front of its own, lose digits of the equations of a dense core.
    random = np.random.default_rng(3)
    core = random.standard_normal((60, 60))
    border = sparse.random(40, 60, 0.15, random_state=random)
    matrix = sparse.bmat([[1e-13 * sparse.identity(40), border], [border.T, core]], format="csr")
    options = dict(pivot_threshold=0, null_threshold=1e-30, refine_steps=0, krylov_steps=0, ordering="natural", scaling="none",
                   matching="never")
    for solve in (lambda: frond.solve(matrix, np.ones(100), **options), lambda: frond.solve_batch([matrix], np.ones(100), **options),
                  lambda: frond.factorize(matrix, **options).solve(np.ones(100))):
        with pytest.warns(frond.AccuracyWarning, match="accuracy") as warned:
            solve()
        assert warned[0].filename == __file__, "a warning is for the line that has called"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frond.solve(matrix, np.ones(100))


@pytest.mark.parametrize("arguments, text", [
    (dict(A=sparse.csr_matrix((3, 4)), b=[1, 2, 3]), "square"),
    (dict(A=sparse.identity(3), b=[1, 2]), "3 rows"),
    (dict(A=sparse.identity(3), b=[1, np.nan, 2]), "finite"),
    (dict(A=sparse.identity(3) * np.inf, b=[1, 1, 2]), "finite"),
    (dict(A=sparse.identity(3), b=[1, 1, 2], trans="X"), "trans"),
    (dict(A=sparse.identity(3), b=[1, 1, 2], symmetry="maybe"), "symmetry"),
    (dict(A=sparse.identity(3), b=[1, 1, 2], pivot_treshold=0.1), "pivot-threshold"),
    (dict(A=sparse.identity(3), b=[1, 1, 2], threads=-1), "threads"),
])
def test_what_cannot_be_meant_is_a_value_error(arguments, text):
    with pytest.raises(ValueError, match=text) as raised:
        frond.solve(**arguments)
    assert isinstance(raised.value, frond.FrondError)


def test_objects_are_a_type_error():
    with pytest.raises(TypeError, match="object"):
        frond.solve(sparse.identity(2), np.array([1, None], dtype=object))


def test_the_verdict_can_be_left_out():
    matrix = sparse.diags([-1, 4, -1.5], [-1, 0, 1], shape=(50, 50), format="csc")
    factorization = frond.factorize(matrix, verdict="pivots")
    x = factorization.solve(np.ones(50))
    assert np.abs(matrix @ x - 1).max() < 1e-14
    assert factorization["verdict"] == "unmeasured"
    for name in ("backward_error", "componentwise_backward_error", "missed_equations", "consistent_right_hand_sides"):
        with pytest.raises(frond.UsageError, match="not known"):
            factorization[name]
    factorization.refactorize(2 * matrix)
    assert factorization["kept_pivots"] == 50


def test_options_and_figures_are_listed():
    assert "pivot_threshold" in frond.options() and "0 to 1" in frond.options()["pivot_threshold"][0]
    assert frond.figures()["backward_error"][0] == "real"
    assert frond.__version__.count(".") == 2
    assert frond._library._NAME == "libfrond.so." + frond.__version__.split(".")[0]


def test_every_function_of_the_header_has_its_signature():
    folder = pathlib.Path(frond.__file__).parent
    names = set(re.findall(r"\b(frond_\w+)\(", re.sub(r"/\*.*?\*/", "", (folder / "frond.h").read_text(), flags=re.DOTALL)))
    assert len(names) > 50
    assert {name for name in names if getattr(frond._library.library, name).argtypes is None} == set()
