//! Moves as numbers and as text, on boards of the service.

use shinpan::Moves;
use shinpan::v1::action::Kind;
use shinpan::v1::{Action, ApplyActionRequest, Move, StartMatchRequest, Viewer};

use crate::environment::{arranged, game, plain};

#[tokio::test]
async fn a_packed_move_is_the_indices_of_two_squares() {
    let moves = Moves::of(&game(&plain().await, "hidden-hasami", &[]).await);
    // 7 by 7 squares, rank by rank from a1: b1 is 1, a2 is 7, g7 is 48.
    for (text, packed) in [("a1b1", 1), ("b1a2", 1 << 8 | 7), ("a2a1", 7 << 8), ("g7a1", 48 << 8), ("a1g7", 48)] {
        assert_eq!(moves.packed(text).unwrap(), packed, "{text}");
        assert_eq!(moves.text(packed).unwrap(), text);
    }
}

#[tokio::test]
async fn squares_with_two_digits_are_told_apart() {
    // 10 by 10 places without the eight of the lakes: a10 is square 82, j10 square 91.
    let moves = Moves::of(&game(&plain().await, "hidden-capture-flag", &[]).await);
    assert_eq!(moves.packed("a10j10").unwrap(), 82 * 256 + 91);
    assert_eq!(moves.packed("a1a10").unwrap(), 82);
    assert_eq!(moves.text(82 << 8).unwrap(), "a10a1");
}

#[tokio::test]
async fn what_is_not_two_squares_is_refused() {
    let moves = Moves::of(&game(&plain().await, "hidden-hasami", &[]).await);
    for text in ["", "a1", "a1h1", "a1a0", "A1B1", "a1b1c1", "審判"] {
        let error = moves.packed(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("'{text}' is not a move")), "{error}");
    }
    for packed in [49, 49 << 8, 1 << 16, u32::MAX] {
        assert!(moves.text(packed).unwrap_err().to_string().starts_with(&packed.to_string()));
    }
}

#[tokio::test]
async fn both_spellings_of_a_legal_move_lead_to_one_state() {
    let client = plain().await;
    let moves = Moves::of(&game(&client, "hidden-hasami", &[]).await);
    let (setup, _) = arranged(&client).await;
    let viewers = vec![Viewer::Seat1.into()];
    let request = StartMatchRequest { setup: Some(setup), viewers, ..Default::default() };
    let answer = client.referee().start_match(request).await.unwrap().into_inner();
    let legal = answer.updates[0].legal_actions.clone().expect("seat 1 is to move").moves;
    let mut digests = Vec::new();
    for sent in [Move::from(legal[0]), Move::from(moves.text(legal[0]).unwrap().as_str())] {
        let action = Action { seat: 1, kind: Some(Kind::Move(sent)) };
        let request = ApplyActionRequest { state: answer.state.clone(), action: Some(action), ..Default::default() };
        digests.push(client.referee().apply_action(request).await.unwrap().into_inner().digest);
    }
    assert_eq!(digests[0], digests[1]);
    assert!(legal.iter().all(|packed| moves.packed(&moves.text(*packed).unwrap()) == Ok(*packed)));
}
