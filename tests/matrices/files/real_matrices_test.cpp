// SPDX-License-Identifier: BSD-3-Clause
// Tests the reader on a folder of real files (FROND_MATRIX_DIR) against the tables that describe them: INDEX.tsv describes the
// contents of each file, LABELS.tsv lists the ones to solve, LABELS_REJECT.tsv the ones to reject and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/files/matrix_file.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

using Row = std::map<std::string, std::string>;  // column name -> field

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

/// Reads a table of tab-separated fields whose first line names the columns.
std::vector<Row> read_table(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split(line);
    Row& row = rows.emplace_back();
    for (std::size_t k = 0; k < names.size() && k < fields.size(); ++k) {
      row[names[k]] = fields[k];
    }
  }
  return rows;
}

std::map<std::string, Row> by_file(const std::string& path) {
  std::map<std::string, Row> rows;
  for (const Row& row : read_table(path)) {
    rows.emplace(row.at("file"), row);
  }
  return rows;
}

class RealMatrices : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("FROND_MATRIX_DIR");
    folder_ = folder == nullptr ? "" : std::string(folder) + "/";
    if (!std::ifstream(folder_ + "INDEX.tsv")) {
      GTEST_SKIP() << "no real matrices: FROND_MATRIX_DIR is '" << folder_ << "'";
    }
    rejects_ = by_file(folder_ + "LABELS_REJECT.tsv");
    labels_ = by_file(folder_ + "LABELS.tsv");
  }

  std::string folder_;
  std::map<std::string, Row> rejects_;
  std::map<std::string, Row> labels_;
};

/// The table counts an array file as rows x columns entries.
bool is_skew_symmetric_array(const std::string& file) { return file.find("fullrza") != std::string::npos; }

template <class S>
void expect_row_of_index(const SparseMatrix<S>& matrix, const Row& row) {
  EXPECT_EQ(kIsComplex<S>, row.at("field") == "complex");
  EXPECT_EQ(std::to_string(matrix.num_rows), row.at("rows"));
  EXPECT_EQ(std::to_string(matrix.num_cols), row.at("cols"));
  EXPECT_EQ(to_string(matrix.symmetry), row.at("symmetry") == "rectangular" ? "general" : row.at("symmetry"));
  if (!is_skew_symmetric_array(row.at("file"))) {
    EXPECT_EQ(std::to_string(matrix.num_entries()), row.at("stored_entries"));
  }
}

template <class S>
void expect_row_of_labels(const SparseMatrix<S>& matrix, const Row& row) {
  EXPECT_NO_THROW(require_square(matrix, row.at("file")));
  EXPECT_EQ(std::to_string(matrix.num_rows), row.at("n"));
  EXPECT_EQ(std::to_string(expand_to_general(matrix.view()).num_entries()), row.at("nnz"));
}

TEST_F(RealMatrices, hold_what_the_index_and_the_labels_say) {
  std::size_t num_labelled = 0;
  for (const Row& row : read_table(folder_ + "INDEX.tsv")) {
    const std::string& file = row.at("file");
    const auto reject = rejects_.find(file);
    if (reject != rejects_.end() && reject->second.at("kind") != "not square") {
      continue;
    }
    SCOPED_TRACE(file);
    const auto label = labels_.find(file);
    num_labelled += label == labels_.end() ? 0 : 1;
    std::visit(
        [&](const auto& matrix) {
          expect_row_of_index(matrix, row);
          if (label != labels_.end()) {
            expect_row_of_labels(matrix, label->second);
          }
        },
        read_matrix(folder_ + file));
  }
  EXPECT_GT(labels_.size(), 200U);
  EXPECT_EQ(num_labelled, labels_.size());
}

/// Pairs of a pattern for the reason in the table, and the text that our message must contain then.
const std::vector<std::pair<std::regex, std::string>> kMessages = {
    {std::regex("^(\\d+) entries above the diagonal of a symmetric file.*"), "$1 entries are above it"},
    {std::regex(".*the field is missing in the banner.*"), "the field is missing in the banner"},
    {std::regex(".*object '(\\w+)' where.*"), "the object '$1'"},
    {std::regex(".*(format|field|symmetry) '(\\w+)' is .*"), "the $1 '$2' of the banner is unknown"},
    {std::regex(".*triplet list with the header.*"), "list of triplets with the header"},
    {std::regex(".*bare triplet list without a header.*"), "list of triplets that begins with"},
    {std::regex(".*no banner and no known header.*"), "has no banner that says what its numbers are"},
    {std::regex(".*text, not a matrix.*"), "this is text but no matrix"},
    {std::regex("empty file.*"), "the file is empty"},
    {std::regex(".*blank line before the banner.*"), "the row index is 0"},  // reported after what is tolerated
    {std::regex(".*index 0.*"), "the row index is 0, but indices start at 1"},
    {std::regex(".*values in a pattern file.*"), "although the banner says pattern"},
    {std::regex(".*imaginary part.*"), "on the diagonal of a hermitian matrix has the imaginary part"},
    {std::regex(".*the file ends after (\\d+) of (\\d+) entries.*"), "the file ends after $1 of the $2 entries"},
    {std::regex(".*line \\d+: ('\\w+') is not a number.*"), "the value $1 is not a number"},
    {std::regex(".*comment among the entries.*"), "a comment stands among the entries"},
    {std::regex(".*Harwell-Boeing right-hand side line.*"), "looks like a Harwell-Boeing line about right-hand sides"},
    {std::regex("(\\d+ by \\d+), well formed.*"), "the matrix is $1; only square systems"},
};

/// Returns the first message that matches the table's reason.
std::string expected_message(const std::string& reason) {
  for (const auto& [pattern, message] : kMessages) {
    std::smatch match;
    if (std::regex_match(reason, match, pattern)) {
      return match.format(message);
    }
  }
  return "no message is known for: " + reason;
}

TEST_F(RealMatrices, bad_ones_are_refused_for_the_right_reason) {
  for (const auto& [file, row] : rejects_) {
    SCOPED_TRACE(file);
    try {
      const MatrixFile content = read_matrix_file(folder_ + file);
      const AnyMatrix& matrix = content.matrix;
      if (file.ends_with(".tar.gz") || !content.notes.empty()) {
        continue;  // archives, and files that are read with a note, are no longer bad
      }
      EXPECT_EQ(row.at("kind"), "not square") << "was read";
      require_square(matrix, file);
      ADD_FAILURE() << "was accepted although: " << row.at("reason");
    } catch (const InputError& error) {
      const std::string& reason = row.at("reason");
      EXPECT_THAT(error.what(), ::testing::HasSubstr(expected_message(reason)));
      std::smatch match;
      if (reason.find("blank line before") == std::string::npos && std::regex_search(reason, match, std::regex("^line (\\d+):"))) {
        EXPECT_EQ(std::to_string(error.line()), match[1]) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace frond
