//! The text of a dump: plain, or compressed with gzip or zstd, which are recognised by the first bytes of the file. Memory use does
//! not depend on the size of the text.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::bufread::MultiGzDecoder;

use crate::progress::Progress;

/// How many bytes are needed to recognise the format.
const HEAD: u64 = 8;
/// The base-2 logarithm of the largest zstd window that is accepted. The default window of zstd is smaller.
const ZSTD_WINDOW: u32 = 27;

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

/// Opens the text of a file or of standard input. The bytes of the file advance the progress bar.
pub(super) fn open<'a>(path: &Path, progress: &'a Progress) -> anyhow::Result<Box<dyn BufRead + 'a>> {
    let input: Box<dyn Read + 'a> = if path.as_os_str() == "-" {
        progress.restart(0, "rows of the dump");
        Box::new(io::stdin())
    } else {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        progress.restart(file.metadata().map_or(0, |metadata| metadata.len()), "rows of the dump");
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
        let mut decoder = zstd::stream::read::Decoder::with_buffer(whole)?;
        decoder.window_log_max(ZSTD_WINDOW)?;
        unpacked("zstd", decoder)
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
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

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
    }

    /// A stream that is cut off anywhere, or has a damaged checksum, is refused.
    #[test]
    fn a_damaged_stream_is_refused() {
        for packed in [gzip(TEXT.as_bytes()), zstd(TEXT.as_bytes())] {
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

    #[test]
    fn a_stream_that_needs_much_memory_is_refused() {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(ZSTD_WINDOW + 1).unwrap();
        encoder.write_all(TEXT.as_bytes()).unwrap();
        refused(&encoder.finish().unwrap(), "the zstd stream is damaged after 0 bytes of text");
    }

    #[test]
    fn other_formats_are_named() {
        refused(b"\xfd7zXZ\0\0\x04", "got packed with xz");
        refused(b"PK\x03\x04\x14\0", "got a zip archive");
        refused(b"\xff\xfef\0e\0n\0", "got text in UTF-16");
    }
}
