//! Names of files that the user saves: readable, and valid on every system.

/// Limits of the subject in a file's name, in characters and bytes. With everything added to it, a name stays below the
/// 255 bytes that file systems allow, and below the 143 bytes of encrypted ones.
const MOST_CHARS: usize = 60;
const MOST_BYTES: usize = 80;

/// Names that Windows reserves for devices, whatever follows the first dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin", "conout"];

/// Returns the name of a file without its extension: its subject and, if any, the part, for example `Paint the view -
/// arguments`. `about` may be text of a server: only letters, digits and a few other characters of it are kept.
/// `otherwise` replaces it if nothing is left.
pub(super) fn file_stem(about: &str, otherwise: &str, what: &str) -> String {
    let mut name = readable(about);
    if name.is_empty() {
        name = otherwise.to_owned();
    }
    if is_device(&name) {
        name = format!("Sonde {name}");
    }
    if what.is_empty() {
        name
    } else {
        format!("{name} - {what}")
    }
}

/// Returns the letters and digits of a text, with separators that are harmless on every system and in every shell,
/// within the limits.
fn readable(text: &str) -> String {
    let mut name = String::new();
    let mut chars = 0;
    for word in text.split(|c: char| !is_kept(c)) {
        let word = word.trim_matches(['-', '_', '\'']);
        if word.is_empty() {
            continue;
        }
        if !name.is_empty() {
            name.push(' ');
            chars += 1;
        }
        for c in word.chars() {
            if chars == MOST_CHARS || name.len() + c.len_utf8() > MOST_BYTES {
                return name.trim_end().to_owned();
            }
            name.push(c);
            chars += 1;
        }
    }
    name
}

/// True for letters and digits of all scripts, except invisible ones, and for hyphens, underscores and apostrophes.
fn is_kept(c: char) -> bool {
    let unseen = matches!(c, '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}');
    (c.is_alphanumeric() && !unseen) || matches!(c, '-' | '_' | '\'')
}

/// True if Windows treats the name as a device: `NUL`, `COM1`.
fn is_device(name: &str) -> bool {
    let name = name.to_lowercase();
    let port = name
        .strip_prefix("com")
        .or_else(|| name.strip_prefix("lpt"));
    let is_port = port.is_some_and(|number| {
        let mut chars = number.chars();
        chars.next().is_some_and(char::is_numeric) && chars.next().is_none()
    });
    is_port || DEVICES.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_people_read() {
        for (about, what, name) in [
            ("A visit to the lighthouse", "", "A visit to the lighthouse"),
            ("Paint the view", "result", "Paint the view - result"),
            ("list_ships", "arguments", "list_ships - arguments"),
            ("Łódź / 2: what’s new?", "", "Łódź 2 what s new"),
            ("北京", "", "北京"),
            ("Load: echo", "", "Load echo"),
        ] {
            assert_eq!(file_stem(about, "Server", what), name, "{about}");
        }
    }

    #[test]
    fn names_are_taken_by_every_system() {
        for (about, name) in [
            ("../../etc/passwd", "etc passwd"),
            (r#"a\b/c:d*e?f"g<h>i|j"#, "a b c d e f g h i j"),
            ("report.exe", "report exe"),
            (".hidden", "hidden"),
            ("-rf --", "rf"),
            ("trailing. . ", "trailing"),
            ("gpj\u{202E}exe\u{200B}\n\u{0}x\u{3164}", "gpj exe x"),
            ("~$(rm)`x`%PATH%", "rm x PATH"),
            ("?!", "Server"),
            ("", "Server"),
            ("con", "Sonde con"),
            ("Lpt9", "Sonde Lpt9"),
            ("NUL.", "Sonde NUL"),
            ("COM", "COM"),
            ("Console", "Console"),
        ] {
            assert_eq!(file_stem(about, "Server", ""), name, "{about:?}");
        }
    }

    #[test]
    fn names_are_short_enough() {
        let long = file_stem(&"word ".repeat(100), "Server", "");
        assert!(long.len() <= MOST_CHARS && long.ends_with("word"), "{long}");
        assert_eq!(file_stem(&"a".repeat(300), "Server", "").len(), MOST_CHARS);
        let wide = file_stem(&"北".repeat(300), "Server", "");
        assert!(
            wide.len() <= MOST_BYTES && wide.chars().all(|c| c == '北'),
            "{wide}"
        );
    }
}
