// SPDX-License-Identifier: BSD-3-Clause
// The exceptions of Frond: misuse, bad input, lack of memory, failed communication, internal errors.
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

/// A call that ended early on request, see Observer::stop_requested(). What existed before the call is unchanged.
class FROND_API StoppedError : public Error {
 public:
  using Error::Error;
};

/// Failed communication between processes; the text names the call and the message of the communication library.
class FROND_API CommunicationError : public Error {
 public:
  using Error::Error;
};

/// A process that this one works with is lost, so their common work cannot be completed; or the others have continued without this
/// one, which they consider lost, and whose data are of no further use. See <frond/survive.hpp>.
class FROND_API LossError : public CommunicationError {
 public:
  using CommunicationError::CommunicationError;
};

/// An internal invariant of Frond does not hold: always a defect of Frond.
class FROND_API InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace frond
