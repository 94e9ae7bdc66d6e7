//! Command lines of servers, and clients' commands that add servers.

use serde_json::{Map, Value, json};

use super::{
    Entry, Recognized, document,
    shell_words::{CommandLine, MOST_COMMANDS, assignment, commands},
};
use crate::servers::{quote::quote, read_command, stem};

/// Programs that servers are started with.
const RUNNERS: [&str; 26] = [
    "npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "node", "bun", "deno", "tsx", "uvx", "uv",
    "pipx", "python", "python3", "py", "java", "jbang", "go", "cargo", "dotnet", "dnx", "docker",
    "podman", "ruby", "php",
];
/// Common names of scripts and of their folders.
const COMMON: [&str; 13] = [
    "", ".", "..", "~", "index", "main", "server", "app", "cli", "src", "dist", "build", "bin",
];

/// The servers of command lines; `None` for a text that is none.
pub(super) fn read(text: &str) -> Option<Result<Recognized, String>> {
    let mut commands = commands(text);
    let too_many = commands.len() > MOST_COMMANDS;
    commands.truncate(MOST_COMMANDS);
    commands.retain(|command| !command.words.is_empty());
    let adding: Vec<_> = commands.iter().filter_map(adds).collect();
    if !adding.is_empty() {
        let mut all = together(adding, commands.len());
        if let Ok(all) = &mut all
            && too_many
        {
            let problem = format!("Only the first {MOST_COMMANDS} commands were read.");
            all.problems.push(problem);
        }
        return Some(all);
    }
    if commands.is_empty() || too_many || !commands.iter().all(is_plausible) {
        return None;
    }
    let servers = commands.into_iter().map(|command| {
        let name = name_for(&command.words);
        let remarks = command.remarks.clone();
        Ok(Recognized::of(
            "A command line",
            Entry {
                remarks,
                ..Entry::new(name, server_of(command.env, command.words))
            },
        ))
    });
    Some(together(servers.collect(), 0))
}

/// Combines the results of several commands. `commands` is the number of all commands, including those that add
/// nothing.
fn together(found: Vec<Result<Recognized, String>>, commands: usize) -> Result<Recognized, String> {
    let left_out = commands.saturating_sub(found.len());
    let mut all: Option<Recognized> = None;
    let mut problems = Vec::new();
    for one in found {
        match (one, &mut all) {
            (Err(problem), _) => problems.push(problem),
            (Ok(one), Some(all)) => all.entries.extend(one.entries),
            (Ok(one), all) => *all = Some(one),
        }
    }
    let Some(mut all) = all else {
        return Err(problems.into_iter().next().unwrap_or_default());
    };
    all.problems.append(&mut problems);
    if left_out > 0 {
        all.problems
            .push("Lines that add no server were left out.".to_owned());
    }
    Ok(all)
}

fn server_of(env: Map<String, Value>, words: Vec<String>) -> Value {
    let mut words = words.into_iter();
    json!({ "command": words.next(), "args": words.collect::<Vec<_>>(), "env": env })
}

/// True if the text is plausible as a command rather than as a sentence.
fn is_plausible(command: &CommandLine) -> bool {
    let Some((program, args)) = command.words.split_first() else {
        return false;
    };
    let is_path = program.starts_with(['/', '~', '.']) || program.contains('\\');
    let has_ending = [".js", ".mjs", ".py", ".sh", ".exe", ".cmd"]
        .iter()
        .any(|ending| program.ends_with(ending));
    !command.env.is_empty()
        || RUNNERS.contains(&stem(program).as_str())
        || (is_path && program.len() > 2)
        || has_ending
        || program.contains("mcp")
        || args.iter().any(|arg| is_option(arg))
}

