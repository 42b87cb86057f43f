//! Tests of the public API, in one test binary.

#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

mod annotations;
mod bytes;
mod causes;
mod compare;
mod confirmed;
mod explained;
mod fixture;
mod from_files;
mod html;
mod match_page;
mod parts;
mod regress;
mod regression;
mod round_trip;
mod snapshots;
mod unreadable;
