//! What is opaque, and must not be printed.

use std::fmt;

use crate::v1::{Knowledge, State};

/// A state of a match: keep it, send it with the next call, and never give it to a player. Its printed form does not
/// show its bytes, nor does that of any message that has a state.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct StateToken(Vec<u8>);

impl StateToken {
    /// The bytes, for a store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// From a store.
impl From<Vec<u8>> for StateToken {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// From an answer. An answer without a state, which the service never sends, makes a token that it refuses.
impl From<Option<State>> for StateToken {
    fn from(state: Option<State>) -> Self {
        Self(state.unwrap_or_default().token)
    }
}

/// For a request.
impl From<&StateToken> for Option<State> {
    fn from(token: &StateToken) -> Self {
        Some(State { token: token.0.clone() })
    }
}

impl fmt::Debug for StateToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "StateToken({} bytes)", self.0.len())
    }
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "State({} bytes)", self.token.len())
    }
}

impl fmt::Debug for Knowledge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Knowledge({} bytes)", self.token.len())
    }
}
