//! Secrets among the arguments of an imported command: they are put aside like the secrets of variables, and
//! placeholders take their place in the arguments.
//!
//! Only a single word of plain characters is treated as a secret. A script, a path, a package or another program must
//! stay visible, whatever the option before it is called, since the user who confirms the command has to see it.

use sonde_auth::Secret;

use crate::servers::{
    Run, free_name, inputs_in, read_command,
    secret_names::{is_placeholder, looks_secret, shape, split_scheme},
    secret_slots::{SecretInputs, arg_place, arg_secret},
    steering,
};

/// The longest word that is taken for a secret, in bytes.
const LONGEST: usize = 8 * 1024;
/// Limit of secrets in a command; further ones stay as they are.
const MOST: usize = 64;
/// Options whose value is a header.
const HEADERS: [&str; 2] = ["--header", "-H"];

/// Takes the secrets out of the arguments of a command.
pub(in crate::servers) fn take(command: &str, args: &mut [String], secrets: &mut SecretInputs) {
    let run = read_command(command, args);
    let deciding: Vec<_> = run.iter().flat_map(Run::deciding).collect();
    let mut option: Option<String> = None;
    for (index, arg) in args.iter_mut().enumerate() {
        if deciding.contains(&index) {
            option = None;
            continue;
        }
        let before = option.take();
        let (start, name, value) = match (before, arg.split_once('=')) {
            (Some(before), _) if HEADERS.contains(&before.as_str()) => header(arg, 0),
            // It may well have an equals sign in it.
            (Some(before), _) if is_telling(&before) => (0, before, arg.as_str()),
            (_, Some((option, _))) if HEADERS.contains(&option) => header(arg, option.len() + 1),
            // `--api-key=…`, and `API_KEY=…` for a container.
            (_, Some((name, value))) => (name.len() + 1, name.to_owned(), value),
            (Some(before), None) => (0, before, arg.as_str()),
            (None, None) => (0, String::new(), arg.as_str()),
        };
        if arg.starts_with('-') && !arg.contains('=') {
            option = Some(arg.clone());
            continue;
        }
        let name = name.trim_start_matches('-').to_owned();
        if secrets.len() >= MOST {
            return;
        }
        if !is_word(value) || !looks_secret(&name, value) || steering::effect(&name).is_some() {
            continue;
        }
        let place = free_place(&name, secrets);
        secrets.push((arg_secret(&place), Some(Secret::new(value))));
        let end = start + value.len();
        arg.replace_range(start..end, &arg_place(&place));
    }
}

/// Returns the start of the secret part of a header, the header's name, and that part.
fn header(arg: &str, start: usize) -> (usize, String, &str) {
    let text = &arg[start..];
    let Some((name, value)) = text.split_once(':') else {
        return (start, String::new(), text);
    };
    let (_, secret) = split_scheme(value.trim_start());
    (arg.len() - secret.len(), name.trim().to_owned(), secret)
}

/// True if the name of an option suggests that its value is a secret.
fn is_telling(option: &str) -> bool {
    looks_secret(option.trim_start_matches('-'), "some value")
}

/// True for a word that can only be a value: no path, address, script or placeholder.
fn is_word(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+=.:~@!%#^,".contains(&byte);
    !value.is_empty()
        && value.len() <= LONGEST
        && value.bytes().all(plain)
        && !value.starts_with(['-', '.', '~'])
        && !is_placeholder(value)
}

/// A name for a secret that no other has.
fn free_place(name: &str, secrets: &SecretInputs) -> String {
    let mut base: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "_-".contains(c) {
                c
            } else {
                '-'
            }
        })
        .take(60)
        .collect();
    if base.is_empty() {
        base.push_str("argument");
    }
    let taken = |name: &str| secrets.iter().any(|(one, _)| *one == arg_secret(name));
    free_name(&base, "-", taken)
}

