/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C interface of Frond over several MPI processes. Programs link frond-mpi, and start and end MPI themselves.
 *
 *   frond_solver *solver = NULL;
 *   frond_create_on(MPI_COMM_WORLD, FROND_DOUBLE, &solver);
 *   frond_set_triplets(solver, n, FROND_GENERAL, my_entries, rows, cols, values);
 *   frond_own_rows(solver, n, x_rows, &my_rows);
 *   frond_solve_rows(solver, FROND_PLAIN, 1, my_b_rows, b_rows, b, n, my_rows, x_rows, x, n);
 *   frond_destroy(solver);
 *
 * The calls are those of frond.h, and all of them are collective: all processes make the same ones, one after the other,
 * frond_destroy() included. If a process makes a different call than the first process, all report an error. The status of a call
 * is the same on all processes, and so is the message, which names the process where something went wrong. Not collective are
 * frond_message(), frond_get_option(), frond_get_...(), frond_set_progress(), frond_set_stop(), frond_set_own_callbacks() and
 * frond_free().
 *
 * Which process provides what:
 *
 * - frond_set_triplets(): each process passes any entries of the matrix, or none; entries of one position add up. All pass the same
 *   order and symmetry. frond_set_values() takes from each process the values of its own entries.
 *
 * - frond_set_columns(), frond_set_rows(): the first process passes the matrix, and all later values.
 *
 * - frond_solve_rows(): each process passes any rows of B, which add up, and requests any rows of X; processes that pass or request
 *   rows agree on `count`. frond_own_rows() returns the rows of X that a process computes anyway.
 *
 * - All other calls: options, operations, numbers, paths and arrays of the first process count, and those of the others are
 *   ignored; their arrays may be NULL. Results go to the first process, but single numbers (inertia, dimension, figures) to all.
 *   Other processes that pass an array for X to frond_solve() or frond_solve_sparse() get X, too.
 *
 * - The options "schedule", "work", "chunks", "load-exchange", "load-thread", "load-period" and "watchdog" say how processes work
 *   together; frond_option_meaning() explains them.
 *
 * - Figures are those of the whole factorization: counts, flops and bytes add up over the processes. metered_peak_bytes is the
 *   maximum over the processes, and predicted_... is what one process alone would need.
 *
 * - Callbacks: any process may set them. A stop requested by one ends the call on all; progress is that of the calling process.
 *
 * The first process has the whole matrix as long as the solver exists, and each process has a copy of it in addition to its part of
 * the factors. frond_factor_order() and frond_solve_batch() are for a communicator of one process.
 *
 * Threads: a solver is called by one thread of each process at a time, which below MPI_THREAD_SERIALIZED is the thread that started
 * MPI. Below MPI_THREAD_MULTIPLE a process has one solver at a time. Errors inside MPI end the program, under MPI's default error
 * handler; with MPI_ERRORS_RETURN they return FROND_COMMUNICATION_ERROR, after which only frond_destroy() may be called.
 */
#ifndef FROND_MPI_H
#define FROND_MPI_H

#include <mpi.h>

#include <frond.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Creates a solver on the processes of an intracommunicator, which is duplicated until frond_destroy(); call that before
 * MPI_Finalize(). On failure *solver is NULL on all, and frond_message(NULL) says why: FROND_USAGE_ERROR if MPI is not running, if
 * the communicator is null or an intercommunicator, or if a process passes NULL for `solver` or a different scalar than the first
 * one. */
FROND_C_API frond_status frond_create_on(MPI_Comm communicator, int scalar, frond_solver** solver);

#ifdef __cplusplus
}
#endif
#endif
