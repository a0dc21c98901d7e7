// SPDX-License-Identifier: BSD-3-Clause
// Makes the same calls by the library in the place of MUMPS and by MUMPS, each in a process of its own, and compares what comes
// back.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/interfaces/mumps/cases.hpp"

namespace frond::testing {
namespace {

template <Scalar S>
std::string defaults(void* function, int sym) {
  const Client<S> client(function, sym);
  std::string text = fmt::format("nrhs {} version {} save {}", client.id.nrhs, client.id.version_number, client.id.save_dir);
  for (int k = 4; k < 60; ++k) {
    text += client.id.icntl[k] == 0 ? "" : fmt::format(" {}={}", k + 1, client.id.icntl[k]);
  }
  for (int k = 0; k < 15; ++k) {
    text += fmt::format(" {:.4g}", client.id.cntl[k]);
  }
  return text;
}

std::string sparse_sides(void* function, int kind) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  client.give(4, entries.rows, entries.cols, entries.values);
  std::vector<int> offsets = {1, 2, 4};
  std::vector<int> rows = {3, 1, 1};
  std::vector<double> values = {1, 2, 3};
  std::vector<double> rhs(8, 5.0);
  client.set(20, kind);
  client.id.nrhs = 2;
  client.id.lrhs = 4;
  client.id.rhs = rhs.data();
  client.id.nz_rhs = 3;
  client.id.irhs_ptr = offsets.data();
  client.id.irhs_sparse = rows.data();
  client.id.rhs_sparse = values.data();
  std::string text;
  text << call_all(client, {4, 3}) << text_of(rhs);
  client.id.nz_rhs = 2;
  text << call_all(client, {3});
  client.id.nz_rhs = 3;
  offsets[0] = 2;
  text << call_all(client, {3});
  client.id.lrhs = 3;
  return text << call_all(client, {3});
}

std::string elements(void* function, int sym) {
  Client<double> client(function, sym);
  std::vector<int> offsets = {1, 4, 6};
  std::vector<int> variables = {1, 2, 3, 3, 4};
  std::vector<double> general = {5, 1, 2, -1, 6, 1, 0.5, 1, 7, 3, 1, -1, 4};
  std::vector<double> triangle = {5, 1, 2, 6, 1, 7, 3, 1, 4};
  std::vector<double> rhs = {1, 2, 3, 4};
  client.set(5, 1);
  client.id.n = 4;
  client.id.nelt = 2;
  client.id.eltptr = offsets.data();
  client.id.eltvar = variables.data();
  client.id.a_elt = sym == 0 ? general.data() : triangle.data();
  client.id.rhs = rhs.data();
  std::string text;
  text << call_all(client, {6}) << text_of(rhs);
  client.id.nelt = 0;
  return text << call_all(client, {1});
}

std::string distributed(void* function) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  std::vector<int> given_rows = {2, 4, 2, 9};
  std::vector<double> given = {1, 2, 0.5, 7, -1, 1, 1, 7};
  std::vector<int> rows(4);
  std::vector<double> x(8);
  client.id.n = 4;
  client.id.nnz_loc = static_cast<MUMPS_INT8>(entries.rows.size());
  client.id.irn_loc = entries.rows.data();
  client.id.jcn_loc = entries.cols.data();
  client.set(18, 3);
  client.set(20, 10);
  client.set(21, 1);
  client.set(7, 0);
  client.id.nrhs = 2;
  client.id.nloc_rhs = 4;
  client.id.lrhs_loc = 4;
  client.id.irhs_loc = given_rows.data();
  client.id.rhs_loc = given.data();
  client.id.isol_loc = rows.data();
  client.id.sol_loc = x.data();
  client.id.lsol_loc = 3;
  std::string text = call_all(client, {1, 2});
  client.id.a_loc = entries.values.data();
  text << call_all(client, {2}) << fmt::format(" {}", client.id.info[22]) << call_all(client, {3});
  client.id.lsol_loc = 4;
  text << call_all(client, {3});
  std::vector<double> in_order(8);
  for (std::size_t k = 0; k < 4; ++k) {
    in_order[static_cast<std::size_t>(rows[k]) - 1] = x[k];
    in_order[static_cast<std::size_t>(rows[k]) + 3] = x[k + 4];
  }
  return text << text_of(in_order);
}

