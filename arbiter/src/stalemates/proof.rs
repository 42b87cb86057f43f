//! Proves the answers to positions in which stalemate is near.
//!
//! The proof is an exhaustive search of a few plies over shakmaty's moves, without evaluation. It knows mate
//! and stalemate; with certified tables also insufficient material and positions of three men. It ignores the
//! history of the game and the halfmove clock, which cannot matter within a few plies.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, MoveList, Position, Role};
use suites::stalemates::{ProvedMoves, ProvedValue};

use crate::adjudicator::opposite;
use oracle::board::after;
use oracle::table_probe::{TableProbe, Wdl};

/// The longest forced stalemate that is searched, in plies.
const LONGEST_STALEMATE: u16 = 4;
/// The longest mate that is searched, in plies.
const LONGEST_MATE: u16 = 5;
/// The most positions that one proof visits.
const MOST_NODES: u64 = 60_000;
/// The least difference in material, in pawns, with which no evaluation calls a position about level.
const CLEAR: i32 = 3;

/// A search for proofs.
pub struct StalemateProver<'a> {
    /// Tables of three men, if more than mate and stalemate counts.
    truth: Option<&'a dyn TableProbe>,
    nodes: u64,
}

impl<'a> StalemateProver<'a> {
    /// A search that knows mate and stalemate alone.
    pub fn plain() -> Self {
        Self { truth: None, nodes: 0 }
    }

    /// A search that also knows insufficient material and positions of three men.
    pub fn with(truth: &'a dyn TableProbe) -> Self {
        Self { truth: Some(truth), nodes: 0 }
    }

    /// Whether the side to move can force this result or a better one within so many plies.
    pub fn reaches(&mut self, position: &Chess, value: Wdl, plies: u16) -> bool {
        self.nodes = 0;
        self.at_least(position, value, plies)
    }

    /// Whether the other side can force, within so many plies, that the side to move gets no more than this.
    pub fn concedes(&mut self, position: &Chess, value: Wdl, plies: u16) -> bool {
        self.nodes = 0;
        self.at_most(position, value, plies)
    }

    fn at_least(&mut self, position: &Chess, value: Wdl, plies: u16) -> bool {
        let moves = position.legal_moves();
        match self.known(position, &moves) {
            Some(known) => known >= value,
            None if plies == 0 || self.nodes > MOST_NODES => false,
            None => successors(position, &moves, plies)
                .iter()
                .any(|after| self.at_most(after, opposite(value), plies - 1)),
        }
    }

    fn at_most(&mut self, position: &Chess, value: Wdl, plies: u16) -> bool {
        let moves = position.legal_moves();
        match self.known(position, &moves) {
            Some(known) => known <= value,
            None if plies == 0 || self.nodes > MOST_NODES => false,
            None => successors(position, &moves, plies)
                .iter()
                .all(|after| self.at_least(after, opposite(value), plies - 1)),
        }
    }

    /// The result that is known without further search.
    fn known(&mut self, position: &Chess, moves: &MoveList) -> Option<Wdl> {
        self.nodes += 1;
        if moves.is_empty() {
            return Some(if position.is_check() { Wdl::Loss } else { Wdl::Draw });
        }
        let truth = self.truth?;
        if position.is_insufficient_material() {
            return Some(Wdl::Draw);
        }
        let three = position.board().occupied().count() <= 3;
        three.then(|| truth.probe(position.board(), position.turn()).ok())?.map(|claim| claim.wdl)
    }
}

/// The positions after these moves. Those with the fewest replies come first, since they are nearest to mate
/// and stalemate.
fn successors(position: &Chess, moves: &MoveList, plies: u16) -> Vec<Chess> {
    let mut positions: Vec<Chess> = moves.iter().map(|&mv| after(position, mv)).collect();
    if plies > 1 {
        positions.sort_by_cached_key(|position| position.legal_moves().len());
    }
    positions
}

/// The proved answer to a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedAnswer {
    /// The result for the side to move.
    pub worth: ProvedValue,
    /// The moves that keep it.
    pub keeping: Vec<Move>,
    /// The moves that give it away.
    pub losing: Vec<Move>,
    /// How many legal moves there are.
    pub legal: usize,
    /// The depth in plies from which on it is demanded.
    pub due: u16,
}

impl ProvedAnswer {
    /// The moves as the suite states them.
    pub fn moves(&self, position: &Chess) -> ProvedMoves {
        let san = |moves: &[Move]| {
            moves.iter().map(|&mv| SanPlus::from_move(position.clone(), mv).to_string()).collect()
        };
        let complete = self.keeping.len() + self.losing.len() == self.legal;
        match (&self.keeping[..], &self.losing[..]) {
            (_, []) => ProvedMoves::Any,
            (keeping, _) if complete && !keeping.is_empty() => ProvedMoves::Best(san(keeping)),
            (_, losing) => ProvedMoves::Avoid(san(losing)),
        }
    }
}

