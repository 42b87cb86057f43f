//! What holds for all entries together.
use super::*;
use crate::tables::{Material, TableSet, Wdl, build};

/// Rank correlation (Spearman).
fn spearman(pairs: &[(i32, i32)]) -> f64 {
    let ranks = |values: Vec<i32>| {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&at| values[at]);
        let mut ranks = vec![0.0; values.len()];
        for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
            let first = ranks.len();
            let _ = first;
            let start = order.iter().position(|_| true).unwrap();
            let _ = start;
            let _ = group;
        }
        let mut at = 0;
        for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
            let rank = at as f64 + (group.len() - 1) as f64 / 2.0;
            group.iter().for_each(|&index| ranks[index] = rank);
            at += group.len();
        }
        ranks
    };
    let (xs, ys) = (ranks(pairs.iter().map(|p| p.0).collect()), ranks(pairs.iter().map(|p| p.1).collect()));
    let mean = (pairs.len() - 1) as f64 / 2.0;
    let sum = |f: &dyn Fn(usize) -> f64| (0..pairs.len()).map(f).sum::<f64>();
    let cov = sum(&|i| (xs[i] - mean) * (ys[i] - mean));
    cov / (sum(&|i| (xs[i] - mean).powi(2)) * sum(&|i| (ys[i] - mean).powi(2))).sqrt()
}

#[test]
#[ignore = "dump"]
fn dump() {
    for name in ["KQvK", "KRvK", "KBBvK", "KBNvK"] {
        let material: Material = name.parse().unwrap();
        let set = build::production(&[material]).unwrap();
        let table = set.get(material, crate::tables::Metric::Dtm).unwrap();
        for side in Color::ALL {
            let pairs: Vec<(i32, i32)> = table
                .positions()
                .filter(|(_, to_move, value)| *to_move == side && value.is_some())
                .map(|(board, to_move, value)| {
                    let position = Position::from_board(board, to_move).unwrap();
                    let Some(Known::Value(score)) = look_up(&position) else { panic!() };
                    let sign = side.pick(1, -1);
                    (score.raw() * sign, i32::from(value.unwrap().1.0))
                })
                .collect();
            println!("{name} {side} {} spearman {:.3}", pairs.len(), spearman(&pairs));
        }
    }
}
