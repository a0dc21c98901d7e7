// SPDX-License-Identifier: BSD-3-Clause
// The exceptions of Frond: misuse, bad input, lack of memory, work beyond a budget, failed communication, broken promises of our
// own. Numerical outcomes are values, not exceptions. Every text names the cause, the numbers and the remedy.
#pragma once

#include <stdexcept>
#include <string>

#include <frond/types.hpp>

namespace frond {

/// Root of the tree: catch this to catch everything Frond throws on purpose.
class FROND_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call or a command line that cannot be meant: sizes that differ, options that exclude each other.
class FROND_API UsageError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be read, with the place of the first thing that is wrong.
class FROND_API InputError : public Error {
 public:
  /// `line` is 1-based; 0 when the error belongs to no line (a file that does not exist).
  InputError(const std::string& file, Count line, const std::string& cause)
      : Error(line > 0 ? file + ":" + std::to_string(line) + ": " + cause : file + ": " + cause), file_(file), line_(line) {}

  [[nodiscard]] const std::string& file() const { return file_; }  ///< as it was named
  [[nodiscard]] Count line() const { return line_; }               ///< from 1 on; 0: of no line

 private:
  std::string file_;
  Count line_;
};

/// A file that cannot be created or written to its end; the text names the file and what the system says.
class FROND_API OutputError : public Error {
 public:
  using Error::Error;
};

/// Memory that the system or the user's limit does not grant.
class FROND_API MemoryError : public Error {
 public:
  /// `needed_bytes`: what would have been enough (0 if unknown); `limit_bytes`: what there is (0 if unknown).
  MemoryError(const std::string& text, Count needed_bytes, Count limit_bytes)
      : Error(text), needed_bytes_(needed_bytes), limit_bytes_(limit_bytes) {}

  [[nodiscard]] Count needed_bytes() const { return needed_bytes_; }  ///< would have been enough; 0: unknown
  [[nodiscard]] Count limit_bytes() const { return limit_bytes_; }    ///< that there are; 0: unknown

 private:
  Count needed_bytes_;
  Count limit_bytes_;
};

/// A factorization that stopped by itself before it would have passed the budget that its caller gave it: no limit of the user or
/// of the system was reached, and another way may be cheaper.
class FROND_API BudgetError : public Error {
 public:
  /// When it stopped. Plain values, so that they can be sent as they are; on several ranks those of the rank that stopped.
  struct Figures {
    double flops_done = 0;         ///< of fronts that were eliminated
    double needed_flops = 0;       ///< these and what was next; above budget_flops if that is why it stopped
    double budget_flops = 0;       ///< see WorkBudget::flops
    Count needed_bytes = 0;        ///< the most that were held, or what was next; above budget_bytes if that is why it stopped
    Count budget_bytes = 0;        ///< 0: any number
    Count num_delayed_pivots = 0;  ///< so far; a pivot delayed through k fronts counts k times

    friend bool operator==(const Figures&, const Figures&) = default;
  };

  BudgetError(const std::string& text, const Figures& figures) : Error(text), figures_(figures) {}  ///< for a text with figures

  [[nodiscard]] const Figures& figures() const { return figures_; }  ///< when it stopped

 private:
  Figures figures_;
};

/// A call that ended since it was asked to, see SolverOptions::stop_requested. What there was before it is as it was.
class FROND_API StoppedError : public Error {
 public:
  using Error::Error;
};

/// Communication between processes that failed; the text names the call and what the message passing library says.
class FROND_API CommunicationError : public Error {
 public:
  using Error::Error;
};

/// A process is gone with which this one works: what they have begun together does not come to its end. See <frond/survive.hpp>.
class FROND_API LossError : public CommunicationError {
 public:
  using CommunicationError::CommunicationError;
};

/// Others have gone on without this process, which they believe lost. What it has is of no use to anybody.
class FROND_API FencedError : public CommunicationError {
 public:
  using CommunicationError::CommunicationError;
};

/// A promise that Frond made to itself and broke: always a defect of Frond.
class FROND_API InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace frond
