#include <shinpan/game.h>

#include <stdexcept>
#include <utility>

namespace shinpan {
namespace {

// What the bytes of a view mean.
constexpr int kHidden = 255;
constexpr int kMoved = 1;
constexpr int kShown = 2;
constexpr int kClaims = 16;

int byte(const std::string &column, int index) { return static_cast<unsigned char>(column[index]); }

}  // namespace

Game::Game(v1::Game message) : message_(std::move(message)) {
  for (const auto &square : message_.board().squares()) {
    indices_.emplace(square.name(), static_cast<std::uint32_t>(indices_.size()));
  }
}

std::optional<std::uint32_t> Game::square(std::string_view name) const {
  const auto found = indices_.find(std::string(name));
  return found == indices_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t Game::move(std::string_view text) const {
  for (std::size_t end = 1; end < text.size(); ++end) {
    const auto source = square(text.substr(0, end));
    const auto target = square(text.substr(end));
    if (source && target) {
      return *source << 8 | *target;
    }
  }
  throw std::invalid_argument("'" + std::string(text) + "' is no move of " + message_.id() +
                              ": a move is two squares of its board, like b3b4");
}

std::string Game::move_text(std::uint32_t move) const {
  const auto &squares = message_.board().squares();
  const std::uint32_t source = move >> 8;
  const std::uint32_t target = move & 255;
  const auto count = static_cast<std::uint32_t>(squares.size());
  if (source >= count || target >= count) {
    throw std::invalid_argument(std::to_string(move) + " is no move of " + message_.id() + ", whose board has " +
                                std::to_string(count) + " squares");
  }
  return squares[static_cast<int>(source)].name() + squares[static_cast<int>(target)].name();
}

std::vector<Piece> Game::pieces(const v1::View &view) const {
  const auto &squares = message_.board().squares();
  for (const auto *column : {&view.seats(), &view.kinds(), &view.origins(), &view.flags()}) {
    if (column->size() != static_cast<std::size_t>(squares.size())) {
      throw std::invalid_argument("a column of the view has " + std::to_string(column->size()) +
                                  " squares, but the board of " + message_.id() + " has " +
                                  std::to_string(squares.size()));
    }
  }
  std::vector<Piece> pieces;
  for (int index = 0; index < squares.size(); ++index) {
    const int seat = byte(view.seats(), index);
    if (seat == 0) {
      continue;
    }
    const int kind = byte(view.kinds(), index);
    const int origin = byte(view.origins(), index);
    const int flags = byte(view.flags(), index);
    const bool known = kind >= 1 && kind <= message_.kinds_size();
    if (origin < 1 || origin > squares.size() || (!known && kind != kHidden)) {
      throw std::invalid_argument("the view has a piece on " + squares[index].name() + " that " + message_.id() +
                                  " does not have");
    }
    pieces.push_back({
        .square = squares[index].name(),
        .seat = seat,
        .kind = known ? std::optional(message_.kinds(kind - 1).id()) : std::nullopt,
        .origin = squares[origin - 1].name(),
        .moved = (flags & kMoved) != 0,
        .shown = (flags & kShown) != 0,
        .claims = (flags & kClaims) != 0,
    });
  }
  return pieces;
}

}  // namespace shinpan
