// SPDX-License-Identifier: BSD-3-Clause
// Compares the lines of two images.
#include "solver/storage/checkpoint/stored_rows.hpp"

#include <algorithm>
#include <utility>

namespace frond {
namespace {

class Runs {
 public:
  void add(Count stored, Count wanted, Count length) {
    if (length <= 0) {
      return;
    }
    if (!list_.empty() && list_.back().stored + list_.back().length == stored &&
        list_.back().wanted + list_.back().length == wanted) {
      list_.back().length += length;
    } else {
      list_.push_back({stored, wanted, length});
    }
  }
  [[nodiscard]] std::vector<StoredRun> take() { return std::move(list_); }

 private:
  std::vector<StoredRun> list_;
};

Count num_rows(const RowStream& stream) { return stream.row_end - stream.row_begin; }

// Scalars of the delayed rows, which come first.
Count delayed_length(const RowStream& stream, Index cb_order, Method method) {
  const Count d = stream.num_delayed;
  if (!stream.has_delayed_rows) {
    return 0;
  }
  return method == Method::lu ? d * (d + cb_order) : d * (d + 1) / 2;
}

}  // namespace

std::vector<StoredRun> stored_runs(const RowStream& stored, const RowStream& wanted, Index cb_order, Method method) {
  Runs runs;
  if (stored.has_delayed_rows && wanted.has_delayed_rows) {
    runs.add(0, 0, delayed_length(stored, cb_order, method));
  }
  Count at_stored = delayed_length(stored, cb_order, method);
  Count at_wanted = delayed_length(wanted, cb_order, method);
  const Index begin = std::max(stored.row_begin, wanted.row_begin);
  const Index end = std::min(stored.row_end, wanted.row_end);
  for (Index t = 0; t < wanted.num_delayed; ++t) {  // columns of rows
    runs.add(at_stored + begin - stored.row_begin, at_wanted + begin - wanted.row_begin, end - begin);
    at_stored += num_rows(stored);
    at_wanted += num_rows(wanted);
  }
  if (method == Method::lu) {
    runs.add(at_stored + static_cast<Count>(begin - stored.row_begin) * cb_order,
             at_wanted + static_cast<Count>(begin - wanted.row_begin) * cb_order, static_cast<Count>(end - begin) * cb_order);
    return runs.take();
  }
  for (Index j = 0; j < std::max(stored.row_end, wanted.row_end); ++j) {  // of each column the rows from its diagonal on
    const Index first_stored = std::max(stored.row_begin, j);
    const Index first_wanted = std::max(wanted.row_begin, j);
    const Index first = std::max(begin, j);
    runs.add(at_stored + first - first_stored, at_wanted + first - first_wanted, end - first);
    at_stored += std::max(0, stored.row_end - first_stored);
    at_wanted += std::max(0, wanted.row_end - first_wanted);
  }
  return runs.take();
}

}  // namespace frond
