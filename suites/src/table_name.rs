//! The names of tables: the pieces of the stronger side, `v`, those of the weaker one.

/// How many men a table such as `KPvK` has, kings included; `None` if the text names no table.
pub(crate) fn men(table: &str) -> Option<u8> {
    let (stronger, weaker) = table.split_once('v')?;
    let side = |pieces: &str| {
        pieces.strip_prefix('K').is_some_and(|rest| rest.chars().all(|piece| "QRBNP".contains(piece)))
    };
    if side(stronger) && side(weaker) { u8::try_from(stronger.len() + weaker.len()).ok() } else { None }
}
