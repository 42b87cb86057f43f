//! Rows that may have to be listed. A temporary store holds them until the whole file has been read, because
//! the reading is known only then.
//!
//! The caller supplies the store. Memory does not grow with the number of rows.

use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};

use super::judge::AnsweredRow;
use super::row::RowValue;
use super::sources::{Source, SourceAnswer, SourceAnswers};
use crate::table_probe::{Dtm, Wdl};

/// Writes rows.
pub(super) struct KeptRows<S: Write> {
    place: BufWriter<S>,
    rows: u64,
}

impl<S: Read + Write + Seek> KeptRows<S> {
    pub(super) fn new(place: S) -> Self {
        Self { place: BufWriter::new(place), rows: 0 }
    }

    /// Writes a row.
    pub(super) fn keep(&mut self, row: &AnsweredRow) -> io::Result<()> {
        self.rows += 1;
        let AnsweredRow { line, fen, value, answers } = row;
        let place = &mut self.place;
        place.write_all(&line.to_le_bytes())?;
        place.write_all(&(fen.len() as u16).to_le_bytes())?;
        place.write_all(fen.as_bytes())?;
        let (kind, wdl, distance) = match value {
            RowValue::Zero => (0, Wdl::Draw, None),
            RowValue::Wdl(wdl) => (1, *wdl, None),
            RowValue::Dtm(wdl, distance) => (2, *wdl, *distance),
        };
        place.write_all(&[kind, wdl as u8, u8::from(distance.is_some())])?;
        place.write_all(&distance.unwrap_or_default().to_le_bytes())?;
        for answer in answers.0 {
            let (kind, plies) = match answer.map(|answer| answer.dtm) {
                None => (0, 0),
                Some(None) => (1, 0),
                Some(Some(None)) => (2, 0),
                Some(Some(Some(dtm))) => (3, dtm.plies()),
            };
            place.write_all(&[kind, answer.map_or(0, |answer| answer.wdl as u8)])?;
            place.write_all(&plies.to_le_bytes())?;
        }
        Ok(())
    }

    /// A reader of the rows that were written.
    pub(super) fn rows(self) -> io::Result<KeptRowReader<S>> {
        let mut place = self.place.into_inner().map_err(io::IntoInnerError::into_error)?;
        place.rewind()?;
        Ok(KeptRowReader { place: BufReader::new(place), left: self.rows })
    }
}

/// Reads rows that were written.
pub(super) struct KeptRowReader<S> {
    place: BufReader<S>,
    left: u64,
}

impl<S: Read> KeptRowReader<S> {
    /// The next rows, at most `most`; none at the end.
    pub(super) fn block(&mut self, most: usize) -> io::Result<Vec<AnsweredRow>> {
        let rows = self.left.min(most as u64);
        self.left -= rows;
        (0..rows).map(|_| self.row()).collect()
    }

    fn row(&mut self) -> io::Result<AnsweredRow> {
        let line = u64::from_le_bytes(self.bytes()?);
        let mut fen = vec![0; usize::from(u16::from_le_bytes(self.bytes()?))];
        self.place.read_exact(&mut fen)?;
        let fen = String::from_utf8(fen).map_err(|_| spoilt())?;
        let [kind, result, has_distance] = self.bytes()?;
        let distance = u32::from_le_bytes(self.bytes()?);
        let value = match kind {
            0 => RowValue::Zero,
            1 => RowValue::Wdl(wdl(result)?),
            _ => RowValue::Dtm(wdl(result)?, (has_distance == 1).then_some(distance)),
        };
        let mut answers = SourceAnswers::default();
        for place in 0..Source::ALL.len() {
            let [kind, result] = self.bytes()?;
            let plies = u16::from_le_bytes(self.bytes()?);
            let dtm = match kind {
                0 => continue,
                1 => None,
                2 => Some(None),
                _ => Some(Some(Dtm::from_plies(plies))),
            };
            answers.0[place] = Some(SourceAnswer { wdl: wdl(result)?, dtm });
        }
        Ok(AnsweredRow { line, fen, value, answers })
    }

    fn bytes<const LENGTH: usize>(&mut self) -> io::Result<[u8; LENGTH]> {
        let mut bytes = [0; LENGTH];
        self.place.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn wdl(code: u8) -> io::Result<Wdl> {
    Wdl::ALL.get(usize::from(code)).copied().ok_or_else(spoilt)
}

/// The error for bytes that differ from the bytes written.
fn spoilt() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the temporary file with rows of the dump is damaged")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let claims = [
            RowValue::Zero,
            RowValue::Wdl(Wdl::Loss),
            RowValue::Dtm(Wdl::Draw, None),
            RowValue::Dtm(Wdl::Win, Some(u32::MAX)),
            RowValue::Dtm(Wdl::Loss, Some(0)),
        ];
        let answer = |wdl, dtm| Some(SourceAnswer { wdl, dtm });
        let answers = [
            SourceAnswers::default(),
            SourceAnswers([answer(Wdl::Draw, Some(None)), answer(Wdl::Draw, None), None, None]),
            SourceAnswers([
                None,
                None,
                answer(Wdl::Win, Some(Some(Dtm::from_plies(55)))),
                answer(Wdl::Loss, Some(Some(Dtm::CHECKMATED))),
            ]),
        ];
        let mut rows = Vec::new();
        for value in claims {
            for answers in answers {
                let line = 1 + rows.len() as u64 * 1_000_000_000_000;
                rows.push(AnsweredRow { line, fen: "8/8 w - -".repeat(rows.len()), value, answers });
            }
        }
        let mut keeper = KeptRows::new(Cursor::new(Vec::new()));
        for row in &rows {
            keeper.keep(row).unwrap();
        }
        let mut back = keeper.rows().unwrap();
        let mut read = back.block(4).unwrap();
        assert_eq!(read.len(), 4);
        read.extend(back.block(100).unwrap());
        assert_eq!(read, rows);
        assert!(back.block(100).unwrap().is_empty());
    }
}
