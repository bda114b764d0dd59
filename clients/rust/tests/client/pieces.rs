//! The columns of a view, read as pieces.

use std::collections::HashMap;

use shinpan::v1::action::Kind;
use shinpan::v1::{
    Action, ApplyActionRequest, Arrangement, CapturedPieces, StartMatchRequest, StartMatchResponse, View, Viewer,
};
use shinpan::{Client, ForeignColumns, Piece, captured, pieces};

use crate::environment::{arranged, game, plain};

async fn start(client: &Client) -> (StartMatchResponse, HashMap<u32, Arrangement>) {
    let (setup, arrangements) = arranged(client).await;
    let viewers = vec![Viewer::Seat1.into(), Viewer::Referee.into()];
    let request = StartMatchRequest { setup: Some(setup), viewers, ..Default::default() };
    (client.referee().start_match(request).await.unwrap().into_inner(), arrangements)
}

/// Squares and kinds of one seat's pieces, sorted; what is hidden is `?`.
fn of_seat(pieces: &[Piece<'_>], seat: u8) -> Vec<(String, String)> {
    let own = pieces.iter().filter(|piece| piece.seat == seat);
    let name = |piece: &Piece<'_>| piece.kind.map_or("?".into(), |kind| kind.id.clone());
    let mut found: Vec<_> = own.map(|piece| (piece.square.name.clone(), name(piece))).collect();
    found.sort();
    found
}

fn placed(arrangement: &Arrangement) -> Vec<(String, String)> {
    let mut placements: Vec<_> =
        arrangement.placements.iter().map(|placement| (placement.square.clone(), placement.kind.clone())).collect();
    placements.sort();
    placements
}

#[tokio::test]
async fn a_seat_sees_its_own_kinds_and_the_backs_of_the_others() {
    let client = plain().await;
    let game = game(&client, "hidden-hasami", &[]).await;
    let (answer, arrangements) = start(&client).await;
    let seen = pieces(&game, answer.updates[0].view.as_ref().unwrap()).unwrap();
    assert_eq!(of_seat(&seen, 1), placed(&arrangements[&1]));
    let backs: Vec<_> = placed(&arrangements[&2]).into_iter().map(|(square, _)| (square, "?".into())).collect();
    assert_eq!(of_seat(&seen, 2), backs);
    let referee = pieces(&game, answer.updates[1].view.as_ref().unwrap()).unwrap();
    assert_eq!(of_seat(&referee, 2), placed(&arrangements[&2]));
    assert!(seen.iter().all(|piece| piece.origin == piece.square && !piece.moved && !piece.claims));
}

#[tokio::test]
async fn a_piece_keeps_its_origin_when_it_moves() {
    let client = plain().await;
    let game = game(&client, "hidden-hasami", &[]).await;
    let (answer, _) = start(&client).await;
    // d1 to d2: every stone of the first rank has an empty square before it.
    let action = Action { seat: 1, kind: Some(Kind::Move("d1d2".into())) };
    let viewers = vec![Viewer::Seat2.into()];
    let request = ApplyActionRequest { state: answer.state, action: Some(action), viewers, ..Default::default() };
    let updates = client.referee().apply_action(request).await.unwrap().into_inner().updates;
    let seen = pieces(&game, updates[0].view.as_ref().unwrap()).unwrap();
    let moved: Vec<_> = seen.iter().filter(|piece| piece.moved).collect();
    assert_eq!(moved.len(), 1);
    assert_eq!((moved[0].square.name.as_str(), moved[0].origin.name.as_str()), ("d2", "d1"));
    assert_eq!((moved[0].seat, moved[0].kind, moved[0].shown), (1, None, false));
}

#[tokio::test]
async fn captured_pieces_are_read_alike() {
    let game = game(&plain().await, "hidden-hasami", &[]).await;
    let gone = CapturedPieces { seats: vec![1, 2], origins: vec![1, 49], kinds: vec![255, 1] };
    let read = captured(&game, &gone).unwrap();
    assert_eq!((read[0].seat, read[0].origin.name.as_str(), read[0].kind), (1, "a1", None));
    assert_eq!((read[1].seat, read[1].origin.name.as_str(), read[1].kind), (2, "g7", Some(&game.kinds[0])));
}

#[tokio::test]
async fn columns_of_another_board_are_refused() {
    let client = plain().await;
    let large = game(&client, "hidden-hasami", &[("board", "9x9")]).await;
    let (answer, _) = start(&client).await;
    assert_eq!(pieces(&large, answer.updates[0].view.as_ref().unwrap()), Err(ForeignColumns));
    let squares = large.board.as_ref().unwrap().squares.len();
    let column = vec![1; squares];
    for (kind, origin) in [(200, 1), (0, 1), (1, 0), (1, 200)] {
        let view = View {
            seats: column.clone(),
            kinds: vec![kind; squares],
            origins: vec![origin; squares],
            flags: vec![0; squares],
            ..Default::default()
        };
        assert_eq!(pieces(&large, &view), Err(ForeignColumns), "kind {kind}, origin {origin}");
    }
    let ragged = CapturedPieces { seats: vec![1], origins: vec![], kinds: vec![1] };
    assert_eq!(captured(&large, &ragged), Err(ForeignColumns));
}
