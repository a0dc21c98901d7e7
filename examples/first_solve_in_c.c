/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves A x = b with A = tridiag(-1, 4, -1), whose lower triangle is given by compressed columns. */
#include <frond.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const int32_t n = 1000;
  int32_t* offsets = malloc((n + 1) * sizeof *offsets);
  int32_t* rows = malloc(2 * n * sizeof *rows);
  double* values = malloc(2 * n * sizeof *values);
  double* b = malloc(n * sizeof *b);
  double* x = malloc(n * sizeof *x);
  int32_t count = 0;
  for (int32_t j = 0; j < n; ++j) {
    offsets[j] = count;
    rows[count] = j;
    values[count++] = 4;
    if (j + 1 < n) {
      rows[count] = j + 1;
      values[count++] = -1;
    }
    b[j] = 2;
  }
  offsets[n] = count;

  frond_solver* solver = NULL;
  const char* verdict = NULL;
  frond_status status = frond_create(FROND_DOUBLE, &solver);
  if (status == FROND_SUCCESS) status = frond_set_columns(solver, n, FROND_SYMMETRIC, offsets, rows, values);
  if (status == FROND_SUCCESS) status = frond_solve(solver, FROND_PLAIN, 1, b, n, x, n);
  if (status == FROND_SUCCESS) status = frond_get_text(solver, "description", &verdict);
  if (status == FROND_SUCCESS) {
    printf("%s\nx[0] = %.15g, x[%d] = %.15g\n", verdict, x[0], (int)n / 2, x[n / 2]);
  } else {
    fprintf(stderr, "%s: %s\n", frond_status_name(status), frond_message(solver)); /* names the remedy */
  }
  frond_destroy(solver);
  free(offsets), free(rows), free(values), free(b), free(x);
  return status == FROND_SUCCESS ? 0 : 1;
}
