//! One wrong answer of each kind in a table of four men: the check names each, and no right position.
//!
//! One walk finds all faults of a table. Except for two, a fault is in every position of a class, as a
//! builder would make it, so that no image differs from the others. Trying all moves says which positions the
//! certificate has to name.

use std::collections::HashSet;

use shakmaty::Position;

use super::TableFault::{Plies, Refuse, Wdl as Result};
use super::*;
use crate::board;
use crate::checks::together;
use crate::positions;

/// A board and the side to move.
type Turned = (Board, Color);

const CHECKS: [Check; 5] =
    [Check::Legality, Check::Certificate, Check::Terminal, Check::Symmetry, Check::Census];

const TOO_LONG: &str = "8/8/8/2R2n2/8/8/8/K5k1 w - -";
const TOO_SHORT: &str = "8/4R3/8/8/8/8/n2k4/K7 w - -";
const WIN: &str = "8/2R5/8/k7/8/8/n7/K7 w - -";
const DRAW: &str = "8/8/1n6/5R2/8/8/7k/K7 w - -";
const LOSS: &str = "6k1/8/6R1/8/8/8/8/K6n b - -";
const LONGEST: &str = "8/2R5/8/8/7k/3K4/8/4n3 w - -";
const MATED: &str = "8/8/8/8/8/1n6/R7/K1k5 w - -";
const CONTRADICTORY: &str = "8/8/n6R/8/8/k7/8/K7 w - -";
const FORGOTTEN: &str = "8/8/R7/8/8/7n/8/k2K4 b - -";
/// White's king is in check, and Black is to move.
const ILLEGAL: &str = "7R/8/8/8/8/1n6/8/K2k4 b - -";
const ONE_IMAGE: &str = "8/8/8/7R/8/1n6/8/K1k5 w - -";

/// A table, and the faults seeded into it.
struct Seeded {
    men: Men,
    tables: &'static EngineTables,
    faults: Vec<(Turned, TableFault)>,
}

impl Seeded {
    /// The production tables with these faults, each in the whole class of its position.
    fn new(table: &str, faults: &[(&str, TableFault)]) -> Self {
        let tables = EngineTables::production(builders::production(&[table.parse().unwrap()]).unwrap());
        let mut seeded = Self { men: men(table), tables: Box::leak(Box::new(tables)), faults: Vec::new() };
        for &(position, fault) in faults {
            for (board, turn) in seeded.images(&placement(position)) {
                seeded.faults.push(((board.clone(), turn), fault));
                seeded.faults.push(((board.into_mirrored(), !turn), fault));
            }
        }
        seeded
    }

    /// The boards of a class, with the same side to move.
    fn images(&self, (board, turn): &Turned) -> Vec<Turned> {
        let placement = Placement::numbered(&self.men, self.men.number_of(board), *turn).unwrap();
        (0..self.men.images()).map(|image| (placement.image(image).board, *turn)).collect()
    }

    /// The position that stands for its class in walks.
    fn representative(&self, turned: &Turned) -> Turned {
        self.images(turned).into_iter().min_by_key(|(board, _)| self.men.number_of(board)).unwrap()
    }

    /// The case of the class of a position.
    fn case(&self, turned: &Turned) -> String {
        let (board, turn) = self.representative(turned);
        format!("{}/{}", self.men, positions::fen(&board, turn).strip_suffix(" 0 1").unwrap())
    }

    fn subject(&self) -> FaultyTable<impl Fn(&Board, Color, Answer) -> Answer + Sync> {
        let near: HashSet<u64> = self.faults.iter().map(|((board, _), _)| board.occupied().0).collect();
        let fault = move |board: &Board, turn: Color, answer: Answer| {
            if !near.contains(&board.occupied().0) {
                return answer;
            }
            match self.faults.iter().find(|((about, side), _)| *side == turn && about == board) {
                Some((_, fault)) => fault.of(answer),
                None => answer,
            }
        };
        FaultyTable { inner: self.tables, fault }
    }

