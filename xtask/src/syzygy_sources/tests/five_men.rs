//! Files of five men: a checksum is published of each.

use super::*;

/// A file of five men is refused if its checksum is not the published one, even if it is that of its
/// contents.
#[test]
fn a_file_of_five_men_is_refused_if_it_is_not_the_official_one() {
    let mut bench = Bench::new();
    let mut contents = vec![0x71, 0xe8, 0x23, 0x5d];
    contents.resize(64, 0);
    let right = engine::tables::syzygy::checksum(&contents);
    let whole = [&contents[..], &right].concat();
    let known = Checksum { file: "KRPvKQ.rtbw".to_owned(), sum: right };
    bench.sources.published = Arc::new(Published { pins: pins(), five_men: vec![known] });
    bench.directory("mine", &[("KRPvKQ.rtbw", &whole), ("KQvKRP.rtbw", &whole), ("KRPvKR.rtbw", &whole)]);
    let located = bench.sources.locate(&Probed::up_to(5), &|_| {});
    assert!(located.files.has("KRPvKQ.rtbw"));
    let refused = located.files.unusable().filter(|(_, status)| **status != FileStatus::Missing);
    let refused: Vec<&str> = refused.map(|(name, _)| name).collect();
    assert_eq!(refused, ["KQvKRP.rtbw", "KRPvKR.rtbw"]);
    assert_warned(&located, &["KQvKRP.rtbw: unreadable: no table of five men has the name"]);

    let embedded = Published::embedded().unwrap();
    assert!(!embedded.status("KRPvKR.rtbw", &whole).is_usable());
    assert!(!embedded.status("KRPvKR.rtbw", b"short").is_usable());
    // A bit of the contents, and one of the end.
    for place in [40, 70] {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        let status = bench.sources.published.status("KRPvKQ.rtbw", &damaged);
        assert!(status.to_string().starts_with("corrupt: expected the checksum "), "{status}");
    }
}

/// A damaged file of five men of the user is refused, even if the cache has the official one. If the user has
/// no such file, the one in the cache is used.
#[test]
fn a_damaged_file_of_five_men_is_not_replaced() {
    let name = "KRPvKQ.rtbw";
    let mut contents = vec![0x71, 0xe8, 0x23, 0x5d];
    contents.resize(64, 0);
    let sum = engine::tables::syzygy::checksum(&contents);
    let whole = [&contents[..], &sum].concat();
    let mut damaged = whole.clone();
    damaged[40] ^= 1;
    for (given, is_had) in [(&whole, true), (&damaged, false)] {
        let mut bench = Bench::new();
        let five_men = vec![Checksum { file: name.to_owned(), sum }];
        bench.sources.published = Arc::new(Published { pins: Vec::new(), five_men });
        bench.directory("mine", &[(name, given)]);
        bench.sources.cache.write(name, &whole).unwrap();
        let located = bench.sources.locate(&Probed::up_to(5), &|_| {});
        assert_eq!(located.files.bytes(name), is_had.then_some(&whole[..]));
        assert_eq!((located.shortfall().is_none(), located.has_refused), (is_had, !is_had));
    }
}
