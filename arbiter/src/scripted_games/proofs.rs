//! The ends of the suite, proved by shakmaty's rules, certified tables, and a recount of scores and times. Nothing of the
//! runner takes part.

use std::sync::LazyLock;

use engine::tables::builders;
use oracle::table_probe::{EngineTables, TableProbe, Wdl};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Role};
use suites::arbiter::{
    ArbiterCase, ExpectedEnd, GameEnd, GameResult, Policy, ScriptedAnswer, ScriptedScore, embedded, parse,
};

static TABLES: LazyLock<EngineTables> = LazyLock::new(|| {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    EngineTables::production(builders::production(&materials).unwrap())
});

/// The positions of a game up to an end.
struct Replay<'a> {
    case: &'a ArbiterCase,
    positions: Vec<Chess>,
    /// Of each position men, side to move, rights to castle, and the en passant square if a capture is legal.
    keys: Vec<String>,
}

/// Why an end is not proved.
type Doubt = String;

impl<'a> Replay<'a> {
    /// Plays so many plies of a script.
    fn new(case: &'a ArbiterCase, plies: usize) -> Result<Self, Doubt> {
        let fen: Fen = case.fen.parse().map_err(|_| "no FEN".to_owned())?;
        let mode = CastlingMode::from_chess960(case.chess960);
        let first: Chess = fen.into_position(mode).map_err(|error| error.to_string())?;
        let key = |position: &Chess| {
            let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
            fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
        };
        let mut replay = Self { case, keys: vec![key(&first)], positions: vec![first] };
        let best = case.play.iter().map(|answer| answer.best.as_deref().unwrap_or("-"));
        let script = case.book.iter().map(String::as_str).chain(best);
        for text in script.take(plies) {
            let position = replay.last();
            let mv = legal(position, text).ok_or_else(|| format!("{text} is not legal"))?;
            let after = position.clone().play(mv).map_err(|_| "not played".to_owned())?;
            replay.keys.push(key(&after));
            replay.positions.push(after);
        }
        if replay.plies() == plies {
            Ok(replay)
        } else {
            Err(format!("the script has {} plies", replay.plies()))
        }
    }

    fn plies(&self) -> usize {
        self.positions.len() - 1
    }

    fn last(&self) -> &Chess {
        &self.positions[self.plies()]
    }

    /// The end on the board after so many plies.
    fn on_board(&self, ply: usize) -> Option<GameEnd> {
        let position = &self.positions[ply];
        if position.is_checkmate() {
            Some(GameEnd::Checkmate)
        } else if position.is_stalemate() {
            Some(GameEnd::Stalemate)
        } else if position.is_insufficient_material() {
            Some(GameEnd::DeadMaterial)
        } else if position.halfmoves() >= 100 {
            Some(GameEnd::FiftyMoves)
        } else {
            let times = self.keys[..=ply].iter().filter(|key| **key == self.keys[ply]).count();
            (times >= 3).then_some(GameEnd::Repetition)
        }
    }

    /// The answers up to here, each with its side.
    fn answers(&self) -> Vec<(Color, &ScriptedAnswer)> {
        let book = self.case.book.len();
        let own =
            self.positions.iter().skip(book).zip(&self.case.play).take(self.plies().saturating_sub(book));
        own.map(|(position, answer)| (position.turn(), answer)).collect()
    }

    /// The answer that comes next.
    fn next(&self) -> Option<&ScriptedAnswer> {
        self.case.play.get(self.plies().checked_sub(self.case.book.len())?)
    }
}

