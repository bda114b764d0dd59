using Google.Protobuf;
using Google.Rpc;
using Grpc.Core;

namespace Shinpan;

/// <summary>Why a call, or an item of a batch, was refused or failed. Its StatusCode is the gRPC code.</summary>
public sealed class ShinpanException : RpcException
{
    private const string Domain = "shinpan";
    private const string DetailsKey = "grpc-status-details-bin";

    /// <summary>The error in an item of a batch.</summary>
    public ShinpanException(Google.Rpc.Status details)
        : this(details, new Metadata())
    {
    }

    private ShinpanException(Google.Rpc.Status details, Metadata trailers)
        : base(new Grpc.Core.Status((StatusCode)details.Code, details.Message), trailers)
    {
        Details = details;
        foreach (var detail in details.Details)
        {
            if (detail.TryUnpack<ErrorInfo>(out var info) && info.Domain == Domain)
            {
                Reason = info.Reason;
                Metadata = info.Metadata;
            }
        }
    }

    /// <summary>
    /// Name of an ErrorReason without its prefix, such as "ILLEGAL_MOVE"; "" when the error does not come from the
    /// service, for example because it cannot be reached.
    /// </summary>
    public string Reason { get; } = "";

    /// <summary>What happened, in English.</summary>
    public override string Message => Status.Detail;

    /// <summary>Everything that varies in the message.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; } = new Dictionary<string, string>();

    /// <summary>The whole status, with the fields at fault and when to try again where the service says so.</summary>
    public Google.Rpc.Status Details { get; }

    /// <summary>
    /// Whether an answer may have broken off after its beginning, as when a server is killed: a channel repeats no such
    /// call by itself. Which code it has depends on what is between; errors of the service have a reason.
    /// </summary>
    internal bool BrokeOff =>
        Reason == "" && StatusCode is (
            StatusCode.Cancelled or StatusCode.Unknown or StatusCode.Internal or StatusCode.Unavailable);

    // Something between can write details that are not gRPC's.
    private static Google.Rpc.Status Sent(byte[]? packed)
    {
        try
        {
            return packed is null ? new Google.Rpc.Status() : Google.Rpc.Status.Parser.ParseFrom(packed);
        }
        catch (InvalidProtocolBufferException)
        {
            return new Google.Rpc.Status();
        }
    }

    internal static ShinpanException Of(RpcException error)
    {
        var details = Sent(error.Trailers.GetValueBytes(DetailsKey));
        details.Code = (int)error.StatusCode;
        details.Message = error.Status.Detail;
        return new ShinpanException(details, error.Trailers);
    }
}
