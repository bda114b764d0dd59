using System.Text;
using Google.Protobuf;
using Grpc.Core;
using Xunit;

namespace Shinpan.Tests;

/// <summary>What goes wrong, and what the client adds to the messages.</summary>
public sealed class ClientTests
{
    private static readonly V1.ListGamesRequest Question = new();

    [Fact]
    public void AServerThatIsAwayIsUnavailable()
    {
        using var client = new ShinpanClient(Servers.Variable("SHINPAN_AWAY"));
        var error = Assert.Throws<ShinpanException>(() => client.Referee.ListGames(Question));
        Assert.Equal((StatusCode.Unavailable, ""), (error.StatusCode, error.Reason));
    }

    [Fact]
    public async Task ASilentServerMeetsTheDeadline()
    {
        using var client = new ShinpanClient(Servers.Variable("SHINPAN_SILENT"), TimeSpan.FromSeconds(0.2));
        var error = await Assert.ThrowsAsync<ShinpanException>(async () => await client.Referee.ListGamesAsync(Question));
        Assert.Equal((StatusCode.DeadlineExceeded, ""), (error.StatusCode, error.Reason));
    }

    [Fact]
    public async Task AnAnswerThatBreaksOffIsAskedForOnceMore()
    {
        using var client = new ShinpanClient(Servers.Variable("SHINPAN_BREAKING"));
        Assert.Empty(client.Referee.ListGames(Question).Games);
        Assert.Empty((await client.Referee.ListGamesAsync(Question)).Games);
        Assert.Equal("", Assert.Throws<ShinpanException>(() => client.Referee.ListGames(Question)).Reason);
    }

    [Fact]
    public void WhatTheServiceSaysIsNotAskedAgain()
    {
        using var client = new ShinpanClient(Servers.Variable("SHINPAN_SCRIPTED"));
        ShinpanException Refusal() => Assert.Throws<ShinpanException>(() => client.Referee.ListGames(Question));
        Assert.Equal("SERVER_FAULT", Refusal().Reason);
        Assert.Empty(client.Referee.ListGames(Question).Games);
        var foreign = Refusal();
        Assert.Equal((StatusCode.NotFound, "", "no route"), (foreign.StatusCode, foreign.Reason, foreign.Message));
        Assert.Equal("OVERLOADED", Refusal().Reason);
    }

    [Fact]
    public void AnErrorHasEverythingThatTheServiceSays()
    {
        using var client = new ShinpanClient(Servers.Variable("SHINPAN_PLAIN"));
        var error = Assert.Throws<ShinpanException>(
            () => client.Referee.GetGame(new V1.GetGameRequest { Game = "chess" }));
        Assert.Equal((StatusCode.InvalidArgument, "UNKNOWN_GAME"), (error.StatusCode, error.Reason));
        Assert.Contains("'chess'", error.Message);
        Assert.Equal("chess", error.Metadata["game"]);
    }

    [Fact]
    public void MovesAreTextAndNumber()
    {
        var game = Hasami();
        Assert.Equal((1u << 8) | 29u, game.Move("b1b5"));
        Assert.Equal("g7a1", game.MoveText(48u << 8));
        Assert.Throws<ArgumentException>(() => game.Move("a1a8"));
        Assert.Throws<ArgumentException>(() => game.MoveText(49));
    }

    [Fact]
    public void PiecesAreThoseOfTheView()
    {
        ByteString Column(byte first) => ByteString.CopyFrom(new[] { first }.Concat(new byte[48]).ToArray());
        var view = new V1.View { Seats = Column(2), Kinds = Column(255), Origins = Column(49), Flags = Column(1 | 2) };
        var piece = Assert.Single(Hasami().Pieces(view));
        Assert.Equal(new Piece("a1", 2, null, "g7", Moved: true, Shown: true, Claims: false), piece);
        view.Kinds = Column(3);
        Assert.Throws<ArgumentException>(() => Hasami().Pieces(view));
    }

    [Fact]
    public void ATokenShowsOnlyItsLength()
    {
        var token = new StateToken(Encoding.ASCII.GetBytes("a token that nobody may read"));
        Assert.Equal("StateToken(28 bytes)", $"{token}");
        Assert.Equal(token, new StateToken(token.ToMessage()));
    }

    private static Game Hasami()
    {
        using var client = new ShinpanClient(Servers.Variable("SHINPAN_PLAIN"));
        return new Game(client.Referee.GetGame(new V1.GetGameRequest { Game = "hidden-hasami" }).Game);
    }
}
