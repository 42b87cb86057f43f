//! The program of cargo-fuzz for `fuzz::pgn`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::pgn(data));
