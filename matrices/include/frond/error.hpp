// SPDX-License-Identifier: BSD-3-Clause
// The exceptions of Frond: misuse, bad input, lack of memory, work beyond a budget, failed communication, internal errors.
// Numerical outcomes are values, not exceptions. Every text names the cause, the numbers and the remedy.
#pragma once

#include <stdexcept>
#include <string>

#include <frond/types.hpp>

namespace frond {

/// Root of the tree: catch this to catch every exception that Frond throws on purpose.
class FROND_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invalid call or command line: sizes that differ, options that exclude each other.
class FROND_API UsageError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be read, with the position of the first error.
class FROND_API InputError : public Error {
 public:
  /// `line` is 1-based; 0 if the error does not belong to a line (a file that does not exist).
  InputError(const std::string& file, Count line, const std::string& cause)
      : Error(line > 0 ? file + ":" + std::to_string(line) + ": " + cause : file + ": " + cause), file_(file), line_(line) {}

  [[nodiscard]] const std::string& file() const { return file_; }  ///< as the caller named it
  [[nodiscard]] Count line() const { return line_; }               ///< 1-based; 0: not of a line

 private:
  std::string file_;
  Count line_;
};

/// A file that cannot be created or written to its end; the text names the file and the system's message.
class FROND_API OutputError : public Error {
 public:
  using Error::Error;
};

/// Memory that the system or the user's limit does not allow.
class FROND_API MemoryError : public Error {
 public:
  /// `needed_bytes`: what would have been enough (0 if unknown); `limit_bytes`: what is available (0 if unknown).
  MemoryError(const std::string& text, Count needed_bytes, Count limit_bytes)
      : Error(text), needed_bytes_(needed_bytes), limit_bytes_(limit_bytes) {}

  [[nodiscard]] Count needed_bytes() const { return needed_bytes_; }  ///< enough for the call; 0: unknown
  [[nodiscard]] Count limit_bytes() const { return limit_bytes_; }    ///< available; 0: unknown

 private:
  Count needed_bytes_;
  Count limit_bytes_;
};

/// A factorization that stopped before it would have exceeded its caller's budget: it reached no limit of the user or of the
/// system, and another way may be cheaper.
class FROND_API BudgetError : public Error {
 public:
  /// The state at the stop. Plain values, so that they can be sent as they are; on several ranks, those of the rank that stopped.
  struct Figures {
    double flops_done = 0;         ///< for the fronts eliminated so far
    double needed_flops = 0;       ///< flops_done and the next step; above budget_flops if that is why it stopped
    double budget_flops = 0;       ///< see WorkBudget::flops
    Count needed_bytes = 0;        ///< the peak so far, or with the next step; above budget_bytes if that is why it stopped
    Count budget_bytes = 0;        ///< 0: unlimited
    Count num_delayed_pivots = 0;  ///< so far; a pivot delayed through k fronts counts k times

    friend bool operator==(const Figures&, const Figures&) = default;
  };

  BudgetError(const std::string& text, const Figures& figures) : Error(text), figures_(figures) {}  ///< for a text with figures

  [[nodiscard]] const Figures& figures() const { return figures_; }  ///< at the stop

 private:
  Figures figures_;
};

/// A call that ended early on request, see SolverOptions::stop_requested. What existed before the call is unchanged.
class FROND_API StoppedError : public Error {
 public:
  using Error::Error;
};

/// Failed communication between processes; the text names the call and the message of the communication library.
class FROND_API CommunicationError : public Error {
 public:
  using Error::Error;
};

/// A process that this one works with is lost, so their common work cannot be completed. See <frond/survive.hpp>.
class FROND_API LossError : public CommunicationError {
 public:
  using CommunicationError::CommunicationError;
};

/// The other processes have continued without this one, which they consider lost. Its data are of no further use.
class FROND_API FencedError : public CommunicationError {
 public:
  using CommunicationError::CommunicationError;
};

/// An internal invariant of Frond does not hold: always a defect of Frond.
class FROND_API InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace frond
