//! What a game comes to, proved: by the rules alone as far as they reach in so many plies, and by certified tables.
//!
//! The rules: checkmate goes before all else; a third occurrence, the hundredth ply without capture or move of a pawn,
//! stalemate and dead material are draws. shakmaty knows moves and dead material; what is counted is counted here.

use std::collections::{HashSet, VecDeque};

use shakmaty::{Chess, Color, Move, Position};
use suites::draws::{DrawCase, GameResult};

use oracle::board::{FIFTY_MOVES, Game};
use oracle::table_probe::TableProbe;

/// The longest lines that are looked at, in plies.
pub const MOST_PLIES: u32 = 6;
/// Positions that one question may cost.
const MOST_NODES: u64 = 4_000_000;
/// Positions of a fortress.
const MOST_REACHED: usize = 200_000;

/// Proves results. Without tables it knows the rules and no more.
#[derive(Clone, Copy, Default)]
pub struct Prover<'a> {
    /// Tables of three men that were certified.
    pub tables: Option<&'a dyn TableProbe>,
}

/// The fewest plies in which a result shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// For the side to move.
    pub result: GameResult,
    /// Plies.
    pub plies: u32,
}

impl Prover<'_> {
    /// The result of a game for its side to move, if at most `most` plies show it.
    ///
    /// A result is what one side can force and the other cannot better.
    pub fn prove(&self, game: &Game, most: u32) -> Option<Proof> {
        let turn = game.position().turn();
        for plies in 0..=most {
            for result in [GameResult::Draw, GameResult::Win, GameResult::Loss] {
                if self.forces(game, turn, result, plies) && self.forces(game, !turn, result.turned(), plies)
                {
                    return Some(Proof { result, plies });
                }
            }
        }
        None
    }

    /// Whether it is proved in so many plies that a side gets this result or a better one.
    pub fn forces(&self, game: &Game, side: Color, result: GameResult, plies: u32) -> bool {
        self.search(game, side, result).gets(plies)
    }

    /// Whether it is proved in so many plies after a legal move that a side gets this result or a better one.
    pub(super) fn forces_after(
        &self,
        game: &Game,
        mv: Move,
        side: Color,
        result: GameResult,
        plies: u32,
    ) -> bool {
        let mut search = self.search(game, side, result);
        search.game.play(mv);
        search.gets(plies)
    }

    fn search(&self, game: &Game, side: Color, result: GameResult) -> Search<'_> {
        let (root, game) = (game.length(), game.clone());
        Search { tables: self.tables, game, root, side, result, nodes: MOST_NODES }
    }
}

/// Whether a case says what can be proved of it: its result, and in how many plies the rules alone show a draw. Of a
/// class that may fail the proof is that no mate can be reached at all.
///
/// # Errors
/// What is said, and what is proved.
pub fn check(case: &DrawCase, tables: &dyn TableProbe) -> Result<(), String> {
    let game = Game::new(&case.fen, &case.moves).map_err(|error| error.to_string())?;
    if case.may_fail {
        if (case.result, case.due) != (GameResult::Draw, None) {
            return Err("a dead position is a draw, and due in no number of plies".to_owned());
        }
        return is_dead(game.position());
    }
    let proof = Prover { tables: Some(tables) }.prove(&game, MOST_PLIES);
    let proved = proof.map(|proof| proof.result);
    if proved != Some(case.result) {
        return Err(format!("{} is said, {proved:?} is proved", case.result));
    }
    let rules = || Prover::default().prove(&game, MOST_PLIES).map(|proof| proof.plies);
    let due = if case.result == GameResult::Draw { rules() } else { None };
    if due != case.due || case.result == GameResult::Draw && due.is_none() {
        return Err(format!("due {:?} is said, {due:?} is proved", case.due));
    }
    Ok(())
}

/// One question: whether `side` gets `result` or better.
struct Search<'a> {
    tables: Option<&'a dyn TableProbe>,
    game: Game,
    /// The length of the game that was asked about.
    root: usize,
    side: Color,
    result: GameResult,
    /// What is left of them.
    nodes: u64,
}

impl Search<'_> {
    fn gets(&mut self, plies: u32) -> bool {
        let Some(left) = self.nodes.checked_sub(1) else { return false };
        self.nodes = left;
        let position = self.game.position();
        let moves = position.legal_moves();
        let own = position.turn() == self.side;
        if moves.is_empty() {
            let mated = if position.is_check() { GameResult::Loss } else { GameResult::Draw };
            return if own { mated >= self.result } else { mated.turned() >= self.result };
        }
        if self.is_drawn() {
            return self.result <= GameResult::Draw;
        }
        if let Some(known) = self.by_material() {
            return known;
        }
        if let Some(result) = self.by_tables() {
            return (if own { result } else { result.turned() }) >= self.result;
        }
        if plies == 0 {
            return false;
        }
        for mv in moves {
            self.game.play(mv);
            let gets = self.gets(plies - 1);
            self.game.take_back();
            if gets == own {
                return own;
            }
        }
        !own
    }

    /// A second occurrence within the line is taken for a draw: who can come back to a position can do so again, and
    /// never does worse; and a mate is not forced by walking in circles.
    fn is_drawn(&self) -> bool {
        let game = &self.game;
        let looked_at = game.length() > self.root;
        game.position().is_insufficient_material()
            || looked_at
                && (game.clock() >= FIFTY_MOVES || game.stood_since(self.root) || game.occurrences() >= 3)
    }

    /// What follows from a side that can never mate.
    fn by_material(&self) -> Option<bool> {
        let position = self.game.position();
        match self.result {
            GameResult::Loss => Some(true),
            GameResult::Draw => position.has_insufficient_material(!self.side).then_some(true),
            GameResult::Win => position.has_insufficient_material(self.side).then_some(false),
        }
    }

    /// What the tables say, for the side to move, where the clock and the past do not touch it.
    fn by_tables(&self) -> Option<GameResult> {
        let tables = self.tables?;
        let position = self.game.position();
        if position.board().occupied().count() > 3 {
            return None;
        }
        let distance =
            |position: &Chess| tables.probe(position.board(), position.turn()).map(|claim| claim.dtm).ok();
        let castling = position.castles().any();
        let Some(plies) = distance(position)? else { return (!castling).then_some(GameResult::Draw) };
        if self.game.clock() + u32::from(plies) > FIFTY_MOVES {
            // The stronger side has no other way to mate in time; with a pawn it can set the clock back.
            return (!castling && position.board().pawns().is_empty()).then_some(GameResult::Draw);
        }
        // On its way to mate the stronger side meets no position that is as far from it, so none that stood there twice.
        let meets = |twice: &&Chess| distance(twice).flatten().is_none_or(|far| far < plies);
        if self.game.twice().iter().any(meets) {
            return None;
        }
        Some(if plies % 2 == 1 { GameResult::Win } else { GameResult::Loss })
    }
}

/// Whether no series of legal moves leads from here to mate: every position that can be reached is looked at.
///
/// # Errors
/// A mate that is reached, or more positions than are looked at.
pub(super) fn is_dead(position: &Chess) -> Result<(), String> {
    let mut seen = HashSet::from([position.clone()]);
    let mut open = VecDeque::from([position.clone()]);
    while let Some(position) = open.pop_front() {
        if position.is_checkmate() {
            return Err(format!("mate is reached: {}", oracle::board::fen(&position)));
        }
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if seen.insert(after.clone()) {
                if seen.len() > MOST_REACHED {
                    return Err(format!("more than {MOST_REACHED} positions are reached"));
                }
                open.push_back(after);
            }
        }
    }
    Ok(())
}
