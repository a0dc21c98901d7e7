/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves -u'' = 1 on [0, 1] with u(0) = u(1) = 0 in several processes: each assembles its own elements, and keeps the rows of the
 * solution that arise on it. */
#include <frond_mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns 0 on success; otherwise -1, and the first process prints the message. */
static int came_to(frond_status status, const frond_solver* solver, int rank) {
  if (status == FROND_SUCCESS) return 0;
  if (rank == 0) fprintf(stderr, "%s: %s\n", frond_status_name(status), frond_message(solver));
  return -1;
}

/* Element e lies between the unknowns e - 1 and e; its matrix and its load are added to their rows. */
static int assemble_and_solve(frond_solver* solver, int rank, int size) {
  const int32_t n = 100000;
  const double h = 1.0 / (n + 1);
  int32_t count = 0, num_rows = 0, num_own = 0;
  int32_t* rows = malloc(3 * (n / size + 2) * sizeof *rows);
  int32_t* cols = malloc(3 * (n / size + 2) * sizeof *cols);
  double* values = malloc(3 * (n / size + 2) * sizeof *values);
  int32_t* b_rows = malloc(2 * (n / size + 2) * sizeof *b_rows);
  double* b = malloc(2 * (n / size + 2) * sizeof *b);
  int32_t* x_rows = malloc(n * sizeof *x_rows);
  double* x = malloc(n * sizeof *x);
  for (int32_t e = rank; e <= n; e += size) {
    for (int32_t row = e - 1; row <= e; ++row) {
      if (row < 0 || row >= n) continue;
      rows[count] = cols[count] = row;
      values[count++] = 1 / h;
      b_rows[num_rows] = row;
      b[num_rows++] = h / 2;
    }
    if (e > 0 && e < n) {
      rows[count] = e;
      cols[count] = e - 1;
      values[count++] = -1 / h;
    }
  }
  int result = came_to(frond_set_triplets(solver, n, FROND_SYMMETRIC, count, rows, cols, values), solver, rank);
  if (result == 0) result = came_to(frond_own_rows(solver, n, x_rows, &num_own), solver, rank);
  if (result == 0) {
    result = came_to(frond_solve_rows(solver, FROND_PLAIN, 1, num_rows, b_rows, b, num_rows, num_own, x_rows, x, n), solver, rank);
  }
  double error = 0, largest = 0;
  for (int32_t k = 0; result == 0 && k < num_own; ++k) {
    const double at = (x_rows[k] + 1) * h;
    error = fmax(error, fabs(x[k] - at * (1 - at) / 2));
  }
  MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (result == 0 && rank == 0) printf("%d of %d unknowns are here; the largest error of all is %.1e\n", num_own, n, largest);
  free(rows), free(cols), free(values), free(b_rows), free(b), free(x_rows), free(x);
  return result == 0 && largest < 1e-8 ? 0 : 1;
}

int main(int argc, char** argv) {
  int thread_level = 0, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &thread_level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  frond_solver* solver = NULL;
  int result = 1;
  if (frond_create_on(MPI_COMM_WORLD, FROND_DOUBLE, &solver) == FROND_SUCCESS) result = assemble_and_solve(solver, rank, size);
  frond_destroy(solver);
  MPI_Finalize();
  return result;
}