fn legal(position: &Chess, text: &str) -> Option<shakmaty::Move> {
    text.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// The last exact score, in centipawns; a mate is beyond all.
fn exact(answer: &ScriptedAnswer) -> Option<i64> {
    let mut exact = answer.scores.iter().filter_map(|score| match *score {
        ScriptedScore::Centipawns(score) => Some(i64::from(score)),
        ScriptedScore::Mate(moves) => Some(if moves > 0 { i64::MAX } else { -i64::MAX }),
        ScriptedScore::Lower(_) | ScriptedScore::Upper(_) => None,
    });
    exact.next_back()
}

/// The side that loses by its scores, after these answers.
fn resigned(case: &ArbiterCase, answers: &[(Color, &ScriptedAnswer)]) -> Option<Color> {
    let rule = case.settings.resign?;
    let bound = i64::from(rule.score);
    let row = |side: Color, holds: &dyn Fn(i64) -> bool| {
        let own = answers.iter().rev().filter(|(mover, _)| *mover == side);
        let row = own.take_while(|(_, answer)| exact(answer).is_some_and(holds));
        row.count() >= rule.move_count as usize
    };
    let loses = |side: &Color| {
        row(*side, &|score| score <= -bound) && (!rule.two_sided || row(!*side, &|score| score >= bound))
    };
    Color::ALL.into_iter().find(loses)
}

/// Whether the game is drawn by scores, as the policy counts: fastchess and cutechess begin the row with a move of a pawn or a
/// capture, others after it. The number of the move is that on the board, but whole moves in fastchess, and moves
/// since the FEN in cutechess, which adjudicates only if the setting is above 0.
fn is_drawn_by_scores(replay: &Replay<'_>, policy: Policy) -> bool {
    let Some(rule) = replay.case.settings.draw else { return false };
    let is_runner = matches!(policy, Policy::Fastchess | Policy::Cutechess);
    let mut row = 0;
    for ((_, answer), after) in replay.answers().iter().rev().zip(replay.positions.iter().rev()) {
        let is_anew = after.halfmoves() == 0;
        let counts = exact(answer).is_some_and(|score| score.abs() <= i64::from(rule.score));
        if !counts || is_anew && !is_runner {
            break;
        }
        row += 1;
        if is_anew {
            break;
        }
    }
    let number = replay.last().fullmoves().get();
    let is_time = match policy {
        Policy::Fastchess => number > rule.move_number,
        Policy::Cutechess => rule.move_number > 0 && replay.plies() / 2 >= rule.move_number as usize,
        _ => number >= rule.move_number,
    };
    is_time && row >= 2 * rule.move_count as usize
}

/// Whether the game is as long as it may be. Moves of the book count in cutechess, which looks after the first own move.
fn is_long(replay: &Replay<'_>, policy: Policy) -> bool {
    let own = replay.answers().len();
    let counted = if policy == Policy::Cutechess && own > 0 { replay.plies() } else { own };
    replay.case.settings.max_moves.is_some_and(|moves| counted >= 2 * moves as usize)
}

/// Whether an answer comes too late. Only the first answer of a side is, so that no increment counts.
fn is_late(case: &ArbiterCase, answer: &ScriptedAnswer) -> bool {
    is_later_than(case, answer, 0.0)
}

/// Whether an answer comes so many milliseconds too late, or later.
fn is_later_than(case: &ArbiterCase, answer: &ScriptedAnswer, slack: f64) -> bool {
    let Some(clock) = &case.settings.clock else { return false };
    let seconds: f64 = clock.rsplit('/').next().unwrap().parse().unwrap();
    let margin = f64::from(case.settings.margin.unwrap_or_default());
    answer.wait as f64 > seconds * 1000.0 + margin + slack
}

/// How long the policy waits for an answer that is late, in milliseconds. Of an answer in that time legality counts first.
fn patience(policy: Policy) -> f64 {
    match policy {
        Policy::Fastchess => 100.0,
        Policy::Cutechess => 200.0,
        _ => 0.0,
    }
}

/// Whether the policy draws a game that this side loses on time.
fn draws_on_time(policy: Policy, position: &Chess, late: Color) -> bool {
    match policy {
        Policy::Fide | Policy::Lichess => position.has_insufficient_material(!late),
        Policy::Uscf | Policy::ChessCom => {
            let men = position.board().by_color(!late);
            let minor = position.board().by_role(Role::Bishop) | position.board().by_role(Role::Knight);
            men.count() == 1 || men.count() == 2 && (men & minor).any()
        }
        Policy::Cutechess => position.board().by_color(!late).count() == 1,
        Policy::Fastchess => false,
    }
}

/// Whether the policy draws a game that this side ends by an illegal move (Laws of Chess 7.5.5; cutechess asks as for the time).
fn draws_illegal(policy: Policy, position: &Chess, side: Color) -> bool {
    match policy {
        Policy::Cutechess => draws_on_time(policy, position, side),
        Policy::Fastchess => false,
        _ => position.has_insufficient_material(!side),
    }
}

/// Proves the end of a case under a policy.
fn check(case: &ArbiterCase, policy: Policy, expected: ExpectedEnd) -> Result<(), Doubt> {
    let replay = Replay::new(case, expected.plies)?;
    if let Some((ply, end)) = (0..expected.plies).find_map(|ply| Some((ply, replay.on_board(ply)?))) {
        return Err(format!("it is over after {ply} plies: {end}"));
    }
    let settings = &case.settings;
    let is_adjudicated = settings.resign.is_some() || settings.draw.is_some() || settings.max_moves.is_some();
    let ended_before = (0..expected.plies).filter(|_| is_adjudicated).find(|&plies| {
        Replay::new(case, plies).is_ok_and(|before| {
            resigned(case, &before.answers()).is_some()
                || is_drawn_by_scores(&before, policy)
                || is_long(&before, policy)
        })
    });
    if let Some(plies) = ended_before {
        return Err(format!("it is adjudicated after {plies} plies"));
    }
    let answers = replay.answers();
    if answers.iter().any(|(_, answer)| is_late(case, answer)) {
        return Err("an answer before the end is late".to_owned());
    }
    let found = end(&replay, policy, expected)?;
    if found == expected.result { Ok(()) } else { Err(format!("the result is {found}")) }
}

/// The result, if the end is this one.
fn end(replay: &Replay<'_>, policy: Policy, expected: ExpectedEnd) -> Result<GameResult, Doubt> {
    let (case, position) = (replay.case, replay.last());
    let side = position.turn();
    let won_by = |winner: Color| winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins);
    let proved =
        |holds: bool, result: GameResult| if holds { Ok(result) } else { Err("not proved".to_owned()) };
    let on_board = replay.on_board(replay.plies());
    if expected.end.is_on_board() {
        let result = if expected.end == GameEnd::Checkmate { won_by(!side) } else { GameResult::Draw };
        return if on_board == Some(expected.end) {
            Ok(result)
        } else {
            Err(format!("on the board: {on_board:?}"))
        };
    }
    if let Some(end) = on_board {
        return Err(format!("on the board: {end}"));
    }
    let next = replay.next();
    let is_illegal =
        next.and_then(|answer| answer.best.as_deref()).is_some_and(|best| legal(position, best).is_none());
    let slack = if is_illegal { patience(policy) } else { 0.0 };
    let next_is_late = next.is_some_and(|answer| is_later_than(case, answer, slack));
    match expected.end {
        GameEnd::Time => proved(next_is_late && !draws_on_time(policy, position, side), won_by(!side)),
        GameEnd::TimeDraw => proved(next_is_late && draws_on_time(policy, position, side), GameResult::Draw),
        GameEnd::Illegal => {
            let is_drawn = draws_illegal(policy, position, side);
            let result = if is_drawn { GameResult::Draw } else { won_by(!side) };
            proved(is_illegal && !next_is_late, result)
        }
        GameEnd::Crash => {
            let exits = next.is_some_and(|answer| answer.best.is_none() && answer.exits);
            let exited = replay.answers().iter().any(|(mover, answer)| *mover == side && answer.exits);
            proved(exits || exited, won_by(!side))
        }
        GameEnd::Resign => {
            resigned(case, &replay.answers()).map(|loser| won_by(!loser)).ok_or("no row".to_owned())
        }
        GameEnd::ScoreDraw => proved(is_drawn_by_scores(replay, policy), GameResult::Draw),
        GameEnd::MaxMoves => proved(is_long(replay, policy), GameResult::Draw),
        GameEnd::TableWin | GameEnd::TableDraw => {
            let value = TABLES.probe(position.board(), side).map_err(|error| error.0)?;
            let has_moved = replay.plies() > case.book.len();
            let is_known =
                case.settings.tables && has_moved && position.halfmoves() == 0 && !position.castles().any();
            let result = match value.wdl {
                Wdl::Win => won_by(side),
                Wdl::Draw => GameResult::Draw,
                Wdl::Loss => won_by(!side),
            };
            let is_draw = result == GameResult::Draw;
            proved(is_known && is_draw == (expected.end == GameEnd::TableDraw), result)
        }
        _ => Err("an end on the board".to_owned()),
    }
}

