//! The words of a name.

/// Splits a name into words in lower case: at characters that are neither letters nor digits, and before capital
/// letters.
pub(crate) fn words(name: &str) -> Vec<String> {
    /// Limit of the characters that are read: a server may send a name of any length.
    const LONGEST: usize = 256;
    let mut words = Vec::new();
    let mut word = String::new();
    let mut small = false;
    for one in name.chars().take(LONGEST) {
        let begins = one.is_uppercase() && small;
        if (begins || !one.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if one.is_alphanumeric() {
            word.extend(one.to_lowercase());
        }
        small = one.is_lowercase() || one.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_have_the_same_words_in_every_style() {
        for name in ["get_user_id", "getUserId", "Get-User.ID"] {
            assert_eq!(super::words(name), ["get", "user", "id"], "{name}");
        }
        assert!(super::words("__").is_empty());
    }
}
