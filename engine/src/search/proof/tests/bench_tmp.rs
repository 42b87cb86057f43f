use super::*;
#[test]
#[ignore]
fn bench() {
    let text = std::fs::read_to_string(std::env::var("MATES").unwrap()).unwrap();
    let budget: u64 = std::env::var("BUDGET").map_or(200_000, |t| t.parse().unwrap());
    let mut by: std::collections::BTreeMap<u16, (u32, u32, u64, u64, u32)> = Default::default();
    let start = std::time::Instant::now();
    let mut total = 0;
    for line in text.lines() {
        let (n, fen) = line.split_once('\t').unwrap();
        let n: u16 = n.parse().unwrap();
        if n > 9 {
            continue;
        }
        let game = Game::new(position(fen));
        let control = Control::default();
        let mut prover = Prover::new(&game, None, &|_| None, &control, budget);
        let proof = prover.mates(Ply(2 * n - 1), &[]);
        total += prover.nodes();
        let e = by.entry(n).or_default();
        e.0 += 1;
        if let Some(proof) = proof {
            e.1 += 1;
            e.2 += prover.nodes();
            e.3 = e.3.max(prover.nodes());
            if proof.line.len() < usize::from(2 * n - 1) {
                e.4 += 1
            }
        } else if n < 4 {
            println!("{n} {fen}");
        }
    }
    for (n, (all, proved, nodes, most, shorter)) in by {
        println!(
            "mate {n}: {proved}/{all} mean {} most {most} shorter {shorter}",
            nodes / u64::from(proved.max(1))
        );
    }
    println!(
        "{} nodes/s {:.1}s",
        total as f64 / start.elapsed().as_secs_f64(),
        start.elapsed().as_secs_f64()
    );
}
#[test]
#[ignore]
fn candidates() {
    let text = std::fs::read_to_string("/tmp/prover_bench/all.txt").unwrap();
    for fen in text.lines() {
        let Ok(position) = Position::from_fen(fen) else {
            println!("BAD {fen}");
            continue;
        };
        let game = Game::new(position);
        let control = Control::default();
        for claim in [13, 8] {
            let mut prover = Prover::new(&game, None, &|_| None, &control, 4_000_000);
            let proof =
                if claim % 2 == 1 { prover.mates(Ply(claim), &[]) } else { prover.is_mated(Ply(claim), &[]) };
            if let Some(proof) = proof {
                println!(
                    "(\"{fen}\", {}), {} {}",
                    proof.line.len(),
                    prover.nodes(),
                    text_of(&game, &proof.line)
                );
            } else if claim == 13 && fen.contains(" w ") {
                println!("none {fen} {}", prover.nodes())
            }
        }
    }
}
fn text_of(g: &Game, l: &[Move]) -> String {
    text(g, l)
}
