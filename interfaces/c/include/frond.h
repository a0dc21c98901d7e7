/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frond in C: A x = b for large sparse A, by factors that serve any number of right-hand sides.
 *
 *   frond_solver *solver = NULL;
 *   frond_create(FROND_DOUBLE, &solver);
 *   frond_set_columns(solver, n, FROND_GENERAL, offsets, rows, values);
 *   if (frond_solve(solver, FROND_PLAIN, 1, b, n, x, n) != FROND_SUCCESS)
 *     fprintf(stderr, "%s\n", frond_message(solver));
 *   frond_destroy(solver);
 *
 * Every call does what is missing: frond_solve() factorizes a matrix that is not factorized yet, and frond_factorize() analyses a
 * pattern that is not analysed yet. What was computed stays until the matrix or an option that it depends on is set again.
 *
 * Arrays belong to the caller. Those that a call reads are copied, those that it fills have the sizes that are told; no call keeps
 * a pointer. Scalars are those of frond_create(): float, double, or two of them, real and imaginary part, as in C's _Complex.
 * Indices count from 0, or from 1 after frond_set(solver, "index-base", "1"), those that come back, too.
 *
 * Several threads may use one solver. Those that solve or ask run side by side; a call that analyses, factorizes or sets anything
 * but callbacks waits until the others have left, and later calls wait for it. What frond_message() and the functions of
 * frond_get_...() say of a call is what it came to for the thread that asks.
 *
 * Over several processes of MPI the same calls serve, with a solver that frond_mpi.h makes.
 */
#ifndef FROND_H
#define FROND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FROND_C_API __attribute__((visibility("default")))
#else
#define FROND_C_API
#endif

/* What a call came to. Above 0 it has come to its end, and what it found is not what was hoped for; below 0 what has
 * been set is as it was. frond_message() says which numbers, what is wrong, and what helps. */
typedef enum frond_status {
  FROND_SUCCESS = 0,
  FROND_ACCURACY_MISSED = 1,       /* x is there, and a backward error is above the target */
  FROND_SINGULAR = 2,              /* x solves the equations that are left; the message tells whether it solves all */
  FROND_NOT_POSITIVE_DEFINITE = 3, /* the method cholesky was asked for; there is no x */
  FROND_RANK_IN_DOUBT = 4,         /* there is no x, and no proof whether the matrix is singular */
  FROND_USAGE_ERROR = -1,          /* a call that cannot be meant: sizes, names, order of calls, values that are not finite */
  FROND_INPUT_ERROR = -2,          /* what is read is damaged, or is not what it should be */
  FROND_OUTPUT_ERROR = -3,         /* what is written cannot be created, or the disk is full */
  FROND_MEMORY_ERROR = -4,         /* the system, or a limit, does not grant enough */
  FROND_STOPPED = -5,              /* the callback or the time limit has ended the call */
  FROND_COMMUNICATION_ERROR = -6,  /* a process is gone, or MPI has failed */
  FROND_INTERNAL_ERROR = -7        /* a defect of Frond: please report it */
} frond_status;

/* Enumerations are passed as int, so that what is none of them is an error and no more. */
typedef enum frond_scalar { FROND_FLOAT = 0, FROND_DOUBLE = 1, FROND_COMPLEX_FLOAT = 2, FROND_COMPLEX_DOUBLE = 3 } frond_scalar;

/* What a matrix promises about its triangles. Unless it is general one triangle is given, with the diagonal; which one does not
 * matter, and entries of both may be mixed, but not (i, j) and (j, i): that is an error unless the option mirrored is sum. */
typedef enum frond_symmetry {
  FROND_GENERAL = 0,
  FROND_SYMMETRIC = 1,      /* A = A^T */
  FROND_SKEW_SYMMETRIC = 2, /* A = -A^T */
  FROND_HERMITIAN = 3       /* A = A^H; of real numbers the same as FROND_SYMMETRIC */
} frond_symmetry;

/* Which matrix stands before the vector: A, A^T or A^H. */
typedef enum frond_operation { FROND_PLAIN = 0, FROND_TRANSPOSED = 1, FROND_ADJOINT = 2 } frond_operation;

/* A = lower * diagonal * upper, see frond_solve_part(). */
typedef enum frond_part { FROND_LOWER = 0, FROND_DIAGONAL = 1, FROND_UPPER = 2 } frond_part;

/* A linear system, its options, and what has been computed of it. */
typedef struct frond_solver frond_solver;

/* "0.1.0" */
FROND_C_API const char* frond_version(void);

/* The name of a status: "FROND_SINGULAR"; of a number that is none, "unknown status". */
FROND_C_API const char* frond_status_name(int status);

