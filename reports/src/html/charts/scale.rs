//! Scales of charts, and the parts of SVG that they are made of.

use std::fmt::{self, Write as _};

use minijinja::HtmlEscape;

use crate::layout::{grouped, plain};

/// Values on a line of this length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    least: f64,
    most: f64,
    length: f64,
}

impl Scale {
    /// A scale from 0 to a round number that is not below `most`.
    pub(super) fn new(most: f64, length: f64) -> Self {
        Self::between(0.0, if most > 0.0 { most } else { 1.0 }, length)
    }

    /// A scale between round numbers around these two, the smaller one first.
    pub(super) fn between(least: f64, most: f64, length: f64) -> Self {
        let step = step(most - least);
        Self { least: (least / step).floor() * step, most: (most / step).ceil() * step, length }
    }

    /// The place of a value on the line. Values beyond the scale are at its ends.
    pub(super) fn at(self, value: f64) -> f64 {
        (value.clamp(self.least, self.most) - self.least) / (self.most - self.least) * self.length
    }

    /// Round values, from end to end.
    pub(super) fn ticks(self) -> Vec<f64> {
        let step = step(self.most - self.least);
        let first = (self.least / step).ceil();
        let count = ((self.most - first * step) / step + 1e-9).floor() as u32;
        (0..=count).map(|number| (first + f64::from(number)) * step).collect()
    }
}

/// A round step that divides a line into four to eight parts; 1 if numbers are small.
fn step(most: f64) -> f64 {
    let rough = most / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0].map(|digit| digit * power);
    let fits = steps.into_iter().rev().find(|step| *step <= rough).unwrap_or(power);
    if most >= 4.0 { fits.round().max(1.0) } else { fits }
}

/// A number for people: `1,200`, `25k`, `3.5M`, `−20`.
pub(super) fn shown(value: f64) -> String {
    let with = |value: f64, unit: &str| format!("{}{unit}", (value * 10.0).round() / 10.0);
    match value {
        value if value < 0.0 => format!("−{}", shown(-value)),
        value if value >= 1e9 => with(value / 1e9, "G"),
        value if value >= 1e6 => with(value / 1e6, "M"),
        value if value >= 1e4 => with(value / 1e3, "k"),
        value if value.fract() == 0.0 => grouped(value as u64),
        value => format!("{}", (value * 100.0).round() / 100.0),
    }
}

/// Parts of an SVG. Texts are escaped, numbers have one decimal.
#[derive(Debug, Default)]
pub(super) struct Svg(pub(super) String);

/// A coordinate.
struct At(f64);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0 * 10.0).round() / 10.0)
    }
}

impl Svg {
    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let (x, y) = (At(x), At(y));
        let _ =
            write!(self.0, r#"<text class="{class}" x="{x}" y="{y}">{}</text>"#, HtmlEscape(&plain(text)));
    }

    /// A text that rises to its end.
    fn turned(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let (x, y, text) = (At(x), At(y), HtmlEscape(&plain(text)));
        let _ = write!(
            self.0,
            r#"<text class="{class}" transform="translate({x} {y}) rotate(-32)">{text}</text>"#
        );
    }

    /// A rectangle with a text for the pointer.
    pub(super) fn bar(&mut self, class: &str, [x, y, width, height]: [f64; 4], title: &str) {
        let [x, y, width, height] = [x, y, width, height].map(At);
        let title = HtmlEscape(&plain(title));
        let _ = write!(
            self.0,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"><title>{title}</title></rect>"#
        );
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(At);
        let _ = write!(self.0, r#"<path class="{class}" d="M{x1} {y1}L{x2} {y2}"/>"#);
    }

    pub(super) fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        self.shape("polyline", class, points);
    }

    /// An area with these corners.
    pub(super) fn polygon(&mut self, class: &str, points: &[(f64, f64)]) {
        self.shape("polygon", class, points);
    }

