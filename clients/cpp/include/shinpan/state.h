#ifndef SHINPAN_STATE_H
#define SHINPAN_STATE_H

#include <shinpan/v1/state.pb.h>

#include <ostream>
#include <string>
#include <utility>

namespace shinpan {

// A match at one moment, opaque: keep it, send it with the next call, and never give it to a player. Written to a
// stream it shows how long it is, and not its bytes.
class State {
 public:
  // No match.
  State() = default;
  // One that was kept as bytes.
  explicit State(std::string bytes) : bytes_(std::move(bytes)) {}
  // The one of an answer.
  explicit State(const v1::State &message) : bytes_(message.token()) {}

  // What to keep.
  const std::string &bytes() const { return bytes_; }

  // The state in a request.
  v1::State message() const {
    v1::State message;
    message.set_token(bytes_);
    return message;
  }

  bool operator==(const State &) const = default;

  friend std::ostream &operator<<(std::ostream &out, const State &state) {
    return out << "State(" << state.bytes_.size() << " bytes)";
  }

 private:
  std::string bytes_;
};

}  // namespace shinpan

#endif
