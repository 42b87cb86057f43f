//! The program of cargo-fuzz for `fuzz::uci_output`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::uci_output(data));
