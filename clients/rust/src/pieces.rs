//! The columns of a view as pieces.

use std::fmt;

use crate::v1::{CapturedPieces, Game, Kind, Square, View};

/// In the column of kinds: the viewer may not know.
const HIDDEN: u8 = 255;
/// Bits of the column of flags.
const MOVED: u8 = 1;
const SHOWN: u8 = 2;
const CLAIMS: u8 = 16;

/// A piece on the board, as a viewer may see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<'a> {
    /// Where it stands.
    pub square: &'a Square,
    /// The owner, 1 to 4.
    pub seat: u8,
    /// What it is; `None` when the viewer may not know.
    pub kind: Option<&'a Kind>,
    /// Where it started, which names it for the whole match.
    pub origin: &'a Square,
    /// It has moved.
    pub moved: bool,
    /// Its kind is shown to everybody.
    pub shown: bool,
    /// It is a flag that claims from here.
    pub claims: bool,
}

/// A piece that has left the board, as a viewer may know it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapturedPiece<'a> {
    /// The owner, 1 to 4.
    pub seat: u8,
    /// What it was; `None` when the viewer may not know.
    pub kind: Option<&'a Kind>,
    /// Where it started.
    pub origin: &'a Square,
}

/// The columns are not of the game that they were read with, or of the same game with other options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignColumns;

/// The pieces of a view, in the order of the squares. `game` is as `GetGame` answers it for the options of the match.
///
/// # Errors
///
/// [`ForeignColumns`] when the view is not of this game.
pub fn pieces<'a>(game: &'a Game, view: &View) -> Result<Vec<Piece<'a>>, ForeignColumns> {
    let squares = squares(game);
    let columns = [&view.seats, &view.kinds, &view.origins, &view.flags];
    if columns.iter().any(|column| column.len() != squares.len()) {
        return Err(ForeignColumns);
    }
    let occupied = squares.iter().enumerate().filter(|(index, _)| view.seats[*index] != 0);
    let piece = |(index, square)| {
        Ok(Piece {
            square,
            seat: view.seats[index],
            kind: kind(game, view.kinds[index])?,
            origin: origin(squares, view.origins[index])?,
            moved: view.flags[index] & MOVED != 0,
            shown: view.flags[index] & SHOWN != 0,
            claims: view.flags[index] & CLAIMS != 0,
        })
    };
    occupied.map(piece).collect()
}

/// The pieces that are gone, in the order of the columns.
///
/// # Errors
///
/// [`ForeignColumns`] when they are not of this game.
pub fn captured<'a>(game: &'a Game, gone: &CapturedPieces) -> Result<Vec<CapturedPiece<'a>>, ForeignColumns> {
    if gone.origins.len() != gone.seats.len() || gone.kinds.len() != gone.seats.len() {
        return Err(ForeignColumns);
    }
    let columns = gone.seats.iter().zip(&gone.origins).zip(&gone.kinds);
    let piece = |((seat, start), code): ((&u8, &u8), &u8)| {
        Ok(CapturedPiece { seat: *seat, kind: kind(game, *code)?, origin: origin(squares(game), *start)? })
    };
    columns.map(piece).collect()
}

fn squares(game: &Game) -> &[Square] {
    game.board.as_ref().map_or(&[], |board| &board.squares)
}

fn kind(game: &Game, code: u8) -> Result<Option<&Kind>, ForeignColumns> {
    if code == HIDDEN {
        return Ok(None);
    }
    counted_from_one(&game.kinds, code).map(Some)
}

fn origin(squares: &[Square], code: u8) -> Result<&Square, ForeignColumns> {
    counted_from_one(squares, code)
}

fn counted_from_one<T>(list: &[T], code: u8) -> Result<&T, ForeignColumns> {
    let index = usize::from(code).checked_sub(1).ok_or(ForeignColumns)?;
    list.get(index).ok_or(ForeignColumns)
}

impl fmt::Display for ForeignColumns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the columns are not those of this game with these options")
    }
}

impl std::error::Error for ForeignColumns {}
