#ifndef MATCH_H
#define MATCH_H

#include <shinpan/client.h>
#include <shinpan/game.h>
#include <shinpan/state.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

// A match that goes on: what a backend keeps of it, and what each seat may know.
class Match {
 public:
  // Starts a match; the seed is that of its arrangements and moves.
  Match(const shinpan::Client &client, const std::string &game, std::uint64_t seed);

  // Draws an arrangement for each seat, where the game has a phase for it.
  void arrange();

  // Has the seat to move try a move that is not legal. The move; std::runtime_error when it is not refused for that.
  std::string try_illegal_move();

  // Makes random moves until the match has a result.
  void play();

  // The state to which a replay of all actions comes.
  shinpan::v1::ReplayMatchResponse replay() const;

  const shinpan::v1::Status &status() const { return updates_[0].status(); }
  const std::string &digest() const { return digest_; }

 private:
  // Goes on with an action; the match stays as it is when the action is refused.
  void apply(const shinpan::v1::Action &action);

  // The moves of the seat to move, as that seat is told.
  const google::protobuf::RepeatedField<std::uint32_t> &legal_moves() const;

  const shinpan::Client &client_;
  std::uint64_t seed_;
  std::mt19937_64 chance_;
  shinpan::Game game_;
  shinpan::v1::MatchSetup setup_;
  shinpan::State state_;
  std::string digest_;
  std::vector<shinpan::v1::Update> updates_;
  std::vector<shinpan::v1::Action> actions_;
};

#endif
