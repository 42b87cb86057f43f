//! Certificates follow the description of their format, and damaged ones are refused.

use shakmaty::Position;

use super::*;
use crate::prover::certificate::sorted_moves;

const SEED: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

fn replayed(fen: &str, text: &str) -> Result<i32, CertificateError> {
    Certificate(text.to_owned()).replay(&root(fen)).map(|proven| proven.moves)
}

#[track_caller]
fn check_fault(fen: &str, text: &str, expected: &str) {
    assert_eq!(replayed(fen, text).unwrap_err().to_string(), expected, "{text}");
}

/// The certificate of a mate.
fn certificate(fen: &str, moves: i32) -> String {
    match prove(&root(fen), moves, &ProverLimits::default()).verdict {
        ProverVerdict::Mate { proof, .. } | ProverVerdict::Mated { proof, .. } => proof.0,
        verdict => panic!("{fen}: {verdict:?}"),
    }
}

#[test]
fn the_example_of_the_format() {
    assert_eq!(certificate(SEED, 2), "2:85");
    assert_eq!(replayed(SEED, "2:85"), Ok(2));
    // A certificate that states more moves than needed proves the true number.
    assert_eq!(replayed(SEED, "7:85"), Ok(2));
    assert_eq!(replayed("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", "-1:5"), Ok(-1));
    assert_eq!(replayed("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "-0:"), Ok(0));
}

#[test]
fn moves_are_sorted_by_their_text() {
    for fen in ["1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "8/8/R7/7k/5KPp/8/8/8 b - g3 0 1", SEED] {
        let root = root(fen);
        let mode = root.castles().mode();
        let texts: Vec<_> = sorted_moves(&root).into_iter().map(|mv| mv.to_uci(mode).to_string()).collect();
        assert!(texts.is_sorted(), "{fen}: {texts:?}");
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let claim =
        |got: &str| format!("expected a claim such as \"3:\" or \"-2:\" of at most 100 moves, got \"{got}\"");
    for text in ["", "85", "x:85", "101:85", "-101:", "02:85", "+2:85", "0:", " 2:85", "99999999999:"] {
        check_fault(SEED, text, &claim(&text.chars().take(12).collect::<String>()));
    }
    let after = "8/8/8/8/8/1KR5/8/k7 w - - 2 2";
    check_fault(SEED, "2:", &format!("it ends after 2 characters, where a move is due in {SEED}"));
    check_fault(SEED, "2:8", &format!("it ends after 3 characters, where a move is due in {after}"));
    check_fault(SEED, "2:8-", &format!("it ends after 4 characters, where a move is due in {after}"));
    check_fault(SEED, "2:855", "character 5: the proof is complete before it");
    check_fault(SEED, "2:8!", "character 4: '!' is not a symbol for a move");
    check_fault(SEED, "2:J5", &format!("character 3: move 19 of 19 in {SEED}"));
    check_fault(SEED, "2:~05", &format!("character 3: move 186 of 19 in {SEED}"));
    check_fault(SEED, "1:85", "the mate takes more moves than stated in 8/8/8/8/8/1KR5/8/1k6 b - - 1 1");
    let stalemate = "the game ends without the mate in 8/8/8/8/8/K1Q5/8/1k6 b - - 1 1";
    check_fault("8/8/8/8/8/1KQ5/8/1k6 w - - 0 1", "2:0", stalemate);
}

/// Certificates with one character changed, left out or doubled, and certificates cut off, are refused or
/// still prove a mate.
#[test]
fn damaged_certificates_prove_nothing_false() {
    let fens = [
        (SEED, 2),
        ("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", -1),
        ("8/8/8/8/8/2K5/4R3/1k6 w - - 0 1", 3),
        ("8/8/8/8/Q7/4K3/8/6k1 w - - 0 1", 3),
        ("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", 5),
    ];
    let mut refused = 0;
    for (fen, moves) in fens {
        let whole = certificate(fen, moves);
        let least = replayed(fen, &whole).unwrap();
        assert_eq!(least, moves, "{fen}");
        let mut judge = |damaged: &str| match replayed(fen, damaged) {
            // It proves no mate that does not exist.
            Ok(found) => {
                assert!(found.signum() == least.signum() && found.abs() >= least.abs(), "{fen} {damaged}");
            }
            Err(_) => refused += 1,
        };
        for at in 0..whole.len() {
            for symbol in (0..128).map(|byte| char::from(byte as u8)) {
                judge(&format!("{}{symbol}{}", &whole[..at], &whole[at + 1..]));
            }
            judge(&format!("{}{}", &whole[..at], &whole[at + 1..]));
            judge(&format!("{}{}", &whole[..=at], &whole[at..]));
            assert!(replayed(fen, &whole[..at]).is_err(), "{fen} {}", &whole[..at]);
        }
        assert!(matches!(replayed(fen, &format!("{whole}0")), Err(CertificateError::Long { .. })));
    }
    assert!(refused > 1_000, "{refused}");
}

/// A certificate holds for its own position only, and only for clocks that leave enough time.
#[test]
fn the_clock_counts() {
    let fen = |clock: u32| format!("8/8/8/8/8/1K6/2R5/1k6 w - - {clock} 90");
    for clock in [0, 96, 97] {
        assert_eq!(replayed(&fen(clock), "2:85"), Ok(2));
    }
    let late = "the halfmove clock has reached 100 in 8/8/8/8/8/1KR5/8/k7 w - - 100 91";
    check_fault(&fen(98), "2:85", late);
    assert!(replayed(&fen(100), "2:85").is_err());
    // Branches transpose: a proof that is used again has to leave enough time in the second place too.
    let long = "8/8/8/8/Q7/4K3/8/6k1 w - - 0 1";
    let whole = certificate(long, 3);
    for clock in 90..100 {
        let fen = long.replace("- 0 1", &format!("- {clock} 99"));
        let found = prove(&root(&fen), 4, &ProverLimits::default()).verdict;
        assert_eq!(matches!(found, ProverVerdict::Mate { .. }), clock <= 95, "{clock}");
        assert_eq!(replayed(&fen, &whole).is_ok(), clock <= 95, "{clock}");
    }
}

/// Forgeries that a writer with a fault, or with a wish, could make.
#[test]
fn forged_certificates_are_refused() {
    // White: Ke3, Qa4. Black: Kg1. Mate in 3, in which Black has several defences.
    let queen = "8/8/8/8/Q7/4K3/8/6k1 w - - 0 1";
    let whole = certificate(queen, 3);
    let symbols = &whole[2..];
    // The answers to the last defence are left out.
    let cut = symbols.len() - 1;
    let short = replayed(queen, &format!("3:{}", &symbols[..cut])).unwrap_err();
    assert!(matches!(short, CertificateError::Short { .. }), "{short}");
    // Those to an earlier one: what follows answers the wrong defences.
    for left_out in 1..cut {
        let text = format!("3:{}{}", &symbols[..left_out], &symbols[left_out + 1..]);
        assert!(replayed(queen, &text).is_err(), "{text}");
    }
    // A move that is not legal has no number.
    let illegal = replayed(SEED, "2:j5").unwrap_err();
    assert!(matches!(illegal, CertificateError::Move { legal: 19, .. }), "{illegal}");
    // One move shorter than it is.
    let shorter = replayed(queen, &format!("2:{symbols}")).unwrap_err();
    assert!(matches!(shorter, CertificateError::Escape { escape: Escape::Moves, .. }), "{shorter}");
    // The side that is said to mate has no way to.
    let pawn = "8/8/8/8/8/1k6/1P6/1K6 w - - 0 1";
    assert!(replayed(pawn, "3:0000").is_err());
    // A circle: whatever Black does, the rook goes to b1 and back to c1, until the moves of the claim are over.
    let rook = "7k/8/8/8/8/8/8/K1R5 w - - 0 1";
    let mut position = root(rook);
    let mut circle = "6:".to_owned();
    for to in ["c1b1", "b1c1", "c1b1", "b1c1", "c1b1", "b1c1"] {
        let legal = sorted_moves(&position);
        let there = |mv: &shakmaty::Move| mv.to_uci(shakmaty::CastlingMode::Standard).to_string() == to;
        let place = legal.iter().position(there).unwrap();
        crate::prover::certificate::push_place(&mut circle, place);
        position.play_unchecked(legal[place]);
        let first = sorted_moves(&position)[0];
        position.play_unchecked(first);
    }
    let circle = replayed(rook, &circle).unwrap_err();
    assert!(matches!(circle, CertificateError::Escape { escape: Escape::Moves, .. }), "{circle}");
}

/// The proof of one position proves nothing false of another one.
#[test]
fn the_proof_of_another_position_proves_nothing_false() {
    let mates = [
        (SEED, 2),
        ("8/8/8/8/8/2K5/4R3/1k6 w - - 0 1", 3),
        ("8/8/8/8/Q7/4K3/8/6k1 w - - 0 1", 3),
        ("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", 5),
    ];
    for (of, moves) in mates {
        let text = certificate(of, moves);
        for (other, least) in mates.into_iter().filter(|(other, _)| *other != of) {
            match replayed(other, &text) {
                Ok(proven) => assert!(proven >= least, "{other}: {text}"),
                Err(error) => assert!(!matches!(error, CertificateError::Claim(_)), "{other}: {error}"),
            }
        }
    }
}
