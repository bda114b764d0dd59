using Google.Protobuf;
using Shinpan;
using V1 = Shinpan.V1;

namespace PlayMatches;

/// <summary>A match that goes on: what a backend keeps of it, and what each seat may know.</summary>
internal sealed class Match
{
    // The match is drawn when it has no result after so many plies.
    private const uint MostPlies = 1000;

    private readonly ShinpanClient client;
    private readonly Game game;
    private readonly ulong seed;
    private readonly Random chance;
    private readonly V1.MatchSetup setup;
    private readonly List<V1.Action> actions = [];
    private StateToken state;
    private IReadOnlyList<V1.Update> updates;

    public Match(ShinpanClient client, string id, ulong seed)
    {
        this.client = client;
        this.seed = seed;
        chance = new Random(unchecked((int)seed));
        game = new Game(client.Referee.GetGame(new V1.GetGameRequest { Game = id }).Game);
        setup = new V1.MatchSetup { Game = id };
        var request = new V1.StartMatchRequest { Setup = setup };
        request.Viewers.AddRange(game.Message.Seats.Select(seat => (V1.Viewer)seat.Number));
        var started = client.Referee.StartMatch(request);
        (state, Digest, updates) = (new StateToken(started.State), started.Digest, started.Updates);
    }

    public ByteString Digest { get; private set; }

    public V1.Status Status => updates[0].Status;

    // The moves of the seat to move, as that seat is told.
    private IReadOnlyList<uint> LegalMoves => updates[(int)Status.ToMove - 1].LegalActions.Moves;

    /// <summary>Draws an arrangement for each seat, where the game has a phase for it.</summary>
    public void Arrange()
    {
        foreach (var seat in game.Message.Seats)
        {
            if (Status.Phase == V1.Phase.Arrangement)
            {
                var drawn = client.Analysis.DrawArrangement(new V1.DrawArrangementRequest
                {
                    Game = game.Message.Id,
                    Seat = seat.Number,
                    Seed = seed + seat.Number,
                });
                Apply(new V1.Action { Seat = seat.Number, Arrange = drawn.Arrangement });
            }
        }
    }

    /// <summary>Has the seat to move try a move that is not legal; the move.</summary>
    public string TryIllegalMove()
    {
        var move = LegalMoves[0] & ~255u; // of a piece that can move, the first move that is not legal
        while (LegalMoves.Contains(move))
        {
            move++;
        }
        try
        {
            Apply(MoveAction(move));
        }
        catch (ShinpanException refused) when (refused.Reason == "ILLEGAL_MOVE")
        {
            return game.MoveText(move);
        }
        throw new InvalidOperationException($"{game.MoveText(move)} is not legal, but was not refused");
    }

    /// <summary>Makes random moves until the match has a result.</summary>
    public void Play()
    {
        while (Status.Phase == V1.Phase.Play)
        {
            Apply(Status.Ply < MostPlies
                ? MoveAction(LegalMoves[chance.Next(LegalMoves.Count)])
                : new V1.Action { Ruling = new V1.Ruling { Adjudication = new V1.Adjudication() } });
        }
    }

    /// <summary>The state to which a replay of all actions comes.</summary>
    public V1.ReplayMatchResponse Replay()
    {
        var request = new V1.ReplayMatchRequest { Setup = setup };
        request.Actions.AddRange(actions);
        return client.Referee.ReplayMatch(request);
    }

    private V1.Action MoveAction(uint move) =>
        new() { Seat = Status.ToMove, Move = new V1.Move { Packed = move } };

    // Goes on with an action; the match stays as it is when the action is refused.
    private void Apply(V1.Action action)
    {
        var request = new V1.ApplyActionRequest { State = state.ToMessage(), Action = action };
        request.Viewers.AddRange(updates.Select(update => update.Viewer));
        var answer = client.Referee.ApplyAction(request);
        (state, Digest, updates) = (new StateToken(answer.State), answer.Digest, answer.Updates);
        actions.Add(action);
    }
}
