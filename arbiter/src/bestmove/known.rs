//! The proved results of the moves of a position: by the rules, by tables and by the mate prover.
//!
//! Most positions of files have no proved result. The suite then judges no move.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};
use suites::Replay;

use crate::adjudicator::{Adjudicator, Distance, opposite};
use crate::findings::RULES;
use oracle::board::{FIFTY_MOVES, after, fen as fen_of};
use oracle::prover::{self, MOST_MOVES, ProverLimits, ProverVerdict};
use oracle::table_probe::Wdl;

const PROVER: &str = "mate prover";

/// The proved result of a move, from the view of the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveResult {
    pub(super) result: Wdl,
    /// The authority.
    pub(super) source: &'static str,
    why: Why,
}

/// Why a move has its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    Tables,
    /// The side to move mates in so many moves.
    Mates(u16),
    /// The opponent mates in so many moves.
    Mated(u16),
}

/// The best proved result for the side to move. The prover names no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BestResult {
    mv: Option<Move>,
    pub(super) of_move: MoveResult,
}

impl BestResult {
    /// The move that has it, in UCI notation, if it is known.
    pub(super) fn move_text(&self) -> Option<String> {
        self.mv.map(|mv| oracle::board::uci_text(mv, shakmaty::CastlingMode::Standard))
    }
}

/// How a move compares with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveGrade {
    /// The comparison is not known, or all moves are equal.
    Unknown,
    /// No move is better, and another one is worse.
    Best,
    /// Another move is better. The field is the result of this move.
    Worse(MoveResult),
}

/// The moves of a position with their proved results.
pub(super) struct KnownMoves<'a> {
    position: &'a Chess,
    limits: ProverLimits,
    moves: Vec<(Move, Option<MoveResult>)>,
    /// The best result; `None` if no win or draw is known.
    best: Option<BestResult>,
}

impl<'a> KnownMoves<'a> {
    /// Looks up and proves the results. Each proof has these limits.
    pub(super) fn new(position: &'a Chess, adjudicator: &Adjudicator, limits: ProverLimits) -> Self {
        let look_up = |mv| (mv, looked_up(&after(position, mv), adjudicator));
        let moves: Vec<(Move, Option<MoveResult>)> =
            position.legal_moves().into_iter().map(look_up).collect();
        let known = moves.iter().filter_map(|&(mv, of_move)| Some((mv, of_move?)));
        let known = known.filter(|(_, of_move)| of_move.result > Wdl::Loss);
        let best = known.max_by_key(|(_, of_move)| of_move.result);
        let best = best.map(|(mv, of_move)| BestResult { mv: Some(mv), of_move });
        let mut known = Self { position, limits, moves, best };
        // If all results are known there is no mate to search.
        let is_open = known.moves.iter().any(|(_, of_move)| of_move.is_none());
        if is_open && best.is_none_or(|best| best.of_move.result < Wdl::Win) {
            let mates = |moves| MoveResult { result: Wdl::Win, source: PROVER, why: Why::Mates(moves) };
            let mate = known.mate(position).map(|moves| BestResult { mv: None, of_move: mates(moves) });
            known.best = mate.or(best);
        }
        known
    }

    /// The best result, if a win or draw is known.
    pub(super) fn best(&self) -> Option<BestResult> {
        self.best
    }

    /// How a move compares with the others.
    pub(super) fn grade(&mut self, mv: Move) -> MoveGrade {
        let Some(best) = self.best.map(|best| best.of_move.result) else {
            return MoveGrade::Unknown;
        };
        match self.result_of(mv) {
            Some(of_move) if of_move.result < best => MoveGrade::Worse(of_move),
            Some(_) if self.is_another_worse(best) && self.is_greatest(best) => MoveGrade::Best,
            _ => MoveGrade::Unknown,
        }
    }

    /// Whether all moves but these are known to be worse than the best.
    pub(super) fn is_only_among(&self, moves: &[Move]) -> bool {
        let Some(best) = self.best else { return false };
        let is_worse = |of_move: &Option<MoveResult>| {
            of_move.is_some_and(|of_move| of_move.result < best.of_move.result)
        };
        self.moves.iter().all(|(mv, of_move)| moves.contains(mv) || is_worse(of_move))
    }

    /// Whether no move can have a better result. If it is a draw, all results have to be known.
    fn is_greatest(&self, best: Wdl) -> bool {
        best == Wdl::Win || self.moves.iter().all(|(_, of_move)| of_move.is_some())
    }

    fn is_another_worse(&self, best: Wdl) -> bool {
        self.moves.iter().any(|(_, of_move)| of_move.is_some_and(|of_move| of_move.result < best))
    }

