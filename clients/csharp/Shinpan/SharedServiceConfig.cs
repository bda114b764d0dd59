using System.Globalization;
using System.Text.Json;
using Grpc.Core;
using Grpc.Net.Client.Configuration;

namespace Shinpan;

/// <summary>
/// service_config.json, which all clients ship, as .NET takes it: servers under one name take turns, and what one does
/// not answer another gets.
/// </summary>
internal static class SharedServiceConfig
{
    public static ServiceConfig Read()
    {
        using var file = typeof(SharedServiceConfig).Assembly.GetManifestResourceStream("service_config.json")!;
        using var document = JsonDocument.Parse(file);
        var config = new ServiceConfig();
        foreach (var balancing in document.RootElement.GetProperty("loadBalancingConfig").EnumerateArray())
        {
            config.LoadBalancingConfigs.Add(new LoadBalancingConfig(balancing.EnumerateObject().First().Name));
        }
        foreach (var method in document.RootElement.GetProperty("methodConfig").EnumerateArray())
        {
            config.MethodConfigs.Add(MethodOf(method));
        }
        return config;
    }

    private static MethodConfig MethodOf(JsonElement method)
    {
        var retry = method.GetProperty("retryPolicy");
        var policy = new RetryPolicy
        {
            MaxAttempts = retry.GetProperty("maxAttempts").GetInt32(),
            InitialBackoff = Seconds(retry.GetProperty("initialBackoff")),
            MaxBackoff = Seconds(retry.GetProperty("maxBackoff")),
            BackoffMultiplier = retry.GetProperty("backoffMultiplier").GetDouble(),
        };
        foreach (var code in retry.GetProperty("retryableStatusCodes").EnumerateArray())
        {
            policy.RetryableStatusCodes.Add(Enum.Parse<StatusCode>(code.GetString()!.Replace("_", ""), ignoreCase: true));
        }
        var config = new MethodConfig { RetryPolicy = policy };
        foreach (var name in method.GetProperty("name").EnumerateArray())
        {
            config.Names.Add(new MethodName { Service = name.GetProperty("service").GetString() });
        }
        return config;
    }

    private static TimeSpan Seconds(JsonElement text) =>
        TimeSpan.FromSeconds(double.Parse(text.GetString()!.TrimEnd('s'), CultureInfo.InvariantCulture));
}
