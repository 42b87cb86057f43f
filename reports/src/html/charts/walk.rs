//! Values over the games of a match: Elo with its error, and the log likelihood ratio of a test with its bounds.

use super::Figure;
use super::scale::{BOTTOM, HEIGHT, LEFT, RIGHT, Scale, Svg, TOP, WIDTH, heights, widths};
use crate::layout::decimals;
use crate::match_data::{Match, MatchTest, WalkPoint};

/// The pictures of a match. Without a finite Elo, or without a test, the picture of it is left out.
pub(in crate::html) fn walks(data: &Match) -> Vec<Figure> {
    [elo(data), llr(data)].into_iter().flatten().map(Figure::bounded).collect()
}

fn elo(data: &Match) -> Option<Figure> {
    let points = &data.walk;
    let last = points.last()?;
    // The band of the first games is so wide that it would flatten the others.
    let settled = points.iter().filter(|point| 8 * point.games >= last.games);
    let mut chart = Chart::new("Elo", last.games, settled.flat_map(band))?;
    let edge = |point: &WalkPoint, index: usize| chart.at(point.games, band(point)[index]);
    let lower = points.iter().map(|point| edge(point, 0));
    let outline: Vec<(f64, f64)> = lower.chain(points.iter().rev().map(|point| edge(point, 1))).collect();
    chart.svg.polygon("band c-new", &outline);
    chart.line("c-new", points.iter().map(|point| (point.games, point.elo)));
    let mut table = vec![["games", "Elo", "lower", "upper"].map(str::to_owned).to_vec()];
    table.extend(points.iter().map(|point| {
        let [lower, upper] = band(point);
        let numbers = [point.elo, lower, upper].map(cell);
        [point.games.to_string()].into_iter().chain(numbers).collect()
    }));
    let caption = format!(
        "The Elo of {} against its opponents after so many games. The band is its 95 % interval.",
        data.first
    );
    Some(Figure { id: "elo".to_owned(), title: "Elo".to_owned(), caption, table, ..chart.figure() })
}

fn llr(data: &Match) -> Option<Figure> {
    let &MatchTest { lower, upper, .. } = data.test.as_ref()?;
    let points: Vec<(u64, f64)> =
        data.walk.iter().filter_map(|point| Some((point.games, point.llr?))).collect();
    let games = points.last()?.0;
    let values = points.iter().map(|point| point.1).chain([lower, upper]);
    let mut chart = Chart::new("LLR", games, values)?;
    chart.line("c-bad", [(0, lower), (games, lower)].into_iter());
    chart.line("c-good", [(0, upper), (games, upper)].into_iter());
    chart.line("c-new", points.iter().copied());
    let mut table = vec![["games", "LLR"].map(str::to_owned).to_vec()];
    table.extend(points.iter().map(|&(games, llr)| vec![games.to_string(), cell(llr)]));
    let legend = [("LLR", "c-new"), ("H0 is accepted", "c-bad"), ("H1 is accepted", "c-good")];
    Some(Figure {
        id: "llr".to_owned(),
        title: "SPRT".to_owned(),
        caption: "The log likelihood ratio (LLR) after so many games, and its bounds.".to_owned(),
        legend: legend.map(|(name, class)| (name.to_owned(), class.to_owned())).to_vec(),
        table,
        ..chart.figure()
    })
}

/// The ends of the interval of a point. Both are infinite if they cannot be estimated: all games so far were won
/// or lost, or all pairs ended alike.
fn band(point: &WalkPoint) -> [f64; 2] {
    let is_known = point.elo.is_finite() && point.error.is_finite() && point.error > 0.0;
    if is_known {
        [point.elo - point.error, point.elo + point.error]
    } else {
        [f64::NEG_INFINITY, f64::INFINITY]
    }
}

/// A value of a table; a dash for one that is not known.
fn cell(value: f64) -> String {
    if value.is_finite() { decimals(value, 2) } else { "–".to_owned() }
}

/// A chart whose lower edge counts games.
struct Chart {
    svg: Svg,
    games: Scale,
    values: Scale,
}

impl Chart {
    /// The frame of a chart that holds those of these values that are finite, and 0; `None` if none is.
    fn new(name: &str, games: u64, values: impl Iterator<Item = f64>) -> Option<Self> {
        let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        if finite.is_empty() {
            return None;
        }
        let least = finite.iter().copied().fold(0.0, f64::min);
        let most = finite.iter().copied().fold(0.0, f64::max);
        let most = if least < most { most } else { 1.0 };
        let mut chart = Self {
            svg: Svg::default(),
            games: Scale::new(games as f64, RIGHT - LEFT),
            values: Scale::between(least, most, BOTTOM - TOP),
        };
        heights(&mut chart.svg, chart.values, name);
        widths(&mut chart.svg, chart.games, "games");
        Some(chart)
    }

    /// The place of a value after so many games.
    fn at(&self, games: u64, value: f64) -> (f64, f64) {
        (LEFT + self.games.at(games as f64), BOTTOM - self.values.at(value))
    }

    fn line(&mut self, class: &str, points: impl Iterator<Item = (u64, f64)>) {
        let points: Vec<(f64, f64)> = points.map(|(games, value)| self.at(games, value)).collect();
        self.svg.polyline(&format!("line {class}"), &points);
    }

    fn figure(self) -> Figure {
        Figure { svg: self.svg.0, size: (WIDTH as u32, HEIGHT as u32), ..Figure::default() }
    }
}
