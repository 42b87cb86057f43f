//! Suggestions for misspelt names.

/// The least similarity, from 0 to 1, at which a name is suggested for another.
const LEAST_SIMILARITY: f64 = 0.84;

/// ` (did you mean ...?)` with the most similar of these names; empty if none is similar.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let near = nearest(name, known);
    if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", near.join(" or ")) }
}

/// At most three names, the most similar first.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let similarity = |known: &str| {
        let known = known.to_lowercase();
        if known.split('/').any(|part| part == name) { 1.0 } else { strsim::jaro_winkler(&name, &known) }
    };
    most_similar(known.map(|known| (similarity(known), known)).collect())
}

/// Of names with their similarity.
fn most_similar(mut near: Vec<(f64, &str)>) -> Vec<&str> {
    near.retain(|(similarity, _)| *similarity > LEAST_SIMILARITY);
    near.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    near.dedup();
    near.into_iter().take(3).map(|(_, known)| known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 4] = ["process/crash", "process/hang", "draw/repetition", "perft"];

    #[test]
    fn similar_names_are_suggested() {
        let check = |name, expected: &[&str]| assert_eq!(nearest(name, IDS.into_iter()), expected);
        check("process/crahs", &["process/crash", "process/hang"]);
        check("repetition", &["draw/repetition"]);
        check("PERFT", &["perft"]);
        check("process", &["process/crash", "process/hang"]);
        check("quintessence", &[]);
        assert_eq!(did_you_mean("prft", IDS.into_iter()), " (did you mean perft?)");
        assert_eq!(did_you_mean("zzz", IDS.into_iter()), "");
    }
}