/* ---- Life ----------------------------------------------------------------------------------------------------------------------
 */

/* Makes a solver for numbers of this kind. On failure *solver is NULL, and frond_message(NULL) says why. */
FROND_C_API frond_status frond_create(int scalar, frond_solver** solver);

/* Gives all memory back. NULL is allowed. No other thread may be using the solver. */
FROND_C_API void frond_destroy(frond_solver* solver);

/* What this thread's last call with this solver came to, unless that was a success: one sentence or several. "" after a success.
 * Valid until the thread's next call with this solver. With NULL it says why this thread's last attempt to create a solver failed,
 * or, if it did not, that there is no solver. */
FROND_C_API const char* frond_message(const frond_solver* solver);

/* ---- Options -------------------------------------------------------------------------------------------------------------------
 */

/* Sets an option by the name that it has on the command line of the program frond, without dashes: "ordering", "pivot-threshold",
 * "threads", "memory-limit", "error-bounds", ... ; frond_option_name() lists them. Beside these there are
 *
 *   index-base   0 or 1: from what indices count, in calls from then on
 *   mirrored     error, or sum: what entries (i, j) and (j, i) of a matrix that is not general come to, in calls from then on
 *   time-limit   seconds after which a call ends with FROND_STOPPED; 0: none
 *
 * The option symmetry is detect: a general matrix is treated as what its values are, exactly, looked at for every set of values;
 * where one has another symmetry than the one before it is analysed again. With as-stored a general matrix stays one.
 *
 * Options count when something is computed: those of solves with the next one, those of the analysis make another one, and the
 * others another factorization. */
FROND_C_API frond_status frond_set(frond_solver* solver, const char* name, const char* value);

/* *value is what an option is set to, until the thread's next call with this solver. */
FROND_C_API frond_status frond_get_option(frond_solver* solver, const char* name, const char** value);

/* The options, counted from 0; NULL after the last one. */
FROND_C_API const char* frond_option_name(int number);
/* What an option can be, and what it is for; NULL if there is no such option. */
FROND_C_API const char* frond_option_values(const char* name);
FROND_C_API const char* frond_option_meaning(const char* name);

/* Called now and then during a factorization with the part of it that is done, by any thread, but never twice at a time. It may not
 * call the solver, and neither may a frond_stop. NULL: not any more. */
typedef void (*frond_progress)(double fraction, void* context);
FROND_C_API frond_status frond_set_progress(frond_solver* solver, frond_progress progress, void* context);

/* Asked often during analyses, factorizations and solves, by any thread, several at a time: what is not 0 ends the call with
 * FROND_STOPPED. NULL: not any more. */
typedef int (*frond_stop)(void* context);
FROND_C_API frond_status frond_set_stop(frond_solver* solver, frond_stop stop, void* context);

/* Sets the callbacks of calls that this thread makes; they replace those of the solver for these calls. NULL: those of the solver.
 * All callbacks may be set while other threads make calls; callbacks that were replaced are not called any more. */
FROND_C_API frond_status frond_set_own_callbacks(frond_solver* solver, frond_progress progress, frond_stop stop, void* context);

/* A frond_stop whose context is an int that somebody sets to end the call: for languages whose functions are slow to be called. */
FROND_C_API int frond_stop_if_set(void* flag);

/* ---- The matrix ----------------------------------------------------------------------------------------------------------------
 */

/* A of order n by compressed columns: column j has the rows rows[offsets[j] .. offsets[j+1]) and their values, in any order.
 * Entries of one position add up. With `values` NULL the pattern is set, and frond_set_values() follows some time. */
FROND_C_API frond_status frond_set_columns(frond_solver* solver, int32_t n, int symmetry, const int32_t* offsets,
                                           const int32_t* rows, const void* values);
FROND_C_API frond_status frond_set_columns_64(frond_solver* solver, int64_t n, int symmetry, const int64_t* offsets,
                                              const int64_t* rows, const void* values);

/* The same by compressed rows. */
FROND_C_API frond_status frond_set_rows(frond_solver* solver, int32_t n, int symmetry, const int32_t* offsets, const int32_t* cols,
                                        const void* values);
FROND_C_API frond_status frond_set_rows_64(frond_solver* solver, int64_t n, int symmetry, const int64_t* offsets,
                                           const int64_t* cols, const void* values);

/* The same by triplets: entry k is values[k] at (rows[k], cols[k]). */
FROND_C_API frond_status frond_set_triplets(frond_solver* solver, int32_t n, int symmetry, int64_t num_entries, const int32_t* rows,
                                            const int32_t* cols, const void* values);
