namespace Shinpan;

/// <summary>A piece on the board, as one viewer may know it.</summary>
/// <param name="Square">The name of the square on which it stands, for example "b4".</param>
/// <param name="Seat">Its owner.</param>
/// <param name="Kind">The id of its kind, for example "spy"; null when it is hidden.</param>
/// <param name="Origin">The name of the square on which it started, which names it for the whole match.</param>
/// <param name="Moved">It has moved.</param>
/// <param name="Shown">Its kind is shown to everybody.</param>
/// <param name="Claims">It is a flag that claims from its square.</param>
public sealed record Piece(string Square, int Seat, string? Kind, string Origin, bool Moved, bool Shown, bool Claims);

/// <summary>Reads moves and boards of a game. Its methods throw ArgumentException.</summary>
public sealed class Game
{
    // What the bytes of a view mean.
    private const int Hidden = 255;
    private const int MovedFlag = 1;
    private const int ShownFlag = 2;
    private const int ClaimFlag = 16;

    private readonly Dictionary<string, uint> indices = new();

    /// <summary>The game of an answer of GetGame.</summary>
    public Game(V1.Game message)
    {
        Message = message;
        foreach (var square in message.Board.Squares)
        {
            indices.Add(square.Name, (uint)indices.Count);
        }
    }

    /// <summary>The whole description.</summary>
    public V1.Game Message { get; }

    /// <summary>A move in text, such as "b3b4", as a number: source &lt;&lt; 8 | target.</summary>
    public uint Move(string text)
    {
        for (var end = 1; end < text.Length; end++)
        {
            if (indices.TryGetValue(text[..end], out var source) && indices.TryGetValue(text[end..], out var target))
            {
                return source << 8 | target;
            }
        }
        throw new ArgumentException(
            $"'{text}' is no move of {Message.Id}: a move is two squares of its board, like b3b4", nameof(text));
    }

    /// <summary>A move as a number in text.</summary>
    public string MoveText(uint move)
    {
        var squares = Message.Board.Squares;
        var (source, target) = (move >> 8, move & 255);
        if (source >= squares.Count || target >= squares.Count)
        {
            throw new ArgumentException(
                $"{move} is no move of {Message.Id}, whose board has {squares.Count} squares", nameof(move));
        }
        return squares[(int)source].Name + squares[(int)target].Name;
    }

    /// <summary>The pieces of a view, in the order of the squares of the board.</summary>
    public IReadOnlyList<Piece> Pieces(V1.View view)
    {
        var squares = Message.Board.Squares;
        foreach (var column in new[] { view.Seats, view.Kinds, view.Origins, view.Flags })
        {
            if (column.Length != squares.Count)
            {
                throw new ArgumentException(
                    $"a column of the view has {column.Length} squares, but the board of {Message.Id} has "
                    + $"{squares.Count}", nameof(view));
            }
        }
        var pieces = new List<Piece>();
        for (var index = 0; index < squares.Count; index++)
        {
            if (view.Seats[index] != 0)
            {
                pieces.Add(PieceOn(index, view));
            }
        }
        return pieces;
    }

    private Piece PieceOn(int index, V1.View view)
    {
        var squares = Message.Board.Squares;
        int kind = view.Kinds[index], origin = view.Origins[index], flags = view.Flags[index];
        var known = kind >= 1 && kind <= Message.Kinds.Count;
        if (origin < 1 || origin > squares.Count || (!known && kind != Hidden))
        {
            throw new ArgumentException(
                $"the view has a piece on {squares[index].Name} that {Message.Id} does not have", nameof(view));
        }
        return new Piece(
            squares[index].Name,
            view.Seats[index],
            known ? Message.Kinds[kind - 1].Id : null,
            squares[origin - 1].Name,
            (flags & MovedFlag) != 0,
            (flags & ShownFlag) != 0,
            (flags & ClaimFlag) != 0);
    }
}
