//! Files of five men: a checksum is published of each.

use super::*;

/// A file of five men is refused whose checksum is not the published one, though it is that of its contents.
#[test]
fn a_file_of_five_men_is_refused_if_it_is_not_the_official_one() {
    let mut bench = Bench::new();
    bench.mirror(&Server::honest());
    let mut contents = vec![0x71, 0xe8, 0x23, 0x5d];
    contents.resize(64, 0);
    let right = engine::tables::syzygy::checksum(&contents);
    let whole = [&contents[..], &right].concat();
    let known = Checksum { file: "KRPvKQ.rtbw".to_owned(), sum: right };
    bench.sources.published = Arc::new(Published { pins: pins(), five_men: vec![known] });
    bench.directory("mine", &[("KRPvKQ.rtbw", &whole), ("KQvKRP.rtbw", &whole), ("KRPvKR.rtbw", &whole)]);
    let located = bench.sources.locate(&Probed::up_to(5), &|_| {});
    assert!(located.files.has("KRPvKQ.rtbw"));
    let refused: Vec<&str> = located.files.unusable().map(|(name, _)| name).collect();
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

/// In the place of a damaged file of five men comes that of the cache or of a mirror, if it is the official one.
#[test]
fn a_damaged_file_of_five_men_is_replaced_by_the_official_one_alone() {
    let name = "KRPvKQ.rtbw";
    let mut contents = vec![0x71, 0xe8, 0x23, 0x5d];
    contents.resize(64, 0);
    let sum = engine::tables::syzygy::checksum(&contents);
    let whole = [&contents[..], &sum].concat();
    let mut damaged = whole.clone();
    damaged[40] ^= 1;
    for (cached, of_mirror, is_had) in
        [(&whole, None, true), (&damaged, Some(&whole), true), (&damaged, Some(&damaged), false)]
    {
        let mut bench = Bench::new();
        let five_men = vec![Checksum { file: name.to_owned(), sum }];
        bench.sources.published = Arc::new(Published { pins: Vec::new(), five_men });
        bench.directory("mine", &[(name, &damaged)]);
        bench.sources.cache.write(name, cached).unwrap();
        if let Some(bytes) = of_mirror {
            let bytes = bytes.clone();
            bench.mirror(&Server::new(move |_| answer("200 OK", &bytes)));
        }
        let located = bench.sources.locate(&Probed::up_to(5), &|_| {});
        assert_eq!(located.files.bytes(name), is_had.then_some(&whole[..]));
        assert_eq!(located.shortfall().is_none(), is_had);
        let kept = std::fs::read(bench.sources.cache.path(name)).unwrap();
        assert_eq!(kept, if is_had { &whole } else { &damaged }[..]);
    }
}
