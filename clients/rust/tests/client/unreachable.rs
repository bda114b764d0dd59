//! Addresses that are wrong and servers that do not answer: an error in time, never a hang.

use std::time::Duration;

use shinpan::v1::ListGamesRequest;
use shinpan::{Client, Code, Error};
use tokio::time::timeout;

use crate::environment::variable;

/// Far more than any of these may take.
const PATIENCE: Duration = Duration::from_secs(60);

async fn list_games(client: &Client) -> Result<usize, Error> {
    let answer = timeout(PATIENCE, client.referee().list_games(ListGamesRequest {})).await.expect("no hang");
    Ok(answer?.into_inner().games.len())
}

#[tokio::test]
async fn what_is_no_address_is_refused_before_any_call() {
    for text in ["", "localhost", "http://127.0.0.1:1", "127.0.0.1:port"] {
        let error = Client::connect(text).await.err().expect(text);
        assert_eq!((error.code(), error.reason()), (Code::InvalidArgument, None), "{text}");
        assert!(error.message().contains("is not an address"), "{error}");
    }
}

#[tokio::test]
async fn a_name_that_is_not_found_is_told() {
    let connected = timeout(PATIENCE, Client::connect("nowhere.invalid:50051")).await.expect("no hang");
    let error = connected.err().expect("names under .invalid are not found");
    assert_eq!((error.code(), error.reason()), (Code::Unavailable, None));
    assert!(error.message().starts_with("nowhere.invalid:50051 is not found"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_away_is_unavailable() {
    let address = variable("SHINPAN_AWAY");
    let error = list_games(&Client::connect(&address).await.unwrap()).await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::Unavailable, None));
    assert!(error.message().starts_with(&format!("{address} is not reached: ")), "{error}");
}

#[tokio::test]
async fn a_server_that_never_answers_exceeds_the_deadline() {
    let address = variable("SHINPAN_SILENT");
    let client = Client::builder().timeout(Duration::from_millis(300)).connect(&address).await.unwrap();
    let error = list_games(&client).await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::DeadlineExceeded, None));
    assert_eq!(error.message(), format!("{address} did not answer within 0.3 s"));
}

#[tokio::test]
async fn a_deadline_can_be_as_late_as_never() {
    let client = Client::builder().timeout(Duration::MAX).connect(&variable("SHINPAN_PLAIN")).await.unwrap();
    assert!(list_games(&client).await.unwrap() > 0);
}

#[tokio::test]
async fn one_call_can_have_a_deadline_of_its_own() {
    let address = variable("SHINPAN_SILENT");
    let client = Client::connect(&address).await.unwrap();
    let mut request = tonic::Request::new(ListGamesRequest {});
    request.set_timeout(Duration::from_millis(200));
    let answer = timeout(PATIENCE, client.referee().list_games(request)).await.expect("no hang");
    assert_eq!(Error::from(answer.unwrap_err()).message(), format!("{address} did not answer within 0.2 s"));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_asked_for_once_more() {
    let client = Client::connect(&variable("SHINPAN_BREAKING")).await.unwrap();
    for _ in 0..2 {
        assert_eq!(list_games(&client).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn what_the_service_says_is_not_asked_again() {
    let client = Client::connect(&variable("SHINPAN_SCRIPTED")).await.unwrap();
    assert_eq!(list_games(&client).await.unwrap_err().reason(), Some("SERVER_FAULT"));
    assert_eq!(list_games(&client).await.unwrap(), 0);
    let foreign = list_games(&client).await.unwrap_err();
    assert_eq!((foreign.code(), foreign.reason(), foreign.message()), (Code::NotFound, None, "no route"));
    let overload = list_games(&client).await.unwrap_err();
    assert_eq!(overload.reason(), Some("OVERLOADED"));
    assert_eq!(overload.retry_after(), Some(Duration::from_millis(250)));
}

/// Every other call begins with the server that is away, and every one is answered by the one that is there.
#[tokio::test]
async fn a_call_goes_on_to_the_next_server() {
    let address = format!("{},{}", variable("SHINPAN_AWAY"), variable("SHINPAN_PLAIN"));
    let client = Client::connect(&address).await.unwrap();
    for _ in 0..6 {
        assert!(list_games(&client).await.unwrap() > 0);
    }
}

#[tokio::test]
async fn endpoints_of_the_caller_are_called() {
    let endpoint = tonic::transport::Endpoint::from_shared(format!("http://{}", variable("SHINPAN_PLAIN"))).unwrap();
    assert!(list_games(&Client::builder().connect_endpoints(&[endpoint]).unwrap()).await.unwrap() > 0);
    let error = list_games(&Client::builder().connect_endpoints(&[]).unwrap()).await.unwrap_err();
    assert_eq!(error.code(), Code::Unavailable);
}
