using Grpc.Core;
using Grpc.Core.Interceptors;

namespace Shinpan;

/// <summary>Every call: with a deadline, with the caller's token, and with an exception of ours.</summary>
internal sealed class Calls(TimeSpan timeout, string bearer) : Interceptor
{
    public override TResponse BlockingUnaryCall<TRequest, TResponse>(
        TRequest request,
        ClientInterceptorContext<TRequest, TResponse> context,
        BlockingUnaryCallContinuation<TRequest, TResponse> continuation)
    {
        try
        {
            return continuation(request, Prepared(context));
        }
        catch (RpcException error)
        {
            throw ShinpanException.Of(error);
        }
    }

    public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(
        TRequest request,
        ClientInterceptorContext<TRequest, TResponse> context,
        AsyncUnaryCallContinuation<TRequest, TResponse> continuation)
    {
        var call = continuation(request, Prepared(context));
        return new AsyncUnaryCall<TResponse>(
            Answer(call.ResponseAsync), call.ResponseHeadersAsync, call.GetStatus, call.GetTrailers, call.Dispose);
    }

    private static async Task<TResponse> Answer<TResponse>(Task<TResponse> answer)
    {
        try
        {
            return await answer.ConfigureAwait(false);
        }
        catch (RpcException error)
        {
            throw ShinpanException.Of(error);
        }
    }

    private ClientInterceptorContext<TRequest, TResponse> Prepared<TRequest, TResponse>(
        ClientInterceptorContext<TRequest, TResponse> context)
        where TRequest : class
        where TResponse : class
    {
        var options = context.Options;
        if (options.Deadline is null)
        {
            options = options.WithDeadline(DateTime.UtcNow + timeout);
        }
        if (bearer != "")
        {
            var headers = new Metadata();
            foreach (var entry in options.Headers ?? new Metadata())
            {
                headers.Add(entry);
            }
            headers.Add("authorization", $"Bearer {bearer}");
            options = options.WithHeaders(headers);
        }
        return new ClientInterceptorContext<TRequest, TResponse>(context.Method, context.Host, options);
    }
}
