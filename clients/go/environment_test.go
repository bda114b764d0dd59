package shinpan_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"shinpan"
)

// environment is a variable that says where the servers of the tests are; tests/clients sets them.
func environment(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set; run these tests with make test-clients", name)
	}
	return value
}

func connect(t *testing.T, target string, options ...shinpan.Option) *shinpan.Client {
	t.Helper()
	client, err := shinpan.Connect(target, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// refusal is the error as ours; nothing hangs, so that there is a deadline for each.
func refusal(t *testing.T, err error, code codes.Code, reason string) *shinpan.Error {
	t.Helper()
	refused, ok := errors.AsType[*shinpan.Error](err)
	if !ok {
		t.Fatalf("%v is no *shinpan.Error", err)
	}
	if refused.Code != code || refused.Reason != reason {
		t.Fatalf("got %s %q, want %s %q: %v", refused.Code, refused.Reason, code, reason, err)
	}
	return refused
}

func within(t *testing.T, limit time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return ctx
}
