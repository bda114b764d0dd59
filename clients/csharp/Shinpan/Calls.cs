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
        var prepared = Prepared(context);
        try
        {
            return Attempt(() => continuation(request, prepared));
        }
        catch (ShinpanException error) when (error.BrokeOff)
        {
            return Attempt(() => continuation(request, prepared));
        }
    }

    public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(
        TRequest request,
        ClientInterceptorContext<TRequest, TResponse> context,
        AsyncUnaryCallContinuation<TRequest, TResponse> continuation)
    {
        var prepared = Prepared(context);
        var call = continuation(request, prepared);
        return new AsyncUnaryCall<TResponse>(
            Answer(call.ResponseAsync, () => continuation(request, prepared).ResponseAsync),
            call.ResponseHeadersAsync,
            call.GetStatus,
            call.GetTrailers,
            call.Dispose);
    }

    private static TResponse Attempt<TResponse>(Func<TResponse> call)
    {
        try
        {
            return call();
        }
        catch (RpcException error)
        {
            throw ShinpanException.Of(error);
        }
    }

    private static async Task<TResponse> Answer<TResponse>(Task<TResponse> first, Func<Task<TResponse>> again)
    {
        try
        {
            return await Attempt(first).ConfigureAwait(false);
        }
        catch (ShinpanException error) when (error.BrokeOff)
        {
            return await Attempt(again()).ConfigureAwait(false);
        }
    }

    private static async Task<TResponse> Attempt<TResponse>(Task<TResponse> answer)
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
