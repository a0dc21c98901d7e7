// SPDX-License-Identifier: BSD-3-Clause
// Small systems, and what comes back from calls for them, as text.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <complex>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/interfaces/mumps/client.hpp"

namespace frond::testing {

using Complex = std::complex<double>;

// Six digits, without the sign of a zero.
inline std::string text_of(double value) { return fmt::format(" {:.6g}", std::abs(value) < 1e-14 ? 0.0 : value); }
inline std::string text_of(Complex value) { return text_of(value.real()) + text_of(value.imag()); }

template <class T>
std::string text_of(const std::vector<T>& values) {
  std::string text;
  for (const T value : values) {
    if constexpr (std::is_integral_v<T>) {
      text += ' ' + std::to_string(value);
    } else {
      text += text_of(value);
    }
  }
  return text;
}

// Entries in the arrays of a client.
template <Scalar S>
struct Entries {
  std::vector<int> rows;
  std::vector<int> cols;
  std::vector<S> values;
};

inline Entries<double> diagonal(const std::vector<double>& values) {
  Entries<double> entries{{}, {}, values};
  for (int i = 1; i <= static_cast<int>(values.size()); ++i) {
    entries.rows.push_back(i);
    entries.cols.push_back(i);
  }
  return entries;
}

// A matrix of order 4, of a symmetric one the lower triangle.
inline Entries<double> example(int sym) {
  Entries<double> all{{1, 2, 3, 4, 2, 4, 3, 4, 1, 2}, {1, 2, 3, 4, 1, 1, 2, 3, 3, 4}, {4, 5, 6, 7, 1, 2, -1, 3, 0.5, 0.25}};
  if (sym != 0) {
    for (std::vector<int>* indices : {&all.rows, &all.cols}) {
      indices->resize(8);
    }
    all.values.resize(8);
  }
  return all;
}

// What is appended comes after what is before it, which a sum of strings does not promise.
inline std::string& operator<<(std::string& text, const std::string& more) { return text += more; }

template <Scalar S>
std::string call_all(Client<S>& client, std::initializer_list<int> jobs) {
  std::string text;
  for (const int job : jobs) {
    client.call(job);
    text += fmt::format(" {}:({})", job, client.info());
  }
  return text;
}

// Factorizes and solves with b = 1, 2, ...
inline std::string solved(Client<double>& client, int n, Entries<double> entries, std::initializer_list<int> jobs = {6}) {
  std::vector<double> rhs(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < rhs.size(); ++i) {
    rhs[i] = static_cast<double>(i) + 1;
  }
  client.give(n, entries.rows, entries.cols, entries.values);
  client.id.rhs = rhs.data();
  std::string text = call_all(client, jobs);
  return text << (client.id.infog[0] < 0 ? "" : " x" + text_of(rhs));
}

}  // namespace frond::testing
