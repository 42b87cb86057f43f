//! A match as a page: who is stronger, the walk of Elo and of the test, standings, cross table, ends, openings,
//! and what was found in the games.

use std::cmp::{Ordering, Reverse};

use serde::Serialize;

use super::charts::{Figure, walks};
use super::finding::short;
use super::groups::{self, GroupsView, Rows};
use super::{PIECES, SCRIPT, STYLE, THEME, Transcripts, rendered};
use crate::layout::{decimals, grouped};
use crate::match_data::{Match, MatchEngine, MatchScore, MatchTest, OpeningScore, Strength};

/// The most engines of the cross table, whose size grows by their square.
const MOST_CROSSED: usize = 24;
/// The most rows of any other table.
const MOST_ROWS: usize = 50;
/// The most settings.
const MOST_SETTINGS: usize = 200;
/// With fewer pairs the 95 % interval of Elo is too rough for a verdict.
const LEAST_PAIRS: u64 = 30;
/// The likelihood of superiority from which an engine is called stronger: the 95 % interval is above 0 then.
const IS_STRONGER: f64 = 0.975;

/// The page of a match. The same data gives the same bytes, and their number is bounded.
///
/// # Panics
/// Never: the templates are part of the program, and a test renders them.
pub fn match_document(data: &Match) -> Vec<u8> {
    let settings = data.settings.iter().take(MOST_SETTINGS);
    let mut rows = Rows::default();
    let found = data.findings.as_ref().map(groups::of_match);
    let findings =
        found.map(|groups| GroupsView::new("findings", &groups, &mut rows, &Transcripts::default()));
    let page = Page {
        title: title(data),
        verdict: verdict(data),
        strength: pair(data).and_then(|[first, _]| strength_line(first)),
        llr: data.test.as_ref().map(test_line),
        played: format!("{} of {} games", grouped(data.games), grouped(data.scheduled)),
        figures: walks(data),
        sections: sections(data),
        findings,
        rows: rows.document(),
        facts: settings.map(|(name, value)| (short(name), short(value))).collect(),
        style: STYLE,
        theme: THEME,
        script: SCRIPT,
        pieces: PIECES,
    };
    rendered("match.html", &page)
}

/// What the template shows.
#[derive(Serialize)]
struct Page {
    title: String,
    verdict: Verdict,
    /// Elo and the rest of the first engine against the second one.
    strength: Option<String>,
    /// The state of the test.
    llr: Option<String>,
    played: String,
    figures: Vec<Figure>,
    sections: Vec<Section>,
    /// `None` if the games were not judged yet.
    findings: Option<GroupsView>,
    /// The findings that the script shows.
    rows: String,
    facts: Vec<(String, String)>,
    style: &'static str,
    theme: &'static str,
    script: &'static str,
    pieces: &'static str,
}

/// Who is stronger.
#[derive(Serialize)]
struct Verdict {
    /// `right` if the first engine is stronger, `wrong` if it is weaker, `even` if neither is known.
    class: &'static str,
    line: String,
}

/// A part of the page with a table.
#[derive(Serialize)]
struct Section {
    id: &'static str,
    title: &'static str,
    /// How the table is read; empty if it needs no word.
    note: String,
    /// The first row is the header.
    table: Vec<Vec<String>>,
    /// How many rows are left out.
    more: u64,
}

/// The first engine and its opponent, if only two play.
fn pair(data: &Match) -> Option<[&MatchEngine; 2]> {
    match &data.engines[..] {
        [one, other] if other.name == data.first => Some([other, one]),
        [one, other] => Some([one, other]),
        _ => None,
    }
}

fn title(data: &Match) -> String {
    match pair(data) {
        Some([first, second]) => short(&format!("{} against {}", first.name, second.name)),
        None => format!("A tournament of {} engines", data.engines.len()),
    }
}

fn verdict(data: &Match) -> Verdict {
    let Some([first, second]) = pair(data) else {
        let best = data.engines.first().cloned().unwrap_or_default();
        let (points, games) = (best.score.points(), grouped(best.score.games()));
        return Verdict {
            class: "even",
            line: format!("{} is first: {points} of {games} points", short(&best.name)),
        };
    };
    let (one, other) = (short(&first.name), short(&second.name));
    let is_infinite = first.strength.is_some_and(|strength| strength.elo.is_infinite());
    let shown = |word: &str| match without_numbers(first).filter(|_| is_infinite) {
        Some(words) => format!("{one} {words}"),
        None => format!("{one} is {word} than {other}"),
    };
    let (class, line) = match (data.test.as_ref().map(|test| test.result.as_str()), sign(first)) {
        (Some("H1"), _) => ("right", format!("SPRT: H1 is accepted for {one} against {other}")),
        (Some("H0"), _) => ("wrong", format!("SPRT: H0 is accepted for {one} against {other}")),
        // The interval holds for one look, and the test looks after each pair.
        (None, Ordering::Greater) => ("right", shown("stronger")),
        (None, Ordering::Less) => ("wrong", shown("weaker")),
        _ => ("even", format!("The games do not show whether {one} or {other} is stronger")),
    };
    Verdict { class, line }
}

/// Whether an engine is stronger or weaker than its opponents with 95 % confidence; `Equal` if the games do not
/// show it.
fn sign(engine: &MatchEngine) -> Ordering {
    match engine.strength {
        Some(Strength { elo, .. }) if engine.pair_count() >= LEAST_PAIRS && elo.is_infinite() => {
            elo.total_cmp(&0.0)
        }
        Some(Strength { elo_error, superiority, .. })
            if engine.pair_count() >= LEAST_PAIRS && elo_error > 0.0 =>
        {
            if superiority > IS_STRONGER {
                Ordering::Greater
            } else if superiority < 1.0 - IS_STRONGER {
                Ordering::Less
            } else {
                Ordering::Equal
            }
        }
        _ => Ordering::Equal,
    }
}

