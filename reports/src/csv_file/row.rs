//! A row of a report and the names of its columns.
//!
//! The fields of the row's struct are the columns: serde derives the header, the rows and the reader from
//! them.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

/// One row of one report: a struct whose fields are the columns.
///
/// Rows are ordered by their columns from left to right, numbers as numbers.
pub trait Row: Serialize + DeserializeOwned + Ord {
    /// The name of the file that holds such rows.
    const FILE: &'static str;
}

/// The names of the columns of a report, from left to right: the field names of its row.
pub fn columns<R: Row>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // Always an error: there is no value to read.
    let _: Result<R, Error> = R::deserialize(FieldNames(&mut names));
    names
}

/// Records the field names that a struct asks a deserializer for.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("a row is a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("the names are recorded"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