    fn shape(&mut self, element: &str, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", At(*x), At(*y))).collect();
        let _ = write!(self.0, r#"<{element} class="{class}" points="{}"/>"#, points.join(" "));
    }

    pub(super) fn dot(&mut self, class: &str, (x, y): (f64, f64), title: &str) {
        let (x, y, title) = (At(x), At(y), HtmlEscape(&plain(title)));
        let _ = write!(
            self.0,
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="3.5"><title>{title}</title></circle>"#
        );
    }
}

/// The area of a chart within its drawing.
pub(super) const WIDTH: f64 = 400.0;
pub(super) const HEIGHT: f64 = 210.0;
pub(super) const LEFT: f64 = 40.0;
pub(super) const TOP: f64 = 18.0;
pub(super) const RIGHT: f64 = 392.0;
pub(super) const BOTTOM: f64 = 170.0;

/// The frame of a chart: lines for round values, their numbers, the names of the axes, and the names of the
/// groups below, as many as fit.
pub(super) fn frame(svg: &mut Svg, scale: Scale, [x, y]: [&str; 2], labels: &[String]) {
    heights(svg, scale, y);
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or_default().max(2);
    let room = 6.2 * longest as f64 + 6.0;
    let fits = ((RIGHT - LEFT) / room).max(1.0) as usize;
    let are_numbers = labels.iter().all(|label| label.chars().all(|letter| letter.is_ascii_digit()));
    // If there is too little room, some numbers are left out, and names are turned.
    let every = if are_numbers { labels.len().div_ceil(fits).max(1) } else { 1 };
    let are_turned = !are_numbers && labels.len() > fits;
    for (number, label) in labels.iter().enumerate().step_by(every) {
        let at = middle(number, labels.len());
        if are_turned {
            svg.turned("tick end", (at + 4.0, BOTTOM + 11.0), label);
        } else {
            svg.text("tick middle", (at, BOTTOM + 14.0), label);
        }
    }
    // Turned names take the room of the axis name, and they need no such name.
    if !are_turned {
        svg.text("axis-name middle", (f64::midpoint(LEFT, RIGHT), HEIGHT - 6.0), x);
    }
}

/// Lines for round values with their numbers, and the name of the axis.
pub(super) fn heights(svg: &mut Svg, scale: Scale, name: &str) {
    for tick in scale.ticks() {
        let height = BOTTOM - scale.at(tick);
        svg.line(if tick == 0.0 { "axis" } else { "grid" }, [LEFT, height, RIGHT, height]);
        svg.text("tick end", (LEFT - 5.0, height + 3.5), &shown(tick));
    }
    svg.text("axis-name", (2.0, 9.0), name);
}

/// Round values below a chart, and the name of the axis.
pub(super) fn widths(svg: &mut Svg, scale: Scale, name: &str) {
    for tick in scale.ticks() {
        svg.text("tick middle", (LEFT + scale.at(tick), BOTTOM + 14.0), &shown(tick));
    }
    svg.text("axis-name middle", (f64::midpoint(LEFT, RIGHT), HEIGHT - 6.0), name);
}

/// The middle of a group.
pub(super) fn middle(number: usize, of: usize) -> f64 {
    LEFT + (RIGHT - LEFT) * (number as f64 + 0.5) / of as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        let check =
            |most: f64, expected: &[f64]| assert_eq!(Scale::new(most, 100.0).ticks(), expected, "{most}");
        check(0.0, &[0.0, 0.25, 0.5, 0.75, 1.0]);
        check(4.0, &[0.0, 1.0, 2.0, 3.0, 4.0]);
        check(7.0, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        check(97.0, &[0.0, 25.0, 50.0, 75.0, 100.0]);
        check(1_234_567.0, &[0.0, 250_000.0, 500_000.0, 750_000.0, 1_000_000.0, 1_250_000.0]);
    }

    #[test]
    fn scales_begin_below_zero() {
        let scale = Scale::between(-37.0, 12.0, 100.0);
        assert_eq!(scale.ticks(), [-40.0, -30.0, -20.0, -10.0, 0.0, 10.0, 20.0]);
        let places = [-40.0, -10.0, 20.0, 1e9, f64::NEG_INFINITY].map(|value| scale.at(value) as u32);
        assert_eq!(places, [0, 50, 100, 100, 0]);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 9_999.0, 12_345.0, 1_250_000.0, 0.25, 2e9, -20.0, -0.5].map(shown);
        assert_eq!(shown, ["0", "9,999", "12.3k", "1.3M", "0.25", "2G", "−20", "−0.5"]);
    }
}
