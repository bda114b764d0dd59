#![doc = include_str!("../README.md")]

mod address;
mod channel;
mod client;
mod error;
mod moves;
mod pieces;
mod servers;
mod service_config;
mod token;

/// Messages and stubs of the API, generated from `proto/shinpan/v1`.
pub mod v1 {
    #![allow(clippy::pedantic, missing_docs)]
    tonic::include_proto!("shinpan.v1");
}

pub use channel::Channel;
pub use client::{Builder, Client, DEFAULT_TIMEOUT};
pub use error::{Error, FieldViolation};
pub use moves::{MalformedMove, Moves};
pub use pieces::{CapturedPiece, ForeignColumns, Piece, captured, pieces};
pub use service_config::SERVICE_CONFIG;
pub use token::StateToken;
pub use tonic::Code;
