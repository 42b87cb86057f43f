//! The program of cargo-fuzz for `fuzz::syzygy_file`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::syzygy_file(data));
