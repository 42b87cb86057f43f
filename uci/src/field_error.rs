//! A field of a line that cannot be read.

/// A field that cannot be read, or should not be there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {found}")]
pub struct FieldError {
    /// The field.
    pub field: String,
    /// What is there, in words.
    pub found: String,
}

impl FieldError {
    pub(crate) fn new(field: &str, found: impl Into<String>) -> Self {
        Self { field: field.to_owned(), found: found.into() }
    }
}
