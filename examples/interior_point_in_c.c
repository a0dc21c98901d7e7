/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the point of the simplex {x >= 0, sum x = 1} closest to p by an interior-point method. Each step solves
 *
 *   [ I + Z/X  1 ] [dx]   [ p - x - y + mu/x ]
 *   [   1^T    0 ] [dy] = [    1 - sum x     ]
 *
 * with other values of the same pattern. The inertia, n positive eigenvalues and one negative, shows that dx leads downhill. */
#include <frond.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 1000 };

static void check(const frond_solver* solver, frond_status status) {
  if (status == FROND_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", frond_status_name(status), frond_message(solver));
  exit(1);
}

int main(void) {
  static int32_t offsets[n + 2], rows[2 * n];
  static double values[2 * n], p[n], x[n], z[n], step[n + 1], dz[n];
  for (int32_t j = 0; j < n; ++j) { /* column j of the lower triangle: the diagonal, and the last row */
    offsets[j] = 2 * j;
    rows[2 * j] = j, rows[2 * j + 1] = n;
    values[2 * j + 1] = 1;
    p[j] = sin(j * j), x[j] = z[j] = 1.0 / n;
  }
  offsets[n] = offsets[n + 1] = 2 * n;

  frond_solver* solver = NULL;
  check(solver, frond_create(FROND_DOUBLE, &solver));
  check(solver, frond_set_columns(solver, n + 1, FROND_SYMMETRIC, offsets, rows, NULL));
  double y = 0, mu = 1;
  int iterations = 0;
  for (; mu > 1e-14; mu *= 0.2, ++iterations) {
    int64_t positive = 0, negative = 0;
    step[n] = 1;
    for (int j = 0; j < n; ++j) {
      values[2 * j] = 1 + z[j] / x[j];
      step[j] = p[j] - x[j] - y + mu / x[j];
      step[n] -= x[j];
    }
    check(solver, frond_set_values(solver, 2 * n, values));
    check(solver, frond_solve(solver, FROND_PLAIN, 1, step, n + 1, step, n + 1));
    check(solver, frond_inertia(solver, &positive, &negative, NULL));
    if (positive != n || negative != 1) return 1;
    double length = 1; /* keeps x and z positive */
    for (int j = 0; j < n; ++j) {
      dz[j] = (mu - z[j] * step[j]) / x[j] - z[j];
      length = fmin(length, 0.99 * fmin(step[j] < 0 ? -x[j] / step[j] : 2, dz[j] < 0 ? -z[j] / dz[j] : 2));
    }
    for (int j = 0; j < n; ++j) x[j] += length * step[j], z[j] += length * dz[j];
    y += length * step[n];
  }
  frond_destroy(solver);

  double error = 0, sum = 0; /* against the closed form x = max(p - y, 0), where y makes sum x = 1 */
  for (int j = 0; j < n; ++j) {
    const double closest = fmax(p[j] - y, 0);
    error = fmax(error, fabs(x[j] - closest));
    sum += closest;
  }
  error = fmax(error, fabs(sum - 1));
  printf("%d steps, inertia (%d, 1, 0) in each; error %.1e\n", iterations, n, error);
  return error < 1e-6 ? 0 : 1;
}
