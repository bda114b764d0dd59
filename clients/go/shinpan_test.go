package shinpan_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"shinpan"
	shinpanv1 "shinpan/v1"
)

// A call that fails at once or by a short deadline has all this time before it counts as one that hangs.
const patience = 8 * time.Second

func TestServerIsAway(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_AWAY"))
	_, err := client.ListGames(within(t, patience), &shinpanv1.ListGamesRequest{})
	refused := refusal(t, err, codes.Unavailable, "")
	if !strings.Contains(refused.Error(), "connection refused") {
		t.Errorf("%v does not say what is wrong", refused)
	}
}

func TestWrongAddresses(t *testing.T) {
	for _, address := range []string{"127.0.0.1:no-port", "nowhere.invalid:50051"} {
		client := connect(t, address)
		_, err := client.ListGames(within(t, patience), &shinpanv1.ListGamesRequest{})
		refusal(t, err, codes.Unavailable, "")
	}
	if client, err := shinpan.Connect("dns:///"); err == nil {
		_, err = client.ListGames(within(t, patience), &shinpanv1.ListGamesRequest{})
		refusal(t, err, codes.Unavailable, "")
	}
}

func TestSilentServerMeetsTheDeadlineOfTheClient(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_SILENT"), shinpan.WithTimeout(200*time.Millisecond))
	_, err := client.ListGames(t.Context(), &shinpanv1.ListGamesRequest{})
	refusal(t, err, codes.DeadlineExceeded, "")
}

func TestSilentServerMeetsTheDeadlineOfTheContext(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_SILENT"), shinpan.WithTimeout(time.Hour))
	_, err := client.ListGames(within(t, 200*time.Millisecond), &shinpanv1.ListGamesRequest{})
	refusal(t, err, codes.DeadlineExceeded, "")
}

func TestAnswerThatBreaksOffIsAskedForOnceMore(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_BREAKING"))
	for range 2 {
		if _, err := client.ListGames(within(t, patience), &shinpanv1.ListGamesRequest{}); err != nil {
			t.Error(err)
		}
	}
	_, err := client.ListGames(within(t, patience), &shinpanv1.ListGamesRequest{})
	refusal(t, err, codes.Internal, "")
}

func TestWhatTheServiceSaysIsNotAskedAgain(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_SCRIPTED"))
	ask := func() error {
		_, err := client.ListGames(within(t, patience), &shinpanv1.ListGamesRequest{})
		return err
	}
	refusal(t, ask(), codes.Internal, "SERVER_FAULT")
	if err := ask(); err != nil {
		t.Error(err)
	}
	if foreign := refusal(t, ask(), codes.NotFound, ""); foreign.Message != "no route" {
		t.Errorf("the message is %q", foreign.Message)
	}
	refused := refusal(t, ask(), codes.ResourceExhausted, "OVERLOADED")
	for _, detail := range refused.GRPCStatus().Details() {
		if retry, ok := detail.(*errdetails.RetryInfo); ok && retry.GetRetryDelay().AsDuration() == 250*time.Millisecond {
			return
		}
	}
	t.Error("it does not say when to ask again")
}

func TestErrorHasEverythingThatTheServiceSays(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_PLAIN"))
	_, err := client.GetGame(t.Context(), &shinpanv1.GetGameRequest{Game: "chess"})
	refused := refusal(t, err, codes.InvalidArgument, "UNKNOWN_GAME")
	if !strings.Contains(refused.Message, "'chess'") || refused.Metadata["game"] != "chess" {
		t.Errorf("message %q and metadata %v do not name the game", refused.Message, refused.Metadata)
	}
	if !strings.Contains(err.Error(), "UNKNOWN_GAME") || !strings.Contains(err.Error(), refused.Message) {
		t.Errorf("%q has neither reason nor message", err.Error())
	}
	var fields []string
	for _, detail := range status.Convert(err).Details() {
		if request, ok := detail.(*errdetails.BadRequest); ok {
			for _, violation := range request.GetFieldViolations() {
				fields = append(fields, violation.GetField())
			}
		}
	}
	if len(fields) != 1 || fields[0] != "game" {
		t.Errorf("the fields at fault are %q", fields)
	}
}

func TestErrorOfAnItem(t *testing.T) {
	client := connect(t, environment(t, "SHINPAN_PLAIN"))
	state := &shinpanv1.State{Token: []byte("nonsense")}
	answer, err := client.BatchListLegalActions(t.Context(), &shinpanv1.BatchListLegalActionsRequest{
		Items: []*shinpanv1.ListLegalActionsRequest{{State: state, Seat: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	refusal(t, shinpan.ErrorOfItem(answer.GetItems()[0].GetError()), codes.InvalidArgument, "STATE_FORMAT")
	if err := shinpan.ErrorOfItem(nil); err != nil {
		t.Errorf("an item without error has the error %v", err)
	}
}

func TestReasonsOfOthersAreNotOurs(t *testing.T) {
	foreign, err := status.New(codes.Unavailable, "no capacity").WithDetails(
		&errdetails.ErrorInfo{Reason: "NO_CAPACITY", Domain: "proxy.example"})
	if err != nil {
		t.Fatal(err)
	}
	refused := refusal(t, shinpan.ErrorOfItem(foreign.Proto()), codes.Unavailable, "")
	if len(refused.Metadata) != 0 {
		t.Errorf("metadata %v of another domain", refused.Metadata)
	}
}

func TestBearer(t *testing.T) {
	address := environment(t, "SHINPAN_GUARDED")
	bearer := environment(t, "SHINPAN_BEARER")
	_, err := connect(t, address).ListGames(t.Context(), &shinpanv1.ListGamesRequest{})
	refusal(t, err, codes.Unauthenticated, "BEARER_MISSING")
	_, err = connect(t, address, shinpan.WithBearer("of nobody")).ListGames(t.Context(), &shinpanv1.ListGamesRequest{})
	refusal(t, err, codes.Unauthenticated, "BEARER_UNKNOWN")
	if _, err := connect(t, address, shinpan.WithBearer(bearer)).ListGames(t.Context(), &shinpanv1.ListGamesRequest{}); err != nil {
		t.Error(err)
	}
}

func TestServiceConfigIsThatOfTheOtherClients(t *testing.T) {
	python, err := os.ReadFile("../python/src/shinpan/service_config.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(python, []byte(shinpan.ServiceConfig)) {
		t.Error("service_config.json differs from that of the Python client")
	}
}
