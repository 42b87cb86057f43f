//! Un-moves that a table's owner forgets, and some that it invents.

use shakmaty::{Role, Square};

use super::*;
use crate::table_probe::Unmove;

/// The un-moves of our engine, changed.
struct FaultyUnmoves<F> {
    inner: &'static dyn TableProbe,
    fault: F,
}

impl<F: Fn(&Board, Color, &mut Vec<Unmove>) + Sync> TableProbe for FaultyUnmoves<F> {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn probe(&self, board: &Board, turn: Color) -> Answer {
        self.inner.probe(board, turn)
    }

    fn unmoves(&self, board: &Board, turn: Color) -> Result<Vec<Unmove>, ProbeError> {
        let mut unmoves = self.inner.unmoves(board, turn)?;
        (self.fault)(board, turn, &mut unmoves);
        Ok(unmoves)
    }

    fn has_dtz(&self) -> bool {
        true
    }
}

/// The cases that the check names with a fault in the un-moves.
fn found(table: &str, fault: impl Fn(&Board, Color, &mut Vec<Unmove>) + Sync) -> Findings {
    run(Check::Unmove, &FaultyUnmoves { inner: &*PRODUCTION, fault }, table)
}

fn role(board: &Board, unmove: Unmove) -> Option<Role> {
    board.role_at(unmove.to)
}

#[test]
fn right_unmoves_are_never_reported() {
    for table in ["KvK", "KNvK", "KPvK"] {
        let findings = run(Check::Unmove, &*PRODUCTION, table);
        assert_eq!(findings.differences, [], "{table}");
        assert_eq!(findings.tally.agreed, published(table, Scope::Unique), "{table}");
    }
}

/// The check names all positions with a quiet move of the knight, and no other.
#[test]
fn forgotten_unmoves_of_a_knight_are_reported() {
    let findings = found("KNvK", |board, _, unmoves| {
        unmoves.retain(|&unmove| role(board, unmove) != Some(Role::Knight));
    });
    let may_move = legal("KNvK").into_iter().filter(|(placement, position)| {
        use shakmaty::Position;
        let moves = position.legal_moves();
        placement.is_representative() && moves.iter().any(|mv| mv.role() == Role::Knight)
    });
    assert_eq!(cases(&findings), cases_of("KNvK", may_move.map(|(placement, _)| name(&placement))));
    let found = &findings.differences[0];
    assert!(
        found.stored.to_string().starts_with("no un-move ")
            && found.expected.to_string().starts_with("the un-move "),
        "{found:#?}"
    );
}

/// One un-move of one position is missing: the check names every position of a class from which the move is
/// played, and no other.
#[test]
fn one_forgotten_unmove_is_reported() {
    let (after, turn) = placement("8/8/8/8/8/2K5/2N5/k7 b - -");
    let unmove = Unmove { from: Square::E1, to: Square::C2 };
    assert!(PRODUCTION.unmoves(&after, turn).unwrap().contains(&unmove));
    let findings = found("KNvK", |board, side, unmoves| {
        if (board, side) == (&after, turn) {
            unmoves.retain(|&other| other != unmove);
        }
    });
    assert_eq!(cases(&findings), cases_of("KNvK", ["8/8/8/8/8/2K5/8/k3N3 w - -"]));
}

#[test]
fn invented_unmoves_are_reported() {
    // A pawn from the first rank; a rook that gave check before; a man that the other side has; one that goes
    // nowhere.
    for (table, position, from, to, why) in [
        ("KPvK", "8/8/8/8/8/2P5/2K5/k7 b - -", Square::C1, Square::C3, "not legal"),
        ("KRvK", "8/8/8/8/8/1K6/8/k1R5 b - -", Square::B1, Square::C1, "not legal"),
        ("KRvK", "8/8/8/8/8/1K6/8/k1R5 b - -", Square::D2, Square::C1, "no such move"),
        ("KRvK", "8/8/8/8/8/1K6/8/k1R5 b - -", Square::B1, Square::A1, "can go back so"),
        ("KRvK", "8/8/8/8/8/1K6/8/k1R5 b - -", Square::B3, Square::C1, "can go back so"),
    ] {
        let (about, turn) = placement(position);
        let men = men(table);
        let images = Placement::numbered(&men, men.number_of(&about), turn).unwrap();
        let boards: Vec<Board> = (0..men.images()).map(|image| images.image(image).board).collect();
        let least = boards.iter().min_by_key(|board| men.number_of(board)).unwrap();
        let image = boards.iter().position(|board| board == least).unwrap();
        let flips: [fn(Square) -> Square; 3] =
            [Square::flip_horizontal, Square::flip_vertical, Square::flip_diagonal];
        let mapped = |square: Square| {
            let flips = flips.iter().enumerate().filter(|(bit, _)| image >> bit & 1 == 1);
            flips.fold(square, |square, (_, flip)| flip(square))
        };
        let invented = Unmove { from: mapped(from), to: mapped(to) };
        let findings = found(table, |board, side, unmoves| {
            if (board, side) == (least, turn) {
                unmoves.push(invented);
            }
        });
        let [found] = &findings.differences[..] else { panic!("{position}: {:#?}", findings.differences) };
        assert_eq!(found.fen, crate::positions::fen(least, turn));
        assert!(found.explanation.contains(why), "{found:#?}");
    }
}

/// For four men, the seed draws a sample; all others are counted as left out.
#[test]
fn a_sample_of_four_men_is_compared() {
    static TABLES: LazyLock<EngineTables> = LazyLock::new(|| {
        EngineTables::production(builders::production(&["KNNvK".parse().unwrap()]).unwrap())
    });
    let men = men("KNNvK");
    let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
    let forgetful = |board: &Board, _: Color, unmoves: &mut Vec<Unmove>| {
        unmoves.retain(|&unmove| role(board, unmove) != Some(Role::Knight));
    };
    let faulty = FaultyUnmoves { inner: &*TABLES, fault: forgetful };
    let run = |subject: &dyn TableProbe| {
        let job = TableJob::new(subject, &men, &authorities);
        Check::Unmove.run(&TableJob { scope: Scope::Unique, sample: Some(5_000), ..job }).tally
    };
    let (right, faulty) = (run(&*TABLES), run(&faulty));
    assert!((4_500..5_500).contains(&right.agreed), "{}", right.agreed);
    assert_eq!((right.differed, right.total()), (0, published("KNNvK", Scope::Unique)));
    assert!(faulty.differed > 2_000, "{}", faulty.differed);
}
