//! The processor that the code runs on: any processor, or one with fast instructions for sets of squares.
//!
//! A program is compiled for any processor of its kind. Work that is generic over [`Processor`] is compiled
//! twice, and [`dispatch`] chooses when the program runs. This is the one module of the library with
//! `unsafe`. Knows no chess.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__cpuid, _pext_u64};
#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// A kind of processor.
pub(crate) trait Processor: Copy + 'static {
    /// Runs a kernel that is compiled for this processor, with all that is inlined in it.
    fn run<K: Kernel>(kernel: K) -> K::Output;

    /// The bits of a word under a mask, moved together (`pext`); `None` if there is no such instruction.
    fn extract(word: u64, mask: u64) -> Option<u64>;
}

/// Code that is compiled for a kind of processor.
pub(crate) trait Kernel {
    /// The type of the result.
    type Output;

    /// Computes the result. This must be `#[inline(always)]`, since [`Processor::run`] compiles only inlined
    /// code for the processor. A closure is not enough: the optimiser decides whether to inline it.
    fn compute(self) -> Self::Output;
}

/// The processor that the program is compiled for.
#[derive(Clone, Copy)]
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2", target_feature = "popcnt")))]
pub(crate) struct Compiled;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2", target_feature = "popcnt"))]
pub(crate) use self::Bmi2 as Compiled;

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2", target_feature = "popcnt")))]
impl Processor for Compiled {
    #[inline]
    fn run<K: Kernel>(kernel: K) -> K::Output {
        kernel.compute()
    }

    #[inline]
    fn extract(_word: u64, _mask: u64) -> Option<u64> {
        None
    }
}

/// An x86-64 processor with `popcnt`, BMI1, BMI2 and `lzcnt`. Only [`dispatch`], and programs that are
/// compiled for such processors, name it.
#[derive(Clone, Copy)]
#[cfg(target_arch = "x86_64")]
pub(crate) struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Processor for Bmi2 {
    #[inline]
    #[expect(unsafe_code, reason = "the compiler cannot know which instructions the processor has")]
    fn run<K: Kernel>(kernel: K) -> K::Output {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn on_bmi2<K: Kernel>(kernel: K) -> K::Output {
            kernel.compute()
        }
        // SAFETY: code that names `Bmi2` has checked that the processor has these instructions.
        unsafe { on_bmi2(kernel) }
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "the compiler cannot know which instructions the processor has")]
    fn extract(word: u64, mask: u64) -> Option<u64> {
        // SAFETY: a `Bmi2` is named only where the processor has the instruction.
        Some(unsafe { _pext_u64(word, mask) })
    }
}

/// Begins to load a value into the cache, where the processor can.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[expect(unsafe_code, reason = "it takes an address")]
        // SAFETY: every such processor has the instruction, which changes nothing but the cache.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Work that is compiled for each kind of processor.
pub(crate) trait Work {
    /// The type of the result, which is the same on every processor.
    type Output;

    /// Does the work.
    fn on<P: Processor>(self) -> Self::Output;
}

/// Does work in the version for this processor.
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if *HAS_BMI2 {
        return work.on::<Bmi2>();
    }
    work.on::<Compiled>()
}

/// Whether the processor has the instructions of [`Bmi2`], and a fast `pext`.
#[cfg(target_arch = "x86_64")]
static HAS_BMI2: LazyLock<bool> = LazyLock::new(|| {
    let has = std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt");
    has && !has_slow_pext()
});

/// Whether the processor is one of AMD or Hygon before Zen 3, where `pext` takes a loop of microcode.
#[cfg(target_arch = "x86_64")]
fn has_slow_pext() -> bool {
    const ZEN_3: u32 = 0x19;
    let vendor = __cpuid(0);
    let is_amd = [[vendor.ebx, vendor.edx, vendor.ecx]]
        .iter()
        .any(|words| ["AuthenticAMD", "HygonGenuine"].iter().any(|name| words_of(name) == *words));
    let version = __cpuid(1).eax;
    // The extended family counts where the family is 15.
    let family = (version >> 8 & 15) + if version >> 8 & 15 == 15 { version >> 20 & 255 } else { 0 };
    is_amd && family < ZEN_3
}

/// The name of a vendor as three registers.
#[cfg(target_arch = "x86_64")]
fn words_of(name: &str) -> [u32; 3] {
    let mut words = [0; 3];
    for (at, byte) in name.bytes().enumerate() {
        words[at / 4] |= u32::from(byte) << (8 * (at % 4));
    }
    words
}

#[cfg(test)]
mod tests {
    use std::marker::PhantomData;

    use super::*;

    struct Extract(u64, u64);

    impl Work for Extract {
        type Output = (u32, Option<u64>);

        fn on<P: Processor>(self) -> Self::Output {
            P::run(ExtractOn::<P>(self, PhantomData))
        }
    }

    struct ExtractOn<P>(Extract, PhantomData<P>);

    impl<P: Processor> Kernel for ExtractOn<P> {
        type Output = (u32, Option<u64>);

        #[inline(always)]
        fn compute(self) -> Self::Output {
            let Self(Extract(word, mask), _) = self;
            (word.count_ones(), P::extract(word, mask))
        }
    }

    #[test]
    fn work_is_the_same_on_every_processor() {
        let (word, mask) = (0xf0f1_2345_89ab_cdef, 0x0ff0_00ff_1010_8001);
        let mut expected = 0;
        for (number, bit) in (0..64).filter(|bit| mask >> bit & 1 == 1).enumerate() {
            expected |= (word >> bit & 1) << number;
        }
        for (ones, bits) in [dispatch(Extract(word, mask)), Extract(word, mask).on::<Compiled>()] {
            assert_eq!(ones, word.count_ones());
            assert_eq!(bits.unwrap_or(expected), expected);
        }
    }
}