std::string determinant(void* function) {
  std::string text;
  for (const int sym : {0, 1, 2}) {
    Client<double> client(function, sym);
    client.set(33, 1);
    text << solved(client, 4, example(sym)) << text_of(client.id.rinfog[11]) << fmt::format(" 2^{}", client.id.infog[33]);
  }
  return text;
}

std::string complex_calls(void* function, int sym) {
  Client<Complex> client(function, sym);
  Entries<Complex> entries{{1, 2, 2, 1}, {1, 2, 1, 2}, {{2, 1}, {3, -2}, {0, 1}, {1, 2}}};
  std::vector<Complex> rhs = {{1, 0}, {0, 1}};
  client.give(2, entries.rows, entries.cols, entries.values);
  client.id.rhs = Client<Complex>::numbers(rhs);
  client.set(33, 1);
  client.set(9, sym == 0 ? 2 : 1);
  std::string text;
  text << call_all(client, {6}) << text_of(rhs);
  return text << text_of(client.id.rinfog[11]) << text_of(client.id.rinfog[12]) << fmt::format(" 2^{}", client.id.infog[33]);
}

std::string jobs_out_of_order(void* function) {
  Client<double> client(function, 0);
  std::string text;
  text << call_all(client, {2, 3, 5, 99, 0}) << solved(client, 4, example(0), {1, 3, 2, 99, 3});
  client.id.nrhs = 0;
  text << call_all(client, {3});
  client.id.nrhs = 2;
  client.id.lrhs = 3;
  text << call_all(client, {3});
  client.id.nnz = 0;
  client.id.nz = 0;
  return text << call_all(client, {1, 2, 3});
}

std::string missing_arrays(void* function) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  client.id.n = 4;
  client.id.nnz = 10;
  std::string text = call_all(client, {1});
  client.id.irn = entries.rows.data();
  text << call_all(client, {1});
  client.id.jcn = entries.cols.data();
  text << call_all(client, {1, 2});
  client.id.a = entries.values.data();
  text << call_all(client, {2, 3});
  client.id.n = 0;
  text << call_all(client, {1});
  client.id.n = -3;
  text << call_all(client, {1});
  client.id.n = 4;
  client.set(7, 1);
  text << call_all(client, {1});
  std::vector<int> positions = {1, 2, 2, 4};
  client.id.perm_in = positions.data();
  text << call_all(client, {1});
  positions = {4, 1, 3, 2};
  text << call_all(client, {1});
  client.set(7, 7);
  client.set(19, 1);
  client.id.size_schur = 4;
  text << call_all(client, {1});
  client.id.size_schur = 2;
  return text << call_all(client, {1});
}

std::string late_pointers(void* function) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  std::vector<double> rhs = {1, 2, 3, 4};
  client.give(4, entries.rows, entries.cols, entries.values);
  client.id.rhs = rhs.data();
  std::string text;
  text << call_all(client, {6}) << text_of(rhs);
  client.id.irn = client.id.jcn = nullptr;  // as before
  client.id.a = client.id.rhs = nullptr;
  rhs = {4, 3, 2, 1};
  entries.values[0] = 8;
  return text << call_all(client, {1, 2, 3}) << text_of(rhs);
}

std::string one_side_without_values(void* function) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  std::vector<double> rhs = {1, 2, 3, 4, 1, std::nan(""), 1, 1};
  client.give(4, entries.rows, entries.cols, entries.values);
  client.id.rhs = rhs.data();
  client.id.nrhs = 2;
  client.id.lrhs = 4;
  std::string text = call_all(client, {6});
  rhs.resize(4);
  return text << text_of(rhs);
}

std::string given_scales(void* function) {
  std::vector<double> rows = {0.5, 2, 1, 4};
  std::vector<double> cols = {1, 2, 3, 4};
  std::string text;
  for (const bool has_rows : {false, true}) {
    for (const bool has_cols : {false, true}) {
      Client<double> client(function, 0);
      client.set(8, -1);
      client.id.rowsca = has_rows ? rows.data() : nullptr;
      client.id.colsca = has_cols ? cols.data() : nullptr;
      text << solved(client, 4, example(0));
    }
  }
  return text;
}

