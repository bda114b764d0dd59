using Google.Protobuf;

namespace Shinpan;

/// <summary>
/// A match at one moment, opaque: keep its bytes, send its message with the next call, and never give it to a player. As
/// text it shows how long it is, and not its bytes.
/// </summary>
public sealed class StateToken : IEquatable<StateToken>
{
    private readonly ByteString token;

    /// <summary>One that was kept as bytes.</summary>
    public StateToken(byte[] bytes) => token = ByteString.CopyFrom(bytes);

    /// <summary>The one of an answer.</summary>
    public StateToken(V1.State message) => token = message.Token;

    /// <summary>What to keep.</summary>
    public byte[] ToByteArray() => token.ToByteArray();

    /// <summary>The state in a request.</summary>
    public V1.State ToMessage() => new() { Token = token };

    /// <inheritdoc/>
    public bool Equals(StateToken? other) => other is not null && token.Equals(other.token);

    /// <inheritdoc/>
    public override bool Equals(object? other) => Equals(other as StateToken);

    /// <inheritdoc/>
    public override int GetHashCode() => token.GetHashCode();

    /// <summary>How long it is.</summary>
    public override string ToString() => $"StateToken({token.Length} bytes)";
}
