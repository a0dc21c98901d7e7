// SPDX-License-Identifier: BSD-3-Clause
// Reads any rows of a contribution block from pieces of any other rows, entry by entry.
#include "solver/storage/checkpoint/stored_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace frond {
namespace {

using Entry = std::pair<Index, Index>;  // row and column; delayed ones are below 0

// Returns the entries of a stream in the order documented in RowImage.
std::vector<Entry> image(const RowStream& stream, Index cb_order, Method method) {
  const Index d = stream.num_delayed;
  std::vector<Entry> entries;
  const bool is_symmetric_method = is_symmetric(method);
  for (Index s = 0; s < d && stream.has_delayed_rows; ++s) {
    for (Index t = is_symmetric_method ? s : 0; t < d; ++t) {
      entries.emplace_back(is_symmetric_method ? t - d : s - d, is_symmetric_method ? s - d : t - d);
    }
    for (Index j = 0; j < cb_order && !is_symmetric_method; ++j) {
      entries.emplace_back(s - d, j);
    }
  }
  for (Index t = 0; t < d; ++t) {
    for (Index i = stream.row_begin; i < stream.row_end; ++i) {
      entries.emplace_back(i, t - d);
    }
  }
  if (is_symmetric_method) {
    for (Index j = 0; j < stream.row_end; ++j) {
      for (Index i = std::max(stream.row_begin, j); i < stream.row_end; ++i) {
        entries.emplace_back(i, j);
      }
    }
    return entries;
  }
  for (Index i = stream.row_begin; i < stream.row_end; ++i) {
    for (Index j = 0; j < cb_order; ++j) {
      entries.emplace_back(i, j);
    }
  }
  return entries;
}

RowStream rows(Index begin, Index end, Index num_delayed, bool has_delayed_rows) {
  RowStream stream;
  stream.row_begin = begin;
  stream.row_end = end;
  stream.num_delayed = num_delayed;
  stream.has_delayed_rows = has_delayed_rows && num_delayed > 0;
  return stream;
}

TEST(StoredRuns, GiveAllThatIsThereAndNothingElse) {
  constexpr Index kOrder = 5;
  for (const Method method : {Method::ldlt, Method::lu}) {
    for (Index num_delayed = 0; num_delayed <= 2; ++num_delayed) {
      for (Index cut = 0; cut <= kOrder; ++cut) {  // stored pieces: the master's with all rows, or also those of two slaves
        std::vector<RowStream> stored = {rows(0, cut == 0 ? kOrder : 0, num_delayed, true)};
        if (cut > 0) {
          stored.push_back(rows(0, cut, num_delayed, false));
          stored.push_back(rows(cut, kOrder, num_delayed, false));
        }
        for (Index begin = 0; begin <= kOrder; ++begin) {
          for (Index end = begin; end <= kOrder; ++end) {
            for (const bool has_delayed_rows : {false, true}) {
              const RowStream wanted = rows(begin, end, num_delayed, has_delayed_rows);
              const std::vector<Entry> expected = image(wanted, kOrder, method);
              std::vector<Entry> found(expected.size(), Entry(-9, -9));
              for (const RowStream& piece : stored) {
                const std::vector<Entry> held = image(piece, kOrder, method);
                for (const StoredRun& run : stored_runs(piece, wanted, kOrder, method)) {
                  ASSERT_LE(run.stored + run.length, static_cast<Count>(held.size()));
                  ASSERT_LE(run.wanted + run.length, static_cast<Count>(found.size()));
                  std::copy_n(held.begin() + run.stored, run.length, found.begin() + run.wanted);
                }
              }
              EXPECT_EQ(found, expected) << "rows " << begin << " to " << end << ", cut " << cut << ", delayed " << num_delayed;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace frond
