#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if !oriel_fuzz::is_read_by_library(bytes) {
        oriel_fuzz::read(bytes);
    }
});
