package shinpan.examples;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import shinpan.Moves;
import shinpan.ShinpanClient;
import shinpan.ShinpanException;
import shinpan.StateToken;
import shinpan.v1.Action;
import shinpan.v1.Adjudication;
import shinpan.v1.ApplyActionRequest;
import shinpan.v1.ApplyActionResponse;
import shinpan.v1.DrawArrangementRequest;
import shinpan.v1.Game;
import shinpan.v1.GameSummary;
import shinpan.v1.GetGameRequest;
import shinpan.v1.ListGamesRequest;
import shinpan.v1.MatchSetup;
import shinpan.v1.Move;
import shinpan.v1.Phase;
import shinpan.v1.ReplayMatchRequest;
import shinpan.v1.Ruling;
import shinpan.v1.Seat;
import shinpan.v1.StartMatchRequest;
import shinpan.v1.Status;
import shinpan.v1.Update;
import shinpan.v1.Viewer;

/** Plays a whole random match of every game against a running server, and has each replayed. */
public final class PlayMatches {
    /** A match that takes longer is adjudicated as a draw. */
    private static final int MOST_PLIES = 1000;

    private final ShinpanClient client;
    private final long seed;

    private PlayMatches(ShinpanClient client, long seed) {
        this.client = client;
        this.seed = seed;
    }

    /** {@code PlayMatches ADDRESS [--seed N]} */
    public static void main(String[] arguments) {
        if (arguments.length != 1 && !(arguments.length == 3 && arguments[1].equals("--seed"))) {
            System.err.println("usage: PlayMatches ADDRESS [--seed N]");
            System.exit(2);
        }
        long seed = arguments.length == 3 ? Long.parseLong(arguments[2]) : 1;
        try (ShinpanClient client = ShinpanClient.connect(arguments[0])) {
            for (GameSummary game :
                    client.referee().listGames(ListGamesRequest.getDefaultInstance()).getGamesList()) {
                System.out.println(new PlayMatches(client, seed).play(game.getId()));
            }
        } catch (ShinpanException | IllegalArgumentException | IllegalStateException error) {
            System.err.println("PlayMatches: " + error);
            System.exit(1);
        }
    }

    /** A match as far as it has come; one update for each seat, in their order. */
    private record Match(StateToken state, ByteString digest, List<Update> updates) {
        Status status() {
            return updates.get(0).getStatus();
        }

        List<Integer> legalMoves() {
            return updates.get(status().getToMove() - 1).getLegalActions().getMovesList();
        }
    }

    /** Play one match and tell in a line how it went. */
    private String play(String id) {
        Game game = client.referee().getGame(GetGameRequest.newBuilder().setGame(id).build()).getGame();
        Moves moves = new Moves(game);
        List<Viewer> viewers = game.getSeatsList().stream().map(Seat::getNumber).map(Viewer::forNumber).toList();
        MatchSetup setup = MatchSetup.newBuilder().setGame(id).build();
        var started = client.referee().startMatch(
                StartMatchRequest.newBuilder().setSetup(setup).addAllViewers(viewers).build());
        Match match = new Match(
                StateToken.of(started.getState()), started.getDigest(), started.getUpdatesList());
        List<Action> actions = new ArrayList<>();
        if (match.status().getPhase() == Phase.PHASE_ARRANGEMENT) {
            for (Seat seat : game.getSeatsList()) {
                var request = DrawArrangementRequest.newBuilder().setGame(id).setSeat(seat.getNumber());
                var drawn = client.analysis().drawArrangement(request.setSeed(seed + seat.getNumber()).build());
                Action action = Action.newBuilder().setSeat(seat.getNumber()).setArrange(drawn.getArrangement()).build();
                actions.add(action);
                match = apply(match, action, viewers);
            }
        }
        tryIllegalMove(match, moves);
        Random chance = new Random(seed);
        while (match.status().getPhase() == Phase.PHASE_PLAY) {
            Action action = choose(match, chance);
            actions.add(action);
            match = apply(match, action, viewers);
        }
        var replay = ReplayMatchRequest.newBuilder().setSetup(setup).addAllActions(actions).build();
        if (!client.referee().replayMatch(replay).getDigest().equals(match.digest())) {
            throw new IllegalStateException(id + ": ReplayMatch answers another digest");
        }
        Status ended = match.status();
        return "%s: %d plies, last %s, winners %s, %s; the replay agrees".formatted(id, ended.getPly(),
                moves.text(ended.getLastMove()), ended.getResult().getWinnersList(), ended.getResult().getReason());
    }

    private static Action choose(Match match, Random chance) {
        if (match.status().getPly() == MOST_PLIES) {
            Adjudication draw = Adjudication.getDefaultInstance();
            return Action.newBuilder().setRuling(Ruling.newBuilder().setAdjudication(draw)).build();
        }
        List<Integer> legal = match.legalMoves();
        Move move = Move.newBuilder().setPacked(legal.get(chance.nextInt(legal.size()))).build();
        return Action.newBuilder().setSeat(match.status().getToMove()).setMove(move).build();
    }

    private Match apply(Match before, Action action, List<Viewer> viewers) {
        ApplyActionResponse answer = client.referee().applyAction(ApplyActionRequest.newBuilder()
                .setState(before.state().state())
                .setAction(action)
                .setExpectedRevision(before.status().getRevision())
                .addAllViewers(viewers)
                .build());
        return new Match(
                StateToken.of(answer.getState()), answer.getDigest(), answer.getUpdatesList());
    }

    /** The first two squares that are no legal move: the service has to say so. */
    private void tryIllegalMove(Match match, Moves moves) {
        Set<Integer> legal = new HashSet<>(match.legalMoves());
        int illegal = 0;
        while (legal.contains(illegal)) {
            illegal++;
        }
        Move move = Move.newBuilder().setText(moves.text(illegal)).build();
        Action action = Action.newBuilder().setSeat(match.status().getToMove()).setMove(move).build();
        try {
            apply(match, action, List.of());
        } catch (ShinpanException error) {
            if (error.is("ILLEGAL_MOVE")) {
                return;
            }
            throw error;
        }
        throw new IllegalStateException("an illegal move was accepted");
    }
}
