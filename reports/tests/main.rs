//! What the reports write, from outside: one program, so that it is linked once.

#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

mod bytes;
mod compare;
mod fixture;
mod regression;
mod round_trip;
mod snapshots;
mod told;
mod unreadable;
