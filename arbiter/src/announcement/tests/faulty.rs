//! Players that change the answers of the search by the table, and each of their faults.

use super::*;

/// Changes the answer to a position.
type Change = fn(&Chess, &mut Reply);

/// A fault in the answer to a position: the start of its FEN, the fault, how `stored` starts, `expected` and
/// `source`.
type FaultAt = (&'static str, Change, &'static str, &'static str, &'static str);

/// A player that changes the answers of the search by the table, in some positions or in all.
#[derive(Clone, Copy)]
pub(super) struct FaultyAnnouncer {
    faults: &'static [FaultAt],
    always: Option<Change>,
}

struct Running(FaultyAnnouncer, Box<dyn Player>);

pub(super) fn announcer(always: Change) -> FaultyAnnouncer {
    FaultyAnnouncer { faults: &[], always: Some(always) }
}

impl PlayerFactory for FaultyAnnouncer {
    fn name(&self) -> &'static str {
        "announcer"
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(Running(*self, faultless().start(setup)?)))
    }

    fn has(&self, aid: Aid) -> bool {
        aid == Aid::Tables
    }

    fn replay(&self, _: Setup, question: &Question) -> Replay {
        Replay::shell(question.commands().join("; "))
    }
}

impl Player for Running {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.1.forget()
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let mut reply = self.1.ask(question)?;
        let is_here = |(fen, ..): &&FaultAt| question.fen.strip_prefix(fen) == Some(" 0 1");
        let change = self.0.faults.iter().find(is_here).map(|(_, change, ..)| *change);
        if let Some(change) = change.or(self.0.always) {
            let (board, turn) = placement(&question.fen);
            change(&positions::position(board, turn).unwrap(), &mut reply);
        }
        Ok(reply)
    }
}

/// The distance to mate in plies by the table.
fn dtm(position: &Chess) -> u16 {
    PRODUCTION.probe(position.board(), position.turn()).unwrap().dtm.unwrap().plies()
}

fn played(position: &Chess, line: &[String]) -> Chess {
    line.iter().fold(position.clone(), |position, text| {
        after(&position, legal_move(&position, text, Spelling::Exact).unwrap())
    })
}

/// A move that still mates or is mated, but in more or fewer plies than it should.
fn other(position: &Chess, longer: bool) -> String {
    let left = dtm(position) - 1;
    let after = |text: &String| {
        let after = played(position, std::slice::from_ref(text));
        PRODUCTION.probe(after.board(), after.turn()).unwrap().dtm.map(oracle::table_probe::Dtm::plies)
    };
    let is_other = |plies: u16| plies != left && (plies > left) == longer;
    uci_moves(position).into_iter().find(|text| after(text).is_some_and(is_other)).unwrap()
}

fn score(reply: &mut Reply, score: Score) {
    reply.lines[0].score = score;
}

/// Another first move, with what follows from it.
fn best(position: &Chess, reply: &mut Reply, text: String) {
    let after = fen_of(&played(position, std::slice::from_ref(&text)));
    let mut player = faultless().start(Setup::ALL).unwrap();
    let follows = player.ask(&Question::new(&after, Limit::Depth(1))).unwrap();
    reply.lines[0].pv = [vec![text.clone()], follows.lines[0].pv.clone()].concat();
    reply.best = Some(text);
}

fn line(reply: &mut Reply, change: impl Fn(&mut Vec<String>)) {
    change(&mut reply.lines[0].pv);
}

