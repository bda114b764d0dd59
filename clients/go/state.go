package shinpan

import (
	"bytes"
	"fmt"
	"io"

	shinpanv1 "shinpan/v1"
)

// State is a match at one moment, opaque: keep it, send it with the next call, and never give it to a player.
//
// However it is printed, its bytes are not shown. The zero value is no match.
type State struct {
	// A function, for of one deep within a value that is printed there is no more to see than its address.
	token func() []byte
}

// StateOf is the state of an answer.
func StateOf(message *shinpanv1.State) State {
	return StateFromBytes(message.GetToken())
}

// StateFromBytes is a state that was kept as bytes.
func StateFromBytes(token []byte) State {
	kept := bytes.Clone(token)
	return State{func() []byte { return kept }}
}

// Bytes is what to keep.
func (s State) Bytes() []byte {
	if s.token == nil {
		return nil
	}
	return bytes.Clone(s.token())
}

// Message is the state in a request.
func (s State) Message() *shinpanv1.State {
	return &shinpanv1.State{Token: s.Bytes()}
}

// Equal is whether both are the same match at the same moment.
func (s State) Equal(other State) bool {
	return bytes.Equal(s.Bytes(), other.Bytes())
}

// String says how long the token is.
func (s State) String() string {
	return fmt.Sprintf("State(%d bytes)", len(s.Bytes()))
}

// Format prints String for every verb.
func (s State) Format(out fmt.State, _ rune) {
	_, _ = io.WriteString(out, s.String())
}
