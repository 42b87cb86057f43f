//! The program of cargo-fuzz for `fuzz::game`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::game(data));
