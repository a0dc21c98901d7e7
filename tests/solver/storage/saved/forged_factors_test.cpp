// SPDX-License-Identifier: BSD-3-Clause
// Tests that saved factors with valid checksums but invalid contents are refused and never followed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "solver/storage/saved/saved_factors.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/saved/saved_sections.hpp"

namespace frond {
namespace {

using testing::Flavour;

constexpr Index kFar = std::numeric_limits<Index>::max();

/// The saved contents of real factors, to be modified.
struct Contents {
  SavedSystem system;
  SavedSymbolic symbolic;
  Scaling<double> scaling;
  FrontTable<double> table;
};

/// The saved factors of one matrix.
class Saved {
 public:
  explicit Saved(SparseMatrix<double> matrix, const SolverOptions& options = {}) : matrix_(std::move(matrix)) {
    bytes_ = Factorization<double>(analyze(matrix_, options), matrix_).save_to_memory();
  }

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  // Returns the message of the refusal; empty if the factors are accepted, in which case they also solve.
  [[nodiscard]] std::string complaint(std::span<const std::byte> bytes) const {
    try {
      const auto loaded = Factorization<double>::load_from_memory(bytes, matrix_);
      const std::vector<double> b(static_cast<std::size_t>(matrix_.num_rows), 1);
      std::vector<double> x(b.size());
      for (const Operation operation : {Operation::plain, Operation::transposed}) {
        (void)loaded.solve(b, x, operation);
      }
      return "";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("factorize the matrix"), std::string::npos) << error.what();
      return error.what();
    }
  }

  [[nodiscard]] std::string complaint_when(const std::function<void(Contents&)>& change) const {
    Contents contents;
    SavedFileReader file(SavedSource::in_memory(bytes_));
    contents.system = read_system(file);
    contents.symbolic = read_symbolic(file);
    file.section(SavedSection::scaling, contents.scaling);
    file.section(SavedSection::fronts, contents.table);
    change(contents);
    std::vector<std::byte> forged;
    SavedFileWriter writer(forged);
    write_system(writer, contents.system, contents.symbolic);
    writer.section(SavedSection::scaling, contents.scaling);
    writer.section(SavedSection::fronts, contents.table);
    const std::vector<std::byte> entries = testing::sections_of(bytes_).back();
    writer.begin_section(SavedSection::entries, static_cast<Count>(entries.size()));
    writer.write(entries);
    writer.end_section();
    writer.finish();
    return complaint(forged);
  }

