//! Names: finding the servers that people mean, and names that nothing has yet.

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

/// Returns a name that is not taken: this one, or with a number after the separator.
pub(crate) fn free_name(name: &str, separator: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}{separator}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}
