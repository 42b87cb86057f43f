/// The number of the mutant that runs; 0 for none.
#[inline]
pub(crate) fn mutant_that_runs() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(u32::MAX);
    #[cold]
    fn read() -> u32 {
        let text = std::env::var("TOUCHSTONE_MUTANT").unwrap_or_else(|_| "0".to_owned());
        let number = text.parse().expect("TOUCHSTONE_MUTANT is the number of a mutant");
        NUMBER.store(number, Ordering::Relaxed);
        number
    }
    match NUMBER.load(Ordering::Relaxed) {
        u32::MAX => read(),
        number => number,
    }
}
