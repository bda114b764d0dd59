using System.Text.Json;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Grpc.Core;
using Xunit;

namespace Shinpan.Tests;

/// <summary>Every vector of clients/conformance is answered as it says.</summary>
public sealed class ConformanceTests : IDisposable
{
    private static readonly Dictionary<string, MethodDescriptor> Methods =
        new[] { V1.RefereeServiceReflection.Descriptor, V1.AnalysisServiceReflection.Descriptor }
            .SelectMany(file => file.Services)
            .SelectMany(service => service.Methods)
            .ToDictionary(method => $"{method.Service.FullName}/{method.Name}");

    private readonly Dictionary<(string, string), ShinpanClient> clients = new();

    public void Dispose()
    {
        foreach (var client in clients.Values)
        {
            client.Dispose();
        }
    }

    [Fact]
    public void EveryVectorIsAnsweredAsItSays()
    {
        var wrong = new List<string>();
        var count = 0;
        foreach (var file in Directory.GetFiles(Servers.Variable("SHINPAN_VECTORS"), "*.jsonl"))
        {
            foreach (var line in File.ReadLines(file))
            {
                using var vector = JsonDocument.Parse(line);
                if (Difference(vector.RootElement) is { } difference)
                {
                    wrong.Add($"{Path.GetFileName(file)}: {vector.RootElement.GetProperty("name")}: {difference}");
                }
                count++;
            }
        }
        Assert.Empty(wrong);
        Assert.NotEqual(0, count);
    }

    private string? Difference(JsonElement vector)
    {
        var method = Methods[vector.GetProperty("method").GetString()!];
        var request = method.InputType.Parser.ParseFrom(vector.GetProperty("request").GetBytesFromBase64());
        IMessage answer;
        try
        {
            answer = ClientOf(vector).Invoker.BlockingUnaryCall(Callable(method), null, default, request);
        }
        catch (ShinpanException error)
        {
            return vector.TryGetProperty("error", out var expected)
                && error.StatusCode.ToString() == expected.GetProperty("code").GetString()!.ToPascalCase()
                && error.Reason == expected.GetProperty("reason").GetString()
                    ? null
                    : $"{error.StatusCode}: {error.Reason}: {error.Message}";
        }
        if (!vector.TryGetProperty("response", out var response))
        {
            return "it is not refused";
        }
        var wanted = method.OutputType.Parser.ParseFrom(response.GetBytesFromBase64());
        if (answer is V1.ListGamesResponse list)
        {
            KeepGames(list, (V1.ListGamesResponse)wanted);
        }
        return answer.Equals(wanted) ? null : $"{answer}, not {wanted}";
    }

    // Leaves out games that came after the vector.
    private static void KeepGames(V1.ListGamesResponse list, V1.ListGamesResponse known)
    {
        var kept = list.Games.Where(game => known.Games.Any(one => one.Id == game.Id)).ToList();
        list.Games.Clear();
        list.Games.AddRange(kept);
    }

    private ShinpanClient ClientOf(JsonElement vector)
    {
        var address = Servers.Variable($"SHINPAN_{vector.GetProperty("server").GetString()!.ToUpperInvariant()}");
        var bearer = "";
        if (vector.TryGetProperty("bearer", out var told))
        {
            bearer = Servers.Variable("SHINPAN_BEARER") + (told.ValueKind == JsonValueKind.True ? "" : "-of-nobody");
        }
        if (!clients.TryGetValue((address, bearer), out var client))
        {
            clients[(address, bearer)] = client = new ShinpanClient(address, bearer: bearer);
        }
        return client;
    }

    private static Method<IMessage, IMessage> Callable(MethodDescriptor method) => new(
        MethodType.Unary,
        method.Service.FullName,
        method.Name,
        Marshaller(method.InputType.Parser),
        Marshaller(method.OutputType.Parser));

    private static Marshaller<IMessage> Marshaller(MessageParser parser) =>
        Marshallers.Create<IMessage>(message => message.ToByteArray(), data => parser.ParseFrom(data));
}

internal static class Codes
{
    /// <summary>"FAILED_PRECONDITION" as StatusCode spells it.</summary>
    public static string ToPascalCase(this string code) =>
        string.Concat(code.Split('_').Select(word => word[..1] + word[1..].ToLowerInvariant()));
}
