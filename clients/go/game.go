package shinpan

import (
	"fmt"

	shinpanv1 "shinpan/v1"
)

// Game reads moves and boards of a game.
type Game struct {
	*shinpanv1.Game
	indices map[string]uint32
}

// Piece is a piece on the board, as one viewer may know it.
type Piece struct {
	// Square is the name of the square on which it stands, for example "b4".
	Square string
	// Seat is its owner.
	Seat int
	// Kind is the id of its kind, for example "spy"; "" when it is hidden.
	Kind string
	// Origin is the name of the square on which it started, which names it for the whole match.
	Origin string
	// Moved is whether it has moved.
	Moved bool
	// Shown is whether its kind is shown to everybody.
	Shown bool
	// Claims is whether it is a flag that claims from its square.
	Claims bool
}

// What the bytes of a view mean.
const (
	hiddenKind = 255
	movedFlag  = 1
	shownFlag  = 2
	claimFlag  = 16
)

// GameOf is the game of an answer of GetGame.
func GameOf(message *shinpanv1.Game) *Game {
	indices := make(map[string]uint32, len(message.GetBoard().GetSquares()))
	for index, square := range message.GetBoard().GetSquares() {
		indices[square.GetName()] = uint32(index)
	}
	return &Game{message, indices}
}

// Move is a move in text, such as "b3b4", as a number: source << 8 | target.
func (g *Game) Move(text string) (uint32, error) {
	for end := range text {
		source, found := g.indices[text[:end]]
		target, alsoFound := g.indices[text[end:]]
		if found && alsoFound {
			return source<<8 | target, nil
		}
	}
	return 0, fmt.Errorf("shinpan: %q is no move of %s: a move is two squares of its board, like b3b4", text, g.GetId())
}

// MoveText is a move as a number, source << 8 | target, in text, such as "b3b4".
func (g *Game) MoveText(move uint32) (string, error) {
	squares := g.GetBoard().GetSquares()
	source, target := move>>8, move&255
	if source >= uint32(len(squares)) || target >= uint32(len(squares)) {
		return "", fmt.Errorf("shinpan: %d is no move of %s, whose board has %d squares", move, g.GetId(), len(squares))
	}
	return squares[source].GetName() + squares[target].GetName(), nil
}

// Pieces are those of a view, in the order of the squares of the board.
func (g *Game) Pieces(view *shinpanv1.View) ([]Piece, error) {
	squares := g.GetBoard().GetSquares()
	for _, column := range [][]byte{view.GetSeats(), view.GetKinds(), view.GetOrigins(), view.GetFlags()} {
		if len(column) != len(squares) {
			return nil, fmt.Errorf("shinpan: a column of the view has %d squares, but the board of %s has %d",
				len(column), g.GetId(), len(squares))
		}
	}
	var pieces []Piece
	for index, seat := range view.GetSeats() {
		if seat == 0 {
			continue
		}
		kind, origin, flags := view.GetKinds()[index], int(view.GetOrigins()[index]), view.GetFlags()[index]
		if origin < 1 || origin > len(squares) || kind != hiddenKind && (kind < 1 || int(kind) > len(g.GetKinds())) {
			return nil, fmt.Errorf("shinpan: the view has a piece on %s that %s does not have", squares[index].GetName(),
				g.GetId())
		}
		piece := Piece{
			Square: squares[index].GetName(),
			Seat:   int(seat),
			Origin: squares[origin-1].GetName(),
			Moved:  flags&movedFlag != 0,
			Shown:  flags&shownFlag != 0,
			Claims: flags&claimFlag != 0,
		}
		if kind != hiddenKind {
			piece.Kind = g.GetKinds()[kind-1].GetId()
		}
		pieces = append(pieces, piece)
	}
	return pieces, nil
}
