using Grpc.Core;
using Grpc.Core.Interceptors;
using Grpc.Net.Client;

namespace Shinpan;

/// <summary>
/// A connection to one server, or to several under one name. Safe to use from several threads. Every call may be
/// repeated, for the service keeps nothing, and one whose answer breaks off is made once more; one that fails throws a
/// <see cref="ShinpanException"/>.
/// </summary>
public sealed class ShinpanClient : IDisposable
{
    /// <summary>How long a call takes at most that has no deadline of its own, unless told otherwise.</summary>
    public static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(10);

    // Answers have at most 4 MiB; there is some room for what is around them.
    private const int MaxAnswerBytes = 5 * 1024 * 1024;

    private readonly GrpcChannel channel;

    /// <summary>Connects. That nobody answers is the error of the first call.</summary>
    /// <param name="target">An address such as "127.0.0.1:50051", or "dns:///shinpan-headless:50051".</param>
    /// <param name="timeout">How long a call takes at most that has no deadline of its own.</param>
    /// <param name="bearer">The token of a caller whom the server knows; "" to send none.</param>
    /// <param name="credentials">Those of an encrypted connection; plain text without.</param>
    public ShinpanClient(
        string target, TimeSpan? timeout = null, string bearer = "", ChannelCredentials? credentials = null)
    {
        var address = target.Contains(":/") ? target : $"dns:///{target}";
        channel = GrpcChannel.ForAddress(address, new GrpcChannelOptions
        {
            Credentials = credentials ?? ChannelCredentials.Insecure,
            MaxReceiveMessageSize = MaxAnswerBytes,
            ServiceConfig = SharedServiceConfig.Read(),
        });
        Invoker = channel.Intercept(new Calls(timeout ?? DefaultTimeout, bearer));
        Referee = new V1.RefereeService.RefereeServiceClient(Invoker);
        Analysis = new V1.AnalysisService.AnalysisServiceClient(Invoker);
    }

    /// <summary>The methods of a match.</summary>
    public V1.RefereeService.RefereeServiceClient Referee { get; }

    /// <summary>The methods of analysis.</summary>
    public V1.AnalysisService.AnalysisServiceClient Analysis { get; }

    /// <summary>What the calls go through, for services besides those of Shinpan.</summary>
    public CallInvoker Invoker { get; }

    /// <summary>Ends the connection.</summary>
    public void Dispose() => channel.Dispose();
}
