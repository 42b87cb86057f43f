//! The program of cargo-fuzz for `fuzz::table_file`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::table_file(data));
