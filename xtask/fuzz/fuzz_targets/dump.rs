//! The program of cargo-fuzz for `fuzz::dump`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::dump(data));
