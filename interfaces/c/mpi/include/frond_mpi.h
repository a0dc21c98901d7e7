/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frond in C over several processes of MPI. Programs link frond-mpi, and start and end MPI themselves.
 *
 *   frond_solver *solver = NULL;
 *   frond_create_on(MPI_COMM_WORLD, FROND_DOUBLE, &solver);
 *   frond_set_triplets(solver, n, FROND_GENERAL, my_entries, rows, cols, values);
 *   frond_own_rows(solver, n, x_rows, &my_rows);
 *   frond_solve_rows(solver, FROND_PLAIN, 1, my_b_rows, b_rows, b, n, my_rows, x_rows, x, n);
 *   frond_destroy(solver);
 *
 * The calls are those of frond.h, and all of them are collective: all processes make the same ones, one after the other,
 * frond_destroy() included. A process that makes another call than the first one is an error on all. What a call comes to is the
 * same on all processes, and so is the message, which names the process where something went wrong. Each process by itself may call
 * frond_message(), frond_get_option(), frond_get_...(), frond_set_progress(), frond_set_stop(),
 * frond_set_own_callbacks() and frond_free().
 *
 * What comes from which process:
 *
 * - frond_set_triplets(): each has any entries of the matrix, or none; those of one position add up. Order and symmetry are those
 *   of all. frond_set_values() takes from each the values of its own entries.
 *
 * - frond_set_columns(), frond_set_rows(): the matrix is that of the first process, and so are all values later.
 *
 * - frond_solve_rows(): each gives any rows of B, which add up, and asks for any rows of X; those that give or ask for rows agree
 *   about `count`. frond_own_rows() says which rows of X a process has anyway.
 *
 * - All other calls: options, operations, numbers, paths and arrays of the first process count, and what others pass is not looked
 *   at; arrays may be NULL there. Results go to the first process, but single numbers (inertia, dimension, figures) to all. Those
 *   that pass an array for X to frond_solve() or frond_solve_sparse() get X, too.
 *
 * - Figures are those of the whole factorization: counts, flops and bytes add up over the processes. metered_peak_bytes is that of
 *   the process that has most, and predicted_... is what one process alone would need.
 *
 * - Callbacks: any process may set them. A stop that one asks for ends the call on all; progress is that of the process.
 *
 * The first process has the whole matrix while there is the solver, and each has a copy of it beside its part of the factors.
 * frond_analyze() needs values; frond_factor_order() and frond_solve_batch() are for a communicator of one process.
 *
 * Threads: a solver is called by one thread of each process at a time, which below MPI_THREAD_SERIALIZED is the one that has
 * started MPI. Below MPI_THREAD_MULTIPLE a process has one solver at a time. Errors inside MPI end the program, as MPI's default
 * error handler has it; with MPI_ERRORS_RETURN they are FROND_COMMUNICATION_ERROR, after which all that is left is frond_destroy().
 */
#ifndef FROND_MPI_H
#define FROND_MPI_H

#include <mpi.h>

#include <frond.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a solver of the processes of an intracommunicator, of which it has a duplicate until frond_destroy(), which comes before
 * MPI_Finalize(). On failure *solver is NULL on all, and frond_message(NULL) says why: FROND_USAGE_ERROR where MPI does not run,
 * where there is no communicator or one between two groups, where a process passes NULL for `solver`, or another scalar than the
 * first. */
FROND_C_API frond_status frond_create_on(MPI_Comm communicator, int scalar, frond_solver** solver);

#ifdef __cplusplus
}
#endif
#endif
