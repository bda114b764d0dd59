package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"shinpan"
	shinpanv1 "shinpan/v1"
)

// The match is drawn when it has no result after so many plies.
const mostPlies = 1000

// match is a match that goes on: what a backend keeps of it, and what each seat may know.
type match struct {
	client  *shinpan.Client
	game    *shinpan.Game
	chance  *rand.Rand
	setup   *shinpanv1.MatchSetup
	seats   []shinpanv1.Viewer
	state   shinpan.State
	digest  []byte
	updates []*shinpanv1.Update
	actions []*shinpanv1.Action
}

func startMatch(ctx context.Context, client *shinpan.Client, id string, chance *rand.Rand) (*match, error) {
	answer, err := client.GetGame(ctx, &shinpanv1.GetGameRequest{Game: id})
	if err != nil {
		return nil, err
	}
	m := &match{client: client, game: shinpan.GameOf(answer.GetGame()), chance: chance}
	m.setup = &shinpanv1.MatchSetup{Game: id}
	for _, seat := range m.game.GetSeats() {
		m.seats = append(m.seats, shinpanv1.Viewer(seat.GetNumber()))
	}
	started, err := client.StartMatch(ctx, &shinpanv1.StartMatchRequest{Setup: m.setup, Viewers: m.seats})
	if err != nil {
		return nil, err
	}
	m.state, m.digest, m.updates = shinpan.StateOf(started.GetState()), started.GetDigest(), started.GetUpdates()
	return m, nil
}

// status is the public facts.
func (m *match) status() *shinpanv1.Status {
	return m.updates[0].GetStatus()
}

// apply goes on with an action; the match stays as it is when the action is refused.
func (m *match) apply(ctx context.Context, action *shinpanv1.Action) error {
	answer, err := m.client.ApplyAction(ctx, &shinpanv1.ApplyActionRequest{
		State: m.state.Message(), Action: action, Viewers: m.seats})
	if err != nil {
		return err
	}
	m.state, m.digest, m.updates = shinpan.StateOf(answer.GetState()), answer.GetDigest(), answer.GetUpdates()
	m.actions = append(m.actions, action)
	return nil
}

// arrange draws an arrangement for each seat, where the game has a phase for it.
func (m *match) arrange(ctx context.Context, seed uint64) error {
	for _, seat := range m.game.GetSeats() {
		if m.status().GetPhase() != shinpanv1.Phase_PHASE_ARRANGEMENT {
			return nil
		}
		drawn, err := m.client.DrawArrangement(ctx, &shinpanv1.DrawArrangementRequest{
			Game: m.game.GetId(), Seat: seat.GetNumber(), Seed: seed + uint64(seat.GetNumber())})
		if err != nil {
			return err
		}
		action := &shinpanv1.Action{Seat: seat.GetNumber(), Kind: &shinpanv1.Action_Arrange{Arrange: drawn.GetArrangement()}}
		if err := m.apply(ctx, action); err != nil {
			return err
		}
	}
	return nil
}

// legalMoves are those of the seat to move, as that seat is told.
func (m *match) legalMoves() []uint32 {
	return m.updates[m.status().GetToMove()-1].GetLegalActions().GetMoves()
}

// tryIllegalMove has the seat to move try the first move of one of its pieces that is not legal; the reason with which
// it is refused.
func (m *match) tryIllegalMove(ctx context.Context) (string, error) {
	legal := m.legalMoves()
	move := legal[0] &^ 255
	for slices.Contains(legal, move) {
		move++
	}
	err := m.apply(ctx, moveAction(m.status().GetToMove(), move))
	refused, ok := errors.AsType[*shinpan.Error](err)
	if !ok || refused.Reason != "ILLEGAL_MOVE" {
		return "", fmt.Errorf("move %d should be refused with ILLEGAL_MOVE, not: %v", move, err)
	}
	return m.game.MoveText(move)
}

// play chooses random moves until the match has a result.
func (m *match) play(ctx context.Context) error {
	for m.status().GetPhase() == shinpanv1.Phase_PHASE_PLAY {
		var action *shinpanv1.Action
		if m.status().GetPly() < mostPlies {
			legal := m.legalMoves()
			action = moveAction(m.status().GetToMove(), legal[m.chance.IntN(len(legal))])
		} else {
			draw := &shinpanv1.Ruling_Adjudication{Adjudication: &shinpanv1.Adjudication{}}
			action = &shinpanv1.Action{Kind: &shinpanv1.Action_Ruling{Ruling: &shinpanv1.Ruling{Decision: draw}}}
		}
		if err := m.apply(ctx, action); err != nil {
			return err
		}
	}
	return nil
}

func moveAction(seat, move uint32) *shinpanv1.Action {
	spelling := &shinpanv1.Move_Packed{Packed: move}
	return &shinpanv1.Action{Seat: seat, Kind: &shinpanv1.Action_Move{Move: &shinpanv1.Move{Spelling: spelling}}}
}
