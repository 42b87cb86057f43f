//! The program of cargo-fuzz for `fuzz::certificate`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::certificate(data));
