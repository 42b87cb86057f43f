//! Endings with known results: positions of tables of three and four men, as many won as drawn as lost.

use std::collections::BTreeSet;

use engine::Position;
use engine::tables::{TableSet, Wdl, builders};
use oracle::positions::{Men, Placement};
use shakmaty::{Color, Position as _};

use super::Random;

/// The endings. In each of them either side to move can win, draw and lose.
const ENDINGS: [&str; 15] = [
    "KPvK", "KQvKP", "KRvKP", "KBvKP", "KNvKP", "KPvKP", "KQvKR", "KRvKB", "KRvKN", "KBNvK", "KPPvK",
    "KBPvK", "KNPvK", "KRvKR", "KQvKQ",
];
/// How many positions of an ending have each result.
const OF_EACH: usize = 6;
/// The fewest plies to mate of a decided position, so that it is no puzzle of a few moves.
const SHORTEST: u16 = 10;
/// The most placements that are tried for a result.
const MOST_TRIES: usize = 10_000_000;

/// The lines of the book.
pub(crate) fn lines() -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let materials = ENDINGS.map(str::parse).into_iter().collect::<Result<Vec<_>, _>>()?;
    let tables = builders::production(&materials)?;
    let mut random = Random::new(39);
    let mut lines = vec![
        "# Endings of three and four men: of each one as many positions are won as drawn as lost for the side to move.".to_owned(),
        format!("# Built by arbiter/examples/build_openings from our tables. Decided ones are {SHORTEST} plies or more from mate."),
    ];
    for ending in ENDINGS {
        let men: Men = ending.parse()?;
        for (wdl, result) in [(Wdl::Win, "win"), (Wdl::Draw, "draw"), (Wdl::Loss, "loss")] {
            let found = positions(&tables, &men, wdl, &mut random)?;
            lines.extend(found.into_iter().map(|epd| format!("{epd} result \"{result}\";")));
        }
    }
    Ok(lines)
}

/// Positions with this result, as the four fields of EPD.
fn positions(
    tables: &TableSet,
    men: &Men,
    wanted: Wdl,
    random: &mut Random,
) -> Result<BTreeSet<String>, Box<dyn std::error::Error>> {
    let mut found = BTreeSet::new();
    for _ in 0..MOST_TRIES {
        if found.len() == OF_EACH {
            return Ok(found);
        }
        let turn = if random.below(2) == 0 { Color::White } else { Color::Black };
        let Some(mut placement) = Placement::numbered(men, random.below(men.numbers()), turn) else {
            continue;
        };
        if random.below(2) == 0 {
            placement = placement.with_colors_exchanged();
        }
        let Some(position) = &placement.legal else { continue };
        let moves = position.legal_moves();
        if moves.is_empty() || moves.iter().any(|mv| mv.is_capture()) {
            continue;
        }
        let fen = placement.fen();
        let probe = tables.probe_of(&Position::from_fen(&fen)?)?;
        if probe.wdl() == wanted && probe.dtm.is_none_or(|dtm| dtm.plies() >= SHORTEST) {
            found.insert(fen.split(' ').take(4).collect::<Vec<_>>().join(" "));
        }
    }
    Err(format!("too few positions of {} are {wanted:?}", men.name()).into())
}
