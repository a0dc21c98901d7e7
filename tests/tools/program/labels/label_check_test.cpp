// SPDX-License-Identifier: BSD-3-Clause
// Tests ranks in doubt against the rank given by a label.
#include "tools/program/labels/label_check.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tools/program/labels/label_table.hpp"

namespace frond {
namespace {

Agreement agreement_of_doubt(Index lowest, Index highest, const std::string& verdict, Index num_null_pivots) {
  const LabelledMatrix matrix{"A.mtx", "numerically_singular", 8, {}, {}};
  const nlohmann::json run = {{"n", 10},
                              {"nnz", 30},
                              {"method", "lu"},
                              {"verdict", verdict},
                              {"null_pivots", num_null_pivots},
                              {"first_null_pivot", num_null_pivots > 0 ? 1 : 0},
                              {"inertia", nullptr},
                              {"condition_number", nullptr},
                              {"backward_error", 1e-17},
                              {"componentwise_backward_error", 1e-16},
                              {"missed_equations", 0},
                              {"negligible_equations", 0},
                              {"forward_error", nullptr},
                              {"forward_error_bound", nullptr},
                              {"rank_verdict", "in_doubt"},
                              {"rank_lowest", lowest},
                              {"rank_highest", highest}};
  ChildResult child;
  child.exit_code = verdict == "solved" ? 0 : 3;
  child.output = run.dump();
  return check_label(matrix, child, {}).agreement;
}

TEST(LabelCheck, CountsADoubtWhoseBoundsHoldTheLabel) {
  EXPECT_EQ(agreement_of_doubt(8, 10, "solved", 0), Agreement::yes);
  EXPECT_EQ(agreement_of_doubt(8, 9, "singular", 1), Agreement::yes);
}

TEST(LabelCheck, CountsNoDoubtThatContradictsTheLabelOrLeavesAllOpen) {
  EXPECT_EQ(agreement_of_doubt(9, 10, "solved", 0), Agreement::no);
  EXPECT_EQ(agreement_of_doubt(5, 7, "singular", 3), Agreement::no);
  EXPECT_EQ(agreement_of_doubt(0, 10, "solved", 0), Agreement::no) << "no lower bound";
}

}  // namespace
}  // namespace frond
