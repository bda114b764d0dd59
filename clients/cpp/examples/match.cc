#include "match.h"

#include <algorithm>
#include <stdexcept>

namespace v1 = shinpan::v1;
using shinpan::Analysis;
using shinpan::Referee;

namespace {

// The match is drawn when it has no result after so many plies.
constexpr std::uint32_t kMostPlies = 1000;

v1::Game described(const shinpan::Client &client, const std::string &game) {
  v1::GetGameRequest request;
  request.set_game(game);
  return client.call(&Referee::GetGame, request).game();
}

v1::Action move_action(std::uint32_t seat, std::uint32_t move) {
  v1::Action action;
  action.set_seat(seat);
  action.mutable_move()->set_packed(move);
  return action;
}

}  // namespace

Match::Match(const shinpan::Client &client, const std::string &game, std::uint64_t seed)
    : client_(client), seed_(seed), chance_(seed), game_(described(client, game)) {
  setup_.set_game(game);
  v1::StartMatchRequest request;
  *request.mutable_setup() = setup_;
  for (const auto &seat : game_.message().seats()) {
    request.add_viewers(static_cast<v1::Viewer>(seat.number()));
  }
  const auto started = client_.call(&Referee::StartMatch, request);
  state_ = shinpan::State(started.state());
  digest_ = started.digest();
  updates_ = {started.updates().begin(), started.updates().end()};
}

void Match::apply(const v1::Action &action) {
  v1::ApplyActionRequest request;
  *request.mutable_state() = state_.message();
  *request.mutable_action() = action;
  for (const auto &update : updates_) {
    request.add_viewers(update.viewer());
  }
  const auto answer = client_.call(&Referee::ApplyAction, request);
  state_ = shinpan::State(answer.state());
  digest_ = answer.digest();
  updates_ = {answer.updates().begin(), answer.updates().end()};
  actions_.push_back(action);
}

void Match::arrange() {
  for (const auto &seat : game_.message().seats()) {
    if (status().phase() != v1::PHASE_ARRANGEMENT) {
      return;
    }
    v1::DrawArrangementRequest request;
    request.set_game(game_.message().id());
    request.set_seat(seat.number());
    request.set_seed(seed_ + seat.number());
    v1::Action action;
    action.set_seat(seat.number());
    *action.mutable_arrange() = client_.call(&Analysis::DrawArrangement, request).arrangement();
    apply(action);
  }
}

const google::protobuf::RepeatedField<std::uint32_t> &Match::legal_moves() const {
  return updates_[status().to_move() - 1].legal_actions().moves();
}

std::string Match::try_illegal_move() {
  const auto &legal = legal_moves();
  std::uint32_t move = legal[0] & ~255U;  // of a piece that can move, the first move that is not legal
  while (std::ranges::find(legal, move) != legal.end()) {
    ++move;
  }
  try {
    apply(move_action(status().to_move(), move));
  } catch (const shinpan::Error &refused) {
    if (refused.reason() == "ILLEGAL_MOVE") {
      return game_.move_text(move);
    }
    throw;
  }
  throw std::runtime_error(game_.move_text(move) + " is not legal, but was not refused");
}

void Match::play() {
  while (status().phase() == v1::PHASE_PLAY) {
    if (status().ply() < kMostPlies) {
      const auto &legal = legal_moves();
      apply(move_action(status().to_move(), legal[static_cast<int>(chance_() % legal.size())]));
    } else {
      v1::Action draw;
      draw.mutable_ruling()->mutable_adjudication();
      apply(draw);
    }
  }
}

v1::ReplayMatchResponse Match::replay() const {
  v1::ReplayMatchRequest request;
  *request.mutable_setup() = setup_;
  request.mutable_actions()->Add(actions_.begin(), actions_.end());
  return client_.call(&Referee::ReplayMatch, request);
}
