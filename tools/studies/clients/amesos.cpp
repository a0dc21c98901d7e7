// SPDX-License-Identifier: BSD-3-Clause
// Solves a system of an N x N grid by Trilinos' Amesos_Mumps, twice with other values: amesos N
#include <Amesos.h>
#include <Epetra_CrsMatrix.h>
#include <Epetra_LinearProblem.h>
#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>
#include <Epetra_Vector.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

void fill(Epetra_CrsMatrix& matrix, int n) {
  for (int k = 0; k < matrix.Map().NumMyElements(); ++k) {
    const int row = matrix.Map().GID(k);
    std::vector<int> cols = {row};
    std::vector<double> values = {4};
    const auto add = [&](bool is_there, int col, double value) {
      if (is_there) {
        cols.push_back(col);
        values.push_back(value);
      }
    };
    add(row >= n, row - n, -1);
    add(row + n < n * n, row + n, -1);
    add(row % n > 0, row - 1, -1.2);
    add(row % n < n - 1, row + 1, -0.8);
    matrix.InsertGlobalValues(row, static_cast<int>(cols.size()), values.data(), cols.data());
  }
  matrix.FillComplete();
}

void solve(int n) {
  const Epetra_MpiComm processes(MPI_COMM_WORLD);
  const Epetra_Map rows(n * n, 0, processes);
  Epetra_CrsMatrix matrix(Copy, rows, 5);
  fill(matrix, n);
  Epetra_Vector x(rows);
  Epetra_Vector b(rows);
  Epetra_Vector exact(rows);
  exact.PutScalar(1);
  Epetra_LinearProblem problem(&matrix, &x, &b);
  const std::unique_ptr<Amesos_BaseSolver> solver(Amesos().Create("Amesos_Mumps", problem));
  int status = solver->SymbolicFactorization();
  double worst = 0;
  for (const double scale : {1.0, 3.0}) {
    matrix.Scale(scale);
    matrix.Multiply(false, exact, b);
    status += solver->NumericFactorization() + solver->Solve();
    double error = 0;
    x.Update(-1, exact, 1);
    x.NormInf(&error);
    worst = std::max(worst, error);
  }
  if (processes.MyPID() == 0) {
    std::printf("status %d\n", status);
    std::printf(worst < 1e-10 ? "accurate\n" : "error %.1e\n", worst);
  }
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  solve(std::atoi(arguments[1]));
  MPI_Finalize();
  return 0;
}
