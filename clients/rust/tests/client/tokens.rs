//! States are opaque: kept, sent, never shown.

use shinpan::StateToken;
use shinpan::v1::{DescribeStateRequest, StartMatchRequest, Viewer};

use crate::environment::{arranged, plain};

#[tokio::test]
async fn a_token_comes_back_from_a_store() {
    let client = plain().await;
    let (setup, _) = arranged(&client).await;
    let request = StartMatchRequest { setup: Some(setup), ..Default::default() };
    let answer = client.referee().start_match(request).await.unwrap().into_inner();
    let token = StateToken::from(answer.state);
    let stored: Vec<u8> = token.as_bytes().into();
    let again = StateToken::from(stored);
    assert_eq!(again, token);
    let request = DescribeStateRequest { state: (&again).into(), ..Default::default() };
    assert_eq!(client.referee().describe_state(request).await.unwrap().into_inner().digest, answer.digest);
}

#[tokio::test]
async fn nothing_that_is_printed_shows_a_token() {
    let client = plain().await;
    let (setup, _) = arranged(&client).await;
    let viewers = vec![Viewer::Seat1.into()];
    let request = StartMatchRequest { setup: Some(setup), viewers, include_knowledge: true, ..Default::default() };
    let answer = client.referee().start_match(request).await.unwrap().into_inner();
    let token = StateToken::from(answer.state.clone());
    let knowledge = answer.updates[0].knowledge.clone().unwrap();
    let printed = format!("{token:?} {answer:?} {answer:#?}");
    assert!(printed.starts_with(&format!("StateToken({} bytes) ", token.as_bytes().len())), "{printed}");
    for bytes in [token.as_bytes(), &knowledge.token] {
        for form in [format!("{:?}", &bytes[8..16]), format!("{:#?}", &bytes[8..16])] {
            let inside = form.trim_matches(['[', ']']).trim();
            assert!(!printed.contains(inside), "bytes of a token are printed");
        }
    }
}
