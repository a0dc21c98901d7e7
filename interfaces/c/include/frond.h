/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C interface of Frond: solves A x = b for large sparse A with factors that serve any number of right-hand sides.
 *
 *   frond_solver *solver = NULL;
 *   frond_create(FROND_DOUBLE, &solver);
 *   frond_set_columns(solver, n, FROND_GENERAL, offsets, rows, values);
 *   if (frond_solve(solver, FROND_PLAIN, 1, b, n, x, n) != FROND_SUCCESS)
 *     fprintf(stderr, "%s\n", frond_message(solver));
 *   frond_destroy(solver);
 *
 * Every call runs the phases that are still missing: frond_solve() factorizes a matrix that is not factorized yet, and
 * frond_factorize() analyses a pattern that is not analysed yet. Results stay valid until the matrix or an option that they depend
 * on is set again.
 *
 * Arrays belong to the caller. Input arrays are copied, output arrays have the documented sizes; no call keeps a pointer. Scalars
 * are those of frond_create(): float, double, or two of them, real and imaginary part, as in C's _Complex. Indices count from 0, or
 * from 1 after frond_set(solver, "index-base", "1"), and so do returned indices.
 *
 * Several threads may use one solver. Solves and queries run concurrently; a call that analyses, factorizes or sets anything but
 * callbacks waits until the others have returned, and later calls wait for it. frond_message() and the frond_get_...() functions
 * refer to the calling thread's own last call.
 *
 * The same calls work over several MPI processes, with a solver created by frond_mpi.h.
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

/* Status of a call. Positive: the call completed, but the result is not the desired one. Negative: the call failed, and everything
 * set before is unchanged. frond_message() gives the numbers, the cause, and a remedy. */
typedef enum frond_status {
  FROND_SUCCESS = 0,               /* done; x, if there is one, is accurate, or not measured, as the option verdict asks */
  FROND_ACCURACY_MISSED = 1,       /* x is computed, but a backward error is above the target */
  FROND_SINGULAR = 2,              /* x solves the remaining equations; the message says whether it solves all */
  FROND_NOT_POSITIVE_DEFINITE = 3, /* the method cholesky was requested; there is no x */
  FROND_RANK_IN_DOUBT = 4,         /* there is no x, and no proof whether the matrix is singular */
  FROND_USAGE_ERROR = -1,          /* invalid call: wrong sizes, unknown names, calls out of order, or non-finite values */
  FROND_INPUT_ERROR = -2,          /* the data read is damaged or of the wrong kind */
  FROND_OUTPUT_ERROR = -3,         /* the output cannot be created, or the disk is full */
  FROND_MEMORY_ERROR = -4,         /* the system or a limit does not grant enough memory */
  FROND_STOPPED = -5,              /* the callback or the time limit ended the call */
  FROND_COMMUNICATION_ERROR = -6,  /* a process is gone, or MPI failed */
  FROND_INTERNAL_ERROR = -7        /* a defect of Frond: please report it */
} frond_status;

/* Enums are passed as int so that an invalid value is reported as FROND_USAGE_ERROR. */
typedef enum frond_scalar { FROND_FLOAT = 0, FROND_DOUBLE = 1, FROND_COMPLEX_FLOAT = 2, FROND_COMPLEX_DOUBLE = 3 } frond_scalar;

/* What a matrix guarantees about its triangles. Unless it is general, one triangle is given, with the diagonal. Either triangle
 * will do, and entries of both may be mixed, but giving both (i, j) and (j, i) is an error unless the option mirrored is sum. */
typedef enum frond_symmetry {
  FROND_GENERAL = 0,
  FROND_SYMMETRIC = 1,      /* A = A^T */
  FROND_SKEW_SYMMETRIC = 2, /* A = -A^T */
  FROND_HERMITIAN = 3       /* A = A^H; for real numbers the same as FROND_SYMMETRIC */
} frond_symmetry;

/* The operator applied to the vector: A, A^T or A^H. */
typedef enum frond_operation { FROND_PLAIN = 0, FROND_TRANSPOSED = 1, FROND_ADJOINT = 2 } frond_operation;

/* A = lower * diagonal * upper, see frond_solve_part(). */
typedef enum frond_part { FROND_LOWER = 0, FROND_DIAGONAL = 1, FROND_UPPER = 2 } frond_part;

/* A linear system, its options, and its results so far. */
typedef struct frond_solver frond_solver;

/* "0.1.0" */
FROND_C_API const char* frond_version(void);

