//! Names of tables on the command line.

use engine::tables::{Material, MaterialError};

/// The table of a name as Syzygy writes it, such as `KPvK`.
///
/// # Errors
/// Another name. The error suggests a table: `KPK` and `kpvk` suggest `KPvK`, but they are not accepted.
pub(crate) fn named(name: &str) -> Result<Material, String> {
    name.parse().map_err(|error: MaterialError| {
        let hint = suggested(name).map(|table| format!("; did you mean {table}?")).unwrap_or_default();
        format!("{error}{hint}")
    })
}

/// The table whose men a text names in another way: in small letters, without the v, the weaker side or
/// weaker men first.
fn suggested(name: &str) -> Option<Material> {
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_uppercase();
    let (second, _) = letters.char_indices().skip(1).find(|(_, letter)| *letter == 'K')?;
    let (one, other) = letters.split_at(second);
    let [one, other] = [one, other].map(in_order);
    [format!("{one}v{other}"), format!("{other}v{one}")].iter().find_map(|name| name.parse().ok())
}

/// The men of a side, the strongest first.
fn in_order(men: &str) -> String {
    const ORDER: &str = "KQRBNP";
    let mut men: Vec<char> = men.chars().filter(|&letter| letter != 'V').collect();
    men.sort_by_key(|&letter| ORDER.find(letter));
    men.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_spellings_lead_to_the_table() {
        let check = |name, expected: Option<&str>| {
            assert_eq!(suggested(name).map(|table| table.to_string()).as_deref(), expected, "{name}");
        };
        for name in ["KPK", "kpvk", "kpk", "KP-K", "KPvk", "KvKP", "KKP"] {
            check(name, Some("KPvK"));
        }
        check("KNBvK", Some("KBNvK"));
        check("KRKP", Some("KRvKP"));
        check("KXvK", None);
        check("K", None);
        check("", None);
        check("queen", None);
    }

    #[test]
    fn only_the_right_name_is_taken() {
        assert_eq!(named("KPvK").map(|table| table.to_string()).as_deref(), Ok("KPvK"));
        let error = named("KPK").unwrap_err();
        assert!(error.ends_with("; did you mean KPvK?"), "{error}");
    }
}