    /// The cases that contradict their successors: the faults, and all positions from which a move leads to
    /// one.
    fn contradicted(&self) -> BTreeSet<String> {
        let subject = self.subject();
        let own = self.faults.iter().map(|(turned, _)| turned.clone()).filter(|(board, _)| self.has(board));
        let near = own.flat_map(|turned| [predecessors(&turned), vec![turned]].concat());
        let representatives: HashSet<Turned> = near.map(|turned| self.representative(&turned)).collect();
        let wrong = representatives.into_iter().filter(|(board, turn)| {
            let Ok(position) = positions::position(board.clone(), *turn) else { return false };
            let stated = subject.probe(board, *turn).ok().map(|value| proof::score(&value));
            stated.is_none() || stated != proof::best(&subject, &position)
        });
        wrong.map(|turned| self.case(&turned)).collect()
    }

    /// Whether these are the men of the table, and not those with colours exchanged.
    fn has(&self, board: &Board) -> bool {
        self.men.has_equal_sides()
            || positions::strength(board, Color::White) > positions::strength(board, Color::Black)
    }

    /// The cases that each check names in one walk over the classes.
    fn found(&self) -> [BTreeSet<String>; CHECKS.len()] {
        let subject = self.subject();
        let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
        let job = TableJob { scope: Scope::Unique, ..TableJob::new(&subject, &self.men, &authorities) };
        let runs = together(&job, &CHECKS).runs;
        let named: Vec<_> = runs.iter().map(|run| cases(&run.findings)).collect();
        named.try_into().unwrap()
    }
}

/// The legal positions from which a move that captures nothing and promotes no pawn leads to this one, by
/// trying all moves.
fn predecessors((after, turn): &Turned) -> Vec<Turned> {
    let moved = after.clone().into_iter().filter(|(_, piece)| piece.color != *turn);
    let before = moved.flat_map(|(to, piece)| {
        shakmaty::Square::ALL.into_iter().filter(|&from| after.piece_at(from).is_none()).map(move |from| {
            let mut before = after.clone();
            before.discard_piece_at(to);
            before.set_piece_at(from, piece);
            before
        })
    });
    let leads_there = |before: &Board| {
        let Ok(position) = positions::position(before.clone(), !*turn) else { return false };
        position.legal_moves().into_iter().any(|mv| board::after(&position, mv).board() == after)
    };
    before.filter(leads_there).map(|before| (before, !*turn)).collect()
}

#[test]
#[ignore = "nightly: walks a table of four men; the program's tests plant entries in one by default"]
fn each_fault_in_a_table_of_four_men_is_named_and_nothing_else() {
    let mut seeded = Seeded::new(
        "KRvKN",
        &[
            (TOO_LONG, Plies(Some(29))),
            (TOO_SHORT, Plies(Some(29))),
            (WIN, Plies(None)),
            (DRAW, Plies(Some(31))),
            (LOSS, Plies(None)),
            (LONGEST, Plies(Some(81))),
            (MATED, Plies(Some(2))),
            (CONTRADICTORY, Result(Wdl::Draw)),
            (FORGOTTEN, Refuse),
        ],
    );
    let right = |position, plies: Option<u16>| {
        let (board, turn) = placement(position);
        let value = seeded.tables.probe(&board, turn).unwrap();
        assert_eq!(value.dtm.map(Dtm::plies), plies, "{position}");
    };
    for (position, plies) in
        [(TOO_LONG, 27), (TOO_SHORT, 31), (WIN, 19), (LOSS, 38), (LONGEST, 79), (MATED, 0)]
    {
        right(position, Some(plies));
    }
    right(DRAW, None);
    // One board of a class, and not the one that stands for it; the other sides of the board are right.
    let rotated = seeded.images(&placement(ONE_IMAGE)).swap_remove(3);
    assert_ne!(seeded.representative(&rotated), rotated);
    seeded.faults.push((rotated.clone(), Plies(Some(9))));
    seeded.faults.push((placement(ILLEGAL), Plies(Some(3))));

    let case = |position| seeded.case(&placement(position));
    let [legality, certificate, terminal, symmetry, census] = seeded.found();
    assert_eq!(legality, cases_of("KRvKN", [ILLEGAL]).into_iter().chain([case(FORGOTTEN)]).collect());
    for position in [TOO_LONG, TOO_SHORT, WIN, DRAW, LOSS, LONGEST, MATED, CONTRADICTORY, FORGOTTEN] {
        assert!(certificate.contains(&case(position)), "{position}");
    }
    assert_eq!(certificate, seeded.contradicted());
    assert_eq!(terminal, [case(FORGOTTEN), case(MATED)].into());
    assert_eq!(symmetry, [case(FORGOTTEN), case(ONE_IMAGE)].into());
    let counts = [
        "white wins unique",
        "white draws unique",
        "white longest plies",
        "black draws unique",
        "black losses unique",
    ];
    assert_eq!(census, cases_of("KRvKN", counts));
}

