//! The program of cargo-fuzz for `fuzz::epd`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::epd(data));
