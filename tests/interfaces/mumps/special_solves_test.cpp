// SPDX-License-Identifier: BSD-3-Clause
// Makes calls that factorize or solve for something else than x by both libraries: Schur complements, null vectors, entries of the
// inverse, sides that the factorization takes.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/interfaces/mumps/cases.hpp"

namespace frond::testing {
namespace {

std::string schur(void* function, int sym, int kind) {
  Client<double> client(function, sym);
  Entries<double> entries = example(sym);
  client.give(4, entries.rows, entries.cols, entries.values);
  std::vector<int> list = {4, 2};
  std::vector<double> complement(6, 9.0);
  std::vector<double> rhs = {1, 2, 3, 4};
  std::vector<double> reduced(2);
  client.set(19, kind);
  client.set(33, 1);
  client.id.size_schur = 2;
  client.id.listvar_schur = list.data();
  client.id.schur = complement.data();
  client.id.schur_lld = 3;
  client.id.rhs = rhs.data();
  client.id.redrhs = reduced.data();
  std::string text;
  text << call_all(client, {1, 2}) << text_of(complement) << text_of(client.id.rinfog[11]);
  client.set(26, 1);
  text << call_all(client, {3}) << " condensed" << text_of(reduced);
  client.set(26, 2);
  text << call_all(client, {3}) << " expanded" << text_of(rhs) << call_all(client, {3});
  client.set(26, 0);
  rhs = {1, 2, 3, 4};
  return text << call_all(client, {3}) << " block" << text_of(rhs);
}

std::string schur_of_local_solution(void* function) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  client.give(4, entries.rows, entries.cols, entries.values);
  std::vector<int> list = {4, 2};
  std::vector<double> complement(4);
  std::vector<double> rhs = {1, 2, 3, 4};
  std::vector<double> reduced(2);
  std::vector<int> rows(4);
  std::vector<double> x(4);
  client.set(19, 1);
  client.set(21, 1);
  client.id.size_schur = 2;
  client.id.listvar_schur = list.data();
  client.id.schur = complement.data();
  client.id.rhs = rhs.data();
  client.id.redrhs = reduced.data();
  client.id.isol_loc = rows.data();
  client.id.sol_loc = x.data();
  client.id.lsol_loc = 4;
  std::string text = call_all(client, {4});
  for (const int kind : {0, 1, 2}) {
    client.set(26, kind);
    rhs = {1, 2, 3, 4};
    text << call_all(client, {3}) << text_of(reduced);
    std::vector<double> in_order(4);
    for (std::size_t k = 0; kind != 1 && k < 4; ++k) {
      in_order[static_cast<std::size_t>(rows[k]) - 1] = x[k];
    }
    text << text_of(in_order);
  }
  client.set(21, 0);
  for (const int kind : {1, 0, 2}) {  // what was condensed is not kept beyond another solve
    client.set(26, kind);
    text << call_all(client, {3});
  }
  return text;
}

std::string inverse(void* function) {
  Client<double> client(function, 0);
  Entries<double> entries = example(0);
  client.give(4, entries.rows, entries.cols, entries.values);
  std::vector<int> offsets = {1, 3, 3, 4, 5};
  std::vector<int> rows = {4, 1, 2, 4};
  std::vector<double> values(4);
  client.id.irhs_ptr = offsets.data();
  client.id.irhs_sparse = rows.data();
  client.id.rhs_sparse = values.data();
  client.id.nz_rhs = 4;
  client.set(30, 1);
  std::string text = call_all(client, {4, 3});
  client.id.nrhs = 4;
  text << call_all(client, {3}) << text_of(values);
  client.id.nz_rhs = 0;
  return text << call_all(client, {3});
}

std::string null_space(void* function, int sym) {
  Client<double> client(function, sym);
  Entries<double> entries = diagonal({2, 0, 3, 0});
  std::vector<double> rhs(8, 1.0);
  client.give(4, entries.rows, entries.cols, entries.values);
  client.id.rhs = rhs.data();
  client.set(24, 1);
  client.set(6, 0);
  std::string text;
  text << call_all(client, {4}) << fmt::format(" deficiency {}", client.id.infog[27]);
  client.set(25, -1);
  text << call_all(client, {3});
  client.id.nrhs = 2;
  client.id.lrhs = 4;
  text << call_all(client, {3});
  for (std::size_t k = 0; k < 8; ++k) {  // scaled in another way, and in another order
    text += std::abs(rhs[k]) > 1e-12 ? " *" : " 0";
  }
  client.set(25, 3);
  client.id.nrhs = 1;
  return text << call_all(client, {3});
}

std::string forward_widths(void* function) {
  std::vector<double> rhs = {1, 2, 3, 4, 4, 3, 2, 1};
  const auto begun = [&rhs](Client<double>& client, Entries<double>& entries) {
    client.give(4, entries.rows, entries.cols, entries.values);
    client.id.rhs = rhs.data();
    client.id.lrhs = 4;
  };
  Entries<double> entries = example(0);
  Client<double> client(function, 0);
  begun(client, entries);
  client.set(32, 1);
  std::string text = call_all(client, {4});
  client.id.nrhs = 2;
  text << call_all(client, {3, 5, 2});
  Client<double> late(function, 0);  // ICNTL(32) counts from the analysis on
  begun(late, entries);
  text << call_all(late, {1});
  late.set(32, 1);
  text << call_all(late, {2});
  rhs = {4, 3, 2, 1, 0, 0, 0, 0};
  text << call_all(late, {3}) << text_of(rhs);
  for (const auto& [control, value] : {std::pair{9, 2}, {20, 1}, {30, 1}}) {
    Client<double> other(function, 0);
    begun(other, entries);
    other.set(32, 1);
    other.set(control, value);
    text << call_all(other, {1, 2});
  }
  return text;
}

std::string decisions_of_earlier_jobs(void* function) {
  Client<double> keeps(function, 0);
  std::string text = solved(keeps, 4, example(0), {4});
  keeps.set(31, 1);  // counts from the next analysis on
  text << solved(keeps, 4, example(0), {3});
  Client<double> discards(function, 0);
  discards.set(31, 1);
  text << solved(discards, 4, example(0), {4});
  discards.set(31, 0);
  text << solved(discards, 4, example(0), {3});
  Client<double> finds(function, 2);
  finds.set(24, 1);
  finds.set(6, 0);
  text << solved(finds, 3, diagonal({1, 0, 3}), {4});
  finds.set(24, 0);  // counts from the next factorization on
  finds.set(25, -1);
  finds.id.infog[27] = 7;  // the library knows by itself
  return text << solved(finds, 3, diagonal({1, 0, 3}), {3}).substr(0, 8);
}

std::string forward_and_discarded(void* function) {
  Client<double> client(function, 0);
  client.set(32, 1);
  std::string text = solved(client, 4, example(0), {1, 2, 3});
  Client<double> other(function, 0);
  other.set(31, 1);
  return text << solved(other, 4, example(0), {1, 2, 3});
}

std::vector<Case> cases_of_special_solves() {
  std::vector<Case> all = {{"Inverse", "dmumps_c", inverse},
                           {"ForwardAndDiscarded", "dmumps_c", forward_and_discarded},
                           {"ForwardWidths", "dmumps_c", forward_widths},
                           {"DecisionsOfEarlierJobs", "dmumps_c", decisions_of_earlier_jobs},
                           {"SchurOfLocalSolution", "dmumps_c", schur_of_local_solution}};
  for (const int sym : {0, 1, 2}) {
    for (const int kind : {1, 2, 3}) {
      all.push_back(
          {fmt::format("Schur{}Of{}", kind, sym), "dmumps_c", [=](void* function) { return schur(function, sym, kind); }});
    }
  }
  for (const int sym : {0, 2}) {
    all.push_back({fmt::format("NullSpace{}", sym), "dmumps_c", [=](void* function) { return null_space(function, sym); }});
  }
  return all;
}

class MumpsSpecialSolves : public ::testing::TestWithParam<Case> {};

TEST_P(MumpsSpecialSolves, ComeOutAsInMumps) { expect_as_in_mumps(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Calls, MumpsSpecialSolves, ::testing::ValuesIn(cases_of_special_solves()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace frond::testing
