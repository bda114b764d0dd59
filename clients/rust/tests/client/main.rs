//! The client against real servers, whose addresses come by environment: `make test-clients` sets them.

mod conformance;
mod environment;
mod errors;
mod moves;
mod pieces;
mod tokens;
mod unreachable;
