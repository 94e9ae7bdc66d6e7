//! Searching a catalog: which items match, best first.

/// Searched texts of an item, in lower case.
#[derive(Clone, Debug)]
pub(crate) struct Searchable {
    name: String,
    title: String,
    summary: String,
}

impl Searchable {
    pub(crate) fn new(name: &str, title: Option<&str>, summary: &str) -> Self {
        Self {
            name: name.to_lowercase(),
            title: title.unwrap_or_default().to_lowercase(),
            summary: summary.to_lowercase(),
        }
    }

    /// Rates how well one word matches; 0 when it does not.
    fn score(&self, word: &str) -> u32 {
        let best = place_score(&self.name, word).max(place_score(&self.title, word));
        if best > 0 {
            return best * 10;
        }
        match place_score(&self.summary, word) {
            0 => u32::from(is_abbreviation(&self.name, word)),
            score => score,
        }
    }
}

/// Indexes of the items that match, best first. Every word must be found in the name, the title or
/// the summary; equal matches keep the server's order. An empty search gives `None`: all of them.
pub(crate) fn search(items: &[Searchable], search: &str) -> Option<Vec<u32>> {
    let search = search.to_lowercase();
    let words: Vec<&str> = search.split_whitespace().collect();
    if words.is_empty() {
        return None;
    }
    let mut found: Vec<(u32, u32)> = Vec::new();
    for (index, item) in (0..).zip(items) {
        let scores = words.iter().map(|word| match item.score(word) {
            0 => None,
            score => Some(score),
        });
        if let Some(total) = scores.sum::<Option<u32>>() {
            found.push((index, total));
        }
    }
    // The sort is stable, so the server's order decides between equals.
    found.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    Some(found.into_iter().map(|(index, _)| index).collect())
}

/// The whole text 5, its beginning 4, the beginning of a word 3, anywhere 2.
fn place_score(text: &str, word: &str) -> u32 {
    match text.find(word) {
        None => 0,
        Some(0) if text.len() == word.len() => 5,
        Some(0) => 4,
        Some(_) => {
            let begins_a_word = text.match_indices(word).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(|before| before.is_ascii_alphanumeric())
            });
            if begins_a_word { 3 } else { 2 }
        }
    }
}

/// True if the letters occur in this order, each at the beginning of a word of the name or right after the previous
/// letter: `crni` matches `create_new_invoice`.
fn is_abbreviation(name: &str, letters: &str) -> bool {
    // Names are not bounded, and every word of a search is tried.
    const LONGEST: usize = 256;
    if letters.chars().nth(1).is_none() || name.len() > LONGEST {
        return false;
    }
    let words: Vec<&str> = name
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    // The places in `letters` up to which the words so far can account for it.
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    for word in words {
        for from in (0..letters.len()).rev() {
            if !reached[from] {
                continue;
            }
            let shared = letters.as_bytes()[from..]
                .iter()
                .zip(word.as_bytes())
                .take_while(|(a, b)| a == b)
                .count();
            reached[from + 1..=from + shared].fill(true);
        }
    }
    reached[letters.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(items: &[(&str, Option<&str>, &str)], text: &str) -> Vec<String> {
        let searchable: Vec<_> = items
            .iter()
            .map(|(name, title, summary)| Searchable::new(name, *title, summary))
            .collect();
        match search(&searchable, text) {
            None => items.iter().map(|item| item.0.to_owned()).collect(),
            Some(found) => found
                .into_iter()
                .map(|index| items[index as usize].0.to_owned())
                .collect(),
        }
    }

    fn plain(list: &[&'static str]) -> Vec<(&'static str, Option<&'static str>, &'static str)> {
        list.iter().map(|name| (*name, None, "")).collect()
    }

    #[test]
    fn an_empty_search_finds_all_in_the_order_of_the_server() {
        assert_eq!(names(&plain(&["b", "a"]), "  "), ["b", "a"]);
    }

    #[test]
    fn the_whole_name_comes_before_its_beginning_a_word_in_it_a_part_and_the_summary() {
        let items = [
            ("other", None, "can read things"),
            ("spread", None, ""),
            ("file_read", None, ""),
            ("read_file", None, ""),
            ("read", None, ""),
        ];
        assert_eq!(
            names(&items, "read"),
            ["read", "read_file", "file_read", "spread", "other"]
        );
    }

    #[test]
    fn every_word_is_wanted_wherever_it_stands() {
        let items = [
            ("read_file", None, ""),
            ("write_file", Some("Save"), "writes what you read"),
            ("list", None, ""),
        ];
        assert_eq!(names(&items, "file read"), ["read_file", "write_file"]);
        assert!(names(&items, "file zebra").is_empty());
    }

    #[test]
    fn titles_are_found_whatever_their_case() {
        let items = [("t1", Some("Tide Table"), ""), ("t2", None, "")];
        assert_eq!(names(&items, "TIDE"), ["t1"]);
    }

    #[test]
    fn the_beginnings_of_words_find_a_name_last_of_all() {
        let items = [
            ("create_new_invoice", None, ""),
            ("carni", None, ""),
            ("x", None, "crni"),
        ];
        assert_eq!(names(&items, "crni"), ["x", "create_new_invoice"]);
    }

    #[test]
    fn the_beginning_of_a_later_word_counts_although_the_letters_come_earlier_within_one() {
        assert_eq!(
            names(&plain(&["bread_maker", "spread_read"]), "read"),
            ["spread_read", "bread_maker"]
        );
    }

    #[test]
    fn one_of_ten_thousand_is_found() {
        let all: Vec<String> = (0..10_000)
            .map(|n| format!("export_contract_{n}"))
            .collect();
        let items: Vec<_> = all.iter().map(|name| (name.as_str(), None, "")).collect();
        assert_eq!(names(&items, "export contract 77")[0], "export_contract_77");
    }

    #[test]
    fn a_name_made_to_be_slow_is_not() {
        let name = vec!["aaaa"; 51].join("_");
        assert!(!is_abbreviation(&name, &format!("{}b", "a".repeat(200))));
        assert!(is_abbreviation("ünï_code", "co") && !is_abbreviation("ünï_code", "üx"));
    }
}
