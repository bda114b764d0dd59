// Plays a whole match of random moves of every game that a server has, tries an illegal move in each, and compares how
// each ended with what a replay of its actions comes to.
//
//     play_matches 127.0.0.1:50051 --seed 1
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include "match.h"

namespace {

struct Arguments {
  std::string address;
  std::uint64_t seed = 1;
};

std::optional<Arguments> parse(int count, char **values) {
  Arguments arguments;
  for (int index = 1; index < count; ++index) {
    const std::string value = values[index];
    if (value == "--seed" && index + 1 < count) {
      arguments.seed = std::stoull(values[++index]);
    } else if (arguments.address.empty() && !value.starts_with("-")) {
      arguments.address = value;
    } else {
      return std::nullopt;
    }
  }
  return arguments.address.empty() ? std::nullopt : std::optional(arguments);
}

// Plays one match and compares; the line says how it ended.
std::string play_game(const shinpan::Client &client, const std::string &game, std::uint64_t seed) {
  Match match(client, game, seed);
  match.arrange();
  const std::string refused = match.try_illegal_move();
  match.play();
  if (match.replay().digest() != match.digest()) {
    throw std::runtime_error("the replay comes to another digest than the match");
  }
  std::string winners;
  for (const auto seat : match.status().result().winners()) {
    winners += " " + std::to_string(seat);
  }
  return std::to_string(match.status().ply()) + " plies, " + refused + " refused, won by" +
         (winners.empty() ? " nobody" : winners) + " (" +
         shinpan::v1::EndReason_Name(match.status().result().reason()) + "), replayed to the same digest";
}

}  // namespace

int main(int count, char **values) {
  std::string game = "ListGames";
  try {
    const auto arguments = parse(count, values);
    if (!arguments) {
      std::cerr << "usage: play_matches ADDRESS [--seed N]\n";
      return 2;
    }
    const shinpan::Client client(arguments->address);
    const auto games = client.call(&shinpan::Referee::ListGames, {});
    for (const auto &one : games.games()) {
      game = one.id();
      std::cout << game << ": " << play_game(client, game, arguments->seed) << std::endl;
    }
  } catch (const std::exception &failed) {
    std::cerr << game << ": " << failed.what() << "\n";
    return 1;
  }
}
