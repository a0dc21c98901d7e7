/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the header as C, and solves one system from start to finish: [4 1; 2 3] x = [6 8]. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "frond.h"

static int failures = 0;

static void expect(int holds, const char* what) {
  if (!holds) {
    fprintf(stderr, "failed: %s\n", what);
    ++failures;
  }
}

static void count_calls(double fraction, void* context) {
  (void)fraction;
  ++*(int*)context;
}

static int never(void* context) {
  (void)context;
  return 0;
}

int main(void) {
  const int32_t offsets[] = {0, 2, 4};
  const int32_t rows[] = {0, 1, 0, 1};
  const double values[] = {4, 2, 1, 3};
  const double b[] = {6, 8};
  double x[] = {0, 0};
  double error = 1;
  int64_t order = 0;
  int calls = 0;
  const char* verdict = NULL;
  frond_solver* solver = NULL;

  expect(frond_create(FROND_DOUBLE, &solver) == FROND_SUCCESS, "create");
  expect(frond_set(solver, "threads", "1") == FROND_SUCCESS, "set");
  expect(frond_set_progress(solver, count_calls, &calls) == FROND_SUCCESS, "progress");
  expect(frond_set_stop(solver, never, NULL) == FROND_SUCCESS, "stop");
  expect(frond_set_columns(solver, 2, FROND_GENERAL, offsets, rows, values) == FROND_SUCCESS, "columns");
  expect(frond_solve(solver, FROND_PLAIN, 1, b, 2, x, 2) == FROND_SUCCESS, frond_message(solver));
  expect(fabs(x[0] - 1) < 1e-14 && fabs(x[1] - 2) < 1e-14, "x");
  expect(frond_get_real(solver, "backward_error", &error) == FROND_SUCCESS && error < 1e-15, "error");
  expect(frond_get_integer(solver, "n", &order) == FROND_SUCCESS && order == 2, "order");
  expect(frond_get_text(solver, "verdict", &verdict) == FROND_SUCCESS && strcmp(verdict, "solved") == 0, "verdict");
  expect(frond_set(solver, "pivot-treshold", "0.1") == FROND_USAGE_ERROR, "an option that does not exist");
  expect(strstr(frond_message(solver), "pivot-threshold") != NULL, "what may have been meant");
  frond_destroy(solver);
  return failures == 0 ? 0 : 1;
}
