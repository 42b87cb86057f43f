//! Pictures of a run as SVG, each with its figures as a table.

mod announcements;
mod bars;
mod conversion;
mod distances;
mod lines;
mod perft;
mod scale;
mod squares;
mod trend;
mod walk;

use serde::Serialize;

pub(super) use trend::trend;
pub(super) use walk::walks;

use super::Named;
use super::finding::short;
use bars::Bars;

/// A picture, with the figures that it shows.
#[derive(Debug, Default, Serialize)]
pub(super) struct Figure {
    id: String,
    title: String,
    /// One sentence: what is shown, and how it is read.
    caption: String,
    /// Names and classes of the colours.
    legend: Vec<(String, String)>,
    /// The parts of the drawing; empty if the table says all.
    svg: String,
    /// Width and height of the drawing.
    size: (u32, u32),
    /// The first row is the header.
    table: Vec<Vec<String>>,
    /// Whether it takes the whole width.
    wide: bool,
}

/// The most rows of a table of figures.
const MOST_ROWS: usize = 200;

impl Figure {
    /// The figure with texts of one line, and a table that is not too long.
    fn bounded(mut self) -> Self {
        let names = self.legend.iter_mut().map(|(name, _)| name);
        for text in [&mut self.title, &mut self.caption].into_iter().chain(names) {
            *text = short(text);
        }
        if self.table.len() > MOST_ROWS {
            let more = self.table.len() - MOST_ROWS;
            self.table.truncate(MOST_ROWS);
            let width = self.table[0].len();
            let mut last = vec![String::new(); width];
            last[0] = format!("and {more} more rows");
            self.table.push(last);
        }
        self.table.iter_mut().flatten().for_each(|cell| *cell = short(cell));
        self
    }
}

/// The pictures of the last run, beside the one before it if there are two.
pub(super) fn figures(runs: &[Named]) -> Vec<Figure> {
    let Some((last, before)) = runs.split_last() else { return Vec::new() };
    let old = before.first().filter(|_| before.len() == 1);
    let mut figures = Vec::new();
    figures.extend(announcements::figures(last, old));
    figures.extend(conversion::figure(last, old));
    figures.extend(distances::wrong_entries(&last.run));
    figures.extend(distances::tables(&last.run));
    figures.extend(squares::figures(&last.run));
    figures.extend(perft::figure(&last.run));
    figures.into_iter().map(Figure::bounded).collect()
}
