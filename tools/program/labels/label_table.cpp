// SPDX-License-Identifier: BSD-3-Clause
// Reads a table of labels.
#include "tools/program/labels/label_table.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

std::vector<std::string> split_at_tabs(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

template <class Number>
std::optional<Number> number_in(const std::string& field) {
  Number number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && end == field.data() + field.size() ? std::optional(number) : std::nullopt;
}

// A line of LABELS.tsv, accessed by column titles; empty if there is no such column.
class LabelLine {
 public:
  LabelLine(const std::vector<std::string>& titles, std::vector<std::string> fields)
      : titles_(titles), fields_(std::move(fields)) {}

  [[nodiscard]] std::string operator[](std::string_view title) const {
    const auto column = static_cast<std::size_t>(std::find(titles_.begin(), titles_.end(), title) - titles_.begin());
    return column < fields_.size() ? fields_[column] : std::string();
  }

 private:
  const std::vector<std::string>& titles_;
  std::vector<std::string> fields_;
};

}  // namespace

LabelKind LabelledMatrix::kind() const {
  return label == "nonsingular"       ? LabelKind::nonsingular
         : label == "nearly_singular" ? LabelKind::nearly_singular
                                      : LabelKind::singular;
}

std::vector<LabelledMatrix> read_labels(const std::string& directory) {
  const std::string path = directory + "/LABELS.tsv";
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) {
    throw InputError(path, 0, "cannot be read; it must be a table with the columns 'file' and 'class'");
  }
  const std::vector<std::string> titles = split_at_tabs(line);
  std::vector<LabelledMatrix> labels;
  for (Count number = 2; std::getline(file, line); ++number) {
    const LabelLine label(titles, split_at_tabs(line));
    if (label["file"].empty() || label["class"].empty()) {
      throw InputError(path, number, "has no 'file' and 'class'");
    }
    LabelledMatrix matrix{label["file"], label["class"], number_in<Index>(label["numerical_rank"]), std::nullopt,
                          number_in<double>(label["kappa2"])};
    const auto positive = number_in<Index>(label["pos"]);
    const auto negative = number_in<Index>(label["neg"]);
    const auto zero = number_in<Index>(label["zero"]);
    if (positive && negative && zero) {
      matrix.inertia = {*positive, *negative, *zero};
    }
    labels.push_back(std::move(matrix));
  }
  return labels;
}

}  // namespace frond
