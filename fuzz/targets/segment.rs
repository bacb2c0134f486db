#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    oriel_fuzz::segment(bytes);
});
