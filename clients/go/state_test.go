package shinpan_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"shinpan"
	shinpanv1 "shinpan/v1"
)

var secret = []byte("a token that nobody may read")

func TestStateDoesNotShowItsToken(t *testing.T) {
	state := shinpan.StateFromBytes(secret)
	type match struct {
		Name  string
		State shinpan.State
		state shinpan.State
	}
	var lines bytes.Buffer
	slog.New(slog.NewJSONHandler(&lines, nil)).Info("match", "state", state)
	slog.New(slog.NewTextHandler(&lines, nil)).Info("match", "state", state)
	marshalled, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	printed := lines.String() + string(marshalled) + state.String()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%p"} {
		printed += fmt.Sprintf(verb, state) + fmt.Sprintf(verb, &state)
		printed += fmt.Sprintf(verb, match{"m", state, state}) + fmt.Sprintf(verb, &match{"m", state, state})
	}
	decimal := strings.Trim(fmt.Sprint(secret[:4]), "[]")
	for _, form := range []string{string(secret[:4]), hex.EncodeToString(secret[:4]), decimal, "YSB0"} {
		if strings.Contains(strings.ToLower(printed), form) {
			t.Errorf("%q is among what was printed: %s", form, printed)
		}
	}
	if !strings.Contains(printed, "State(28 bytes)") {
		t.Errorf("the length is not among what was printed: %s", printed)
	}
}

func TestStateKeepsItsToken(t *testing.T) {
	kept := bytes.Clone(secret)
	state := shinpan.StateFromBytes(kept)
	kept[0] = 0
	state.Bytes()[1] = 0
	if !bytes.Equal(state.Bytes(), secret) || !bytes.Equal(state.Message().GetToken(), secret) {
		t.Errorf("the token has become %q", state.Bytes())
	}
	if !state.Equal(shinpan.StateOf(&shinpanv1.State{Token: secret})) || state.Equal(shinpan.State{}) {
		t.Error("equal is not what has equal tokens")
	}
}