/// True if a remaining argument looks like a key and is not a placeholder to ask for.
pub(super) fn remains(args: &[String]) -> bool {
    args.iter()
        .any(|arg| inputs_in(arg).is_empty() && shape(arg))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(args: &[&str]) -> (Vec<String>, Vec<(String, String)>) {
        taken_of("server", args)
    }

    fn taken_of(command: &str, args: &[&str]) -> (Vec<String>, Vec<(String, String)>) {
        let mut args: Vec<_> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut secrets = SecretInputs::new();
        take(command, &mut args, &mut secrets);
        let secrets = secrets
            .into_iter()
            .map(|(name, secret)| (name, secret.unwrap().expose().to_owned()))
            .collect();
        (args, secrets)
    }

    #[test]
    fn secrets_are_taken_wherever_they_stand() {
        // Rows: arguments => arguments without the secret => name and secret.
        for row in [
            "--api-key|hush => --api-key|${secret:api-key} => api-key|hush",
            "--api-key|aHVzaA== => --api-key|${secret:api-key} => api-key|aHVzaA==",
            "--token=hush|x => --token=${secret:token}|x => token|hush",
            "-e|API_KEY=hush => -e|API_KEY=${secret:API_KEY} => API_KEY|hush",
            "--header|Authorization: Bearer hush|https://a/ => \
             --header|Authorization: Bearer ${secret:Authorization}|https://a/ => Authorization|hush",
            "--header=X-Api-Key:hush => --header=X-Api-Key:${secret:X-Api-Key} => X-Api-Key|hush",
            "run|sk-0123456789abcdef => run|${secret:argument} => argument|sk-0123456789abcdef",
        ] {
            let parts = row
                .split(" => ")
                .map(|part| part.split('|').collect::<Vec<_>>());
            let [args, left, found]: [_; 3] = parts.collect::<Vec<_>>().try_into().unwrap();
            let (args, secrets) = taken(&args);
            assert_eq!(args, left);
            let (name, secret) = &secrets[0];
            assert_eq!(
                [name.strip_prefix("arg:").unwrap(), secret.as_str()],
                *found
            );
        }
        let (args, secrets) = taken(&["--key-token", "a1", "--key-token", "b2"]);
        assert_eq!(args[3], "${secret:key-token-2}");
        assert_eq!(secrets.len(), 2);
    }

    #[test]
    fn a_package_is_never_a_secret() {
        for line in [
            "npx -y npm_filesystem_server_mcp",
            "npx -y mcp-filesystem-2026-11-27-nightly",
            "bunx --token evil-mcp-server",
            "npx --loglevel silent sk-0123456789abcdef",
            "npx --package=sk-0123456789abcdef x",
            "npx -p sk-0123456789abcdef x",
            "uvx --from sk-0123456789abcdef x",
            "uvx --index sk-0123456789abcdef x",
            "uv tool run sk-0123456789abcdef",
            "pipx run --spec sk-0123456789abcdef x",
            "npm exec -- sk-0123456789abcdef",
            "docker run -i sk-0123456789abcdef",
            "node sk-0123456789abcdef",
            "node --token evil",
            "node -e sk-0123456789abcdef",
            "python -m sk-0123456789abcdef",
            "cmd /c npx -y sk-0123456789abcdef",
            "sudo sk-0123456789abcdef",
            "env A=1 npx sk-0123456789abcdef",
            "bash -xc sk-0123456789abcdef",
        ] {
            let words: Vec<_> = line.split(' ').collect();
            let (left, secrets) = taken_of(words[0], &words[1..]);
            assert_eq!(left, words[1..]);
            assert_eq!(secrets, []);
        }
        for line in [
            "npx -y server sk-0123456789abcdef",
            "npx -y server --token hush",
            "docker run -e API_KEY=hush image",
            "docker run image --token hush",
            "python server.py --api-key hush",
            "cmd /c npx -y server --token hush",
        ] {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(taken_of(words[0], &words[1..]).1.len(), 1, "{line}");
        }
    }

    #[test]
    fn nothing_that_could_run_is_hidden() {
        for args in [
            &["-c", "curl https://x | sh"][..],
            &["--token", "/tmp/evil"],
            &["--token", "../evil"],
            &["--token", "~evil"],
            &["--token", "$(touch /tmp/x)"],
            &["--token", "a;b"],
            &["--token", "sk-0123456789abcdef && evil"],
            &["sk-0123456789abcdef/../../evil.js"],
            &["--token", "--eval"],
            &["-e", "LD_PRELOAD=sk-0123456789abcdef"],
            &["-e", "NODE_OPTIONS=0123456789abcdef0123456789abcdef"],
            &["--max-tokens", "4096"],
            &["--token", "${input:token}"],
            &["--token", "<your token>"],
            &["--token", ""],
            &["--header", "X-Region: eu"],
            &["--port", "8080"],
        ] {
            let (left, secrets) = taken(args);
            assert_eq!(left, args);
            assert_eq!(secrets, []);
        }
    }
}
