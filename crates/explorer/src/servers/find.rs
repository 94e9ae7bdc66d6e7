//! Finding servers by the names that people type.

/// Returns the indexes of the names that equal `name`, or, if there are none, those that equal it without case, spaces
/// and punctuation.
#[must_use]
pub fn places_of(name: &str, names: &[&str]) -> Vec<usize> {
    let same = |text: &str| {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect::<String>()
    };
    let exact: Vec<_> = (0..names.len()).filter(|at| names[*at] == name).collect();
    match exact.is_empty() {
        false => exact,
        true => (0..names.len())
            .filter(|at| same(names[*at]) == same(name))
            .collect(),
    }
}
