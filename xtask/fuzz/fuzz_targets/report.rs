//! The program of cargo-fuzz for `fuzz::report`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::report(data));
