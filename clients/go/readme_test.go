package shinpan_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const aroundExample = `package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"shinpan"
	shinpanv1 "shinpan/v1"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
`

// TestReadmeExample runs the example of the README: it is short, and prints what seat 2 sees of an opening move.
func TestReadmeExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	example, _, found := strings.Cut(rest, "```")
	if lines := strings.Count(example, "\n"); !found || lines >= 15 {
		t.Fatalf("the example has %d lines", lines)
	}
	example = strings.ReplaceAll(example, "127.0.0.1:50051", environment(t, "SHINPAN_PLAIN"))
	program := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(program, []byte(aroundExample+example+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	printed, err := exec.Command("go", "run", program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	// In this game every piece is a man, and the lowest move of seat 1 takes the one on a1 a square forward.
	if !strings.HasPrefix(string(printed), "a1a2 [{b1 1 ") || strings.Count(string(printed), "{") != 18 {
		t.Errorf("it printed %s", printed)
	}
}