/* The name of a status, such as "FROND_SINGULAR"; "unknown status" for any other number. */
FROND_C_API const char* frond_status_name(int status);

/* ---- Life ----------------------------------------------------------------------------------------------------------------------
 */

/* Creates a solver for scalars of this kind. On failure *solver is NULL, and frond_message(NULL) says why. */
FROND_C_API frond_status frond_create(int scalar, frond_solver** solver);

/* Frees all memory. NULL is allowed. No other thread may be using the solver. */
FROND_C_API void frond_destroy(frond_solver* solver);

/* Describes in one or more sentences the outcome of this thread's last call with this solver; "" after a success. Valid until the
 * thread's next call with this solver. With NULL it says why this thread's last attempt to create a solver failed, or, if it did
 * not fail, that there is no solver. */
FROND_C_API const char* frond_message(const frond_solver* solver);

/* ---- Options -------------------------------------------------------------------------------------------------------------------
 */

/* Sets an option by the name that it has in the program frond, as --ordering KIND or --set pivot-threshold=U: "ordering",
 * "pivot-threshold", "threads", "memory-limit", "error-bounds", ... ; frond_option_name() lists them. Those of several processes,
 * "schedule", "work", "chunks", "load-exchange", "load-thread", "load-period" and "watchdog", which reports on standard error, are
 * for solvers of frond_create_on(). In addition there are
 *
 *   index-base   0 or 1: the first index, in all later calls
 *   mirrored     error, or sum: how to treat entries (i, j) and (j, i) of a matrix that is not general, in all later calls
 *   time-limit   seconds after which a call ends with FROND_STOPPED; 0: none
 *
 * The option symmetry defaults to detect: every set of values of a general matrix is checked for exact symmetry, which is then
 * exploited; if the symmetry differs from that of the previous values, the matrix is analysed again. With as-stored a general
 * matrix is treated as general.
 *
 * Options take effect at the next computation: solve options with the next solve, analysis options by a new analysis, and all
 * others by a new factorization. */
FROND_C_API frond_status frond_set(frond_solver* solver, const char* name, const char* value);

/* Sets *value to the current value of an option; valid until the thread's next call with this solver. */
FROND_C_API frond_status frond_get_option(frond_solver* solver, const char* name, const char** value);

/* The name of an option, counted from 0; NULL after the last one. */
FROND_C_API const char* frond_option_name(int number);
/* The allowed values of an option, and its meaning; NULL if there is no such option. */
FROND_C_API const char* frond_option_values(const char* name);
FROND_C_API const char* frond_option_meaning(const char* name);

/* Called from time to time during a factorization with the fraction that is done, by any thread, but never concurrently. Neither it
 * nor a frond_stop may call the solver. NULL removes the callback. */
typedef void (*frond_progress)(double fraction, void* context);
FROND_C_API frond_status frond_set_progress(frond_solver* solver, frond_progress progress, void* context);

/* Polled often during analyses, factorizations and solves, by any thread, possibly concurrently: a nonzero result ends the call
 * with FROND_STOPPED. NULL removes the callback. */
typedef int (*frond_stop)(void* context);
FROND_C_API frond_status frond_set_stop(frond_solver* solver, frond_stop stop, void* context);

/* Sets the callbacks for calls that this thread makes, in place of those of the solver. NULL: use those of the solver. All
 * callbacks may be set while other threads make calls; replaced callbacks are not called any more. */
FROND_C_API frond_status frond_set_own_callbacks(frond_solver* solver, frond_progress progress, frond_stop stop, void* context);

/* A frond_stop whose context points to an int, which is set to nonzero to end the call: for languages with slow callbacks. */
FROND_C_API int frond_stop_if_set(void* flag);

/* ---- The matrix ----------------------------------------------------------------------------------------------------------------
 */

/* A of order n by compressed columns: column j has the rows rows[offsets[j] .. offsets[j+1]) and their values, in any order.
 * Entries of one position add up. With `values` NULL only the pattern is set, and frond_set_values() must follow later. */
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

/* Sets other values for the same pattern, as many as its entries and in the order in which these were given. The analysis stays. */
FROND_C_API frond_status frond_set_values(frond_solver* solver, int64_t num_entries, const void* values);

/* The elimination order: order[k] is the variable eliminated k-th. NULL: use the option "ordering" again. */
FROND_C_API frond_status frond_set_order(frond_solver* solver, const int32_t* order);

