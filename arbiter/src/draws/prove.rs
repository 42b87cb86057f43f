//! Proves the result of a game: by the rules within a few plies, and by certified tables.
//!
//! Checkmate goes before all draws. Draws are stalemate, insufficient material, the third occurrence of a
//! position and the hundredth ply without a capture or pawn move. shakmaty knows moves and material,
//! `oracle::board` counts occurrences and plies.

use shakmaty::{Chess, Color, Move, Position};
use suites::draws::{DrawCase, GameResult};

use oracle::board::{FIFTY_MOVES, Game, REPETITION, numbered};
use oracle::helpmate::{CanMate, can_mate};
use oracle::table_probe::{Dtm, TableProbe};

/// The longest lines that are searched, in plies.
pub const MOST_PLIES: u32 = 6;
/// The most positions that one search visits.
const MOST_NODES: u64 = 4_000_000;
/// The most positions that are visited to prove that a side cannot mate.
const MOST_REACHED: usize = 200_000;

/// Proves results. Without tables it knows the rules alone.
#[derive(Clone, Copy, Default)]
pub struct DrawProver<'a> {
    /// Certified tables of three men.
    pub tables: Option<&'a dyn TableProbe>,
}

/// A proved result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvedResult {
    /// The result for the side to move.
    pub result: GameResult,
    /// The fewest plies of search that prove it.
    pub plies: u32,
}

impl DrawProver<'_> {
    /// The result of a game for its side to move, if at most `most` plies prove it.
    ///
    /// A result is proved if one side can force it and the other side cannot do better.
    pub fn prove(&self, game: &Game, most: u32) -> Option<ProvedResult> {
        let turn = game.position().turn();
        for plies in 0..=most {
            for result in [GameResult::Draw, GameResult::Win, GameResult::Loss] {
                if self.forces(game, turn, result, plies) && self.forces(game, !turn, result.turned(), plies)
                {
                    return Some(ProvedResult { result, plies });
                }
            }
        }
        None
    }

    /// Whether a search of `plies` plies proves that a side gets this result or a better one.
    pub fn forces(&self, game: &Game, side: Color, result: GameResult, plies: u32) -> bool {
        self.search(game, side, result).gets(plies)
    }

    /// Whether a search of `plies` plies after a legal move proves that a side gets this result or a better
    /// one.
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

/// Checks a case against proofs: its result, and within how many plies the rules alone prove a draw. A case
/// that may fail has to be a position from which no mate can be reached.
///
/// # Errors
/// If the proofs do not confirm the case. The text gives the statement of the case and the proved one.
pub fn check(case: &DrawCase, tables: &dyn TableProbe) -> Result<(), String> {
    let game = Game::new(&case.fen, &case.moves).map_err(|error| error.to_string())?;
    if case.may_fail {
        if (case.result, case.due) != (GameResult::Draw, None) {
            return Err("a dead position is a draw that is not due".to_owned());
        }
        return is_dead(game.position());
    }
    let proof = DrawProver { tables: Some(tables) }.prove(&game, MOST_PLIES);
    let proved = proof.map(|proof| proof.result);
    if proved != Some(case.result) {
        return Err(format!("the case says {}, proved is {proved:?}", case.result));
    }
    let rules = || DrawProver::default().prove(&game, MOST_PLIES).map(|proof| proof.plies);
    let due = if case.result == GameResult::Draw { rules() } else { None };
    if due != case.due || case.result == GameResult::Draw && due.is_none() {
        return Err(format!("the case says due {:?}, proved is {due:?}", case.due));
    }
    Ok(())
}

/// A search for a proof that `side` gets `result` or better.
struct Search<'a> {
    tables: Option<&'a dyn TableProbe>,
    game: Game,
    /// The length of the game at the root.
    root: usize,
    side: Color,
    result: GameResult,
    /// Nodes that are left.
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

    /// Whether the position is a draw. A second occurrence within the searched line counts as one: a side
    /// that can return to a position can do so again, and a shortest mate never repeats a position.
    fn is_drawn(&self) -> bool {
        let game = &self.game;
        let looked_at = game.length() > self.root;
        game.position().is_insufficient_material()
            || looked_at
                && (game.clock() >= FIFTY_MOVES
                    || game.stood_since(self.root)
                    || game.occurrences() >= REPETITION)
    }

    /// The answer if a side has too little material to mate.
    fn by_material(&self) -> Option<bool> {
        let position = self.game.position();
        match self.result {
            GameResult::Loss => Some(true),
            GameResult::Draw => position.has_insufficient_material(!self.side).then_some(true),
            GameResult::Win => position.has_insufficient_material(self.side).then_some(false),
        }
    }

    /// The result of the tables for the side to move, where neither the clock nor earlier positions can
    /// change it.
    fn by_tables(&self) -> Option<GameResult> {
        let tables = self.tables?;
        let position = self.game.position();
        if position.board().occupied().count() > 3 {
            return None;
        }
        let distance = |position: &Chess| {
            tables.probe(position.board(), position.turn()).map(|claim| claim.dtm.map(Dtm::plies)).ok()
        };
        let castling = position.castles().any();
        let Some(plies) = distance(position)? else { return (!castling).then_some(GameResult::Draw) };
        if self.game.clock() + u32::from(plies) > FIFTY_MOVES {
            // The stronger side cannot mate in time; with a pawn it could reset the clock.
            return (!castling && position.board().pawns().is_empty()).then_some(GameResult::Draw);
        }
        // The distance to mate falls with each ply, so a position that is as far from mate does not occur on
        // the way.
        let may_occur = |twice: &&Chess| distance(twice).flatten().is_none_or(|far| far < plies);
        if self.game.twice().iter().any(may_occur) {
            return None;
        }
        Some(if plies % 2 == 1 { GameResult::Win } else { GameResult::Loss })
    }
}

/// Checks that no series of legal moves leads to mate.
///
/// # Errors
/// If one does, or it is not decided.
pub(super) fn is_dead(position: &Chess) -> Result<(), String> {
    for side in Color::ALL {
        match can_mate(position, side, MOST_REACHED).can_mate {
            CanMate::No(_) => {}
            CanMate::Yes(line) => return Err(format!("mate can be reached: {}", numbered(position, &line))),
            CanMate::Undecided => return Err(format!("{MOST_REACHED} positions do not decide it")),
        }
    }
    Ok(())
}
