// SPDX-License-Identifier: BSD-3-Clause
// frond_mumps_client CODE: a program that is linked with MUMPS. Solves [2 1; 1 3] x = (3, 4), x = (1, 1), with two sets of values,
// and a complex system; prints the version that it found; exits with CODE, or 1 if x is wrong.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <dmumps_c.h>
#include <zmumps_c.h>

namespace {

constexpr int kUseCommWorld = -987654;

bool solve_twice() {
  std::vector<int> rows = {1, 2, 2};
  std::vector<int> cols = {1, 2, 1};
  std::vector<double> values = {2, 3, 1};
  std::vector<double> x = {3, 4};
  DMUMPS_STRUC_C id{};
  id.sym = 2;
  id.par = 1;
  id.comm_fortran = kUseCommWorld;
  const auto call = [&id](int job) {
    id.job = job;
    dmumps_c(&id);
    return id.infog[0] == 0;
  };
  bool is_right = call(-1);
  std::printf("version %s\n", id.version_number);
  id.icntl[2] = 0;
  id.icntl[3] = 0;
  id.n = 2;
  id.nnz = 3;
  id.irn = rows.data();
  id.jcn = cols.data();
  id.a = values.data();
  id.rhs = x.data();
  is_right = call(6) && is_right && std::abs(x[0] - 1) + std::abs(x[1] - 1) < 1e-14;
  values = {4, 6, 2};
  x = {6, 8};
  is_right = call(2) && call(3) && is_right && std::abs(x[0] - 1) + std::abs(x[1] - 1) < 1e-14;
  return call(-2) && is_right;
}

// Ends its instance when the program ends, as a static object of a program does.
struct AtExit {
  DMUMPS_STRUC_C id{};
  std::vector<int> places = {1};
  std::vector<double> value = {2};

  AtExit() {
    id.par = 1;
    id.comm_fortran = kUseCommWorld;
    call(-1);
    id.icntl[2] = 0;
    id.icntl[3] = 0;
    id.n = 1;
    id.nz = 1;
    id.irn = id.jcn = places.data();
    id.a = value.data();
    call(4);
  }
  ~AtExit() { call(-2); }
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  void call(int job) {
    id.job = job;
    dmumps_c(&id);
  }
};

AtExit ends_last;

bool solve_complex() {
  std::vector<int> places = {1};
  mumps_double_complex value = {0, 2};
  mumps_double_complex x = {4, 0};
  ZMUMPS_STRUC_C id{};
  id.par = 1;
  id.comm_fortran = kUseCommWorld;
  id.job = -1;
  zmumps_c(&id);
  id.icntl[2] = 0;
  id.icntl[3] = 0;
  id.n = 1;
  id.nz = 1;
  id.irn = id.jcn = places.data();
  id.a = &value;
  id.rhs = &x;
  id.job = 6;
  zmumps_c(&id);
  const bool is_right = id.infog[0] == 0 && std::abs(x.r) + std::abs(x.i + 2) < 1e-14;
  id.job = -2;
  zmumps_c(&id);
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_right = solve_twice() && solve_complex();
  return is_right && argc > 1 ? std::atoi(argv[1]) : 1;
}
