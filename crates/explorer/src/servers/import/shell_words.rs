//! Command lines, taken apart as a POSIX shell would, without running or expanding anything.

use serde_json::{Map, Value};

/// The most commands of one text.
pub(super) const MOST_COMMANDS: usize = 50;

/// One command of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// `NAME=value` words before the program.
    pub(super) env: Map<String, Value>,
    /// The program, then its arguments; empty when there is none.
    pub(super) words: Vec<String>,
    /// Differences from a shell's reading of the line, as plain sentences.
    pub(super) remarks: Vec<String>,
}

/// Reads the commands of a text, one for each line: quotes, backslashes and comments count, nothing is expanded. A
/// variable that `export` sets is set for all later commands. Of more than [`MOST_COMMANDS`] commands, one too many is
/// returned.
pub(super) fn commands(text: &str) -> Vec<CommandLine> {
    let text = text.replace("\r\n", "\n");
    let mut exported = Map::new();
    let mut commands = Vec::new();
    let (lines, open) = split(&text);
    let last = lines.len().saturating_sub(1);
    for (index, mut words) in lines.into_iter().enumerate() {
        // A prompt.
        if ["$", "%"].contains(&words[0].as_str()) {
            words.remove(0);
        }
        if words.is_empty() {
            continue;
        }
        let sets = words
            .iter()
            .take_while(|word| assignment(word).is_some())
            .count();
        if words
            .first()
            .is_some_and(|word| word == "export" || word == "set")
            && words.iter().skip(1).all(|word| assignment(word).is_some())
        {
            exported.extend(words.iter().skip(1).filter_map(|word| variable(word)));
            continue;
        }
        let rest = words.split_off(sets);
        let mut remarks = Vec::new();
        if open && index == last {
            remarks.push(
                "A quote is not closed; the rest of the line was taken as one argument.".to_owned(),
            );
        }
        let operators = ["|", "||", "&&", ";", ">", ">>", "<"];
        if rest
            .iter()
            .skip(1)
            .any(|word| operators.contains(&word.as_str()))
        {
            remarks.push(
                "Pipes, redirections and chains need a shell; here they are plain arguments."
                    .to_owned(),
            );
        }
        if words.iter().chain(&rest).any(|word| expands(word)) {
            remarks.push("Variables and ~ are not expanded; enter the actual values.".to_owned());
        }
        let mut env = exported.clone();
        env.extend(words.iter().filter_map(|word| variable(word)));
        commands.push(CommandLine {
            env,
            words: rest,
            remarks,
        });
        if commands.len() > MOST_COMMANDS {
            break;
        }
    }
    commands
}

/// Returns program and arguments if the text is a single command of several words, without variables before it.
pub(in crate::servers) fn single_command(text: &str) -> Option<Vec<String>> {
    let Ok([command]) = <[_; 1]>::try_from(commands(text)) else {
        return None;
    };
    (command.env.is_empty() && command.words.len() > 1).then_some(command.words)
}

/// `NAME=value`.
pub(super) fn assignment(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (name.to_owned(), value.to_owned()))
}

fn variable(word: &str) -> Option<(String, Value)> {
    assignment(word).map(|(name, value)| (name, value.into()))
}

/// True if a shell would expand a part of the word. Inputs that Sonde asks for are reported elsewhere.
fn expands(word: &str) -> bool {
    let variable = |(at, _): (usize, &str)| {
        let rest = &word[at + 1..];
        let name = rest.strip_prefix('{').unwrap_or(rest);
        let asked = rest.starts_with("{input:") || rest.starts_with("{env:");
        !asked && name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    };
    word.starts_with('~') || word.match_indices('$').any(variable)
}

