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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacked_bars_stand_on_each_other_and_have_no_empty_ones() {
        let group =
            |name: &str, values: &[f64]| (name.to_owned(), values.iter().copied().map(Some).collect());
        let names = ["won by the queen", "won by the rook", "drawn by stalemate"];
        let figure = Bars {
            id: "ends",
            title: "Ends of games".to_owned(),
            caption: "",
            axes: ["end", "games"],
            series: vec![("all aids".to_owned(), "c1"), ("none".to_owned(), "c2")],
            groups: names
                .iter()
                .zip([[1.0, 3.0], [0.0, 2.0], [0.0, 0.0]])
                .map(|(name, values)| group(name, &values))
                .collect(),
            stacked: true,
        }
        .figure();
        let at = |mark: &str| -> Vec<&str> {
            figure.svg.split(mark).skip(1).map(|rest| rest.split(['>', ')']).next().unwrap()).collect()
        };
        assert_eq!(
            at("<rect "),
            [
                r#"class="c1" x="85.7" y="132" width="25.4" height="38""#,
                r#"class="c2" x="85.7" y="18" width="25.4" height="114""#,
                r#"class="c2" x="203" y="94" width="25.4" height="76""#,
            ]
        );
        // Long names are turned, and each ends below the middle of its group.
        assert_eq!(at("translate("), ["102.7 181", "220 181", "337.3 181"]);
        assert_eq!(
            figure.table[1..],
            [["won by the queen", "1", "3"], ["won by the rook", "0", "2"], ["drawn by stalemate", "0", "0"]]
        );
    }
}
