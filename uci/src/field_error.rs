//! A field of a line that cannot be parsed.

/// A field that cannot be parsed, or should not be there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {found}")]
pub struct FieldError {
    /// The name of the field.
    pub field: String,
    /// What is wrong with it.
    pub found: String,
}

impl FieldError {
    pub(crate) fn new(field: &str, found: impl Into<String>) -> Self {
        Self { field: field.to_owned(), found: found.into() }
    }
}
