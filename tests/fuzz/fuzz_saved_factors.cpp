// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes saved factors, which Python's pickles also contain: changes the sections of valid ones, seals them with matching
// checksums, and uses the loaded factors for every answer they can give. The first byte selects the system.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/saved/saved_sections.hpp"

namespace frond {
namespace {

using testing::Flavour;

SolverOptions fuzz_options() {
  SolverOptions options{.analysis = {.ordering = {.matching = Use::never}, .block_triangular = Use::always},
                        .factorization = {.num_threads = 1, .memory_limit = Count{1} << 28},
                        .refinement = {.max_steps = 1, .max_krylov_steps = 0}};
  return options;
}

struct SavedCase {
  explicit SavedCase(SparseMatrix<double> of, bool is_mixed = false) : matrix(std::move(of)) {
    SolverOptions options = fuzz_options();
    options.mixed_precision = is_mixed;
    sections = testing::sections_of(Factorization<double>(analyze(matrix, options), matrix).save_to_memory());
  }

  SparseMatrix<double> matrix;
  std::vector<testing::Section> sections;
};

std::vector<SavedCase> saved_cases() {
  std::vector<SavedCase> cases;
  cases.emplace_back(testing::random_matrix<double>(12, 2, Symmetry::general, Flavour::zero_diagonal, 4));
  cases.emplace_back(testing::random_matrix<double>(40, 3, Symmetry::symmetric, Flavour::zero_diagonal, 9));
  cases.emplace_back(testing::laplacian<double>(3));
  cases.emplace_back(testing::laplacian<double>(3), true);
  cases.emplace_back(testing::reducible_matrix<double>({6, 1, 4, 5}, 2, testing::Shuffle::apart, 7));
  cases.emplace_back(SparseMatrix<double>{3, 3, Symmetry::general, {0, 1, 1, 2}, {0, 1}, {1.0, 1.0}});
  return cases;
}

void use(const Factorization<double>& loaded, Index order) {
  const std::vector<double> b(static_cast<std::size_t>(order), 1);
  std::vector<double> x(b.size());
  for (const Operation operation : {Operation::plain, Operation::transposed}) {
    static_cast<void>(loaded.solve(b, x, operation).describe());
  }
  static_cast<void>(loaded.null_space());
  static_cast<void>(loaded.factor_order());
  static_cast<void>(loaded.inverse_diagonal());
  static_cast<void>(loaded.save_to_memory());
}

}  // namespace
}  // namespace frond

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<frond::SavedCase> kCases = frond::saved_cases();
  frond::FuzzInput input(data, size);
  const frond::SavedCase& one = kCases[input.take_below(kCases.size())];
  std::vector<frond::testing::Section> sections = one.sections;
  while (!input.is_empty()) {
    frond::testing::Section& section = sections[input.take_below(sections.size())];
    frond::testing::apply(input.take_edit(), section);
  }
  try {
    const std::vector<std::byte> saved = frond::testing::sealed(sections);
    frond::use(frond::Factorization<double>::load_from_memory(saved, one.matrix, frond::fuzz_options()), one.matrix.num_cols);
  } catch (const frond::InternalError&) {
    throw;  // a finding
  } catch (const frond::Error&) {
    // Anything else is a finding, too.
  }
  return 0;
}
