/* SPDX-License-Identifier: BSD-3-Clause
 * Solves a banded system of order N by siconos with MUMPS, and again with the factors that it keeps: siconos N */
#include <NM_MUMPS.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 1000;
  NumericsMatrix* matrix = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(matrix, 4 * n);
  matrix->matrix2->origin = NSM_TRIPLET;
  double* x = malloc(n * sizeof(double));
  double* b = calloc(n, sizeof(double));
  for (int i = 0; i < n; ++i) {
    x[i] = sin(i + 1.0);
  }
  const int offsets[] = {0, -1, 1, 50};
  const double values[] = {4, -1.5, -1, 0.5};
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) {
      const int j = i + offsets[k];
      if (j >= 0 && j < n) {
        NM_entry(matrix, i, j, values[k]);
        b[i] += values[k] * x[j];
      }
    }
  }
  NSM_linearSolverParams(matrix)->solver = NSM_MUMPS;
  int status = 0;
  double worst = 0;
  double* solution = malloc(n * sizeof(double));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) {
      solution[i] = b[i];
    }
    status += NM_gesv_expert(matrix, solution, NM_KEEP_FACTORS);
    for (int i = 0; i < n; ++i) {
      worst = fmax(worst, fabs(solution[i] - x[i]));
    }
  }
  NM_clear(matrix);
  printf("status %d\n", status);
  printf(worst < 1e-10 ? "accurate\n" : "error %.1e\n", worst);
  return 0;
}
