//! What is known for certain of the moves of a position: by the rules on the board, by tables, by the prover.
//!
//! Most positions of files are none of which anything is known: then nothing is said of their moves.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};
use suites::Replay;

use crate::adjudicator::{Adjudicator, Distance};
use oracle::board::fen as fen_of;
use oracle::prover::{self, MOST_MOVES, ProverLimits, ProverVerdict};
use oracle::table_probe::Wdl;

/// Plies without capture or move of a pawn after which the game is drawn.
const FIFTY_MOVES: u32 = 100;
const RULES: &str = "shakmaty";
const PROVER: &str = "mate prover";

/// What a move leads to, from the view of the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) result: Wdl,
    /// Who says so.
    pub(super) source: &'static str,
    why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Checkmate,
    Stalemate,
    Dead,
    FiftyMoves,
    Tables,
    /// The opponent mates in so many moves.
    Mated(u16),
}

/// The best that there is for the side to move, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Best {
    /// By a move.
    Move(Move, Told),
    /// Mate in so many moves, by the prover.
    Mate(u16),
}

impl Best {
    pub(super) fn result(&self) -> Wdl {
        match self {
            Self::Move(_, told) => told.result,
            Self::Mate(_) => Wdl::Win,
        }
    }

    /// Who says so.
    pub(super) fn source(&self) -> &'static str {
        match self {
            Self::Move(_, told) => told.source,
            Self::Mate(_) => PROVER,
        }
    }
}

/// What became of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Nobody can tell, or every move does as well.
    Unknown,
    /// No move is better, and another one is worse.
    Yes,
    /// Another one is better.
    No(Told),
}

/// The moves of a position, and what is known of them.
pub(super) struct Known<'a> {
    position: &'a Chess,
    limits: ProverLimits,
    moves: Vec<(Move, Option<Told>)>,
    /// The best; `None` if nothing is known, or nothing but losses.
    best: Option<Best>,
}

impl<'a> Known<'a> {
    /// Finds out what there is to know, with at most so much work of the prover for each question.
    pub(super) fn of(position: &'a Chess, judge: &Adjudicator, limits: ProverLimits) -> Self {
        let moves: Vec<(Move, Option<Told>)> =
            position.legal_moves().into_iter().map(|mv| (mv, at_once(&after(position, mv), judge))).collect();
        let known = moves.iter().filter_map(|&(mv, told)| Some((mv, told?)));
        let best = known.filter(|(_, told)| told.result > Wdl::Loss).max_by_key(|(_, told)| told.result);
        let best = best.map(|(mv, told)| Best::Move(mv, told));
        let mut known = Self { position, limits, moves, best };
        // Where all is known there is no mate to look for.
        let is_open = known.moves.iter().any(|(_, told)| told.is_none());
        if is_open && best.is_none_or(|best| best.result() < Wdl::Win) {
            known.best = known.mate(position).map(Best::Mate).or(best);
        }
        known
    }

    /// The best that is known.
    pub(super) fn best(&self) -> Option<Best> {
        self.best
    }

    /// Whether a move keeps the best.
    pub(super) fn keeps(&mut self, mv: Move) -> Kept {
        let Some(best) = self.best.map(|best| best.result()) else { return Kept::Unknown };
        match self.told(mv) {
            Some(told) if told.result < best => Kept::No(told),
            Some(_) if self.is_another_worse(best) && self.is_greatest(best) => Kept::Yes,
            _ => Kept::Unknown,
        }
    }

    /// Whether all moves but these are known to be worse than the best.
    pub(super) fn is_only_among(&self, moves: &[Move]) -> bool {
        let is_worse =
            |told: &Option<Told>| told.zip(self.best).is_some_and(|(told, best)| told.result < best.result());
        self.best.is_some() && self.moves.iter().all(|(mv, told)| moves.contains(mv) || is_worse(told))
    }

    /// Whether no move can be better: what is known of a draw says nothing of moves of which nothing is known.
    fn is_greatest(&self, best: Wdl) -> bool {
        best == Wdl::Win || self.moves.iter().all(|(_, told)| told.is_some())
    }

    fn is_another_worse(&self, best: Wdl) -> bool {
        self.moves.iter().any(|(_, told)| told.is_some_and(|told| told.result < best))
    }

