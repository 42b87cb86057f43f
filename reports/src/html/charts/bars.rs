//! Bars in groups, side by side or stacked.

use super::Figure;
use super::scale::{BOTTOM, HEIGHT, LEFT, RIGHT, Scale, Svg, TOP, WIDTH, frame, middle, shown};

/// A chart of bars.
pub(super) struct Bars<'a> {
    pub(super) id: &'a str,
    pub(super) title: String,
    pub(super) caption: &'a str,
    /// What the groups are, and what the values count.
    pub(super) axes: [&'a str; 2],
    /// Names and classes of colours.
    pub(super) series: Vec<(String, &'a str)>,
    /// For each group its name and a value for each of the series; `None` where there is no bar.
    pub(super) groups: Vec<(String, Vec<Option<f64>>)>,
    pub(super) stacked: bool,
}

impl Bars<'_> {
    /// The picture; its table has a row for each group.
    pub(super) fn figure(self) -> Figure {
        let sum = |values: &[Option<f64>]| -> f64 { values.iter().flatten().sum() };
        let top = |values: &Vec<Option<f64>>| {
            if self.stacked { sum(values) } else { values.iter().flatten().copied().fold(0.0, f64::max) }
        };
        let most = self.groups.iter().map(|(_, values)| top(values)).fold(0.0, f64::max);
        let scale = Scale::new(most, BOTTOM - TOP);
        let mut svg = Svg::default();
        let labels: Vec<String> = self.groups.iter().map(|(name, _)| name.clone()).collect();
        frame(&mut svg, scale, self.axes, &labels);
        let room = (RIGHT - LEFT) / self.groups.len().max(1) as f64;
        let beside = if self.stacked { 1 } else { self.series.len().max(1) };
        let width = (room * 0.78 / beside as f64).min(26.0);
        for (number, (name, values)) in self.groups.iter().enumerate() {
            let left = middle(number, self.groups.len()) - width * beside as f64 / 2.0;
            let mut below = 0.0;
            for (place, (value, (series, class))) in values.iter().zip(&self.series).enumerate() {
                let Some(value) = value.filter(|value| *value > 0.0 || !self.stacked) else { continue };
                let shift = if self.stacked { 0.0 } else { width * place as f64 };
                let height = scale.at(value).max(if self.stacked { 0.0 } else { 0.8 });
                let area = [left + shift, BOTTOM - scale.at(below) - height, (width - 0.6).max(0.4), height];
                svg.bar(class, area, &format!("{name}, {series}: {}", shown(value)));
                below += if self.stacked { value } else { 0.0 };
            }
        }
        let mut table = vec![vec![self.axes[0].to_owned()]];
        table[0].extend(self.series.iter().map(|(name, _)| name.clone()));
        for (name, values) in &self.groups {
            let cell = |value: &Option<f64>| value.map(shown).unwrap_or_default();
            table.push([name.clone()].into_iter().chain(values.iter().map(cell)).collect());
        }
        Figure {
            id: self.id.to_owned(),
            title: self.title,
            caption: self.caption.to_owned(),
            legend: self.series.into_iter().map(|(name, class)| (name, class.to_owned())).collect(),
            svg: svg.0,
            size: (WIDTH as u32, HEIGHT as u32),
            table,
            wide: false,
        }
    }
}
