//! The program of cargo-fuzz for `fuzz::session`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::session(data));