FROND_C_API frond_status frond_set_triplets_64(frond_solver* solver, int64_t n, int symmetry, int64_t num_entries,
                                               const int64_t* rows, const int64_t* cols, const void* values);

/* Other values for the same pattern, as many and in the same order as its entries were given. The analysis stays. */
FROND_C_API frond_status frond_set_values(frond_solver* solver, int64_t num_entries, const void* values);

/* The order of elimination: order[k] is the variable that is eliminated k-th. NULL: the option "ordering" chooses again. */
FROND_C_API frond_status frond_set_order(frond_solver* solver, const int32_t* order);

/* Scales with which the matrix is factorized, n positive numbers each, of the precision of the scalars; they are rounded to powers
 * of 2. Of a matrix that is not general both are the same, and `cols` may be NULL. Both NULL: the option "scaling" chooses again.
 */
FROND_C_API frond_status frond_set_scales(frond_solver* solver, const void* rows, const void* cols);

/* These variables are not eliminated, but kept for a Schur complement, whose rows and columns have their order. None: all are
 * eliminated. */
FROND_C_API frond_status frond_set_schur_variables(frond_solver* solver, int32_t count, const int32_t* variables);

/* ---- The three phases ----------------------------------------------------------------------------------------------------------
 */

/* Finds an order of elimination and predicts what it costs. Without values by the pattern alone. */
FROND_C_API frond_status frond_analyze(frond_solver* solver);

/* Computes the factors; those that there were go first, since two of them need not be in memory at a time. FROND_SINGULAR,
 * FROND_NOT_POSITIVE_DEFINITE and FROND_RANK_IN_DOUBT say what the matrix is. */
FROND_C_API frond_status frond_factorize(frond_solver* solver);

/* op(A) X = B for `count` right-hand sides, the columns of B, column k at b + k * ldb, ldb >= n unless there is one. X likewise; it
 * may take the place of B. */
FROND_C_API frond_status frond_solve(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb, void* x,
                                     int64_t ldx);

/* The same for sparse right-hand sides by compressed columns of n rows. */
FROND_C_API frond_status frond_solve_sparse(frond_solver* solver, int operation, int32_t count, const int64_t* offsets,
                                            const int32_t* rows, const void* values, void* x, int64_t ldx);

/* The same for some rows: row k of b is row b_rows[k] of B, with `count` columns, column j at b + j * ldb; rows that come several
 * times add up, and those that do not come are 0. Row k of x becomes row x_rows[k] of X, any of them in any order. */
FROND_C_API frond_status frond_solve_rows(frond_solver* solver, int operation, int32_t count, int32_t num_b_rows,
                                          const int32_t* b_rows, const void* b, int64_t ldb, int32_t num_x_rows,
                                          const int32_t* x_rows, void* x, int64_t ldx);

/* The rows of X that this process has of its own when it has been solved, so that x may stay where it arises: *count is how many,
 * and as many as `capacity` allows go to `rows`, which may be NULL. A process alone has them all; of several (see frond_mpi.h) each
 * row has one, which has the row's pivot. */
FROND_C_API frond_status frond_own_rows(frond_solver* solver, int32_t capacity, int32_t* rows, int32_t* count);

/* A X = B along with the factorization, which keeps about half of LU's factors for that and nothing afterwards. */
FROND_C_API frond_status frond_solve_once(frond_solver* solver, int32_t count, const void* b, int64_t ldb, void* x, int64_t ldx);

/* op(A_k) X_k = B_k for many systems of the pattern that is set, k from 0 to num_systems - 1: frequency sweeps, samples, steps of a
 * parameter. As many at a time as the option "threads" says, each by one thread, with the analysis of the solver, or of the first
 * system. Their values, as frond_set_values() takes them, follow one another in `values`, and so do their `count` right-hand sides
 * and solutions as columns of B and X. The matrix that is set, and its factors, stay.
 * statuses[k] is what system k came to, and backward_errors[k] the largest of its solutions; both may be NULL. Returns the status
 * of the first system that is not a success, and the message names it. */
FROND_C_API frond_status frond_solve_batch(frond_solver* solver, int operation, int64_t num_systems, const void* values,
                                           int32_t count, const void* b, int64_t ldb, void* x, int64_t ldx, int32_t* statuses,
                                           double* backward_errors);

/* ---- What was found ------------------------------------------------------------------------------------------------------------
 */

/* Figures by name: of the analysis, of the factorization, and of the last solve of this thread. frond_figure_name() lists them.
 * FROND_USAGE_ERROR where there is no such figure, or it is not known (yet): what is no number is not known. */
