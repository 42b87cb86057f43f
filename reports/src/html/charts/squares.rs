//! Where the men stand in positions that differ: a board for each man of the commonest material.

use std::collections::BTreeMap;

use suites::Difference;

use super::Figure;
use super::scale::Svg;
use crate::Run;
use crate::board::{Board, name};
use crate::layout::grouped;

/// How many differences a material needs for a picture, and how many materials have one.
const LEAST: usize = 12;
const MOST: usize = 3;
/// The width of a square, and of a board with the room beside it.
const SQUARE: f64 = 15.0;
const BOARD: f64 = 136.0;

const NAMES: [(char, &str); 6] =
    [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")];

/// The name of a man, such as `white king`.
fn named(man: char) -> String {
    let role =
        NAMES.iter().find(|(letter, _)| *letter == man.to_ascii_uppercase()).map_or("man", |(_, name)| name);
    format!("{} {role}", if man.is_ascii_uppercase() { "white" } else { "black" })
}

/// A picture for each of the commonest materials of four men or fewer, by subject.
pub(super) fn figures(run: &Run) -> Vec<Figure> {
    let mut materials = BTreeMap::<(&str, String), Vec<Board>>::new();
    for Difference { subject, fen, .. } in &run.differences {
        if let Some(board) = Board::from_fen(fen) {
            let men: String = board.men().iter().map(|(man, _)| *man).collect();
            if men.len() <= 4 {
                materials.entry((subject, men)).or_default().push(board);
            }
        }
    }
    let mut materials: Vec<_> = materials.into_iter().filter(|(_, boards)| boards.len() >= LEAST).collect();
    materials.sort_by_key(|(_, boards)| std::cmp::Reverse(boards.len()));
    materials.iter().take(MOST).enumerate().map(|(number, found)| figure(number, found)).collect()
}

fn figure(number: usize, ((subject, men), boards): &((&str, String), Vec<Board>)) -> Figure {
    let mut distinct: Vec<char> = men.chars().collect();
    distinct.dedup();
    let mut svg = Svg::default();
    let mut table = vec![["man", "square", "positions"].map(str::to_owned).to_vec()];
    for (place, man) in distinct.iter().enumerate() {
        let mut counts = BTreeMap::<(usize, usize), u64>::new();
        for (_, square) in boards.iter().flat_map(Board::men).filter(|(of, _)| of == man) {
            *counts.entry(square).or_default() += 1;
        }
        draw(&mut svg, BOARD * place as f64 + 8.0, *man, &counts);
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sorted.sort_by_key(|(square, count)| (std::cmp::Reverse(*count), *square));
        let row = |(square, count): &((usize, usize), u64)| vec![named(*man), name(*square), grouped(*count)];
        table.extend(sorted.iter().take(10).map(row));
    }
    Figure {
        id: format!("squares-{}", number + 1),
        title: format!("Where the men stand: {subject}, {men}"),
        caption: format!(
            "{} positions that differ. The stronger the colour of a square, the more often the man stands there; the table has the ten commonest squares of each.",
            grouped(boards.len() as u64)
        ),
        legend: Vec::new(),
        svg: svg.0,
        size: ((BOARD * distinct.len() as f64) as u32, 152),
        table,
        wide: distinct.len() > 3,
    }
}

fn draw(svg: &mut Svg, left: f64, man: char, counts: &BTreeMap<(usize, usize), u64>) {
    let most = counts.values().max().copied().unwrap_or(1) as f64;
    svg.text("tick", (left, 10.0), &named(man));
    for rank in 0..8 {
        for file in 0..8 {
            let count = counts.get(&(file, rank)).copied().unwrap_or_default();
            // Eleven shades.
            let shade = if count == 0 { 0 } else { 1 + (9.0 * count as f64 / most) as u32 };
            let area =
                [left + SQUARE * file as f64, 16.0 + SQUARE * (7 - rank) as f64, SQUARE - 0.8, SQUARE - 0.8];
            svg.bar(&format!("heat h{shade}"), area, &format!("{}: {}", name((file, rank)), grouped(count)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_man_has_a_board_beside_the_others() {
        let board = Board::from_fen("8/8/8/8/8/8/1Q6/k1K5 w - - 0 1").unwrap();
        let figure = figure(0, &(("mine", "KQk".to_owned()), vec![board]));
        for (name, left) in [("white king", 8), ("white queen", 144), ("black king", 280)] {
            let text = format!("<text class=\"tick\" x=\"{left}\" y=\"10\">{name}</text>");
            assert!(figure.svg.contains(&text), "{text}");
        }
        assert_eq!(figure.svg.matches("width=\"14.2\" height=\"14.2\"").count(), 3 * 64);
        assert_eq!(figure.svg.matches("heat h10").count(), 3);
        let squares: Vec<&str> = figure.table[1..].iter().map(|row| row[1].as_str()).collect();
        assert_eq!(squares, ["c1", "b2", "a1"]);
    }
}