    /// What a move leads to: what is not known is put to the prover, who may find that the opponent mates.
    fn told(&mut self, mv: Move) -> Option<Told> {
        let place = self.moves.iter().position(|(known, _)| *known == mv)?;
        if self.moves[place].1.is_none() {
            let mates = self.mate(&after(self.position, mv));
            let told = mates.map(|moves| Told { result: Wdl::Loss, source: PROVER, why: Why::Mated(moves) });
            self.moves[place].1 = told;
        }
        self.moves[place].1
    }

    /// In how many moves the side to move mates, if that is found out.
    fn mate(&self, position: &Chess) -> Option<u16> {
        match prover::prove(position, MOST_MOVES.into(), &self.limits).verdict {
            ProverVerdict::Mate { moves, .. } => Some(moves),
            _ => None,
        }
    }

    /// A move in words, and what it leads to.
    pub(super) fn words(&self, mv: Move, told: Told) -> String {
        let san = san(self.position, mv);
        let why = match told.why {
            Why::Checkmate => return format!("{san} is checkmate"),
            Why::Stalemate => return format!("{san} is stalemate"),
            Why::Mated(moves) => return format!("after {san} the opponent mates in {moves}"),
            Why::Dead => ", since nobody can mate with what is left",
            Why::FiftyMoves => " by the fifty-move rule",
            Why::Tables => "",
        };
        match told.result {
            Wdl::Win => format!("{san} wins{why}"),
            Wdl::Draw => format!("after {san} the game is drawn{why}"),
            Wdl::Loss => format!("{san} loses{why}"),
        }
    }

    /// Who says that a move is worse than the best.
    pub(super) fn sources(&self, told: Told) -> String {
        match self.best.map(|best| best.source()) {
            Some(source) if source != told.source => format!("{} and {source}", told.source),
            _ => told.source.to_owned(),
        }
    }

    /// The command that shows that a move is worse.
    pub(super) fn replay(&self, mv: Move, told: Told) -> Replay {
        let fen = fen_of(&after(self.position, mv));
        match told.why {
            Why::Mated(moves) => Replay::touchstone(format_args!("prove \"{fen}\" --mate {moves}")),
            Why::Tables => Replay::touchstone(format_args!("tables probe \"{fen}\"")),
            Why::Checkmate | Why::Stalemate | Why::Dead | Why::FiftyMoves => self.replay_of_best(),
        }
    }

    /// The command that shows what the best is.
    pub(super) fn replay_of_best(&self) -> Replay {
        let fen = fen_of(self.position);
        match self.best {
            Some(Best::Mate(moves)) => Replay::touchstone(format_args!("prove \"{fen}\" --mate {moves}")),
            Some(Best::Move(_, Told { why: Why::Tables, .. })) => {
                Replay::touchstone(format_args!("tables probe \"{fen}\""))
            }
            _ => Replay::touchstone(format_args!("prove \"{fen}\" --mate 1")),
        }
    }

    /// The best in words.
    pub(super) fn best_in_words(&self, best: Best) -> String {
        match best {
            Best::Move(mv, told) if told.result == Wdl::Draw => format!("{} draws", san(self.position, mv)),
            Best::Move(mv, told) => self.words(mv, told),
            Best::Mate(moves) => format!("mate in {moves} is forced"),
        }
    }
}

/// A move in standard notation.
pub(super) fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

/// The position after a legal move.
pub(super) fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// What the board and the tables say of a position, from the view of the side that has just moved.
fn at_once(position: &Chess, judge: &Adjudicator) -> Option<Told> {
    let by_rules = |result, why| Some(Told { result, source: RULES, why });
    if position.is_checkmate() {
        return by_rules(Wdl::Win, Why::Checkmate);
    }
    if position.is_stalemate() {
        return by_rules(Wdl::Draw, Why::Stalemate);
    }
    if position.is_insufficient_material() {
        return by_rules(Wdl::Draw, Why::Dead);
    }
    if position.halfmoves() >= FIFTY_MOVES {
        return by_rules(Wdl::Draw, Why::FiftyMoves);
    }
    let is_in_tables = position.castles().is_empty() && position.legal_ep_square().is_none();
    let worth = is_in_tables.then(|| judge.adjudicate(position))??;
    let plies = match worth.distance {
        Distance::Mate(plies) => plies,
        Distance::Zeroing(plies) => plies + 1,
    };
    let result = match worth.wdl {
        Wdl::Draw => Wdl::Draw,
        // Tables know no clock: it must not run out on the way.
        _ if position.halfmoves() + plies > FIFTY_MOVES => return None,
        Wdl::Win => Wdl::Loss,
        Wdl::Loss => Wdl::Win,
    };
    Some(Told { result, source: worth.source, why: Why::Tables })
}