FROND_C_API frond_status frond_get_real(frond_solver* solver, const char* name, double* value);
FROND_C_API frond_status frond_get_integer(frond_solver* solver, const char* name, int64_t* value);
/* The same for words and sentences, which are valid until the thread's next call with this solver. */
FROND_C_API frond_status frond_get_text(frond_solver* solver, const char* name, const char** text);
/* The same for lists: *length is how many there are; as many as `capacity` allows go to `values`, which may be NULL. */
FROND_C_API frond_status frond_get_integers(frond_solver* solver, const char* name, int64_t capacity, int64_t* values,
                                            int64_t* length);
FROND_C_API frond_status frond_get_reals(frond_solver* solver, const char* name, int64_t capacity, double* values, int64_t* length);

/* How many eigenvalues are positive, negative and zero, of a real symmetric or a Hermitian matrix, which is factorized if it is not
 * yet: Sylvester's law of inertia. Each of them may be NULL. */
FROND_C_API frond_status frond_inertia(frond_solver* solver, int64_t* positive, int64_t* negative, int64_t* zero);

/* The figures, counted from 0; NULL after the last one. */
FROND_C_API const char* frond_figure_name(int number);
/* "real", "integer", "text", "integers" or "reals", and what it is; NULL if there is no such figure. */
FROND_C_API const char* frond_figure_type(const char* name);
FROND_C_API const char* frond_figure_meaning(const char* name);

/* ---- Other answers -------------------------------------------------------------------------------------------------------------
 */

/* The diagonal of A^-1, n scalars. With `refined` not 0 all columns are refined and checked, and not a few of them. */
FROND_C_API frond_status frond_inverse_diagonal(frond_solver* solver, int refined, void* diagonal);

/* Entries of A^-1 at the positions of a pattern by compressed columns of order n, in its order. */
FROND_C_API frond_status frond_inverse_entries(frond_solver* solver, int refined, const int64_t* offsets, const int32_t* rows,
                                               void* values);

/* A basis of the vectors z with op(A) z = 0: *dimension columns. As many as `capacity` allows go to z, ldz >= n, which may be
 * NULL. */
FROND_C_API frond_status frond_null_space(frond_solver* solver, int operation, int32_t capacity, void* z, int64_t ldz,
                                          int32_t* dimension);

/* The Schur complement of the variables that are kept: all its entries, column by column, lds >= how many they are. Where the block
 * of the other variables is singular there is none: this call and the two that follow fill their arrays with NaN and return
 * FROND_SINGULAR. */
FROND_C_API frond_status frond_schur_complement(frond_solver* solver, void* s, int64_t lds);

/* The right-hand sides of the Schur complement that belong to B; they have as many rows as it. */
FROND_C_API frond_status frond_condense(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb,
                                        void* condensed, int64_t ldc);
/* X of all variables, when X2 solves the condensed equations; B is what was condensed. */
FROND_C_API frond_status frond_expand(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb,
                                      const void* x2, int64_t ldx2, void* x, int64_t ldx);

/* X := op(part)^-1 X for one factor of A = lower * diagonal * upper. */
FROND_C_API frond_status frond_solve_part(frond_solver* solver, int part, int operation, int32_t count, void* x, int64_t ldx);

/* Which factors these are: the places of pivots, rows and columns in the order of elimination, n each, and the scales, n each, of
 * the precision of the scalars. Any of them may be NULL. */
FROND_C_API frond_status frond_factor_order(frond_solver* solver, int32_t* pivots, int32_t* rows, int32_t* cols, void* row_scales,
                                            void* col_scales);

/* ---- Saved factors -------------------------------------------------------------------------------------------------------------
 */

/* Writes the factors, without the values of A, to a file that appears complete or not at all. */
FROND_C_API frond_status frond_save(frond_solver* solver, const char* path);
/* Reads them for the matrix that has been set, which is the one that they are of. Those that there were stay until then. */
FROND_C_API frond_status frond_load(frond_solver* solver, const char* path);

/* The same to memory: *bytes is to be given back by frond_free(). */
FROND_C_API frond_status frond_save_to_memory(frond_solver* solver, void** bytes, int64_t* num_bytes);
FROND_C_API frond_status frond_load_from_memory(frond_solver* solver, const void* bytes, int64_t num_bytes);
FROND_C_API void frond_free(void* bytes);

/* Goes on with a factorization from the checkpoint in the directory of the option "checkpoint", which another process has left. As
 * for frond_factorize() the factors that there were go first. */
FROND_C_API frond_status frond_resume(frond_solver* solver);

#ifdef __cplusplus
}
#endif
#endif
