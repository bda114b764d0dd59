//! Moves as numbers and as text.

use std::collections::HashMap;
use std::fmt;

use crate::v1::r#move::Spelling;
use crate::v1::{Game, Move};

/// The moves of a game's board: `b3b4` and `source << 8 | target` are the same.
#[derive(Clone, Debug)]
pub struct Moves {
    names: Vec<String>,
    indices: HashMap<String, u32>,
}

/// Not two squares of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedMove(String);

impl Moves {
    /// Of a game as `GetGame` answers it: its options can change the board.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let squares = game.board.as_ref().map_or(&[][..], |board| &board.squares);
        let names: Vec<_> = squares.iter().map(|square| square.name.clone()).collect();
        let indices = names.iter().cloned().zip(0..).collect();
        Self { names, indices }
    }

    /// A packed move as text.
    ///
    /// # Errors
    ///
    /// [`MalformedMove`] when the number does not name two squares.
    pub fn text(&self, packed: u32) -> Result<String, MalformedMove> {
        let name = |index: u32| self.names.get(index as usize).map(String::as_str);
        match (name(packed >> 8), name(packed & 0xff)) {
            (Some(source), Some(target)) => Ok([source, target].concat()),
            _ => Err(MalformedMove(packed.to_string())),
        }
    }

    /// A move that is written as text as a packed number.
    ///
    /// # Errors
    ///
    /// [`MalformedMove`] when the text does not name two squares.
    pub fn packed(&self, text: &str) -> Result<u32, MalformedMove> {
        let parts = (1..text.len()).filter_map(|at| text.split_at_checked(at));
        let mut moves =
            parts.filter_map(|(source, target)| Some(self.indices.get(source)? << 8 | self.indices.get(target)?));
        moves.next().ok_or_else(|| MalformedMove(format!("'{text}'")))
    }
}

/// A move as text, for a request.
impl From<&str> for Move {
    fn from(text: &str) -> Self {
        Self { spelling: Some(Spelling::Text(text.into())) }
    }
}

/// A packed move, for a request.
impl From<u32> for Move {
    fn from(packed: u32) -> Self {
        Self { spelling: Some(Spelling::Packed(packed)) }
    }
}

impl fmt::Display for MalformedMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not a move of this board; a move is two of its squares, like a1b1", self.0)
    }
}

impl std::error::Error for MalformedMove {}
