//! Plays a whole random match of every game against a running server, and has each replayed.
//!
//! `cargo run --example play_matches -- 127.0.0.1:50051 --seed 1`

use std::collections::HashSet;
use std::error::Error as StdError;
use std::process::ExitCode;

use shinpan::v1::action::Kind;
use shinpan::v1::replay_match_request::Start;
use shinpan::v1::ruling::Decision;
use shinpan::v1::{
    Action, Adjudication, ApplyActionRequest, DrawArrangementRequest, EndReason, ErrorReason, Game, GetGameRequest,
    ListGamesRequest, MatchSetup, Phase, ReplayMatchRequest, Ruling, StartMatchRequest, Update, Viewer,
};
use shinpan::{Client, Moves, StateToken};

/// A match that takes longer is adjudicated as a draw.
const MOST_PLIES: u32 = 1000;

/// A match as far as it has come.
struct Match {
    state: StateToken,
    digest: Vec<u8>,
    /// One for each seat, in their order.
    updates: Vec<Update>,
    actions: Vec<Action>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (address, seed) = match arguments[..] {
        [address] => (address, Ok(1)),
        [address, "--seed", seed] => (address, seed.parse()),
        _ => ("", Ok(0)),
    };
    let (Ok(seed), false) = (seed, address.is_empty()) else {
        eprintln!("usage: play_matches ADDRESS [--seed N]");
        return ExitCode::from(2);
    };
    match play_all(address, seed).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("play_matches: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn play_all(address: &str, seed: u64) -> Result<(), Box<dyn StdError>> {
    let client = Client::connect(address).await?;
    let games = client.referee().list_games(ListGamesRequest {}).await.map_err(shinpan::Error::from)?.into_inner();
    for game in games.games {
        println!("{}", play(&client, &game.id, seed).await.map_err(|error| format!("{}: {error}", game.id))?);
    }
    Ok(())
}

/// Play one match and tell in a line how it went.
async fn play(client: &Client, id: &str, seed: u64) -> Result<String, Box<dyn StdError>> {
    let mut chance = fastrand::Rng::with_seed(seed);
    let request = GetGameRequest { game: id.into(), ..Default::default() };
    let game = client.referee().get_game(request).await?.into_inner().game.ok_or("no game")?;
    let moves = Moves::of(&game);
    let setup = MatchSetup { game: id.into(), ..Default::default() };
    let mut current = start(client, &game, &setup).await?;
    if phase(&current) == Phase::Arrangement {
        for seat in game.seats.iter().map(|seat| seat.number) {
            let request =
                DrawArrangementRequest { game: id.into(), seat, seed: seed + u64::from(seat), ..Default::default() };
            let drawn = client.analysis().draw_arrangement(request).await?.into_inner().arrangement;
            let action = Action { seat, kind: drawn.map(Kind::Arrange) };
            current = apply(client, current, action).await?;
        }
    }
    try_illegal_move(client, &current, &moves).await?;
    while phase(&current) == Phase::Play {
        let (seat, legal) = to_move(&current)?;
        let action = if status(&current).ply == MOST_PLIES {
            let draw = Ruling { decision: Some(Decision::Adjudication(Adjudication { winners: Vec::new() })) };
            Action { seat: 0, kind: Some(Kind::Ruling(draw)) }
        } else {
            let choice = *chance.choice(legal).ok_or("no legal move")?;
            Action { seat, kind: Some(Kind::Move(choice.into())) }
        };
        current = apply(client, current, action).await?;
    }
    let ended = status(&current).clone();
    let replay =
        ReplayMatchRequest { start: Some(Start::Setup(setup)), actions: current.actions, ..Default::default() };
    let digest = client.referee().replay_match(replay).await?.into_inner().digest;
    if digest != current.digest {
        return Err("ReplayMatch answers another digest".into());
    }
    let result = ended.result.ok_or("no result")?;
    let reason = EndReason::try_from(result.reason)?.as_str_name();
    let last = ended.last_move.map(|last| moves.text(last)).transpose()?.unwrap_or_default();
    Ok(format!("{id}: {} plies, last {last}, winners {:?}, {reason}; the replay agrees", ended.ply, result.winners))
}

async fn start(client: &Client, game: &Game, setup: &MatchSetup) -> Result<Match, Box<dyn StdError>> {
    let request = StartMatchRequest { setup: Some(setup.clone()), viewers: seats(game), ..Default::default() };
    let answer = client.referee().start_match(request).await?.into_inner();
    Ok(Match { state: answer.state.into(), digest: answer.digest, updates: answer.updates, actions: Vec::new() })
}

async fn apply(client: &Client, mut before: Match, action: Action) -> Result<Match, shinpan::Error> {
    before.actions.push(action.clone());
    let request = ApplyActionRequest {
        state: (&before.state).into(),
        action: Some(action),
        expected_revision: Some(status(&before).revision),
        viewers: before.updates.iter().map(|update| update.viewer).collect(),
        ..Default::default()
    };
    let answer = client.referee().apply_action(request).await?.into_inner();
    Ok(Match { state: answer.state.into(), digest: answer.digest, updates: answer.updates, ..before })
}

/// The first two squares that are no legal move: the service has to say so.
async fn try_illegal_move(client: &Client, current: &Match, moves: &Moves) -> Result<(), Box<dyn StdError>> {
    let (seat, legal) = to_move(current)?;
    let legal: HashSet<u32> = legal.iter().copied().collect();
    let illegal =
        (0..=0xffff).find(|packed| moves.text(*packed).is_ok() && !legal.contains(packed)).ok_or("all are legal")?;
    let action = Action { seat, kind: Some(Kind::Move(moves.text(illegal)?.as_str().into())) };
    let request = ApplyActionRequest { state: (&current.state).into(), action: Some(action), ..Default::default() };
    match client.referee().apply_action(request).await.map_err(shinpan::Error::from) {
        Err(error) if error.is(ErrorReason::IllegalMove) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(_) => Err("an illegal move was accepted".into()),
    }
}

fn seats(game: &Game) -> Vec<i32> {
    const VIEWERS: [Viewer; 4] = [Viewer::Seat1, Viewer::Seat2, Viewer::Seat3, Viewer::Seat4];
    VIEWERS[..game.seats.len()].iter().map(|viewer| i32::from(*viewer)).collect()
}

fn status(current: &Match) -> &shinpan::v1::Status {
    current.updates[0].status.as_ref().expect("every update has a status")
}

fn phase(current: &Match) -> Phase {
    status(current).phase()
}

/// The seat to move, and its legal moves.
fn to_move(current: &Match) -> Result<(u32, &[u32]), &'static str> {
    let seat = status(current).to_move;
    let update = current.updates.get(seat as usize - 1).ok_or("no seat is to move")?;
    Ok((seat, update.legal_actions.as_ref().map_or(&[], |legal| &legal.moves)))
}
