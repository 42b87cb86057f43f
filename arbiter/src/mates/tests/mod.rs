//! Players with faults, the proofs of the suite, third-party files, and when the shortest mate is demanded.

mod faulty;
mod faulty_unfinished;
mod outside;
mod proofs;
mod shortest;
mod warm_hash;

use super::*;

/// Programs may be slow, and announcements of a selective search take the prover longer.
#[test]
fn a_selective_search_gets_a_third_of_the_nodes_and_its_proofs_a_tenth() {
    let efforts_for = |effort, selective| {
        let player = faulty::player(|_, _, _| unreachable!());
        let player = if selective { player.searching_selectively() } else { player };
        let (players, authorities) = (&player, &oracle::authorities::Authorities::default());
        efforts(&SuiteContext {
            players,
            authorities,
            effort,
            seed: 1,
            limit: None,
            progress: &crate::NoProgress,
        })
    };
    for (effort, proof) in [(Effort::Quick, 300_000), (Effort::Plain, 5_000_000)] {
        let (all, selective) = (efforts_for(effort, false), efforts_for(effort, true));
        assert_eq!((all.0, selective.0), (60_000, 20_000));
        assert_eq!((all.1.nodes, selective.1.nodes), (proof, proof / 10));
        assert_eq!(all.1.memory, selective.1.memory);
    }
    assert_eq!(efforts_for(Effort::Thorough, false), efforts_for(Effort::Thorough, true));
}
