/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes how well a random walk is known that is observed with noise except in a gap. Steps and noise have variance 1. The
 * inverse of the covariance matrix is tridiagonal; the variances and the covariances of neighbours are entries of the inverse of
 * that tridiagonal matrix. */
#include <frond.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 1000, gap_begin = 600, gap_end = 700 };

static void check(const frond_solver* solver, frond_status status) {
  if (status == FROND_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", frond_status_name(status), frond_message(solver));
  exit(1);
}

int main(void) {
  static int32_t offsets[n + 1], rows[2 * n];
  static int64_t wanted[n + 1];
  static double values[2 * n], covariances[2 * n], column[n];
  int32_t count = 0;
  for (int32_t j = 0; j < n; ++j) {
    const int is_observed = j < gap_begin || j >= gap_end;
    wanted[j] = offsets[j] = count;
    rows[count] = j;
    values[count++] = (j > 0) + (j + 1 < n) + is_observed;
    if (j + 1 < n) {
      rows[count] = j + 1;
      values[count++] = -1;
    }
  }
  wanted[n] = offsets[n] = count;

  frond_solver* solver = NULL;
  check(solver, frond_create(FROND_DOUBLE, &solver));
  check(solver, frond_set_columns(solver, n, FROND_SYMMETRIC, offsets, rows, values));
  check(solver, frond_inverse_entries(solver, 0, wanted, rows, covariances)); /* factorizes first */

  const int here = 300, middle = (gap_begin + gap_end) / 2;
  printf("standard deviation: %.4f where it is observed, %.4f in the gap\n", sqrt(covariances[2 * here]),
         sqrt(covariances[2 * middle]));
  /* Far from the ends and the gap, the entries agree with the inverse of an infinite matrix; in the gap, a solve gives them as
   * well. */
  column[middle] = 1;
  check(solver, frond_solve(solver, FROND_PLAIN, 1, column, n, column, n));
  frond_destroy(solver);
  double error = fmax(fabs(covariances[2 * here] - 1 / sqrt(5)), fabs(covariances[2 * here + 1] - (3 / sqrt(5) - 1) / 2));
  error = fmax(error, fabs(covariances[2 * middle] - column[middle]));
  error = fmax(error, fabs(covariances[2 * middle + 1] - column[middle + 1]));
  printf("largest error of four entries: %.1e\n", error);
  return error < 1e-10 ? 0 : 1;
}