// Arrays that are there at a call that does not need them, and gone when one does.
std::string early_pointers(void* function) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  std::vector<double> rhs = {1, 2, 3, 4};
  std::vector<int> positions = {2, 1, 4, 3};
  client.give(4, entries.rows, entries.cols, entries.values);
  client.id.rhs = rhs.data();
  client.id.perm_in = positions.data();
  std::string text = call_all(client, {4});
  client.id.rhs = nullptr;
  client.id.perm_in = nullptr;
  client.set(7, 1);
  return text << call_all(client, {3}) << text_of(rhs) << call_all(client, {1});
}

std::string copied_structure(void* function) {
  const auto call = reinterpret_cast<void (*)(DMUMPS_STRUC_C*)>(function);
  Client<double> client(function, 0);
  std::string text = solved(client, 4, example(0));
  DMUMPS_STRUC_C copy = client.id;
  std::vector<double> rhs = {1, 1, 1, 1};
  copy.rhs = rhs.data();
  copy.job = 3;
  call(&copy);
  return text << text_of(rhs);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::string name, std::function<std::string(void*)> calls, const char* function = "dmumps_c") {
    all.push_back({std::move(name), function, std::move(calls)});
  };
  const auto add_solve = [&](std::string name, int sym, int n, Entries<double> entries, std::vector<std::pair<int, int>> controls,
                             bool is_deficient = false) {
    add(std::move(name), [=](void* function) {
      Client<double> client(function, sym);
      for (const auto& [control, value] : controls) {
        client.set(control, value);
      }
      std::string text = solved(client, n, entries, {1, 2});
      const bool has_figures = client.id.infog[0] >= 0;
      const std::string counts = has_figures ? fmt::format(" {} {} {}", sym == 0 ? 0 : client.id.infog[11], client.id.infog[27],
                                                           is_deficient ? client.id.pivnul_list[0] : 0)
                                             : "";
      return text << counts << (has_figures && !is_deficient ? solved(client, n, entries, {6}) : "");
    });
  };
  for (const int sym : {0, 1, 2}) {
    add(fmt::format("Defaults{}", sym), [sym](void* function) { return defaults<double>(function, sym); });
    add(
        fmt::format("ComplexDefaults{}", sym), [sym](void* function) { return defaults<Complex>(function, sym); }, "zmumps_c");
    add(fmt::format("Elements{}", sym), [sym](void* function) { return elements(function, sym); });
  }
  for (const int sym : {0, 2}) {
    add(
        fmt::format("Complex{}", sym), [sym](void* function) { return complex_calls(function, sym); }, "zmumps_c");
    add_solve(fmt::format("SingularFound{}", sym), sym, 3, diagonal({1, 0, 3}), {{24, 1}, {6, 0}}, true);
  }
  for (const int kind : {1, 2, 3}) {
    add(fmt::format("SparseSides{}", kind), [kind](void* function) { return sparse_sides(function, kind); });
  }
  add_solve("IndefiniteAsDefinite", 1, 3, diagonal({1, -2, 3}), {});
  add_solve("PairOfPivots", 2, 2, {{2}, {1}, {1}}, {});
  add_solve("IndicesOutOfRange", 0, 3, {{1, 2, 3, 9, 0}, {1, 2, 3, 1, 2}, {1, 2, 3, 4, 5}}, {});
  add_solve("MirroredEntriesAddUp", 2, 2, {{1, 2, 2, 1}, {1, 2, 1, 2}, {4, 5, 1, 0.5}}, {});
  add_solve("DuplicatesAddUp", 0, 2, {{1, 2, 1, 2}, {1, 2, 1, 1}, {4, 5, 1, 0.5}}, {});
  add_solve("Transposed", 0, 4, example(0), {{9, 2}});
  add("Determinant", determinant);
  add("Distributed", distributed);
  add("JobsOutOfOrder", jobs_out_of_order);
  add("MissingArrays", missing_arrays);
  add("LatePointers", late_pointers);
  add("EarlyPointers", early_pointers);
  add("OneSideWithoutValues", one_side_without_values);
  add("GivenScales", given_scales);
  add("CopiedStructure", copied_structure);
  return all;
}

class MumpsCalls : public ::testing::TestWithParam<Case> {};

TEST_P(MumpsCalls, ComeOutAsInMumps) { expect_as_in_mumps(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Calls, MumpsCalls, ::testing::ValuesIn(cases()), [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace frond::testing