fn is_option(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    name.len() < word.len() && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Names a server after its package or script rather than after the program that runs it.
fn name_for(words: &[String]) -> String {
    let program = words.first().map(|word| stem(word)).unwrap_or_default();
    let run = words
        .split_first()
        .and_then(|(program, args)| read_command(program, args));
    let first = run.as_ref().and_then(|run| {
        let package = run.packages(&words[1..]).first().copied();
        package.filter(|_| run.downloads.is_some_and(|noun| noun != "image"))
    });
    let is_script = |word: &&String| {
        [".js", ".mjs", ".ts", ".py"]
            .iter()
            .any(|end| word.ends_with(end))
    };
    let named = match first {
        Some(package) => {
            let name = package.rsplit('/').next().unwrap_or(package);
            name.split(['@', '=']).next().unwrap_or(name).to_owned()
        }
        _ => match words[1..].iter().find(is_script) {
            Some(script) => {
                let (path, _) = script.rsplit_once('.').unwrap_or((script, ""));
                let mut names = path.rsplit(['/', '\\']);
                let own = names.clone().find(|name| !COMMON.contains(name));
                own.or_else(|| names.next()).unwrap_or(path).to_owned()
            }
            None => String::new(),
        },
    };
    if named.is_empty() { program } else { named }
}

/// Reads a client's command that adds a server.
fn adds(command: &CommandLine) -> Option<Result<Recognized, String>> {
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let program = stem(words.first()?);
    let what = match program.as_str() {
        "claude" => "A `claude mcp add` command",
        "codex" => "A `codex mcp add` command",
        "gemini" => "A `gemini mcp add` command",
        "code" | "code-insiders" | "codium" | "cursor" | "windsurf" => {
            let at = words
                .iter()
                .position(|word| word.starts_with("--add-mcp"))?;
            let json = match words[at].split_once('=') {
                Some((_, json)) => Some(json),
                None => words.get(at + 1).copied(),
            };
            let what = "A command that adds a server to VS Code";
            let missing = || Err("There is no JSON after `--add-mcp`.".to_owned());
            return Some(json.map_or_else(missing, |json| document::of_json(what, json, None)));
        }
        _ => return None,
    };
    match words.get(1..3)? {
        ["mcp", "add"] => Some(Adding::read(&words[3..]).map(|entry| {
            let mut recognized = Recognized::of(what, entry);
            for entry in &mut recognized.entries {
                entry.remarks.extend(command.remarks.iter().cloned());
            }
            recognized
        })),
        ["mcp", "add-json"] => {
            let what = "A `claude mcp add-json` command";
            let mut given = Vec::new();
            let mut rest = words[3..].iter();
            while let Some(word) = rest.next() {
                match *word {
                    "-s" | "--scope" => {
                        rest.next();
                    }
                    option if option.starts_with('-') => {}
                    word => given.push(word),
                }
            }
            Some(match given[..] {
                [name, json] => document::of_json(what, json, Some(name.to_owned())),
                _ => Err("A name and JSON are expected after `claude mcp add-json`.".to_owned()),
            })
        }
        _ => None,
    }
}

/// The words of `claude mcp add` and of the commands that others made after it.
#[derive(Default)]
struct Adding {
    /// The name, then the command or the URL, then arguments.
    words: Vec<String>,
    transport: Option<String>,
    url: Option<String>,
    env: Map<String, Value>,
    headers: Map<String, Value>,
    bearer_token_env_var: Option<String>,
    oauth: Map<String, Value>,
    remarks: Vec<String>,
}

impl Adding {
    fn read(words: &[&str]) -> Result<Entry, String> {
        let mut adding = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            if word == "--" {
                adding.words.extend(words.map(str::to_owned));
                break;
            }
            // Words after a command belong to the command.
            let begun = adding.words.get(1).is_some_and(|word| !is_url(word));
            if !word.starts_with('-') || begun {
                adding.words.push(word.to_owned());
                continue;
            }
            let (option, mut value) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (word, None),
            };
            let mut take = || value.take().or_else(|| words.next()).unwrap_or_default();
            match option {
                "-e" | "--env" => {
                    adding.set(take());
                    // One option takes several.
                    while let Some(more) = words.next_if(|word| assignment(word).is_some()) {
                        adding.set(more);
                    }
                }
                "-H" | "--header" => {
                    let header = take();
                    adding.add_header(header);
                    while let Some(more) = words.next_if(|word| word.contains(": ")) {
                        adding.add_header(more);
                    }
                }
                "-t" | "--transport" => adding.transport = Some(take().to_owned()),
                "--url" => adding.url = Some(take().to_owned()),
                "--bearer-token-env-var" => adding.bearer_token_env_var = Some(take().to_owned()),
                "--client-id" | "--oauth-client-id" => {
                    adding.oauth.insert("clientId".to_owned(), take().into());
                }
                "--callback-port" => {
                    let port = take().parse::<u16>().ok();
                    adding.oauth.insert("callbackPort".to_owned(), json!(port));
                }
                // Options without a meaning for Sonde.
                "-s" | "--scope" | "--timeout" | "--description" | "--include-tools"
                | "--exclude-tools" => {
                    take();
                }
                "--trust" => {}
                "--client-secret" => adding.remarks.push(
                    "It asks for a client secret: enter it in the settings of the server."
                        .to_owned(),
                ),
                _ => adding
                    .remarks
                    .push(format!("{} was not recognized and left out.", quote(word))),
            }
        }
        adding.entry()
    }

    fn set(&mut self, pair: &str) {
        match pair.split_once('=') {
            Some((name, value)) => {
                self.env.insert(name.to_owned(), value.into());
            }
            None => self.remarks.push(format!(
                "{} is not of the form NAME=value and was left out.",
                quote(pair)
            )),
        }
    }

    fn add_header(&mut self, header: &str) {
        match header.split_once(':') {
            Some((name, value)) => {
                self.headers
                    .insert(name.trim().to_owned(), value.trim().into());
            }
            // Not quoted: it may be a token.
            None => self
                .remarks
                .push("A header without a colon was left out.".to_owned()),
        }
    }

    fn entry(self) -> Result<Entry, String> {
        let mut words = self.words.into_iter();
        let name = words.next().ok_or("The command gives no name.")?;
        let mut rest: Vec<_> = words.collect();
        let kind = self.transport.as_deref().unwrap_or("stdio");
        let address = self.url.or_else(|| {
            let remote = kind != "stdio" || rest.first().is_some_and(|word| is_url(word));
            (remote && !rest.is_empty()).then(|| rest.remove(0))
        });
        let mut server = match address {
            Some(url) => json!({ "url": url, "headers": self.headers, "oauth": self.oauth }),
            None if rest.is_empty() => {
                return Err("The command names neither a command nor a URL of the server.".into());
            }
            None => server_of(Map::new(), std::mem::take(&mut rest)),
        };
        let mut remarks = self.remarks;
        if server["command"].is_null() {
            if !self.env.is_empty() {
                remarks.push("Environment variables are of no use for a URL: left out.".to_owned());
            }
            if let Some(transport) = &self.transport
                && transport != "stdio"
            {
                server["type"] = transport.as_str().into();
            }
            if let Some(variable) = self.bearer_token_env_var {
                server["bearer_token_env_var"] = variable.into();
            }
        } else {
            server["env"] = self.env.into();
        }
        let mut entry = Entry::new(name, server);
        entry.remarks = remarks;
        if !rest.is_empty() {
            entry.remarks.push(format!(
                "{} was not recognized and left out.",
                quote(&rest.join(" "))
            ));
        }
        Ok(entry)
    }
}

fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (&'static str, Entry) {
        let mut recognized = read(text).unwrap().unwrap();
        assert_eq!(recognized.entries.len(), 1, "{text}");
        assert_eq!(recognized.problems, [] as [&str; 0], "{text}");
        (recognized.what, recognized.entries.remove(0))
    }

    #[test]
    fn what_adds_a_server_to_claude_code_is_read() {
        let stdio = json!({ "command": "npx", "args": ["-y", "pkg", "--port", "1"], "env": { "A": "1", "B": "x y" } });
        for line in [
            "claude mcp add -e A=1 -e 'B=x y' air -- npx -y pkg --port 1",
            "claude mcp add --env A=1 'B=x y' --scope user --transport stdio air -- npx -y pkg --port 1",
            "claude mcp add air --env=A=1 -e 'B=x y' -- npx -y pkg --port 1",
            "claude mcp add -s project air -e A=1 'B=x y' npx -y pkg --port 1",
            "gemini mcp add --trust --timeout 5 -e A=1 -e 'B=x y' air npx -y pkg --port 1",
            "codex mcp add air --env A=1 --env 'B=x y' -- npx -y pkg --port 1",
        ] {
            let (_, entry) = one(line);
            assert_eq!(
                (entry.name.as_str(), &entry.server),
                ("air", &stdio),
                "{line}"
            );
            assert_eq!(entry.remarks, [] as [&str; 0], "{line}");
        }
        for line in [
            "claude mcp add --transport http n https://a/mcp --header 'X-Key: k:1' -H 'Y: z'",
            "claude mcp add --header 'X-Key: k:1' 'Y: z' -t http n https://a/mcp",
            "claude mcp add -t http --scope local --header='X-Key:k:1' -H 'Y: z' n https://a/mcp",
        ] {
            let (_, entry) = one(line);
            assert_eq!(entry.server["url"], "https://a/mcp", "{line}");
            assert_eq!(
                entry.server["headers"],
                json!({ "X-Key": "k:1", "Y": "z" }),
                "{line}"
            );
            assert_eq!(entry.server["type"], "http");
        }
        let (_, entry) = one(
            "claude mcp add -t sse --client-id me --callback-port 9000 --client-secret n https://a/sse --new 1",
        );
        assert_eq!(
            entry.server["oauth"],
            json!({ "clientId": "me", "callbackPort": 9000 })
        );
        assert_eq!(entry.remarks.len(), 3, "{:?}", entry.remarks);
        let (_, entry) = one("codex mcp add n --url https://a/mcp --bearer-token-env-var TOKEN");
        assert_eq!(entry.server["bearer_token_env_var"], "TOKEN");
        let (what, entry) =
            one(r#"claude mcp add-json -s user w '{"type":"http","url":"https://a/"}'"#);
        assert_eq!(
            (what, entry.name.as_str()),
            ("A `claude mcp add-json` command", "w")
        );
    }

    #[test]
    fn what_adds_a_server_to_vs_code_is_read() {
        for line in [
            r#"code --add-mcp '{"name":"s","command":"uvx","args":["x"]}'"#,
            r#"code-insiders --profile a --add-mcp="{\"name\":\"s\",\"command\":\"uvx\",\"args\":[\"x\"]}""#,
        ] {
            let (_, entry) = one(line);
            assert_eq!(entry.name, "s", "{line}");
            assert_eq!(entry.server["args"], json!(["x"]), "{line}");
        }
        assert!(read("code --add-mcp").unwrap().is_err());
    }

    #[test]
    fn bad_commands_say_what_is_missing() {
        for line in [
            "claude mcp add",
            "claude mcp add name",
            "claude mcp add name --",
            "claude mcp add -t http name",
            "claude mcp add-json name",
            "claude mcp add --env",
        ] {
            assert!(read(line).unwrap().is_err(), "{line}");
        }
        let recognized = read("npm i -g x\nclaude mcp add a -- b\nclaude mcp add")
            .unwrap()
            .unwrap();
        assert_eq!(
            (recognized.entries.len(), recognized.problems.len()),
            (1, 2)
        );
        let many = "claude mcp add a -- b\n".repeat(60);
        let recognized = read(&many).unwrap().unwrap();
        assert_eq!(
            (recognized.entries.len(), recognized.problems.len()),
            (MOST_COMMANDS, 1)
        );
    }

    #[test]
    fn a_command_is_told_from_a_sentence() {
        for (line, name) in [
            ("npx -y @scope/server-files@1.2 /tmp", "server-files"),
            ("A=1 thing", "thing"),
            ("node ./dist/index.js", "index"),
            ("node /home/ada/weather/dist/index.js", "weather"),
            ("uvx mcp-server-time==1", "mcp-server-time"),
            ("uv run --directory x server.py", "server"),
            ("docker run -i image", "docker"),
            ("/opt/tool", "tool"),
            ("mcp-server-git", "mcp-server-git"),
            ("C:\\Tools\\Thing.EXE", "thing"),
            ("thing --stdio", "thing"),
        ] {
            assert_eq!(one(line).1.name, name, "{line}");
        }
        for text in [
            "",
            "hello",
            "Hello, world - again.",
            "See docs/x.md",
            "one\ntwo -x\nthree",
            "17",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
        assert_eq!(read("npx a\nnpx b").unwrap().unwrap().entries.len(), 2);
    }
}