/// The positions of a seeded draw of `KPvKP` with a double step that can be captured en passant, in the order
/// in which they are drawn.
fn before_double_steps(men: &Men) -> impl Iterator<Item = (String, Chess)> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let drawn = std::iter::repeat_with(move || rng.next_u64() % men.numbers());
    drawn.filter_map(|number| {
        let placement = Placement::of_class(men, number, Color::White)?;
        let position = placement.legal.clone()?;
        let capturable = |mv| board::after(&position, mv).legal_ep_square().is_some();
        position.legal_moves().into_iter().any(capturable).then(|| (name(&placement), position))
    })
}

/// The distance to mate in plies that follows if nobody captures en passant; `None` for a draw.
fn without_en_passant(tables: &EngineTables, position: &Chess) -> Option<u16> {
    let after = proof::successors(position).into_iter();
    let best = after.map(|after| {
        let value = tables.probe(after.board(), after.turn()).unwrap();
        let score = -proof::score(&value);
        (score - score.signum(), value.dtm.map(|dtm| dtm.plies() + 1))
    });
    best.max_by_key(|&(score, _)| score).unwrap().1
}

/// A double step that allows an en passant capture is worth what that capture is worth. The check names an
/// entry that forgets it.
#[test]
#[ignore = "nightly: walks a table with pawns on both sides"]
fn an_entry_that_forgets_en_passant_is_named() {
    let men = men("KPvKP");
    let right = Seeded::new("KPvKP", &[]);
    let stated = |position: &Chess| {
        let value = right.tables.probe(position.board(), position.turn()).unwrap();
        value.dtm.map(Dtm::plies)
    };
    let forgotten = |is_kind: fn(Option<u16>, Option<u16>) -> bool| {
        before_double_steps(&men)
            .take(20_000)
            .map(|(name, position)| (name, stated(&position), without_en_passant(right.tables, &position)))
            .find(|&(_, right, forgetful)| right != forgetful && is_kind(right, forgetful))
            .unwrap()
    };
    let (result, _, forgetful) = forgotten(|right, forgetful| right.is_none() && forgetful.is_some());
    let (distance, right_plies, forgetful_plies) = forgotten(|right, forgetful| {
        [right, forgetful].iter().all(|plies| plies.is_some_and(|plies| plies % 2 == 1))
    });
    assert!(forgetful_plies < right_plies, "{distance}");
    let seeded = Seeded::new("KPvKP", &[(&result, Plies(forgetful)), (&distance, Plies(forgetful_plies))]);
    let [legality, certificate, terminal, symmetry, census] = seeded.found();
    assert!([legality, terminal, symmetry].iter().all(BTreeSet::is_empty));
    for position in [&result, &distance] {
        assert!(certificate.contains(&seeded.case(&placement(position))), "{position}");
    }
    assert_eq!(certificate, seeded.contradicted());
    // The sides have the same men, so that each position is there with Black to move too.
    let counts = ["white wins unique", "white draws unique", "black wins unique", "black draws unique"];
    assert_eq!(census, cases_of("KPvKP", counts));
}
