//! Where the servers are, and what most tests begin with.

use std::collections::HashMap;
use std::env;

use shinpan::Client;
use shinpan::v1::{Arrangement, DrawArrangementRequest, Game, GetGameRequest, MatchSetup};

/// A variable that the tests cannot do without.
pub fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set; `make test-clients` starts servers and sets it"))
}

/// A client of the server without keys and callers.
pub async fn plain() -> Client {
    Client::connect(&variable("SHINPAN_PLAIN")).await.unwrap()
}

pub async fn game(client: &Client, id: &str, options: &[(&str, &str)]) -> Game {
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let request = GetGameRequest { game: id.into(), options, revision: 0 };
    client.referee().get_game(request).await.unwrap().into_inner().game.unwrap()
}

/// Hidden Hasami with both sides placed, and where.
pub async fn arranged(client: &Client) -> (MatchSetup, HashMap<u32, Arrangement>) {
    let mut arrangements = HashMap::new();
    for seat in [1, 2] {
        let request = DrawArrangementRequest { game: "hidden-hasami".into(), seat, seed: 7, ..Default::default() };
        let drawn = client.analysis().draw_arrangement(request).await.unwrap().into_inner();
        arrangements.insert(seat, drawn.arrangement.unwrap());
    }
    let setup = MatchSetup { game: "hidden-hasami".into(), arrangements: arrangements.clone(), ..Default::default() };
    (setup, arrangements)
}
