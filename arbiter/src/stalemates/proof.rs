//! What can be proved of a position where stalemate is near: its answer, as the suite states it.
//!
//! An exhaustive search over shakmaty's moves, of few plies and with no evaluation. It knows mate and stalemate by the
//! rules, and, where it is given them, dead material by the rules and three men by certified tables. It knows no
//! history and no clocks: what it proves is decided within a few plies.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, MoveList, Position, Role};
use suites::stalemates::{ProvedMoves, ProvedValue};

use oracle::table_probe::{TableProbe, Wdl};

/// The longest forced stalemate that is looked for, in plies.
const LONGEST_STALEMATE: u16 = 4;
/// The longest mate that is looked for, in plies.
const LONGEST_MATE: u16 = 5;
/// Positions that one proof may visit.
const MOST_NODES: u64 = 60_000;
/// What the worse side lacks at least, in pawns: of such a position no evaluation says that it is about level.
const CLEAR: i32 = 3;

/// A search for proofs.
pub struct Prover<'a> {
    /// Who knows three men, if more than mate and stalemate is to count.
    truth: Option<&'a dyn TableProbe>,
    nodes: u64,
}

impl<'a> Prover<'a> {
    /// One that knows mate and stalemate alone: what any search of so many plies sees.
    pub fn plain() -> Self {
        Self { truth: None, nodes: 0 }
    }

    /// One that knows dead material and three men, too.
    pub fn with(truth: &'a dyn TableProbe) -> Self {
        Self { truth: Some(truth), nodes: 0 }
    }

    /// Whether the side to move is proved to reach this or better within so many plies.
    pub fn reaches(&mut self, position: &Chess, value: Wdl, plies: u16) -> bool {
        self.nodes = 0;
        self.at_least(position, value, plies)
    }

    /// Whether the side to move is proved to get no more than this within so many plies.
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

    /// What is known without looking further.
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

/// The positions after these moves; those first that leave the fewest replies, for there mate and stalemate are.
fn successors(position: &Chess, moves: &MoveList, plies: u16) -> Vec<Chess> {
    let mut after: Vec<Chess> = moves.iter().map(|&mv| played(position, mv)).collect();
    if plies > 1 {
        after.sort_by_cached_key(|after| after.legal_moves().len());
    }
    after
}

/// The position after a legal move.
pub fn played(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

fn opposite(value: Wdl) -> Wdl {
    match value {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}

/// What is proved of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What it is worth to the side to move.
    pub worth: ProvedValue,
    /// The moves that keep that.
    pub keeping: Vec<Move>,
    /// The moves that give it away.
    pub losing: Vec<Move>,
    /// Number of legal moves.
    pub legal: usize,
    /// The depth in plies from which on it is due.
    pub due: u16,
}

impl Answer {
    /// What the suite says of the moves.
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

/// The answer to a position, if it can be proved, and if a search of the depth at which it is due can be held to it: if
/// the sides are not about level, so that no evaluation sets something else above or below a draw.
pub fn answer(position: &Chess, truth: &dyn TableProbe) -> Option<Answer> {
    let legal = position.legal_moves();
    if legal.is_empty() {
        let answer = Answer { worth: ProvedValue::Draw, keeping: vec![], losing: vec![], legal: 0, due: 1 };
        return (!position.is_check()).then_some(answer);
    }
    let (mut plain, mut full) = (Prover::plain(), Prover::with(truth));
    let behind = is_clearly_behind(position, &legal);
    // Whoever is that far behind seldom mates, and to look for it takes long.
    let longest = if behind { 1 } else { LONGEST_MATE };
    if (0..=longest).any(|plies| full.reaches(position, Wdl::Win, plies)) {
        return won(position, &legal);
    }
    if behind && (0..=LONGEST_MATE + 1).any(|plies| full.concedes(position, Wdl::Loss, plies)) {
        return Some(Answer {
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
    Some(Answer { worth, keeping, losing, legal: legal.len(), due: plies + 1 })
}

/// The moves that keep a draw by stalemate within so many plies, and those that lose.
fn sorted(position: &Chess, legal: &MoveList, plies: u16, truth: &dyn TableProbe) -> (Vec<Move>, Vec<Move>) {
    let (mut plain, mut full) = (Prover::plain(), Prover::with(truth));
    let (mut keeping, mut losing) = (Vec::new(), Vec::new());
    for &mv in legal {
        let after = played(position, mv);
        if plain.concedes(&after, Wdl::Draw, plies.saturating_sub(1)) {
            keeping.push(mv);
        } else if (0..=LONGEST_MATE).any(|plies| full.reaches(&after, Wdl::Win, plies)) {
            losing.push(mv);
        }
    }
    (keeping, losing)
}

/// The shortest proof within the longest, in plies.
fn shortest(longest: u16, mut proves: impl FnMut(u16) -> bool) -> Option<u16> {
    (0..=longest).find(|&plies| proves(plies))
}

/// A win: the moves after which the other side forces stalemate are to be avoided.
fn won(position: &Chess, legal: &MoveList) -> Option<Answer> {
    let mut plain = Prover::plain();
    let mut losing = Vec::new();
    let mut longest = 0;
    for &mv in legal {
        let after = played(position, mv);
        if let Some(plies) = shortest(LONGEST_STALEMATE - 1, |plies| plain.reaches(&after, Wdl::Draw, plies))
        {
            losing.push(mv);
            longest = longest.max(plies + 1);
        }
    }
    // Whoever lacks men and wins by mate alone has to find the mate: that is what the suite of mates asks.
    let clear = lead(position) >= CLEAR || has_pawn_before_promotion(position);
    if !clear {
        return None;
    }
    let due = longest + 1;
    Some(Answer { worth: ProvedValue::Win, keeping: vec![], losing, legal: legal.len(), due })
}

/// Men of a side in pawns.
fn men(position: &Chess, color: Color) -> i32 {
    let counts = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let board = position.board();
    counts
        .iter()
        .map(|&(role, worth)| worth * (board.by_color(color) & board.by_role(role)).count() as i32)
        .sum()
}

/// What the side to move has more than the other, in pawns.
pub(super) fn lead(position: &Chess) -> i32 {
    men(position, position.turn()) - men(position, position.turn().other())
}

/// Whether the side to move lacks a lot, whatever it takes or promotes.
fn is_clearly_behind(position: &Chess, legal: &MoveList) -> bool {
    legal.iter().all(|&mv| lead(&played(position, mv)) >= CLEAR)
}

fn has_pawn_before_promotion(position: &Chess) -> bool {
    position.legal_moves().iter().any(|mv| mv.is_promotion())
}