/* Scales for the factorization, n positive numbers each, in the precision of the scalars; they are rounded to powers of 2. For a
 * matrix that is not general both are the same, and `cols` may be NULL. Both NULL: use the option "scaling" again.
 */
FROND_C_API frond_status frond_set_scales(frond_solver* solver, const void* rows, const void* cols);

/* These variables are not eliminated, but kept for a Schur complement, whose rows and columns are in the given order. With none,
 * all variables are eliminated. */
FROND_C_API frond_status frond_set_schur_variables(frond_solver* solver, int32_t count, const int32_t* variables);

/* ---- The three phases ----------------------------------------------------------------------------------------------------------
 */

/* Finds an elimination order and predicts its cost. Without values only the pattern is used. */
FROND_C_API frond_status frond_analyze(frond_solver* solver);

/* Computes the factors. Previous factors are freed first, so that two sets are never in memory at once. FROND_SINGULAR,
 * FROND_NOT_POSITIVE_DEFINITE and FROND_RANK_IN_DOUBT describe the matrix. */
FROND_C_API frond_status frond_factorize(frond_solver* solver);

/* Factorizes other values for the same pattern in one call: frond_set_values(), then frond_factorize(). Invalid values leave matrix
 * and factors as they were; after another failure the matrix is the one of before, but its factors are freed. */
FROND_C_API frond_status frond_refactorize(frond_solver* solver, int64_t num_entries, const void* values);

/* Solves op(A) X = B for `count` right-hand sides, the columns of B, column k at b + k * ldb, ldb >= n unless count is 1. X
 * likewise; it may overwrite B. */
FROND_C_API frond_status frond_solve(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb, void* x,
                                     int64_t ldx);

/* The same for sparse right-hand sides by compressed columns of n rows. */
FROND_C_API frond_status frond_solve_sparse(frond_solver* solver, int operation, int32_t count, const int64_t* offsets,
                                            const int32_t* rows, const void* values, void* x, int64_t ldx);

/* The same for selected rows: row k of b is row b_rows[k] of B, with `count` columns, column j at b + j * ldb; repeated rows add
 * up, and missing rows are 0. Row k of x becomes row x_rows[k] of X, for any rows in any order. */
FROND_C_API frond_status frond_solve_rows(frond_solver* solver, int operation, int32_t count, int32_t num_b_rows,
                                          const int32_t* b_rows, const void* b, int64_t ldb, int32_t num_x_rows,
                                          const int32_t* x_rows, void* x, int64_t ldx);

/* Returns the rows of X that this process owns after a solve, so that x may stay where it is computed: *count is their number, and
 * at most `capacity` of them are written to `rows`, which may be NULL. A single process owns all rows; with several (see
 * frond_mpi.h) each row is owned by the process that has the row's pivot. */
FROND_C_API frond_status frond_own_rows(frond_solver* solver, int32_t capacity, int32_t* rows, int32_t* count);

/* Solves A X = B during the factorization, which keeps only about half of LU's factors meanwhile and none afterwards. */
FROND_C_API frond_status frond_solve_once(frond_solver* solver, int32_t count, const void* b, int64_t ldb, void* x, int64_t ldx);

/* op(A_k) X_k = B_k for many systems with the pattern that has been set, k from 0 to num_systems - 1: frequency sweeps, samples,
 * steps of a parameter. The option "threads" sets how many are solved at a time, each by one thread, with the analysis of the
 * solver, or of the first system. Their values, as frond_set_values() takes them, follow one another in `values`, and so do their
 * `count` right-hand sides and solutions as columns of B and X. The current matrix and its factors are unchanged.
 * statuses[k] is the status of system k, and backward_errors[k] the largest backward error of its solutions; both may be NULL.
 * Returns the status of the first system that is not successful, and the message names that system. */
FROND_C_API frond_status frond_solve_batch(frond_solver* solver, int operation, int64_t num_systems, const void* values,
                                           int32_t count, const void* b, int64_t ldb, void* x, int64_t ldx, int32_t* statuses,
                                           double* backward_errors);

/* ---- What was found ------------------------------------------------------------------------------------------------------------
 */

/* Returns figures by name: of the analysis, of the factorization, and of the last solve of this thread. frond_figure_name() lists
 * them. FROND_USAGE_ERROR if there is no such figure or it is not known (yet); a NaN counts as not known. */
