// Command playmatches plays a whole match of random moves of every game that a server has, tries an illegal move in
// each, and compares how each ended with what a replay of its actions comes to.
//
//	go run ./examples/playmatches 127.0.0.1:50051 --seed 1
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"

	"shinpan"
	shinpanv1 "shinpan/v1"
)

func main() {
	log.SetFlags(0)
	flag.Usage = func() { log.Print("usage: playmatches ADDRESS [--seed N]") }
	seed := flag.Uint64("seed", 1, "seed of arrangements and moves")
	flag.Parse()
	address := flag.Arg(0)
	if flag.NArg() > 0 { // the flags may stand behind the address
		_ = flag.CommandLine.Parse(flag.Args()[1:])
	}
	if address == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := playEveryGame(context.Background(), address, *seed); err != nil {
		log.Fatal(err)
	}
}

func playEveryGame(ctx context.Context, address string, seed uint64) error {
	client, err := shinpan.Connect(address)
	if err != nil {
		return err
	}
	defer client.Close()
	games, err := client.ListGames(ctx, &shinpanv1.ListGamesRequest{})
	if err != nil {
		return err
	}
	for _, game := range games.GetGames() {
		line, err := playGame(ctx, client, game.GetId(), seed)
		if err != nil {
			return fmt.Errorf("%s: %w", game.GetId(), err)
		}
		fmt.Printf("%s: %s\n", game.GetId(), line)
	}
	return nil
}

// playGame plays one match and compares; the line says how it ended.
func playGame(ctx context.Context, client *shinpan.Client, id string, seed uint64) (string, error) {
	match, err := startMatch(ctx, client, id, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return "", err
	}
	if err := match.arrange(ctx, seed); err != nil {
		return "", err
	}
	refused, err := match.tryIllegalMove(ctx)
	if err != nil {
		return "", err
	}
	if err := match.play(ctx); err != nil {
		return "", err
	}
	replayed, err := client.ReplayMatch(ctx, &shinpanv1.ReplayMatchRequest{
		Start: &shinpanv1.ReplayMatchRequest_Setup{Setup: match.setup}, Actions: match.actions})
	if err != nil {
		return "", err
	}
	if !bytes.Equal(replayed.GetDigest(), match.digest) {
		return "", fmt.Errorf("the replay has digest %x, the match %x", replayed.GetDigest(), match.digest)
	}
	result := match.status().GetResult()
	return fmt.Sprintf("%d plies, %s refused, won by %v (%s), replayed to the same digest",
		match.status().GetPly(), refused, result.GetWinners(), result.GetReason()), nil
}
