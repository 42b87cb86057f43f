//! Enums that files and reports write as words.

/// A word that its enum does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} \"{found}\", expected {expected}")]
pub struct UnknownWord {
    what: &'static str,
    found: String,
    expected: String,
}

impl UnknownWord {
    /// The error that `found`, which is shortened, is none of the `names`.
    pub fn new(what: &'static str, found: &str, names: impl IntoIterator<Item = &'static str>) -> Self {
        let expected = names.into_iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        Self { what, found: found.chars().take(40).collect(), expected }
    }
}

/// Declares an enum without fields and the word of each variant: `ALL`, `name`, `Display` and `FromStr`.
///
/// The text after the colon names the enum in the error of `FromStr`. Variants are ordered as they are
/// declared.
#[macro_export]
macro_rules! words {
    (
        $(#[$doc:meta])*
        $vis:vis enum $name:ident: $what:literal {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// All, in the order of their declaration.
            $vis const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word in files and reports.
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|known| known.name() == text);
                found.ok_or_else(|| $crate::UnknownWord::new($what, text, Self::ALL.map(Self::name)))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    crate::words! {
        /// A colour.
        enum Colour: "colour" {
            /// White.
            White = "white",
            /// Black.
            Black = "black",
        }
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for colour in Colour::ALL {
            assert_eq!(colour.to_string().parse(), Ok(colour));
        }
        let error = "red".parse::<Colour>().unwrap_err().to_string();
        assert_eq!(error, "unknown colour \"red\", expected \"white\", \"black\"");
    }
}