    /// The result of a move. If it is not known yet, the prover searches for a mate of the opponent.
    fn result_of(&mut self, mv: Move) -> Option<MoveResult> {
        let index = self.moves.iter().position(|(known, _)| *known == mv)?;
        if self.moves[index].1.is_none() {
            let mated = |moves| MoveResult { result: Wdl::Loss, source: PROVER, why: Why::Mated(moves) };
            self.moves[index].1 = self.mate(&after(self.position, mv)).map(mated);
        }
        self.moves[index].1
    }

    /// In how many moves the side to move mates, if the prover finds a mate.
    fn mate(&self, position: &Chess) -> Option<u16> {
        match prover::prove(position, MOST_MOVES.into(), &self.limits).verdict {
            ProverVerdict::Mate { moves, .. } => Some(moves),
            _ => None,
        }
    }

    /// A move and its result, in words.
    pub(super) fn in_words(&self, mv: Move, of_move: MoveResult) -> String {
        of_move.in_words(&san(self.position, mv))
    }

    /// The authorities by which a move is worse than the best.
    pub(super) fn sources(&self, of_move: MoveResult) -> String {
        match self.best.map(|best| best.of_move.source) {
            Some(source) if source != of_move.source => format!("{} and {source}", of_move.source),
            _ => of_move.source.to_owned(),
        }
    }

    /// The command that shows that a move is worse.
    pub(super) fn replay(&self, mv: Move, of_move: MoveResult) -> Replay {
        of_move.replay(&after(self.position, mv)).unwrap_or_else(|| self.replay_of_best())
    }

    /// The command that shows the best result.
    pub(super) fn replay_of_best(&self) -> Replay {
        let shown = self.best.and_then(|best| best.of_move.replay(self.position));
        shown.unwrap_or_else(|| prove(self.position, 1))
    }

    /// The best result, in words.
    pub(super) fn best_in_words(&self, best: BestResult) -> String {
        let san = best.mv.map(|mv| san(self.position, mv)).unwrap_or_default();
        if best.of_move.result == Wdl::Draw { format!("{san} draws") } else { best.of_move.in_words(&san) }
    }
}

impl MoveResult {
    /// The result of the move of this notation, in words.
    fn in_words(self, san: &str) -> String {
        let why = match self.why {
            Why::Checkmate => return format!("{san} is checkmate"),
            Why::Stalemate => return format!("{san} is stalemate"),
            Why::Mates(moves) => return format!("mate in {moves} is forced"),
            Why::Mated(moves) => return format!("after {san} the opponent mates in {moves}"),
            Why::InsufficientMaterial => ", since neither side has enough material to mate",
            Why::FiftyMoves => " by the fifty-move rule",
            Why::Tables => "",
        };
        match self.result {
            Wdl::Win => format!("{san} wins{why}"),
            Wdl::Draw => format!("after {san} the game is drawn{why}"),
            Wdl::Loss => format!("{san} loses{why}"),
        }
    }

    /// The command that shows it in this position. `None` for a result by the rules.
    fn replay(self, position: &Chess) -> Option<Replay> {
        match self.why {
            Why::Mates(moves) | Why::Mated(moves) => Some(prove(position, moves)),
            Why::Tables => Some(Replay::touchstone(format_args!("tables probe \"{}\"", fen_of(position)))),
            Why::Checkmate | Why::Stalemate | Why::InsufficientMaterial | Why::FiftyMoves => None,
        }
    }
}

/// The command that proves a mate.
fn prove(position: &Chess, moves: u16) -> Replay {
    Replay::touchstone(format_args!("prove \"{}\" --mate {moves}", fen_of(position)))
}

/// A move in standard notation.
pub(super) fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

/// The result of a position by the rules or tables, from the view of the side that has just moved.
fn looked_up(position: &Chess, adjudicator: &Adjudicator) -> Option<MoveResult> {
    let by_rules = |result, why| Some(MoveResult { result, source: RULES, why });
    if position.is_checkmate() {
        return by_rules(Wdl::Win, Why::Checkmate);
    }
    if position.is_stalemate() {
        return by_rules(Wdl::Draw, Why::Stalemate);
    }
    if position.is_insufficient_material() {
        return by_rules(Wdl::Draw, Why::InsufficientMaterial);
    }
    if position.halfmoves() >= FIFTY_MOVES {
        return by_rules(Wdl::Draw, Why::FiftyMoves);
    }
    let is_in_tables = position.castles().is_empty() && position.legal_ep_square().is_none();
    let adjudication = is_in_tables.then(|| adjudicator.adjudicate(position))??;
    let plies = match adjudication.distance {
        Distance::Mate(plies) => plies,
        Distance::Zeroing(plies) => plies + 1,
    };
    // Tables ignore the halfmove clock: the win counts only if it comes in time.
    if adjudication.wdl != Wdl::Draw && position.halfmoves() + plies > FIFTY_MOVES {
        return None;
    }
    Some(MoveResult { result: opposite(adjudication.wdl), source: adjudication.source, why: Why::Tables })
}