 private:
  SparseMatrix<double> matrix_;
  std::vector<std::byte> bytes_;
};

Saved with_delays() {
  SolverOptions options;
  options.analysis.ordering.matching = Use::never;
  return Saved(testing::random_matrix<double>(60, 3, Symmetry::symmetric, Flavour::zero_diagonal, 9), options);
}

Saved general() { return Saved(testing::random_matrix<double>(40, 3, Symmetry::general, Flavour::zero_diagonal, 4)); }

using Forgery = std::pair<const char*, std::function<void(Contents&)>>;

void expect_forgeries_refused(const Saved& saved, const std::vector<Forgery>& changes) {
  ASSERT_EQ(saved.complaint_when([](Contents&) {}), "");
  for (const auto& [name, change] : changes) {
    EXPECT_NE(saved.complaint_when(change).find("is damaged: "), std::string::npos) << name;
  }
}

TEST(ForgedFactors, AreRefusedByTheirAnalysis) {
  expect_forgeries_refused(general(),
                           {{"perm beyond", [](Contents& c) { c.symbolic.perm[3] = kFar; }},
                            {"perm negative", [](Contents& c) { c.symbolic.perm[3] = -1; }},
                            {"perm twice", [](Contents& c) { c.symbolic.perm[3] = c.symbolic.perm[4]; }},
                            {"perm short", [](Contents& c) { c.symbolic.perm.pop_back(); }},
                            {"rows of columns", [](Contents& c) { c.symbolic.row_of_column.assign(40, 7); }},
                            {"parent", [](Contents& c) { c.symbolic.parent.front() = kFar; }},
                            {"variables", [](Contents& c) { c.symbolic.variable_offsets[1] = std::numeric_limits<Index>::min(); }},
                            {"many variables", [](Contents& c) { c.symbolic.variable_offsets.back() = kFar; }},
                            {"rows", [](Contents& c) { c.symbolic.cb_rows.front() = kFar; }},
                            {"offsets of rows", [](Contents& c) { c.symbolic.cb_offsets[1] = Count{1} << 40; }},
                            {"offsets of entries", [](Contents& c) { c.symbolic.entry_offsets[1] = Count{1} << 40; }},
                            {"offsets that fall", [](Contents& c) { c.symbolic.entry_offsets[1] = -5; }},
                            {"position", [](Contents& c) { c.symbolic.positions.front() = kFar; }},
                            {"position above", [](Contents& c) { c.symbolic.positions.front() = ~kFar; }},
                            {"source", [](Contents& c) { c.symbolic.sources.front() = Count{1} << 40; }},
                            {"source twice", [](Contents& c) { c.symbolic.sources.front() = c.symbolic.sources.back(); }},
                            {"sources short", [](Contents& c) { c.symbolic.sources.pop_back(); }},
                            {"symmetry", [](Contents& c) { c.symbolic.symmetry = static_cast<Symmetry>(9); }},
                            {"levels", [](Contents& c) { c.symbolic.blocks.num_levels = 3; }},
                            {"couplings", [](Contents& c) { c.symbolic.couplings.sources.push_back(0); }},
                            {"counts", [](Contents& c) { c.symbolic.exact_sum_c = std::numeric_limits<double>::infinity(); }}});
}

TEST(ForgedFactors, AreRefusedByTheirLevels) {
  SolverOptions options;
  options.analysis.block_triangular = Use::always;
  const Saved saved(testing::reducible_matrix<double>({12, 1, 9, 20}, 3, testing::Shuffle::apart, 7), options);
  expect_forgeries_refused(saved, {{"many levels", [](Contents& c) { c.symbolic.blocks.num_levels = 40; }},
                                   {"level of a row", [](Contents& c) { c.symbolic.blocks.level_of_row.front() = 100; }},
                                   {"level of a column", [](Contents& c) { c.symbolic.blocks.level_of_column.front() = -1; }},
                                   {"rows of columns", [](Contents& c) { c.symbolic.blocks.row_of_column.assign(2, 0); }},
                                   {"no levels", [](Contents& c) { c.symbolic.blocks.num_levels = 1; }},
                                   {"a row of a coupling", [](Contents& c) { c.symbolic.couplings.row_indices.front() = kFar; }},
                                   {"an offset", [](Contents& c) { c.symbolic.couplings.column_offsets[1] = Count{1} << 40; }},
                                   {"no offsets", [](Contents& c) { c.symbolic.couplings.column_offsets.clear(); }},
                                   {"a source", [](Contents& c) { c.symbolic.couplings.sources.front() = -1; }}});
}

TEST(ForgedFactors, AreRefusedByTheirSystem) {
  expect_forgeries_refused(
      general(),
      {{"method", [](Contents& c) { c.system.report.method = static_cast<Method>(7); }},
       {"another method", [](Contents& c) { c.system.report.method = Method::ldlt; }},
       {"status", [](Contents& c) { c.system.report.factorization.status = FactorizationStatus::not_positive_definite; }},
       {"null pivot", [](Contents& c) { c.system.report.factorization.null_pivots = {kFar}; }},
       {"null pivots twice",
        [](Contents& c) {
          c.system.report.factorization.null_pivots = {1, 1};
        }},
       {"no null pivots", [](Contents& c) { c.system.report.factorization.status = FactorizationStatus::singular; }},
       {"smallest pivot", [](Contents& c) { c.system.report.factorization.smallest_pivot_variable = kFar; }},
       {"determinant", [](Contents& c) { c.system.report.factorization.determinant.exponent = std::numeric_limits<Count>::max(); }},
       {"rank", [](Contents& c) { c.system.report.rank.status = static_cast<RankVerdict>(-3); }},
       {"scales", [](Contents& c) { c.scaling.rows.assign(3, 1.0); }},
       {"a scale", [](Contents& c) { c.scaling.rows.front() = std::numeric_limits<double>::quiet_NaN(); }}});
}

TEST(ForgedFactors, AreRefusedByTheirFronts) {
  const std::vector<Forgery> changes = {
      {"variable beyond", [](Contents& c) { c.table.row_variables.front() = kFar; }},
      {"variables exchanged", [](Contents& c) { std::swap(c.table.row_variables.front(), c.table.row_variables.back()); }},
      {"variable twice", [](Contents& c) { c.table.row_variables[0] = c.table.row_variables[1]; }},
      {"size", [](Contents& c) { c.table.num_fully_summed.front() = kFar; }},
      {"pivots delayed at a root", [](Contents& c) { c.table.num_eliminated.back() = 0; }},
      {"pivots taken", [](Contents& c) { c.table.num_eliminated.front() = -1; }},
      {"list of pivots", [](Contents& c) { c.table.pivots.pop_back(); }},
      {"kind of pivot", [](Contents& c) { c.table.pivots.front() = static_cast<PivotKind>(77); }},
      {"second of no pair", [](Contents& c) { c.table.pivots.front() = PivotKind::second_of_two; }},
      {"shares",
       [](Contents& c) {
         c.table.shares = {{0, {0, 0, 0}}};
       }},
      {"a share of no front", [](Contents& c) {
         c.table.shares = {{kFar, {0, 0, 1}}};
       }}};
  expect_forgeries_refused(with_delays(), changes);
  expect_forgeries_refused(general(), changes);
  expect_forgeries_refused(general(),
                           {{"column", [](Contents& c) { std::swap(c.table.col_variables[0], c.table.col_variables.back()); }}});
  expect_forgeries_refused(with_delays(), {{"half of a pair", [](Contents& c) {
                                              const auto pair =
                                                  std::find(c.table.pivots.begin(), c.table.pivots.end(), PivotKind::two_by_two);
                                              ASSERT_NE(pair, c.table.pivots.end());
                                              pair[1] = PivotKind::one_by_one;
                                            }}});
}

// An unterminated version string must not be read beyond its field.
TEST(ForgedFactors, NameTheirWriterAsFarAsItGoes) {
  const Saved saved = general();
  std::vector<std::byte> bytes = saved.bytes();
  std::fill_n(bytes.begin() + 24, 8, std::byte{1});     // the version of the format
  std::fill_n(bytes.begin() + 32, 32, std::byte{'x'});  // the program that wrote it
  Checksum checksum;
  checksum.add(std::span(bytes).first(64));
  const std::uint64_t sum = checksum.value();
  std::memcpy(bytes.data() + 64, &sum, sizeof(sum));
  EXPECT_NE(saved.complaint(bytes).find("written by " + std::string(32, 'x') + ", but"), std::string::npos);
}

TEST(ForgedFactors, AreRefusedOrDoNoHarmWhateverIsChanged) {
  const unsigned seed = 23;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  int num_refused = 0;
  for (const Saved& saved : {with_delays(), general()}) {
    const std::vector<testing::Section> sections = testing::sections_of(saved.bytes());
    for (int repetition = 0; repetition < 2000; ++repetition) {
      std::vector<testing::Section> forged = sections;
      const testing::Edit edit{static_cast<testing::Edit::Kind>(random() % 6), static_cast<std::uint32_t>(random()),
                               random() % 2 == 0 ? static_cast<std::int64_t>(random()) : static_cast<std::int64_t>(random() % 80)};
      testing::apply(edit, forged[random() % forged.size()]);
      try {
        num_refused += saved.complaint(testing::sealed(forged)).empty() ? 0 : 1;
      } catch (const UsageError&) {  // the factors of another matrix
        ++num_refused;
      }
    }
  }
  EXPECT_GT(num_refused, 1000);
}

}  // namespace
}  // namespace frond