/// The proved answer to a position. `None` if it cannot be proved, or if material is about level, so that an
/// evaluation at the depth at which it is due could score it as better or worse than a draw.
pub fn answer(position: &Chess, truth: &dyn TableProbe) -> Option<ProvedAnswer> {
    let legal = position.legal_moves();
    if legal.is_empty() {
        let answer =
            ProvedAnswer { worth: ProvedValue::Draw, keeping: vec![], losing: vec![], legal: 0, due: 1 };
        return (!position.is_check()).then_some(answer);
    }
    let (mut plain, mut full) = (StalemateProver::plain(), StalemateProver::with(truth));
    let behind = is_clearly_behind(position, &legal);
    // A side that is far behind seldom mates, and the search for a mate takes long.
    let longest = if behind { 1 } else { LONGEST_MATE };
    if (0..=longest).any(|plies| full.reaches(position, Wdl::Win, plies)) {
        return won(position, &legal);
    }
    if behind && (0..=LONGEST_MATE + 1).any(|plies| full.concedes(position, Wdl::Loss, plies)) {
        return Some(ProvedAnswer {
            worth: ProvedValue::Loss,
            keeping: vec![],
            losing: vec![],
            legal: legal.len(),
            due: 1,
        });
    }
    let low = shortest(LONGEST_STALEMATE, |plies| plain.reaches(position, Wdl::Draw, plies));
    let high = shortest(LONGEST_STALEMATE, |plies| plain.concedes(position, Wdl::Draw, plies));
    let (worth, plies) = match (low, high) {
        (Some(low), Some(high)) => (ProvedValue::Draw, low.max(high)),
        (None, Some(high)) => (ProvedValue::DrawOrWorse, high),
        (Some(low), None) if behind => {
            let no_more = (0..=LONGEST_MATE + 1).any(|plies| full.concedes(position, Wdl::Draw, plies));
            (if no_more { ProvedValue::Draw } else { ProvedValue::DrawOrBetter }, low)
        }
        _ => return None,
    };
    let (keeping, losing) =
        if low.is_some() { sorted(position, &legal, plies, truth) } else { (vec![], vec![]) };
    Some(ProvedAnswer { worth, keeping, losing, legal: legal.len(), due: plies + 1 })
}

/// The moves that force stalemate within so many plies, and those that lose.
fn sorted(position: &Chess, legal: &MoveList, plies: u16, truth: &dyn TableProbe) -> (Vec<Move>, Vec<Move>) {
    let (mut plain, mut full) = (StalemateProver::plain(), StalemateProver::with(truth));
    let (mut keeping, mut losing) = (Vec::new(), Vec::new());
    for &mv in legal {
        let after = after(position, mv);
        if plain.concedes(&after, Wdl::Draw, plies.saturating_sub(1)) {
            keeping.push(mv);
        } else if (0..=LONGEST_MATE).any(|plies| full.reaches(&after, Wdl::Win, plies)) {
            losing.push(mv);
        }
    }
    (keeping, losing)
}

/// The fewest plies up to `longest` that prove something.
fn shortest(longest: u16, mut proves: impl FnMut(u16) -> bool) -> Option<u16> {
    (0..=longest).find(|&plies| proves(plies))
}

/// The answer to a won position. The moves after which the other side forces stalemate are losing.
fn won(position: &Chess, legal: &MoveList) -> Option<ProvedAnswer> {
    let mut plain = StalemateProver::plain();
    let mut losing = Vec::new();
    let mut longest = 0;
    for &mv in legal {
        let after = after(position, mv);
        if let Some(plies) = shortest(LONGEST_STALEMATE - 1, |plies| plain.reaches(&after, Wdl::Draw, plies))
        {
            losing.push(mv);
            longest = longest.max(plies + 1);
        }
    }
    // A win by mate alone of a side with less material belongs in the suite `mates`.
    let clear = lead(position) >= CLEAR || has_pawn_before_promotion(position);
    if !clear {
        return None;
    }
    let due = longest + 1;
    Some(ProvedAnswer { worth: ProvedValue::Win, keeping: vec![], losing, legal: legal.len(), due })
}

/// The material of a side, in pawns.
fn material(position: &Chess, color: Color) -> i32 {
    let counts = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let board = position.board();
    counts
        .iter()
        .map(|&(role, worth)| worth * (board.by_color(color) & board.by_role(role)).count() as i32)
        .sum()
}

/// How much more material the side to move has than the other, in pawns.
pub(super) fn lead(position: &Chess) -> i32 {
    material(position, position.turn()) - material(position, position.turn().other())
}

/// Whether the side to move is behind in material after each of its moves.
fn is_clearly_behind(position: &Chess, legal: &MoveList) -> bool {
    legal.iter().all(|&mv| lead(&after(position, mv)) >= CLEAR)
}

fn has_pawn_before_promotion(position: &Chess) -> bool {
    position.legal_moves().iter().any(|mv| mv.is_promotion())
}