/// One fault in each of these positions, which seed 1 draws. Black is the stronger side in about half of
/// them.
const FAULTS: [FaultAt; 19] = [
    ("8/8/8/3k4/8/8/5K2/7R w - -", |_, reply| score(reply, Score::Mate(12)), "mate 12", "mate 13", TABLE),
    ("8/8/8/3K4/8/8/5k2/6r1 b - -", |_, reply| score(reply, Score::Mate(14)), "mate 14", "mate 13", TABLE),
    ("8/8/8/3k4/8/6KR/8/8 w - -", |_, reply| score(reply, Score::Mate(-13)), "mate -13", "mate 13", TABLE),
    ("8/8/1k6/r7/4K3/8/8/8 w - -", |_, reply| score(reply, Score::Mate(14)), "mate 14", "mate -14", TABLE),
    (
        "8/8/6K1/8/3k4/7R/8/8 b - -",
        |_, reply| score(reply, Score::Centipawns(-500)),
        "cp -500",
        "mate -14",
        TABLE,
    ),
    (
        "6r1/2k5/8/8/4K3/8/8/8 b - -",
        |_, reply| score(reply, Score::Centipawns(30_000)),
        "cp 30000",
        "mate 13",
        TABLE,
    ),
    (
        "7R/2K5/8/8/4k3/8/8/8 w - -",
        |_, reply| reply.lines[0].bound = Bound::Lower,
        "mate 13 or more",
        "mate 13",
        TABLE,
    ),
    ("6r1/8/8/3K4/8/6k1/8/8 b - -", |_, reply| reply.lines.clear(), "no score", "mate 13", TABLE),
    ("5r2/8/8/3K4/8/6k1/8/8 b - -", |_, reply| reply.best = None, "no move", "a move", TABLE),
    (
        "8/5K2/8/R7/3k4/8/8/8 w - -",
        |position, reply| best(position, reply, other(position, true)),
        "the move a5a1, after which the other side sees mated in 14",
        "a move after which the other side sees mated in 12",
        TABLE,
    ),
    (
        "8/8/6k1/8/3K4/8/8/4r3 w - -",
        |position, reply| best(position, reply, other(position, false)),
        "the move d4c3, after which the other side sees mate in 12",
        "a move after which the other side sees mate in 13",
        TABLE,
    ),
    (
        "2R5/8/8/3k4/8/6K1/8/8 w - -",
        |_, reply| reply.best = Some("a1a2".to_owned()),
        "the move a1a2",
        "a legal move",
        RULES,
    ),
    (
        "8/8/8/8/8/1k6/8/K6r w - -",
        |_, reply| reply.best = Some("a1b1".to_owned()),
        "the move a1b1",
        "a legal move",
        RULES,
    ),
    ("R7/8/8/8/8/8/2K5/k7 b - -", |_, reply| score(reply, Score::Mate(1)), "mate 1", "mate 0", TABLE),
    (
        "8/8/6k1/8/3K4/8/8/1r6 b - -",
        |_, reply| line(reply, |pv| pv.truncate(24)),
        "the line g6f5 d4d3 b1d1 ",
        "a line of 25 plies to checkmate",
        RULES,
    ),
    (
        "7R/8/8/4k3/8/8/2K5/8 w - -",
        |_, reply| line(reply, |pv| pv.push("h1h2".to_owned())),
        "the line c2c3 e5e4 h8h5 ",
        "a line of 25 plies to checkmate",
        RULES,
    ),
    (
        "8/7r/8/4K3/8/1k6/8/8 b - -",
        |_, reply| line(reply, |pv| pv[2].push('q')),
        "the line b3c4 e5e4 h7h5q ",
        "a line of legal moves",
        RULES,
    ),
    (
        "2R5/8/8/3k4/8/8/5K2/8 w - -",
        |position, reply| line(reply, |pv| pv[2] = other(&played(position, &pv[..2]), true)),
        "the line f2e3 d5e5 c8c1 ",
        "after c8c1 mated in 11",
        TABLE,
    ),
    (
        "3r4/8/8/4K3/8/8/2k5/8 b - -",
        |position, reply| line(reply, |pv| pv[0] = other(position, true)),
        "the line d8d1 ",
        "a line that begins with c2d3",
        TABLE,
    ),
];

#[test]
fn each_fault_is_reported_and_nothing_else() {
    let findings = run(&FaultyAnnouncer { faults: &FAULTS, always: None }, "KRvK");
    assert_eq!(differing(&findings), cases_of("KRvK", FAULTS.map(|(fen, ..)| fen)));
    assert_eq!(findings.tally.total(), decided("KRvK"));
    for (fen, _, stored, expected, source) in FAULTS {
        let found = findings.differences.iter().find(|difference| difference.fen.starts_with(fen)).unwrap();
        assert!(found.stored.to_string().starts_with(stored), "{found:#?}");
        assert_eq!(
            (found.expected.to_string().as_str(), found.source.as_str()),
            (expected, source),
            "{found:#?}"
        );
        assert_eq!(found.replay, format!("position fen {}; go depth 1", found.fen));
    }
}
