// SPDX-License-Identifier: BSD-3-Clause
// Tests that options set by name take effect.
#include "solver/options/option_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond {
namespace {

TEST(NamedOptions, SetWhatTheyAreCalled) {
  SolverOptions options;
  for (const std::string_view text :
       {"ordering=metis", "matching=always",        "block-triangular=never", "scaling=equilibrate", "method=ldlt",
        "threads=3",      "pivot-threshold=0.25",   "pivoting=static",        "memory-limit=2MiB",   "precision=mixed",
        "refine-steps=0", "error-bounds=all",       "checkpoint-every=2min",  "schedule=memory",     "work=pool",
        "chunks=af",      "load-exchange=snapshot", "load-thread=off",        "load-period=9000",    "watchdog=1.5"}) {
    set_option(options, text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
  }
  EXPECT_EQ(options.analysis.ordering.kind, OrderingKind::metis);
  EXPECT_EQ(options.analysis.ordering.matching, Use::always);
  EXPECT_EQ(options.analysis.block_triangular, Use::never);
  EXPECT_EQ(options.scaling, ScalingKind::equilibrate);
  EXPECT_EQ(options.method, Method::ldlt);
  EXPECT_EQ(options.factorization.num_threads, 3);
  EXPECT_EQ(options.factorization.pivoting.pivot_threshold, 0.25);
  EXPECT_FALSE(options.factorization.pivoting.may_lower_threshold);
  EXPECT_EQ(options.factorization.pivoting.kind, PivotingKind::static_structure);
  EXPECT_EQ(options.factorization.memory_limit, 2 << 20);
  EXPECT_EQ(options.mixed_precision, true);
  EXPECT_EQ(options.refinement.max_steps, 0);
  EXPECT_EQ(options.error_bounds, ErrorBounds::all_columns);
  EXPECT_EQ(options.checkpoint.every_seconds, 120);
  EXPECT_EQ(options.ranks.schedule, Schedule::memory);
  EXPECT_EQ(options.ranks.sharing, WorkSharing::pool);
  EXPECT_EQ(options.ranks.chunks, ChunkKind::af);
  EXPECT_EQ(options.ranks.load_exchange, LoadMechanism::snapshot);
  EXPECT_FALSE(options.ranks.use_load_thread);
  EXPECT_EQ(options.ranks.load_period_us, 9000);
  EXPECT_EQ(options.ranks.watchdog_seconds, 1.5);
  set_option(options, "method", "automatic");
  set_option(options, "pivot-threshold", "automatic");
  EXPECT_FALSE(options.method);
  EXPECT_TRUE(options.factorization.pivoting.may_lower_threshold);
}

TEST(NamedOptions, AreReadBack) {
  const SolverOptions defaults;
  for (const NamedOption& option : named_options()) {
    SolverOptions options;
    set_option(options, option.name, option_value(defaults, option.name));
    EXPECT_EQ(option_value(options, option.name), option_value(defaults, option.name)) << option.name;
    EXPECT_EQ(named_option(option.name).meaning, option.meaning);
  }
}

TEST(NamedOptions, RefuseWhatCannotBe) {
  SolverOptions options;
  for (const auto& [name, value] :
       {std::pair("ordering", "fast"), std::pair("threads", "1.5"), std::pair("threads", "-1"), std::pair("null-threshold", "nan"),
        std::pair("refine-to", "1"), std::pair("pivot-threshold", "1e"), std::pair("memory-limit", "-3GB"),
        std::pair("no-such-option", "1")}) {
    EXPECT_THROW(set_option(options, name, value), UsageError) << name;
    EXPECT_THROW(static_cast<void>(named_option("orderin")), UsageError);
  }
  const auto error = testing::error_of<UsageError>([&] { set_option(options, "orderin", "amd"); });
  EXPECT_NE(std::string(error.what()).find("did you mean ordering?"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace frond
