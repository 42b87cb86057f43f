//! The text of a large file: plain, or compressed with gzip or zstd, which are recognised by the first bytes of the
//! file. Memory use does not depend on the size of the text.

mod zstd;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::bufread::MultiGzDecoder;

use crate::progress::Progress;

/// How many bytes are needed to recognise the format.
const HEAD: u64 = 8;

/// Formats that are common but not read, by their first bytes.
const NOT_READ: [(&[u8], &str); 10] = [
    (b"\xfd7zXZ\0", "packed with xz"),
    (b"BZh", "packed with bzip2"),
    (b"PK\x03\x04", "a zip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x04\x22\x4d\x18", "packed with lz4"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
    (b"\x71\xe8\x23\x5d", "a Syzygy table"),
    (b"\xd7\x66\x0c\xa5", "a Syzygy table"),
    (b"\x8aTABLE\r\n", "a table file, for tables check"),
];

/// Opens the text of a file or of standard input. The bytes of the file advance the progress bar, which says
/// `what` is read.
pub(crate) fn open<'a>(
    path: &Path,
    what: &str,
    progress: &'a Progress,
) -> anyhow::Result<Box<dyn BufRead + 'a>> {
    let input: Box<dyn Read + 'a> = if path.as_os_str() == "-" {
        progress.restart(0, what);
        Box::new(io::stdin())
    } else {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        progress.restart(file.metadata().map_or(0, |metadata| metadata.len()), what);
        Box::new(file)
    };
    text(Counted { input, progress }).with_context(|| path.display().to_string())
}

fn text<'a>(mut input: impl Read + 'a) -> anyhow::Result<Box<dyn BufRead + 'a>> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head).context("cannot be read")?;
    if let Some((_, what)) = NOT_READ.iter().find(|(magic, _)| head.starts_with(magic)) {
        bail!("expected text, or text packed with gzip or zstd, got {what}");
    }
    let is_gzip = head.starts_with(b"\x1f\x8b");
    // A data frame, or a skippable frame, which some compressors write first.
    let is_zstd = head.starts_with(b"\x28\xb5\x2f\xfd")
        || head.get(1..4) == Some(b"\x2a\x4d\x18") && head[0] & 0xf0 == 0x50;
    let whole = BufReader::new(Cursor::new(head).chain(input));
    Ok(if is_gzip {
        unpacked("gzip", MultiGzDecoder::new(whole))
    } else if is_zstd {
        unpacked("zstd", zstd::Frames::new(whole))
    } else {
        Box::new(whole)
    })
}

fn unpacked<'a>(form: &'static str, input: impl Read + 'a) -> Box<dyn BufRead + 'a> {
    Box::new(BufReader::new(Unpacked { input, form, bytes: 0 }))
}

/// Decompressed text, whose errors say where the stream broke off.
struct Unpacked<R> {
    input: R,
    form: &'static str,
    bytes: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer).map_err(|error| {
            let Self { form, bytes, .. } = self;
            let what = if error.kind() == io::ErrorKind::UnexpectedEof { "cut off" } else { "damaged" };
            io::Error::new(
                error.kind(),
                format!("the {form} stream is {what} after {bytes} bytes of text: {error}"),
            )
        })?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// A file that advances the progress bar as it is read.
