//! Every vector of clients/conformance: what the server answers, or the reason that the error type tells.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use prost::Message;
use serde_json::Value;
use shinpan::v1::ListGamesResponse;
use shinpan::{Client, Error};
use tonic::{Request, Response, Status};

use crate::environment::variable;

struct Vector {
    name: String,
    method: String,
    request: Vec<u8>,
    expected: Result<Vec<u8>, (String, String)>,
    client: Client,
}

#[tokio::test]
async fn every_vector_is_answered_as_written() {
    let mut clients = HashMap::new();
    let (mut passed, mut failed) = (0, Vec::new());
    for file in fs::read_dir(variable("SHINPAN_VECTORS")).expect("SHINPAN_VECTORS is a folder") {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let vector = read(line, &mut clients).await;
            match check(&vector).await {
                Ok(()) => passed += 1,
                Err(difference) => failed.push(format!("{}: {}: {difference}", path.display(), vector.name)),
            }
        }
    }
    println!("{passed} vectors passed, {} failed", failed.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed > 0, "there are no vectors in {}", variable("SHINPAN_VECTORS"));
}

async fn read(line: &str, clients: &mut HashMap<String, Client>) -> Vector {
    let line: Value = serde_json::from_str(line).expect("a line is a JSON object");
    let text = |value: &Value| value.as_str().expect("text").to_string();
    let bytes = |value: &Value| STANDARD.decode(value.as_str().expect("text")).expect("base64");
    let expected = match line.get("error") {
        Some(error) => Err((text(&error["code"]), text(&error["reason"]))),
        None => Ok(bytes(&line["response"])),
    };
    let server = variable(&format!("SHINPAN_{}", text(&line["server"]).to_uppercase()));
    let bearer = match &line["bearer"] {
        Value::Null => None,
        Value::Bool(true) => Some(variable("SHINPAN_BEARER")),
        _ => Some("nobody-has-this-bearer-token".into()),
    };
    let key = format!("{server} {bearer:?}");
    if !clients.contains_key(&key) {
        let builder = bearer.into_iter().fold(Client::builder(), shinpan::Builder::bearer);
        clients.insert(key.clone(), builder.connect(&server).await.unwrap());
    }
    Vector {
        name: text(&line["name"]),
        method: text(&line["method"]),
        request: bytes(&line["request"]),
        expected,
        client: clients[&key].clone(),
    }
}

async fn check(vector: &Vector) -> Result<(), String> {
    let (mut referee, mut analysis) = (vector.client.referee(), vector.client.analysis());
    let (service, method) = vector.method.split_once('/').expect("a service and a method");
    match (service.trim_start_matches("shinpan.v1."), method) {
        ("RefereeService", "ListGames") => {
            let outcome = referee.list_games(sent(vector)).await;
            compare(vector, outcome, |answer: &ListGamesResponse, wanted| {
                wanted.games.iter().all(|game| answer.games.contains(game))
            })
        }
        ("RefereeService", "GetGame") => same(vector, referee.get_game(sent(vector)).await),
        ("RefereeService", "StartMatch") => same(vector, referee.start_match(sent(vector)).await),
        ("RefereeService", "ApplyAction") => same(vector, referee.apply_action(sent(vector)).await),
        ("RefereeService", "GetUpdate") => same(vector, referee.get_update(sent(vector)).await),
        ("RefereeService", "ListLegalActions") => same(vector, referee.list_legal_actions(sent(vector)).await),
        ("RefereeService", "DescribeState") => same(vector, referee.describe_state(sent(vector)).await),
        ("RefereeService", "ResealState") => same(vector, referee.reseal_state(sent(vector)).await),
        ("RefereeService", "ReplayMatch") => same(vector, referee.replay_match(sent(vector)).await),
        ("RefereeService", "BatchApplyActions") => same(vector, referee.batch_apply_actions(sent(vector)).await),
        ("RefereeService", "BatchListLegalActions") => {
            same(vector, referee.batch_list_legal_actions(sent(vector)).await)
        }
        ("RefereeService", "BatchGetUpdates") => same(vector, referee.batch_get_updates(sent(vector)).await),
        ("AnalysisService", "DrawArrangement") => same(vector, analysis.draw_arrangement(sent(vector)).await),
        ("AnalysisService", "Deduce") => same(vector, analysis.deduce(sent(vector)).await),
        ("AnalysisService", "SampleStates") => same(vector, analysis.sample_states(sent(vector)).await),
        ("AnalysisService", "Playout") => same(vector, analysis.playout(sent(vector)).await),
        ("AnalysisService", "BatchPlayouts") => same(vector, analysis.batch_playouts(sent(vector)).await),
        ("AnalysisService", "Perft") => same(vector, analysis.perft(sent(vector)).await),
        _ => Err(format!("there is no method {}", vector.method)),
    }
}

fn sent<Q: Message + Default>(vector: &Vector) -> Request<Q> {
    Request::new(decoded(&vector.request))
}

fn decoded<M: Message + Default>(bytes: &[u8]) -> M {
    M::decode(bytes).expect("the vector holds a message")
}

fn same<A: Message + Default + PartialEq + Debug>(
    vector: &Vector,
    outcome: Result<Response<A>, Status>,
) -> Result<(), String> {
    compare(vector, outcome, A::eq)
}

fn compare<A: Message + Default + Debug>(
    vector: &Vector,
    outcome: Result<Response<A>, Status>,
    fits: impl Fn(&A, &A) -> bool,
) -> Result<(), String> {
    match (outcome.map_err(Error::from), &vector.expected) {
        (Ok(answer), Ok(wanted)) if fits(answer.get_ref(), &decoded(wanted)) => Ok(()),
        (Ok(answer), Ok(wanted)) => Err(format!("{:?}\n  is not {:?}", answer.into_inner(), decoded::<A>(wanted))),
        (Err(error), Err((code, reason))) if named(&error, code) && error.reason() == Some(reason) => Ok(()),
        (Err(error), wanted) => Err(format!("{error} ({:?}) is not {wanted:?}", error.code())),
        (Ok(_), Err(wanted)) => Err(format!("an answer is not {wanted:?}")),
    }
}

/// `FAILED_PRECONDITION` is `Code::FailedPrecondition`.
fn named(error: &Error, code: &str) -> bool {
    format!("{:?}", error.code()).eq_ignore_ascii_case(&code.replace('_', ""))
}
