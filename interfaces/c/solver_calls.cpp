// SPDX-License-Identifier: BSD-3-Clause
// Implements creation and destruction of a solver, its options and its messages.
#include <fmt/core.h>

#include <array>
#include <atomic>
#include <utility>

#include "interfaces/c/calls.hpp"
#include "solver/options/option_table.hpp"

namespace {

using frond::NamedOption;

// First the options of C++, then those that only C has.
const NamedOption* option_at(std::size_t number) {
  const std::span<const NamedOption> options = frond::named_options();
  return number < options.size() ? &options[number] : frond::own_option(number - options.size());
}

const NamedOption* find_option(const char* name) {
  for (std::size_t k = 0; name != nullptr; ++k) {
    const NamedOption* option = option_at(k);
    if (option == nullptr || option->name == name) {
      return option;
    }
  }
  return nullptr;
}

}  // namespace

const char* frond_version(void) { return FROND_VERSION; }

const char* frond_status_name(int status) {
  constexpr std::array<std::pair<frond_status, const char*>, 12> kNames = {
      {{FROND_SUCCESS, "FROND_SUCCESS"},
       {FROND_ACCURACY_MISSED, "FROND_ACCURACY_MISSED"},
       {FROND_SINGULAR, "FROND_SINGULAR"},
       {FROND_NOT_POSITIVE_DEFINITE, "FROND_NOT_POSITIVE_DEFINITE"},
       {FROND_RANK_IN_DOUBT, "FROND_RANK_IN_DOUBT"},
       {FROND_USAGE_ERROR, "FROND_USAGE_ERROR"},
       {FROND_INPUT_ERROR, "FROND_INPUT_ERROR"},
       {FROND_OUTPUT_ERROR, "FROND_OUTPUT_ERROR"},
       {FROND_MEMORY_ERROR, "FROND_MEMORY_ERROR"},
       {FROND_STOPPED, "FROND_STOPPED"},
       {FROND_COMMUNICATION_ERROR, "FROND_COMMUNICATION_ERROR"},
       {FROND_INTERNAL_ERROR, "FROND_INTERNAL_ERROR"}}};
  for (const auto& [known, name] : kNames) {
    if (known == status) {
      return name;
    }
  }
  return "unknown status";
}

frond_status frond_create(int scalar, frond_solver** solver) {
  try {
    frond_solver*& made = frond::required(solver, "solver");
    made = nullptr;
    made = std::make_unique<frond_solver>(frond::make_solver(scalar)).release();
    frond::note_made();
    return FROND_SUCCESS;
  } catch (...) {
    return frond::note_none_made();
  }
}

void frond_destroy(frond_solver* solver) { const std::unique_ptr<frond_solver> last(solver); }

const char* frond_message(const frond_solver* solver) {
  if (solver == nullptr) {
    return frond::reason_for_none();
  }
  try {
    return const_cast<frond_solver*>(solver)->record().message.c_str();  // NOLINT(cppcoreguidelines-pro-type-const-cast): records
                                                                         // of threads are not part of what is constant
  } catch (...) {
    return "the system has no memory left";
  }
}

frond_status frond_set(frond_solver* solver, const char* name, const char* value) {
  return frond::change(solver, __func__, [&](auto& own) { own.set_option(name, value); });
}

frond_status frond_get_option(frond_solver* solver, const char* name, const char** value) {
  return frond::change_here(solver, [&](frond::SolverBase& own, frond::CallRecord& record) {
    frond::required(value, "value") = nullptr;
    record.text = own.settings().get(frond::required_text(name, "name"));
    *value = record.text.c_str();
  });
}

const char* frond_option_name(int number) {
  const NamedOption* option = option_at(frond::number_in_list(number));
  return option == nullptr ? nullptr : option->name.data();
}

const char* frond_option_values(const char* name) {
  const NamedOption* option = find_option(name);
  return option == nullptr ? nullptr : option->values.data();
}

const char* frond_option_meaning(const char* name) {
  const NamedOption* option = find_option(name);
  return option == nullptr ? nullptr : option->meaning.data();
}

frond_status frond_set_progress(frond_solver* solver, frond_progress progress, void* context) {
  return frond::set_here(solver, [&](frond::SolverBase& own) { own.settings().watch().set_progress(progress, context); });
}

frond_status frond_set_stop(frond_solver* solver, frond_stop stop, void* context) {
  return frond::set_here(solver, [&](frond::SolverBase& own) { own.settings().watch().set_stop(stop, context); });
}

frond_status frond_set_own_callbacks(frond_solver* solver, frond_progress progress, frond_stop stop, void* context) {
  return frond::set_here(solver, [&](frond::SolverBase& /*own*/, frond::CallRecord& record) {
    record.limits.own = {progress, context, stop, context};
  });
}

int frond_stop_if_set(void* flag) { return flag == nullptr ? 0 : std::atomic_ref<int>(*static_cast<int*>(flag)).load(); }
