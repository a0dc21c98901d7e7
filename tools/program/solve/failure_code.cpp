// SPDX-License-Identifier: BSD-3-Clause
// Maps the kinds of errors, the more specific ones first.
#include "tools/program/solve/failure_code.hpp"

#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "frond/error.hpp"
#include "solver/numerics/problem/counted_from.hpp"
#include "tools/program/solve/stop_sources.hpp"

namespace frond {

namespace {

// oneTBB throws a plain std::runtime_error if it cannot start a worker.
bool is_refusal_of_thread(const std::exception& error) {
  return std::string_view(error.what()).starts_with("pthread_create has failed");
}

ToldFailure told_as_thrown(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const MemoryError& error) {
    return {ExitCode::out_of_memory, error.what()};
  } catch (const std::bad_alloc&) {
    return {ExitCode::out_of_memory, "the system has no memory left; close other programs, or use a machine with more"};
  } catch (const SuspendedError& error) {
    return {ExitCode::suspended, error.what()};
  } catch (const StoppedError& error) {
    return {ExitCode::stopped, error.what()};
  } catch (const CommunicationError& error) {
    return {ExitCode::process_lost, error.what()};
  } catch (const InternalError& error) {
    return {ExitCode::internal_error, error.what()};
  } catch (const OutputError& error) {
    return {ExitCode::output_failed, error.what()};
  } catch (const Error& error) {
    return {ExitCode::bad_input, error.what()};
  } catch (const std::system_error& error) {
    return {ExitCode::bad_input, error.what()};
  } catch (const std::exception& error) {
    if (is_refusal_of_thread(error)) {
      return {
          ExitCode::out_of_memory,
          "the system refuses another thread: raise the limits of processes and of address space (ulimit -u, -v), or use fewer"};
    }
    return {ExitCode::internal_error, error.what()};
  }
}

}  // namespace

ToldFailure failure_of(const std::exception_ptr& exception) {
  ToldFailure failure = told_as_thrown(exception);
  failure.text = counted_from(std::move(failure.text), 1);  // as files count
  return failure;
}

}  // namespace frond