#[test]
fn each_end_is_proved_under_each_policy() {
    let mut doubts = Vec::new();
    for case in &embedded().unwrap() {
        for policy in Policy::ALL {
            if let Err(why) = check(case, policy, case.end_under(policy)) {
                doubts.push(format!("{} ({policy}): {why}", case.id));
            }
        }
    }
    assert!(doubts.is_empty(), "{}: {doubts:#?}", doubts.len());
}

/// A proof that cannot fail proves nothing.
#[test]
fn other_ends_are_not_proved() {
    let mut proved = Vec::new();
    for case in &embedded().unwrap() {
        for policy in Policy::ALL {
            let demanded = case.end_under(policy);
            let ExpectedEnd { plies, .. } = demanded;
            let results = GameResult::ALL.map(|result| ExpectedEnd { result, ..demanded });
            let ends = GameEnd::ALL.map(|end| ExpectedEnd { end, ..demanded });
            let lengths = [plies + 1, plies.wrapping_sub(1)].map(|plies| ExpectedEnd { plies, ..demanded });
            let others = results.into_iter().chain(ends).chain(lengths).filter(|other| *other != demanded);
            for other in others.filter(|other| check(case, policy, *other).is_ok()) {
                proved.push(format!("{} ({policy}): {other:?}", case.id));
            }
        }
    }
    assert!(proved.is_empty(), "{}: {proved:#?}", proved.len());
}

#[test]
fn a_script_beyond_its_length_is_not_proved() {
    let text = "# cases: 1\n6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 play \"a1a7\"; end \"1-0 checkmate 2\"; rule \"x\"; id \"a/1\";";
    let [case] = &parse("x.epd", text).unwrap()[..] else { panic!("one case") };
    assert_eq!(check(case, Policy::Fide, case.end), Err("the script has 1 plies".to_owned()));
}
