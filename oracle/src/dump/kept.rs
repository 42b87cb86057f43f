//! Rows that may come to be listed, set aside until the whole file has been read: only then is it known how it is meant.
//!
//! They go where the caller says, in a form of their own; memory does not grow with them.

use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};

use super::judge::Judged;
use super::row::RowClaim;
use super::sources::{Answer, Answers, Source};
use crate::table_probe::Wdl;

/// Where rows go.
pub(super) struct Keeper<S: Write> {
    place: BufWriter<S>,
    rows: u64,
}

impl<S: Read + Write + Seek> Keeper<S> {
    pub(super) fn new(place: S) -> Self {
        Self { place: BufWriter::new(place), rows: 0 }
    }

    /// Sets a row aside.
    pub(super) fn keep(&mut self, row: &Judged) -> io::Result<()> {
        self.rows += 1;
        let Judged { line, fen, claim, answers } = row;
        let place = &mut self.place;
        place.write_all(&line.to_le_bytes())?;
        place.write_all(&(fen.len() as u16).to_le_bytes())?;
        place.write_all(fen.as_bytes())?;
        let (kind, wdl, distance) = match claim {
            RowClaim::Zero => (0, Wdl::Draw, None),
            RowClaim::Wdl(wdl) => (1, *wdl, None),
            RowClaim::Dtm(wdl, distance) => (2, *wdl, *distance),
        };
        place.write_all(&[kind, code(wdl), u8::from(distance.is_some())])?;
        place.write_all(&distance.unwrap_or_default().to_le_bytes())?;
        for answer in answers.0 {
            let (kind, plies) = match answer.map(|answer| answer.dtm) {
                None => (0, None),
                Some(None) => (1, None),
                Some(Some(None)) => (2, None),
                Some(Some(plies)) => (3, plies),
            };
            place.write_all(&[kind, answer.map_or(0, |answer| code(answer.wdl))])?;
            place.write_all(&plies.unwrap_or_default().to_le_bytes())?;
        }
        Ok(())
    }

    /// The rows that were set aside, from the first one on.
    pub(super) fn rows(self) -> io::Result<Rows<S>> {
        let mut place = self.place.into_inner().map_err(io::IntoInnerError::into_error)?;
        place.rewind()?;
        Ok(Rows { place: BufReader::new(place), left: self.rows })
    }
}

/// Rows that come back.
pub(super) struct Rows<S> {
    place: BufReader<S>,
    left: u64,
}

impl<S: Read> Rows<S> {
    /// At most so many of those that are left; none at the end.
    pub(super) fn block(&mut self, most: usize) -> io::Result<Vec<Judged>> {
        let rows = self.left.min(most as u64);
        self.left -= rows;
        (0..rows).map(|_| self.row()).collect()
    }

    fn row(&mut self) -> io::Result<Judged> {
        let line = u64::from_le_bytes(self.bytes()?);
        let mut fen = vec![0; usize::from(u16::from_le_bytes(self.bytes()?))];
        self.place.read_exact(&mut fen)?;
        let fen = String::from_utf8(fen).map_err(|_| spoilt())?;
        let [kind, result, has_distance] = self.bytes()?;
        let distance = u32::from_le_bytes(self.bytes()?);
        let claim = match kind {
            0 => RowClaim::Zero,
            1 => RowClaim::Wdl(wdl(result)?),
            _ => RowClaim::Dtm(wdl(result)?, (has_distance == 1).then_some(distance)),
        };
        let mut answers = Answers::default();
        for place in 0..Source::ALL.len() {
            let [kind, result] = self.bytes()?;
            let plies = u16::from_le_bytes(self.bytes()?);
            let dtm = match kind {
                0 => continue,
                1 => None,
                2 => Some(None),
                _ => Some(Some(plies)),
            };
            answers.0[place] = Some(Answer { wdl: wdl(result)?, dtm });
        }
        Ok(Judged { line, fen, claim, answers })
    }

    fn bytes<const LENGTH: usize>(&mut self) -> io::Result<[u8; LENGTH]> {
        let mut bytes = [0; LENGTH];
        self.place.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn code(wdl: Wdl) -> u8 {
    match wdl {
        Wdl::Loss => 0,
        Wdl::Draw => 1,
        Wdl::Win => 2,
    }
}

fn wdl(code: u8) -> io::Result<Wdl> {
    [Wdl::Loss, Wdl::Draw, Wdl::Win].into_iter().find(|wdl| self::code(*wdl) == code).ok_or_else(spoilt)
}

/// What was set aside is not what comes back.
fn spoilt() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the rows that were set aside are spoilt")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let claims = [
            RowClaim::Zero,
            RowClaim::Wdl(Wdl::Loss),
            RowClaim::Dtm(Wdl::Draw, None),
            RowClaim::Dtm(Wdl::Win, Some(u32::MAX)),
            RowClaim::Dtm(Wdl::Loss, Some(0)),
        ];
        let answer = |wdl, dtm| Some(Answer { wdl, dtm });
        let answers = [
            Answers::default(),
            Answers([answer(Wdl::Draw, Some(None)), answer(Wdl::Draw, None), None, None]),
            Answers([None, None, answer(Wdl::Win, Some(Some(55))), answer(Wdl::Loss, Some(Some(0)))]),
        ];
        let mut rows = Vec::new();
        for claim in claims {
            for answers in answers {
                let line = 1 + rows.len() as u64 * 1_000_000_000_000;
                rows.push(Judged { line, fen: "8/8 w - -".repeat(rows.len()), claim, answers });
            }
        }
        let mut keeper = Keeper::new(Cursor::new(Vec::new()));
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
