#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <shinpan/client.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>

// A call that fails at once or by a short deadline has all this time before it counts as one that hangs.
inline constexpr std::chrono::seconds kPatience{8};

// A variable that says where the servers of the tests are.
inline std::string environment(const std::string &name) {
  const char *value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') {
    throw std::runtime_error(name + " is not set; run these tests with make test-clients");
  }
  return value;
}

// The error of a call; std::logic_error when there is none.
template <typename Call>
shinpan::Error refusal(const Call &call) {
  try {
    call();
  } catch (const shinpan::Error &error) {
    return error;
  }
  throw std::logic_error("the call was not refused");
}

#endif
