// SPDX-License-Identifier: BSD-3-Clause
// frond_random_mumps_calls LIBRARY OF_MUMPS SEED SEQUENCES: makes sequences of calls by both libraries, and prints the calls whose
// outcomes have other signs, or other figures.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "tests/interfaces/mumps/client.hpp"
#include "tests/interfaces/mumps/random_calls.hpp"

namespace {

constexpr std::uint64_t kSequencesOfAChild = 50;

// The part of a line that says whether a call succeeded: "info=", and a sign.
std::string sign_in(const std::string& line) {
  const std::size_t at = line.find("info=");
  return at == std::string::npos ? line : line.substr(at, sizeof("info=")).substr(5) == "-" ? "failed" : "done";
}

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

// The outcomes of sequences from this seed on, one after the other in one child, or, where that dies, in one child each.
std::vector<Lines> outcomes(const std::string& library, std::uint64_t first, std::uint64_t count) {
  constexpr char kEnd = '\f';
  const std::string all = frond::testing::with_library(library, "dmumps_c", [&](void* function) {
    std::string text;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      text += frond::testing::run_random_mumps_calls(function, seed) + kEnd;
    }
    return text;
  });
  std::vector<Lines> sequences;
  if (static_cast<std::uint64_t>(std::count(all.begin(), all.end(), kEnd)) < count) {  // died, or left
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      sequences.push_back(count == 1 ? Lines{"died"} : outcomes(library, seed, 1).front());
    }
    return sequences;
  }
  std::istringstream stream(all);
  for (std::string text; std::getline(stream, text, kEnd);) {
    sequences.push_back(lines_of(text));
  }
  return sequences;
}

struct Counts {
  std::uint64_t calls = 0;
  std::uint64_t others = 0;
  std::uint64_t other_signs = 0;
  std::uint64_t deaths_here = 0;
  std::uint64_t deaths_of_mumps = 0;
};

// Prints the calls of one sequence that came out in another way.
void compare(std::uint64_t seed, const Lines& ours, const Lines& theirs, Counts& counts) {
  const std::size_t num_calls = std::max(ours.size(), theirs.size());
  const auto died = [=](const Lines& lines) { return lines.size() < num_calls || lines.front().starts_with("died"); };
  counts.deaths_here += died(ours) ? 1 : 0;
  counts.deaths_of_mumps += died(theirs) ? 1 : 0;
  if (died(ours) || died(theirs)) {
    fmt::print("seed {}: died, {}\n", seed, died(ours) ? "here" : "in MUMPS");
    return;
  }
  for (std::size_t k = 0; k < ours.size(); ++k) {
    ++counts.calls;
    if (ours[k] != theirs[k]) {
      const bool is_other_sign = sign_in(ours[k]) != sign_in(theirs[k]);
      ++counts.others;
      counts.other_signs += is_other_sign ? 1 : 0;
      fmt::print("seed {}{}\n  here  {}\n  MUMPS {}\n", seed, is_other_sign ? ", another sign" : "", ours[k], theirs[k]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kArguments = 5;
  if (argc != kArguments) {
    fmt::print(stderr, "usage: frond_random_mumps_calls LIBRARY OF_MUMPS SEED SEQUENCES\n");
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[3], nullptr, 10);
  const std::uint64_t count = std::strtoull(argv[4], nullptr, 10);
  Counts counts;
  for (std::uint64_t begin = first; begin < first + count; begin += kSequencesOfAChild) {
    const std::uint64_t size = std::min(kSequencesOfAChild, first + count - begin);
    const std::vector<Lines> ours = outcomes(argv[1], begin, size);
    const std::vector<Lines> theirs = outcomes(argv[2], begin, size);
    for (std::uint64_t k = 0; k < size; ++k) {
      compare(begin + k, ours[k], theirs[k], counts);
    }
  }
  fmt::print(
      "{} sequences from seed {} on: {} calls, {} with another outcome, {} of them with another sign; died: {} here, {} of "
      "MUMPS\n",
      count, first, counts.calls, counts.others, counts.other_signs, counts.deaths_here, counts.deaths_of_mumps);
  return counts.deaths_here == 0 ? 0 : 1;
}
