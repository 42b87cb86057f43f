//! Text that is packed with zstd: one frame after the other, each with its checksum compared if it has one.
//! Memory is bounded by the window, the largest of which is 128 MiB.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How much is decoded at once, in bytes.
const STEP: usize = 1 << 17;

/// Decodes frames as they are read.
pub(super) struct Frames<R> {
    input: R,
    decoder: FrameDecoder,
    /// Whether a frame has begun whose text was not all read.
    is_open: bool,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, decoder: FrameDecoder::new(), is_open: false }
    }

    /// Begins the next frame that is no skippable one; false at the end of the input.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = io::copy(&mut self.input.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(false)
    }

    fn end(&mut self) -> io::Result<()> {
        self.is_open = false;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(stored), calculated) if Some(stored) != calculated => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "a frame has another checksum than it says"))
            }
            _ => Ok(()),
        }
    }
}

/// An error of the decoder. If reading the input failed, or the input ended, it has the kind of that error.
fn failed(error: FrameDecoderError) -> io::Error {
    let first: &dyn std::error::Error = &error;
    let mut sources = std::iter::successors(Some(first), |error| error.source());
    let of_input = sources.find_map(|error| error.downcast_ref::<io::Error>());
    io::Error::new(of_input.map_or(io::ErrorKind::InvalidData, io::Error::kind), error)
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_open {
                self.is_open = self.begin()?;
                if !self.is_open {
                    return Ok(0);
                }
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.end()?;
            } else if let Err(error) =
                self.decoder.decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBytes(STEP))
            {
                return Err(failed(error));
            }
        }
    }
}
