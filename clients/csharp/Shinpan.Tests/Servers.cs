namespace Shinpan.Tests;

/// <summary>Where the servers of the tests are.</summary>
internal static class Servers
{
    public static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } value
            ? value
            : throw new InvalidOperationException($"{name} is not set; run these tests with make test-clients");
}
