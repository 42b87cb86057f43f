//! The checksum at the end of Syzygy files: `CityHashCrc128` of version 1.0 of `CityHash`, over chunks of 16
//! MiB.
//!
//! This module supports files of at most four chunks. The format hashes the sums of chunks of larger files in
//! another way; no table of five men is so large.

/// The bytes of a chunk.
const CHUNK: usize = 1 << 24;
/// The bytes that the hash of 256 bits consumes in a round.
const ROUND: usize = 240;
const STEP: usize = 40;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;
const K3: u64 = 0xc949_d7c7_509e_6557;
const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;

/// The remainder of each byte by the polynomial of CRC-32C.
static CRC: [[u32; 256]; 8] = {
    let mut table = [[0_u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ 0x82f6_3b78 } else { rest >> 1 };
            bit += 1;
        }
        table[0][byte] = rest;
        byte += 1;
    }
    let mut after = 1;
    while after < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = table[after - 1][byte];
            table[after][byte] = before >> 8 ^ table[0][(before & 0xff) as usize];
            byte += 1;
        }
        after += 1;
    }
    table
};

/// The checksum of the contents of a file, as its last 16 bytes store it. It is right for contents of up to
/// 64 MiB; no table of five men has more.
pub fn of(contents: &[u8]) -> [u8; 16] {
    let sums: Vec<u8> = contents
        .chunks(CHUNK)
        .flat_map(|chunk| hash_256(chunk).into_iter().flat_map(u64::to_le_bytes))
        .collect();
    let [low, high] = hash_128(&sums);
    let mut sum = [0; 16];
    sum[..8].copy_from_slice(&low.to_le_bytes());
    sum[8..].copy_from_slice(&high.to_le_bytes());
    sum
}

/// The eight bytes at an offset.
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// A step of CRC-32C over the eight bytes of a word, without inversions.
fn crc(state: u64, word: u64) -> u64 {
    let bytes = (word ^ state & 0xffff_ffff).to_le_bytes();
    let rest = (0..8).map(|at| CRC[7 - at][usize::from(bytes[at])]).fold(0, |rest, part| rest ^ part);
    u64::from(rest)
}

fn mix(value: u64) -> u64 {
    value ^ value >> 47
}

/// A hash of two words.
fn hash_words(low: u64, high: u64) -> u64 {
    let one = mix((low ^ high).wrapping_mul(MULTIPLIER));
    mix((high ^ one).wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER)
}

/// The state of the hash of 256 bits.
struct State {
    words: [u64; 5],
    last: u64,
    sums: [u64; 5],
}

impl State {
    #[expect(clippy::many_single_char_names, reason = "the names of the published algorithm")]
    fn step(&mut self, bytes: &[u8], at: usize, multiplier: u64, turn: u32) {
        let [a, b, c, d, e] = self.words;
        let next = |value: u64, rotate: u32, place: usize| {
            value
                .rotate_right(rotate ^ turn)
                .wrapping_mul(multiplier)
                .wrapping_add(word(bytes, at + 8 * place))
        };
        self.words = [next(b, 41, 0), next(c, 27, 1), next(d, 41, 2), next(e, 33, 3), next(self.last, 25, 4)];
        self.last = a;
        for (sum, word) in self.sums.iter_mut().zip(self.words) {
            *sum = crc(*sum, word);
        }
    }
}

/// The hash of 256 bits of a chunk.
fn hash_256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() < ROUND {
        let mut padded = bytes.to_vec();
        padded.resize(ROUND, 0);
        return hash_long(&padded, u64::from(!(bytes.len() as u32)));
    }
    hash_long(bytes, 0)
}

