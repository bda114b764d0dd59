package shinpan_test

import (
	"reflect"
	"testing"

	"shinpan"
	shinpanv1 "shinpan/v1"
)

// hasami is the game on seven by seven squares in which each side has six guards and a leader on its first rank.
func hasami(t *testing.T, client *shinpan.Client) *shinpan.Game {
	t.Helper()
	answer, err := client.GetGame(t.Context(), &shinpanv1.GetGameRequest{Game: "hidden-hasami"})
	if err != nil {
		t.Fatal(err)
	}
	return shinpan.GameOf(answer.GetGame())
}

// leaderOn is an arrangement with the leader on one file of a rank and guards on the others.
func leaderOn(file, rank string) *shinpanv1.Arrangement {
	arrangement := &shinpanv1.Arrangement{}
	for _, one := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		placement := &shinpanv1.Placement{Square: one + rank, Kind: "guard"}
		if one == file {
			placement.Kind = "leader"
		}
		arrangement.Placements = append(arrangement.Placements, placement)
	}
	return arrangement
}

func TestMoves(t *testing.T) {
	game := hasami(t, connect(t, environment(t, "SHINPAN_PLAIN")))
	for text, move := range map[string]uint32{"a1a1": 0, "b1b5": 1<<8 | 29, "g7a1": 48 << 8} {
		if got, err := game.Move(text); err != nil || got != move {
			t.Errorf("%s is %d, want %d; %v", text, got, move, err)
		}
		if got, err := game.MoveText(move); err != nil || got != text {
			t.Errorf("%d is %s, want %s; %v", move, got, text, err)
		}
	}
	for _, text := range []string{"", "a1", "a1a8", "a1b2c3", "a1 b1", "A1B1"} {
		if got, err := game.Move(text); err == nil {
			t.Errorf("%q is the move %d, but should be none", text, got)
		}
	}
	for _, move := range []uint32{49, 49 << 8, 1 << 16} {
		if got, err := game.MoveText(move); err == nil {
			t.Errorf("%d is the move %q, but should be none", move, got)
		}
	}
}

func TestMovesOnRanksOfTwoDigits(t *testing.T) {
	board := &shinpanv1.Board{}
	for _, name := range []string{"a1", "a10", "b1", "b10"} {
		board.Squares = append(board.Squares, &shinpanv1.Square{Name: name})
	}
	game := shinpan.GameOf(&shinpanv1.Game{Board: board})
	for text, move := range map[string]uint32{"a1b10": 0<<8 | 3, "a10b1": 1<<8 | 2, "a10b10": 1<<8 | 3} {
		if got, err := game.Move(text); err != nil || got != move {
			t.Errorf("%s is %d, want %d; %v", text, got, move, err)
		}
	}
}

func TestPieces(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_PLAIN"))
	game := hasami(t, client)
	move, err := game.Move("b1b5")
	if err != nil {
		t.Fatal(err)
	}
	setup := &shinpanv1.MatchSetup{Game: "hidden-hasami", Arrangements: map[uint32]*shinpanv1.Arrangement{
		1: leaderOn("a", "1"), 2: leaderOn("g", "7")}}
	action := &shinpanv1.Action{Seat: 1, Kind: &shinpanv1.Action_Move{
		Move: &shinpanv1.Move{Spelling: &shinpanv1.Move_Packed{Packed: move}}}}
	answer, err := client.ReplayMatch(t.Context(), &shinpanv1.ReplayMatchRequest{
		Start:   &shinpanv1.ReplayMatchRequest_Setup{Setup: setup},
		Actions: []*shinpanv1.Action{action},
		Viewers: []shinpanv1.Viewer{shinpanv1.Viewer_VIEWER_SEAT_1}})
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := game.Pieces(answer.GetUpdates()[0].GetView())
	if err != nil {
		t.Fatal(err)
	}
	want := []shinpan.Piece{{Square: "a1", Seat: 1, Kind: "leader", Origin: "a1"}}
	for _, square := range []string{"c1", "d1", "e1", "f1", "g1"} {
		want = append(want, shinpan.Piece{Square: square, Seat: 1, Kind: "guard", Origin: square})
	}
	want = append(want, shinpan.Piece{Square: "b5", Seat: 1, Kind: "guard", Origin: "b1", Moved: true})
	for _, square := range []string{"a7", "b7", "c7", "d7", "e7", "f7", "g7"} {
		want = append(want, shinpan.Piece{Square: square, Seat: 2, Origin: square})
	}
	if !reflect.DeepEqual(pieces, want) {
		t.Errorf("got  %v\nwant %v", pieces, want)
	}
}

func TestPiecesOfAnotherGame(t *testing.T) {
	game := hasami(t, connect(t, environment(t, "SHINPAN_PLAIN")))
	column := func(first byte) []byte { return append([]byte{first}, make([]byte, 48)...) }
	none := column(0)
	for name, view := range map[string]*shinpanv1.View{
		"short":      {Seats: none, Kinds: none, Origins: none, Flags: none[:48]},
		"no kind":    {Seats: column(1), Kinds: none, Origins: column(1), Flags: none},
		"other kind": {Seats: column(1), Kinds: column(3), Origins: column(1), Flags: none},
		"no origin":  {Seats: column(1), Kinds: column(1), Origins: none, Flags: none},
		"far origin": {Seats: column(1), Kinds: column(1), Origins: column(50), Flags: none},
	} {
		if pieces, err := game.Pieces(view); err == nil {
			t.Errorf("%s: got %v, want an error", name, pieces)
		}
	}
}

func TestPiecesShownAndClaiming(t *testing.T) {
	game := hasami(t, connect(t, environment(t, "SHINPAN_PLAIN")))
	column := func(first byte) []byte { return append([]byte{first}, make([]byte, 48)...) }
	view := &shinpanv1.View{Seats: column(2), Kinds: column(255), Origins: column(49), Flags: column(2 | 16 | 8)}
	pieces, err := game.Pieces(view)
	if err != nil {
		t.Fatal(err)
	}
	if want := (shinpan.Piece{Square: "a1", Seat: 2, Origin: "g7", Shown: true, Claims: true}); len(pieces) != 1 || pieces[0] != want {
		t.Errorf("got %v, want %v", pieces, want)
	}
}