/// Splits each non-empty line into words; true if a quote is not closed.
fn split(text: &str) -> (Vec<Vec<String>>, bool) {
    let mut lines = Vec::new();
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('\''), '\'') => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(letter),
            (_, '\\') => {
                // Within double quotes a backslash escapes only these; before a letter it stays, which
                // also keeps the paths of Windows whole.
                let escapes = match quote {
                    Some(_) => "\"\\$`",
                    None => " \"'\\$`&|;<>()\t",
                };
                match letters.peek() {
                    Some('\n') => {
                        letters.next();
                    }
                    Some(next) if escapes.contains(*next) => {
                        word.get_or_insert_default().push(*next);
                        letters.next();
                    }
                    _ => word.get_or_insert_default().push('\\'),
                }
            }
            (Some(_), '"') => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => {
                words.extend(word.take());
                if letter == '\n' && !words.is_empty() {
                    lines.push(std::mem::take(&mut words));
                }
            }
            (None, '#') if word.is_none() => {
                while letters.next_if(|letter| *letter != '\n').is_some() {}
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if !words.is_empty() {
        lines.push(words);
    }
    (lines, quote.is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(text: &str) -> CommandLine {
        let mut found = commands(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.remove(0)
    }

    #[test]
    fn command_lines_are_taken_apart() {
        for (line, words) in [
            (
                "npx -y @scope/server /home/ada",
                &["npx", "-y", "@scope/server", "/home/ada"][..],
            ),
            (
                "server \"a folder\" 'b \"c\"'",
                &["server", "a folder", "b \"c\""],
            ),
            ("server a\\ b ''", &["server", "a b", ""]),
            (r#"server "say \"hi\" \n""#, &["server", r#"say "hi" \n"#]),
            (
                "C:\\tools\\server.exe --root C:\\data",
                &["C:\\tools\\server.exe", "--root", "C:\\data"],
            ),
            ("  $ uvx   mcp-server-time ", &["uvx", "mcp-server-time"]),
            (
                "server --json='{\"a\":1}'x",
                &["server", "--json={\"a\":1}x"],
            ),
            (
                "docker run \\\n  -i image",
                &["docker", "run", "-i", "image"],
            ),
            (
                "docker run \\\r\n  -i image\r\n",
                &["docker", "run", "-i", "image"],
            ),
            ("npx -y pkg # it's a comment #2", &["npx", "-y", "pkg"]),
            (
                "C:\\c#\\server.exe https://a/#b '#c' # d",
                &["C:\\c#\\server.exe", "https://a/#b", "#c"],
            ),
        ] {
            let found = one(line);
            assert_eq!(found.words, words, "{line}");
            assert_eq!(found.remarks, [] as [&str; 0], "{line}");
        }
        assert_eq!(commands(""), []);
        assert_eq!(commands(" \n# a comment\n#another\n$\n"), []);
    }

    #[test]
    fn assignments_before_the_program_are_its_environment() {
        let found = one("KEY=\"a b\" EMPTY= node server.js LATER=1");
        let env = |found: &CommandLine| Value::from(found.env.clone());
        assert_eq!(env(&found), json!({ "KEY": "a b", "EMPTY": "" }));
        assert_eq!(found.words, ["node", "server.js", "LATER=1"]);
        let found = commands("export A=1 B=2\nA=3 one\ntwo");
        assert_eq!(env(&found[0]), json!({ "A": "3", "B": "2" }));
        assert_eq!(env(&found[1]), json!({ "A": "1", "B": "2" }));
        assert_eq!(found[1].words, ["two"]);
    }

    #[test]
    fn a_small_text_stays_small() {
        let found = commands(&["set A=1\n".repeat(60), "a\n".repeat(60)].concat());
        assert_eq!(found.len(), MOST_COMMANDS + 1);
        assert!(found.iter().all(|command| command.env.len() == 1));
    }

    #[test]
    fn what_a_shell_would_have_done_otherwise_is_said() {
        for line in [
            "server $HOME",
            "server | tee log",
            "server \"open",
            "~/server",
        ] {
            assert_eq!(one(line).remarks.len(), 1, "{line}");
        }
        assert_eq!(one("server \"open").words, ["server", "open"]);
        for line in ["server ${input:key}", "server a~ $ '$'"] {
            assert_eq!(one(line).remarks, [] as [&str; 0], "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in r#"[a$=\\'"\n\r #~ü|{}-]{0,60}"#) {
            commands(&text);
        }
    }

    #[test]
    fn a_command_line_in_the_place_of_a_command_is_taken_apart() {
        let words = |text: &str| single_command(text).unwrap_or_default().join("|");
        assert_eq!(
            words("npx -y some-server --flag"),
            "npx|-y|some-server|--flag"
        );
        assert_eq!(
            words(" \"/opt/my server/run\" 'a b' "),
            "/opt/my server/run|a b"
        );
        // One word has no arguments; variables would be lost; several commands are not one.
        for text in ["npx", "", "  ", "KEY=secret npx server", "one a\ntwo b"] {
            assert_eq!(words(text), "", "{text}");
        }
    }
}