FROND_C_API frond_status frond_get_real(frond_solver* solver, const char* name, double* value);
FROND_C_API frond_status frond_get_integer(frond_solver* solver, const char* name, int64_t* value);
/* The same for texts, which are valid until the thread's next call with this solver. */
FROND_C_API frond_status frond_get_text(frond_solver* solver, const char* name, const char** text);
/* The same for lists: *length is their length; at most `capacity` items are written to `values`, which may be NULL. */
FROND_C_API frond_status frond_get_integers(frond_solver* solver, const char* name, int64_t capacity, int64_t* values,
                                            int64_t* length);
FROND_C_API frond_status frond_get_reals(frond_solver* solver, const char* name, int64_t capacity, double* values, int64_t* length);

/* The numbers of positive, negative and zero eigenvalues of a real symmetric or Hermitian matrix, by Sylvester's law of inertia;
 * the matrix is factorized if necessary. Each of them may be NULL. */
FROND_C_API frond_status frond_inertia(frond_solver* solver, int64_t* positive, int64_t* negative, int64_t* zero);

/* The name of a figure, counted from 0; NULL after the last one. */
FROND_C_API const char* frond_figure_name(int number);
/* The type of a figure ("real", "integer", "text", "integers" or "reals") and its meaning; NULL if there is no such figure. */
FROND_C_API const char* frond_figure_type(const char* name);
FROND_C_API const char* frond_figure_meaning(const char* name);

/* ---- Other answers -------------------------------------------------------------------------------------------------------------
 */

/* The diagonal of A^-1, n scalars. With `refined` not 0 all columns are refined and checked, instead of a few. */
FROND_C_API frond_status frond_inverse_diagonal(frond_solver* solver, int refined, void* diagonal);

/* Entries of A^-1 at the positions of a pattern by compressed columns of order n, in its order. */
FROND_C_API frond_status frond_inverse_entries(frond_solver* solver, int refined, const int64_t* offsets, const int32_t* rows,
                                               void* values);

/* A basis of the vectors z with op(A) z = 0: *dimension columns. At most `capacity` of them are written to z, ldz >= n, which may
 * be NULL. */
FROND_C_API frond_status frond_null_space(frond_solver* solver, int operation, int32_t capacity, void* z, int64_t ldz,
                                          int32_t* dimension);

/* The Schur complement of the kept variables: all its entries, column by column, lds >= the number of kept variables. If the block
 * of the other variables is singular, it does not exist: this call and the two that follow fill their arrays with NaN and return
 * FROND_SINGULAR. */
FROND_C_API frond_status frond_schur_complement(frond_solver* solver, void* s, int64_t lds);

/* The condensed right-hand sides, which the Schur complement is to be solved with; they have as many rows as it. */
FROND_C_API frond_status frond_condense(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb,
                                        void* condensed, int64_t ldc);
/* X of all variables, given the solution X2 of the condensed equations; B is what was condensed. */
FROND_C_API frond_status frond_expand(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb,
                                      const void* x2, int64_t ldx2, void* x, int64_t ldx);

/* X := op(part)^-1 X for one factor of A = lower * diagonal * upper. */
FROND_C_API frond_status frond_solve_part(frond_solver* solver, int part, int operation, int32_t count, void* x, int64_t ldx);

/* Describes these factors: the positions of pivots, rows and columns in the elimination order, n each, and the scales, n each, in
 * the precision of the scalars. Any of them may be NULL. */
FROND_C_API frond_status frond_factor_order(frond_solver* solver, int32_t* pivots, int32_t* rows, int32_t* cols, void* row_scales,
                                            void* col_scales);

/* ---- Saved factors -------------------------------------------------------------------------------------------------------------
 */

/* Writes the factors, without the values of A, to a file that appears complete or not at all. */
FROND_C_API frond_status frond_save(frond_solver* solver, const char* path);
/* Loads factors for the matrix that has been set, which must be the matrix they were computed from. Previous factors are kept until
 * the load succeeds. */
FROND_C_API frond_status frond_load(frond_solver* solver, const char* path);

/* The same to memory; the caller frees *bytes with frond_free(). */
FROND_C_API frond_status frond_save_to_memory(frond_solver* solver, void** bytes, int64_t* num_bytes);
FROND_C_API frond_status frond_load_from_memory(frond_solver* solver, const void* bytes, int64_t num_bytes);
FROND_C_API void frond_free(void* bytes);

/* Continues a factorization from the checkpoint in the directory of the option "checkpoint", left by another process. As in
 * frond_factorize() previous factors are freed first. */
FROND_C_API frond_status frond_resume(frond_solver* solver);

#ifdef __cplusplus
}
#endif
#endif
