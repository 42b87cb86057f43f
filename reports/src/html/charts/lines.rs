//! Lines over runs.

use super::Figure;
use super::scale::{BOTTOM, HEIGHT, Scale, Svg, TOP, WIDTH, frame, middle, shown};

/// A chart of lines; the values of a line are those of the runs in their order.
pub(super) struct Lines<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) caption: &'a str,
    /// What the values count.
    pub(super) unit: &'a str,
    pub(super) runs: &'a [String],
    /// Names, classes of colours, and values.
    pub(super) series: Vec<(String, &'a str, Vec<Option<f64>>)>,
}

impl Lines<'_> {
    /// The picture; its table has a row for each run.
    pub(super) fn figure(self) -> Figure {
        let values = self.series.iter().flat_map(|(.., values)| values).flatten();
        let scale = Scale::new(values.copied().fold(0.0, f64::max), BOTTOM - TOP);
        let mut svg = Svg::default();
        let count = self.runs.len();
        let labels: Vec<String> = (1..=count).map(|number| number.to_string()).collect();
        frame(&mut svg, scale, ["run", self.unit], &labels);
        for (name, class, values) in &self.series {
            let at = |(number, value): (usize, &Option<f64>)| {
                value.map(|value| (number, value, (middle(number, count), BOTTOM - scale.at(value))))
            };
            let points: Vec<_> = values.iter().enumerate().filter_map(at).collect();
            svg.polyline(&format!("line {class}"), &points.iter().map(|point| point.2).collect::<Vec<_>>());
            for (number, value, point) in points {
                svg.dot(class, point, &format!("{}, {name}: {}", self.runs[number], shown(value)));
            }
        }
        let mut table = vec![vec!["run".to_owned()]];
        table[0].extend(self.series.iter().map(|(name, ..)| name.clone()));
        for (number, run) in self.runs.iter().enumerate() {
            let cell = |values: &Vec<Option<f64>>| values[number].map(shown).unwrap_or_default();
            let name = format!("{} {run}", number + 1);
            table.push(
                [name].into_iter().chain(self.series.iter().map(|(.., values)| cell(values))).collect(),
            );
        }
        Figure {
            id: self.id.to_owned(),
            title: self.title.to_owned(),
            caption: self.caption.to_owned(),
            legend: self.series.iter().map(|(name, class, _)| (name.clone(), (*class).to_owned())).collect(),
            svg: svg.0,
            size: (WIDTH as u32, HEIGHT as u32),
            table,
            wide: false,
        }
    }
}
