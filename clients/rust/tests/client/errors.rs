//! What the error type tells of a refusal.

use shinpan::v1::action::Kind;
use shinpan::v1::apply_action_outcome::Outcome;
use shinpan::v1::{
    Action, ApplyActionRequest, Arrangement, BatchApplyActionsRequest, ErrorReason, GetGameRequest, MatchSetup,
    Placement, StartMatchRequest,
};
use shinpan::{Client, Code, Error, StateToken};

use crate::environment::{arranged, plain, variable};

/// A move of seat 1 that is none: from a square to itself.
async fn illegal(client: &Client) -> ApplyActionRequest {
    let (setup, _) = arranged(client).await;
    let request = StartMatchRequest { setup: Some(setup), ..Default::default() };
    let state = StateToken::from(client.referee().start_match(request).await.unwrap().into_inner().state);
    let action = Action { seat: 1, kind: Some(Kind::Move("a1a1".into())) };
    ApplyActionRequest { state: (&state).into(), action: Some(action), ..Default::default() }
}

#[tokio::test]
async fn a_refusal_has_code_reason_message_and_metadata() {
    let client = plain().await;
    let error = Error::from(client.referee().apply_action(illegal(&client).await).await.unwrap_err());
    assert_eq!(error.code(), Code::FailedPrecondition);
    assert_eq!(error.reason(), Some("ILLEGAL_MOVE"));
    assert!(error.is(ErrorReason::IllegalMove) && !error.is(ErrorReason::MatchOver));
    assert!(error.message().starts_with("a1a1 is not legal"), "{error}");
    assert_eq!(error.metadata().get("move").map(String::as_str), Some("a1a1"), "{error:?}");
    assert_eq!(error.to_string(), format!("ILLEGAL_MOVE: {}", error.message()));
    assert!(error.violations().is_empty() && error.retry_after().is_none());
}

#[tokio::test]
async fn an_item_of_a_batch_has_the_same_error() {
    let client = plain().await;
    let item = illegal(&client).await;
    let alone = Error::from(client.referee().apply_action(item.clone()).await.unwrap_err());
    let batch = BatchApplyActionsRequest { items: vec![item] };
    let answer = client.referee().batch_apply_actions(batch).await.unwrap().into_inner();
    let Some(Outcome::Error(status)) = answer.items[0].outcome.clone() else {
        panic!("{answer:?} has no error");
    };
    assert_eq!(Error::from(status), alone);
}

#[tokio::test]
async fn bad_fields_are_named() {
    let placements = vec![Placement { square: "a1".into(), kind: "dragon".into() }];
    let arrangements = [(1, Arrangement { placements })].into();
    let setup = MatchSetup { game: "hidden-hasami".into(), arrangements, ..Default::default() };
    let request = StartMatchRequest { setup: Some(setup), ..Default::default() };
    let error = Error::from(plain().await.referee().start_match(request).await.unwrap_err());
    assert_eq!((error.code(), error.reason()), (Code::InvalidArgument, Some("INVALID_ARRANGEMENT")));
    let fields: Vec<_> = error.violations().iter().map(|violation| violation.field.as_str()).collect();
    assert!(fields.iter().any(|field| field.starts_with("setup.arrangements")), "{fields:?}");
    assert!(error.violations().iter().any(|violation| violation.description.contains("dragon")), "{error:?}");
}

#[tokio::test]
async fn a_bearer_token_is_sent() {
    let address = variable("SHINPAN_GUARDED");
    let request = GetGameRequest { game: "hidden-hasami".into(), ..Default::default() };
    let client = Client::builder().bearer(variable("SHINPAN_BEARER")).connect(&address).await.unwrap();
    assert!(client.referee().get_game(request.clone()).await.is_ok());
    for (builder, reason) in [
        (Client::builder(), ErrorReason::BearerMissing),
        (Client::builder().bearer("nobody-has-this-bearer-token"), ErrorReason::BearerUnknown),
    ] {
        let client = builder.connect(&address).await.unwrap();
        let error = Error::from(client.referee().get_game(request.clone()).await.unwrap_err());
        assert!(error.is(reason) && error.code() == Code::Unauthenticated, "{error:?}");
    }
}

#[tokio::test]
async fn a_bearer_token_that_no_header_can_hold_is_not_shown() {
    let builder = Client::builder().bearer("secret\n");
    let error = builder.connect(&variable("SHINPAN_GUARDED")).await.err().expect("a line feed is in it");
    assert_eq!(error.code(), Code::InvalidArgument);
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
}
