#ifndef SHINPAN_GAME_H
#define SHINPAN_GAME_H

#include <shinpan/v1/game.pb.h>
#include <shinpan/v1/update.pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace shinpan {

// A piece on the board, as one viewer may know it.
struct Piece {
  // The name of the square on which it stands, for example "b4".
  std::string square;
  // Its owner.
  int seat = 0;
  // The id of its kind, for example "spy"; nothing when it is hidden.
  std::optional<std::string> kind{};
  // The name of the square on which it started, which names it for the whole match.
  std::string origin;
  // It has moved.
  bool moved = false;
  // Its kind is shown to everybody.
  bool shown = false;
  // It is a flag that claims from its square.
  bool claims = false;

  bool operator==(const Piece &) const = default;
};

// Reads moves and boards of a game. Its methods throw std::invalid_argument.
class Game {
 public:
  // The game of an answer of GetGame.
  explicit Game(v1::Game message);

  // The whole description.
  const v1::Game &message() const { return message_; }

  // A move in text, such as "b3b4", as a number: source << 8 | target.
  std::uint32_t move(std::string_view text) const;

  // A move as a number in text.
  std::string move_text(std::uint32_t move) const;

  // The pieces of a view, in the order of the squares of the board.
  std::vector<Piece> pieces(const v1::View &view) const;

 private:
  std::optional<std::uint32_t> square(std::string_view name) const;

  v1::Game message_;
  std::unordered_map<std::string, std::uint32_t> indices_;
};

}  // namespace shinpan

#endif