/// What is said in place of the strength of an engine if it cannot be estimated.
fn without_numbers(engine: &MatchEngine) -> Option<String> {
    engine.strength?.without_numbers(2 * engine.pair_count())
}

fn strength_line(engine: &MatchEngine) -> Option<String> {
    let Strength { elo, elo_error, normalized, normalized_error, superiority } = engine.strength?;
    let numbers = || {
        format!(
            "Elo {} ± {elo_error:.2}, nElo {} ± {normalized_error:.2}, LOS {:.2} %",
            signed(elo),
            signed(normalized),
            100.0 * superiority
        )
    };
    Some(without_numbers(engine).unwrap_or_else(numbers))
}

fn test_line(test: &MatchTest) -> String {
    let MatchTest { llr, lower, upper, result } = test;
    format!("SPRT: LLR {} ({lower:.2}, {upper:.2}): {result}", decimals(*llr, 2))
}

/// A difference with its sign.
fn signed(value: f64) -> String {
    let text = decimals(value, 2);
    if value > 0.0 && text.contains(|letter| "123456789".contains(letter)) {
        format!("+{text}")
    } else {
        text
    }
}

fn sections(data: &Match) -> Vec<Section> {
    let crossed = data.engines.len().min(MOST_CROSSED);
    let left_out = (data.engines.len() - crossed) as u64;
    let first = short(&data.first);
    let all = [
        section(
            "standings",
            "Standings",
            "Elo is against all opponents, with its 95 % interval.",
            standings(data),
            0,
        ),
        Section {
            more: left_out,
            ..section("cross", "Cross table", "Points of the engine of the row.", cross(data, crossed), 0)
        },
        section("ends", "How games ended", "", ends(data), 0),
        section(
            "openings",
            "Openings",
            &format!("Those from which {first} lost the most come first. Scores are won, drawn, lost."),
            openings(data, &first),
            0,
        ),
    ];
    all.into_iter().filter(|section| section.table.len() > 1).collect()
}

/// A part whose table has at most [`MOST_ROWS`] rows; `more` rows are not in it.
fn section(
    id: &'static str,
    title: &'static str,
    note: &str,
    mut table: Vec<Vec<String>>,
    more: u64,
) -> Section {
    let cut = table.len().saturating_sub(MOST_ROWS + 1);
    table.truncate(MOST_ROWS + 1);
    Section { id, title, note: note.to_owned(), table, more: more + cut as u64 }
}

fn header<const N: usize>(names: [&str; N]) -> Vec<Vec<String>> {
    vec![names.map(str::to_owned).to_vec()]
}

fn standings(data: &Match) -> Vec<Vec<String>> {
    let mut table =
        header(["engine", "games", "won", "drawn", "lost", "points", "Elo", "pairs LL LD DD WD WW"]);
    table.extend(data.engines.iter().map(|engine| {
        let MatchEngine { name, score, pairs, strength } = engine;
        let numbers =
            || strength.map(|Strength { elo, elo_error, .. }| format!("{} ± {elo_error:.2}", signed(elo)));
        let counts = [score.games(), score.wins, score.draws, score.losses].map(grouped);
        let rest = [
            score.points().to_string(),
            without_numbers(engine).or_else(numbers).unwrap_or_default(),
            pairs.map(|count| count.to_string()).join(" "),
        ];
        [short(name)].into_iter().chain(counts).chain(rest).collect()
    }));
    table
}

fn cross(data: &Match, crossed: usize) -> Vec<Vec<String>> {
    let names: Vec<String> = data.engines.iter().take(crossed).map(|engine| short(&engine.name)).collect();
    let cell = |score: &Option<MatchScore>| {
        score.map(|score| format!("{} of {}", score.points(), score.games())).unwrap_or_default()
    };
    let mut table = vec![["engine".to_owned()].into_iter().chain(names.iter().cloned()).collect()];
    for (name, row) in names.iter().zip(&data.cross) {
        table.push([name.clone()].into_iter().chain(row.iter().take(crossed).map(cell)).collect());
    }
    table
}

fn ends(data: &Match) -> Vec<Vec<String>> {
    let mut ends: Vec<&(String, u64)> = data.ends.iter().collect();
    ends.sort_by_key(|(kind, games)| (Reverse(*games), kind.as_str()));
    let mut table = header(["end", "games", "share"]);
    table.extend(ends.iter().map(|(kind, games)| {
        let share = 100.0 * *games as f64 / data.games.max(1) as f64;
        vec![short(kind), grouped(*games), format!("{share:.1} %")]
    }));
    table
}

fn openings(data: &Match, first: &str) -> Vec<Vec<String>> {
    let mut openings: Vec<&OpeningScore> = data.openings.iter().collect();
    // By how far the first engine is below or above half of the points.
    let surplus = |score: MatchScore| score.wins as i64 - score.losses as i64;
    openings.sort_by_key(|opening| (surplus(opening.first), opening.opening.as_str()));
    let shown = |score: MatchScore| format!("{}, {}, {}", score.wins, score.draws, score.losses);
    let mut table = header(["opening", "games", first, "White"]);
    table.extend(openings.iter().map(|opening| {
        let OpeningScore { opening, white, first } = opening;
        vec![short(opening), grouped(white.games()), shown(*first), shown(*white)]
    }));
    table
}