struct Counted<'a, R> {
    input: R,
    progress: &'a Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.progress.advance(read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const TEXT: &str = "fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,draw\n";

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    /// What the program zstd 1.5.4 makes of `TEXT` and of nothing, with `-3 --check`.
    const BY_ZSTD: [&[u8]; 2] = [b"\x28\xb5\x2f\xfd\x04\x58\x1d\x01\x00\xe8\x66\x65\x6e\x2c\x77\x64\x6c\x0a\x38\x2f\x4b\x36\x6b\x20\x77\x20\x2d\x20\x2d\x20\x30\x20\x31\x2c\x64\x72\x61\x77\x0a\x01\x00\x71\x0e\x09\xb5\xa4\xee\x98", b"\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00\x99\xe9\xd8\x51"];

    fn read(bytes: &[u8]) -> Result<String, String> {
        let mut whole = String::new();
        let mut input = text(bytes).map_err(|error| error.to_string())?;
        input.read_to_string(&mut whole).map_err(|error| error.to_string())?;
        Ok(whole)
    }

    #[track_caller]
    fn refused(bytes: &[u8], part: &str) {
        let error = read(bytes).unwrap_err();
        assert!(error.contains(part), "{error}");
    }

    #[test]
    fn compressed_text_is_read_back() {
        for text in ["", "x", TEXT] {
            assert_eq!(read(text.as_bytes()).unwrap(), text);
            assert_eq!(read(&gzip(text.as_bytes())).unwrap(), text);
            assert_eq!(read(&zstd(text.as_bytes())).unwrap(), text);
        }
        let twice = TEXT.repeat(2);
        assert_eq!(read(&[gzip(TEXT.as_bytes()), gzip(TEXT.as_bytes())].concat()).unwrap(), twice);
        assert_eq!(read(&[zstd(TEXT.as_bytes()), zstd(TEXT.as_bytes())].concat()).unwrap(), twice);
        let [by_zstd, nothing] = BY_ZSTD;
        // A skippable frame of two bytes, as some compressors write first.
        let skippable: &[u8] = b"\x53\x2a\x4d\x18\x02\0\0\0ab";
        assert_eq!(read(&[skippable, by_zstd, nothing, skippable, by_zstd].concat()).unwrap(), twice);
    }

    /// A stream that is cut off anywhere, or has a damaged checksum, is refused.
    #[test]
    fn a_damaged_stream_is_refused() {
        for packed in [gzip(TEXT.as_bytes()), zstd(TEXT.as_bytes()), BY_ZSTD[0].to_vec()] {
            for end in 5..packed.len() {
                refused(&packed[..end], "cut off");
            }
            for place in packed.len() - 4..packed.len() {
                let mut damaged = packed.clone();
                damaged[place] ^= 1;
                assert!(read(&damaged).is_err(), "byte {place}");
            }
        }
        refused(&[gzip(TEXT.as_bytes()), b"and more".to_vec()].concat(), "the gzip stream is");
    }

    /// The block is complete but its contents mean nothing, and the frame has no checksum.
    #[test]
    fn a_damaged_block_is_not_cut_off() {
        let mut damaged = zstd(TEXT.repeat(50).as_bytes());
        let end = damaged.len() - 20;
        damaged[12..end].fill(0xff);
        refused(&damaged, "the zstd stream is damaged");
    }

    /// A frame states its window before all else. The window is 128 MiB here, and then twice as much.
    #[test]
    fn a_stream_that_needs_much_memory_is_refused() {
        let frame = |window: u8| [b"\x28\xb5\x2f\xfd\0", &[window][..], b"\x09\0\0x"].concat();
        assert_eq!(read(&frame(17 << 3)).unwrap(), "x");
        refused(&frame(18 << 3), "the zstd stream is damaged after 0 bytes of text");
    }

    /// A damaged frame with a checksum gives an error, or the text if the bit means nothing.
    #[test]
    fn damage_anywhere_gives_no_other_text() {
        let packed = BY_ZSTD[0];
        for place in 0..packed.len() {
            for bit in 0..8 {
                let mut damaged = packed.to_vec();
                damaged[place] ^= 1 << bit;
                assert!(read(&damaged).map_or(true, |text| text == TEXT), "byte {place}, bit {bit}");
            }
        }
    }

    #[test]
    fn other_formats_are_named() {
        refused(b"\xfd7zXZ\0\0\x04", "got packed with xz");
        refused(b"PK\x03\x04\x14\0", "got a zip archive");
        refused(b"\xff\xfef\0e\0n\0", "got text in UTF-16");
    }
}
