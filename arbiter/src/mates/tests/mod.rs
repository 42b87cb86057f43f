//! Players with faults, the proofs of the suite, third-party files, and when the shortest mate is demanded.

mod faulty;
mod faulty_unfinished;
mod outside;
mod proofs;
mod shortest;
mod warm_hash;

use super::*;