fn hash_long(bytes: &[u8], seed: u64) -> [u64; 4] {
    let len = bytes.len() as u64;
    let first = hash_words(word(bytes, 96).wrapping_add(K0), len);
    let second = word(bytes, 120).wrapping_mul(K0).wrapping_add(len);
    let mut state = State {
        words: [
            word(bytes, 56).wrapping_add(K0),
            word(bytes, 96).wrapping_add(K0),
            first,
            second,
            word(bytes, 184).wrapping_add(seed),
        ],
        last: first.wrapping_add(second),
        sums: [seed, 0, 0, 0, 0],
    };
    let mut at = 0;
    for _ in 0..bytes.len() / ROUND {
        for step in 0..6 {
            let (multiplier, turn) = if step % 2 == 0 { (1, 1) } else { (K0, 0) };
            state.step(bytes, at, multiplier, turn);
            at += STEP;
        }
    }
    while bytes.len() - at >= STEP {
        state.step(bytes, at, K0, 0);
        at += STEP;
    }
    if at < bytes.len() {
        state.step(bytes, bytes.len() - STEP, K0, 0);
    }
    finish(&state, first, second)
}

/// The last mixing of the hash of 256 bits.
#[expect(clippy::many_single_char_names, reason = "the names of the published algorithm")]
fn finish(state: &State, first: u64, second: u64) -> [u64; 4] {
    let add = u64::wrapping_add;
    let [mut a, mut b, mut c, mut d, mut e] = state.words;
    let [mut f, mut g, mut h, mut i, mut j] = state.sums;
    j = add(j, i << 32);
    a = hash_words(a, j);
    h = add(h, g << 32);
    b = add(b, h);
    c = add(hash_words(c, f), i);
    d = hash_words(d, add(e, first));
    j = add(j, e);
    i = add(i, hash_words(h, state.last));
    e = add(hash_words(a, d), j);
    f = add(hash_words(b, c), a);
    g = add(hash_words(j, i), c);
    let one = add(add(add(e, f), g), h);
    a = add(mix(add(a, g).wrapping_mul(K0)).wrapping_mul(K0), b);
    let two = add(second, add(a, one));
    a = add(mix(a.wrapping_mul(K0)).wrapping_mul(K0), c);
    let three = add(a, two);
    a = mix(add(a, e).wrapping_mul(K0)).wrapping_mul(K0);
    [one, two, three, add(a, three)]
}

/// The hash of 128 bits of the hashes of all chunks.
fn hash_128(bytes: &[u8]) -> [u64; 2] {
    if bytes.len() < 16 {
        return [0, 0];
    }
    let seed = [word(bytes, 0) ^ K3, word(bytes, 8)];
    let bytes = &bytes[16..];
    let len = bytes.len() as u64;
    let [mut a, mut b] = seed;
    let (mut c, mut d);
    if bytes.len() <= 16 {
        a = mix(a.wrapping_mul(K1)).wrapping_mul(K1);
        c = b.wrapping_mul(K1).wrapping_add(hash_short(bytes));
        d = mix(a.wrapping_add(if bytes.len() >= 8 { word(bytes, 0) } else { c }));
    } else {
        c = hash_words(word(bytes, bytes.len() - 8).wrapping_add(K1), a);
        d = hash_words(b.wrapping_add(len), c.wrapping_add(word(bytes, bytes.len() - 16)));
        a = a.wrapping_add(d);
        for at in (0..bytes.len() - 16).step_by(16) {
            a = (a ^ mix(word(bytes, at).wrapping_mul(K1)).wrapping_mul(K1)).wrapping_mul(K1);
            b ^= a;
            c = (c ^ mix(word(bytes, at + 8).wrapping_mul(K1)).wrapping_mul(K1)).wrapping_mul(K1);
            d ^= c;
        }
    }
    a = hash_words(a, c);
    b = hash_words(d, b);
    [a ^ b, hash_words(b, a)]
}

/// The hash of 64 bits of nine to sixteen bytes.
fn hash_short(bytes: &[u8]) -> u64 {
    if bytes.len() <= 8 {
        return K2;
    }
    let len = bytes.len();
    let (first, last) = (word(bytes, 0), word(bytes, len - 8));
    hash_words(first, last.wrapping_add(len as u64).rotate_right(len as u32)) ^ last
}
