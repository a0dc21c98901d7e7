// SPDX-License-Identifier: BSD-3-Clause
// Parses names, and reads or generates the matrices that they denote.
#include "tests/cross/named_matrix.hpp"

#include <charconv>
#include <string_view>
#include <utility>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "matrices/generate.hpp"

namespace frond::test {
namespace {

Index parse_size(std::string_view text) {
  Index size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw UsageError("'" + std::string(text) + "' is no size of a model problem");
  }
  return size;
}

template <Scalar S>
SparseMatrix<S> direct_sum(SparseMatrix<S> first, const SparseMatrix<S>& second) {
  if (first.symmetry != second.symmetry) {
    throw UsageError("the parts of a forest differ in symmetry");
  }
  const Count num_before = first.num_entries();
  for (std::size_t j = 1; j < second.column_offsets.size(); ++j) {
    first.column_offsets.push_back(num_before + second.column_offsets[j]);
  }
  for (const Index row : second.row_indices) {
    first.row_indices.push_back(first.num_rows + row);
  }
  first.values.insert(first.values.end(), second.values.begin(), second.values.end());
  first.num_rows += second.num_rows;
  first.num_cols += second.num_cols;
  return first;
}

AnyMatrix direct_sum(AnyMatrix first, const AnyMatrix& second) {
  if (first.index() != second.index()) {
    throw UsageError("the parts of a forest differ in scalar");
  }
  return std::visit(
      [&second]<Scalar S>(SparseMatrix<S>& part) -> AnyMatrix {
        return direct_sum(std::move(part), std::get<SparseMatrix<S>>(second));
      },
      first);
}

}  // namespace

AnyMatrix named_matrix(const std::string& name, const std::string& folder) {
  if (const std::size_t plus = name.find('+'); plus != std::string::npos) {
    return direct_sum(named_matrix(name.substr(0, plus), folder), named_matrix(name.substr(plus + 1), folder));
  }
  if (const std::size_t colon = name.find(':'); colon != std::string::npos) {
    return generate(parse_model_problem(name.substr(0, colon)), parse_size(std::string_view(name).substr(colon + 1)), 1);
  }
  return read_matrix(folder + "/" + name);
}

}  // namespace frond::test
