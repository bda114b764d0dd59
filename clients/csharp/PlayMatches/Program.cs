// Plays a whole match of random moves of every game that a server has, tries an illegal move in each, and compares how
// each ended with what a replay of its actions comes to.
//
//     dotnet run --project PlayMatches -- 127.0.0.1:50051 --seed 1
using PlayMatches;
using Shinpan;
using V1 = Shinpan.V1;

ulong seed = 1;
if (args is not ([_] or [_, "--seed", _]) || (args.Length == 3 && !ulong.TryParse(args[2], out seed)))
{
    Console.Error.WriteLine("usage: PlayMatches ADDRESS [--seed N]");
    return 2;
}
var name = "ListGames";
try
{
    using var client = new ShinpanClient(args[0]);
    foreach (var game in client.Referee.ListGames(new V1.ListGamesRequest()).Games)
    {
        name = game.Id;
        var match = new Match(client, name, seed);
        match.Arrange();
        var refused = match.TryIllegalMove();
        match.Play();
        if (!match.Replay().Digest.Equals(match.Digest))
        {
            throw new InvalidOperationException("the replay comes to another digest than the match");
        }
        var result = match.Status.Result;
        Console.WriteLine(
            $"{name}: {match.Status.Ply} plies, {refused} refused, won by [{string.Join(" ", result.Winners)}] "
            + $"({result.Reason}), replayed to the same digest");
    }
    return 0;
}
catch (Exception error) when (error is ShinpanException or InvalidOperationException or UriFormatException)
{
    var reason = error is ShinpanException { Reason: not "" } known ? $"{known.Reason}: " : "";
    Console.Error.WriteLine($"{name}: {reason}{error.Message}");
    return 1;
}
