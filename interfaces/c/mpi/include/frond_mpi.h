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
 * The calls are those of frond.h. With such a solver they are collective: all processes make the same ones, one after the other,
 * and on each process always from the same thread, which has started MPI unless that allows others. Who makes another call than the
 * first process comes to FROND_USAGE_ERROR, and so do all. What a call comes to is the same on all of them, and so is the message,
 * which names the process where something went wrong. Not collective are frond_message(), frond_get_option(), frond_get_...(),
 * frond_set_progress(), frond_set_stop() and frond_free().
 *
 * Who has what:
 *
 *   frond_set_triplets()                each process has any entries of the matrix; those of one position add up. Order and
 * symmetry are the same on all. frond_set_values() takes from each the values of its own entries. frond_set_columns(), ..._rows()
 * the first process has the matrix, and then all the values frond_solve_rows()                  each process gives any rows of B,
 * which add up, and asks for any rows of X frond_own_rows()                    says which rows of X a process has anyway all others
 * arguments and results are those of the first process; elsewhere arrays may be NULL. Those that pass an array for X to
 * frond_solve() or frond_solve_sparse() get X, too.
 *
 * The first process has the whole matrix while there is the solver, and each has a copy of it beside its part of the factors.
 * frond_analyze() needs values. frond_factor_order() and frond_solve_batch() are for a process alone.
 */
#ifndef FROND_MPI_H
#define FROND_MPI_H

#include <mpi.h>

#include <frond.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Collective: makes a solver of the processes of `communicator`, of which it has a duplicate. On failure *solver is NULL on all;
 * FROND_USAGE_ERROR where MPI does not run, or processes ask for different scalars. frond_destroy() is collective, too, and comes
 * before MPI_Finalize(). */
FROND_C_API frond_status frond_create_on(MPI_Comm communicator, int scalar, frond_solver** solver);

#ifdef __cplusplus
}
#endif
#endif
