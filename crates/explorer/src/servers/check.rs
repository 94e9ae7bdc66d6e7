//! Checks of a configuration before it enters the list.

use std::collections::HashSet;

use sonde_mcp::Revision;
use url::{ParseError, Url};

use super::{
    FieldProblem, RootFolder, ServerField, ServerInput,
    check_sign_in::check_sign_in,
    check_state::Check,
    config::{
        ConfigValue, InKeyring, NamedValue, NetworkConfig, ProtocolMode, ProxyConfig, Transport,
        trim,
    },
    inputs_in,
    network::take_login,
    secret_slots::{arg_secret, env_secret, header_secret, proxy, secrets_in},
};
use crate::limits::NAME;

/// The most attempts for a broken stream.
const ATTEMPTS: u32 = 1_000;
/// Limit of roots per server.
const ROOTS: usize = 50;
/// The longest root, in characters.
const ROOT: usize = 4_096;

/// Headers that the HTTP framing itself decides.
const FRAMING: [&str; 4] = [
    "connection",
    "content-length",
    "transfer-encoding",
    "upgrade",
];

/// Normalizes the input for saving: removes surrounding white space, empty options, and options of unselected choices.
/// `stored` has the names of the secrets that the keyring has for the server.
///
/// # Errors
/// All problems that keep the input from being saved.
pub(super) fn check(
    mut input: ServerInput,
    stored: &[String],
) -> Result<ServerInput, Vec<FieldProblem>> {
    let ServerInput { config, secrets } = &mut input;
    let mut check = Check::new(secrets, stored);
    config.name = config.name.trim().to_owned();
    if config.name.is_empty() {
        check.refuse(ServerField::Name, "Give the server a name.");
    }
    match &mut config.transport {
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            check_command(command, args, &mut check);
            check_named(env, &VARIABLE, &mut check);
            trim(cwd);
            if cwd.as_deref().is_some_and(has_nul) {
                check.refuse(
                    ServerField::Cwd,
                    "A directory cannot contain a NUL character.",
                );
            }
        }
        Transport::Http {
            url,
            headers,
            network,
            auth,
            ..
        } => {
            *url = url.trim().to_owned();
            if let Some(problem) = url_problem(url) {
                check.refuse(ServerField::Url, problem);
            }
            check_named(headers, &HEADER, &mut check);
            check_sign_in(auth, &mut check);
            check_network(network, &mut check);
        }
        Transport::Demo { .. } => {}
    }
    if let ProtocolMode::Fixed { revision } = &config.protocol
        && Revision::parse(revision).is_none()
    {
        let known = Revision::ALL.map(Revision::as_str).join(", ");
        let message = format!("Sonde supports the protocol versions {known}.");
        check.refuse(ServerField::ProtocolVersion, message);
    }
    for (field, seconds) in [
        (ServerField::IdleSeconds, config.idle_seconds),
        (ServerField::HardSeconds, config.hard_seconds),
    ] {
        check_seconds(field, seconds, &mut check);
    }
    if config.stream_attempts.is_some_and(|count| count > ATTEMPTS) {
        let message = format!("At most {ATTEMPTS} reconnect attempts are allowed.");
        check.refuse(ServerField::StreamAttempts, message);
    }
    check_roots(&mut config.roots, &mut check);
    config.request_rules.check(&mut check.problems);
    config.declaration.check(&mut check.problems);
    check.end()?;
    Ok(input)
}

fn has_nul(text: &str) -> bool {
    text.contains('\0')
}

fn check_seconds(field: ServerField, seconds: Option<u32>, check: &mut Check<'_>) {
    if seconds == Some(0) {
        check.refuse(field, "A timeout must be at least one second.");
    }
}

fn check_command(command: &mut String, args: &[String], check: &mut Check<'_>) {
    *command = command.trim().to_owned();
    if command.is_empty() {
        let message = "Enter the command to run, for example npx or uvx.";
        check.refuse(ServerField::Command, message);
    } else if has_nul(command) {
        check.refuse(
            ServerField::Command,
            "A command cannot contain a NUL character.",
        );
    }
    for (row, arg) in args.iter().enumerate() {
        if has_nul(arg) {
            let message = "An argument cannot contain a NUL character.";
            check.refuse_row(ServerField::Argument, row, message);
        }
        for name in secrets_in(arg) {
            if check.is_unset(&arg_secret(name)) {
                check.refuse_row(ServerField::Argument, row, no_value(name));
            }
        }
    }
}

fn no_value(name: &str) -> String {
    format!("Enter the value of the secret `{name}`.")
}

/// A kind of name and value list.
struct PairKind {
    noun: &'static str,
    name: ServerField,
    value: ServerField,
    stored_as: fn(&str) -> String,
    name_problem: fn(&str) -> Option<String>,
    value_problem: fn(&str) -> Option<&'static str>,
    /// Names are compared without case.
    is_caseless: bool,
}

const VARIABLE: PairKind = PairKind {
    noun: "variable",
    name: ServerField::VariableName,
    value: ServerField::VariableValue,
    stored_as: env_secret,
    name_problem: |name| {
        name.contains(['=', '\0'])
            .then(|| format!("The variable name `{name}` cannot contain = or NUL."))
    },
    value_problem: |value| has_nul(value).then_some("A value cannot contain a NUL character."),
    is_caseless: cfg!(windows),
};

const HEADER: PairKind = PairKind {
    noun: "header",
    name: ServerField::HeaderName,
    value: ServerField::HeaderValue,
    stored_as: header_secret,
    name_problem: |name| {
        if !name.bytes().all(is_token) {
            let allowed = "letters, digits and !#$%&'*+-.^_`|~ are allowed";
            return Some(format!("`{name}` is not a valid header name: {allowed}."));
        }
        FRAMING
            .contains(&name.to_ascii_lowercase().as_str())
            .then(|| format!("The header `{name}` is set by HTTP itself and cannot be changed."))
    },
    value_problem: |value| {
        value
            .bytes()
            .any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f)
            .then_some("A value cannot contain a line break or control character.")
    },
    is_caseless: true,
};

fn check_named(list: &mut [NamedValue], kind: &PairKind, check: &mut Check<'_>) {
    let mut seen = HashSet::new();
    for (row, NamedValue { name, value }) in list.iter_mut().enumerate() {
        let typed_as = (kind.stored_as)(name);
        *name = name.trim().to_owned();
        let slot = (kind.stored_as)(name);
        for (one, _) in check.secrets.iter_mut().filter(|(one, _)| *one == typed_as) {
            one.clone_from(&slot);
        }
        let key = match kind.is_caseless {
            true => name.to_lowercase(),
            false => name.clone(),
        };
        let noun = kind.noun;
        if name.is_empty() {
            check.refuse_row(kind.name, row, format!("Enter the name of the {noun}."));
        } else if let Some(problem) = (kind.name_problem)(name) {
            check.refuse_row(kind.name, row, problem);
        } else if !seen.insert(key) {
            check.refuse_row(kind.name, row, format!("The {noun} `{name}` is set twice."));
        }
        let problem = match value {
            ConfigValue::Plain(text) => (kind.value_problem)(text).map(str::to_owned),
            ConfigValue::Secret(_) if check.is_unset(&slot) => Some(no_value(name)),
            ConfigValue::Secret(_) => {
                let typed = check.typed(&slot).map(|secret| secret.expose());
                typed.and_then(kind.value_problem).map(str::to_owned)
            }
        };
        if let Some(problem) = problem {
            check.refuse_row(kind.value, row, problem);
        }
    }
}

/// RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Checks the folders that a server may work in; rows without a folder are dropped.
fn check_roots(roots: &mut Vec<RootFolder>, check: &mut Check<'_>) {
    for (row, root) in roots.iter_mut().enumerate() {
        root.folder = root.folder.trim().to_owned();
        trim(&mut root.name);
        if root.folder.is_empty() {
            continue;
        }
        let mut limit = |field, text: &str, most| {
            if text.chars().count() > most {
                check.refuse_row(field, row, format!("Enter at most {most} characters."));
            }
        };
        limit(ServerField::RootFolder, &root.folder, ROOT);
        limit(
            ServerField::RootName,
            root.name.as_deref().unwrap_or_default(),
            NAME,
        );
        if let Err(problem) = root.uri() {
            check.refuse_row(ServerField::RootFolder, row, problem.to_string());
        }
    }
    roots.retain(|root| !root.folder.is_empty());
    if roots.len() > ROOTS {
        let message = format!("At most {ROOTS} roots are allowed.");
        check.refuse_row(ServerField::RootFolder, ROOTS, message);
    }
}

/// Checks the settings of the way to an address.
fn check_network(network: &mut NetworkConfig, check: &mut Check<'_>) {
    if let ProxyConfig::At {
        url,
        user,
        password,
    } = &mut network.proxy
    {
        *url = url.trim().to_owned();
        let usable = Url::parse(url).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") && url.has_host()
        });
        if !usable {
            // Not quoted: it may hold a password.
            let message = "Enter the proxy URL. It must start with http://, https:// or socks5://.";
            check.refuse(ServerField::ProxyUrl, message);
        }
        // User name and password in the address move to their own fields.
        if let Some(login) = take_login(url) {
            *user = login.user;
            *password = login.password.is_some().then_some(InKeyring::Keep);
            check.secrets.retain(|(name, _)| name != proxy::PASSWORD);
            let typed = |secret| (proxy::PASSWORD.to_owned(), Some(secret));
            check.secrets.extend(login.password.map(typed));
        }
        check.drop_missing(password, proxy::PASSWORD);
        user.take_if(|user| user.is_empty());
        if user
            .as_deref()
            .is_some_and(|user| user.contains([':', '\0']))
        {
            let message = "The user name of a proxy cannot contain a colon or NUL.";
            check.refuse(ServerField::ProxyUser, message);
        }
    }
    let mut check_file = |field, file: &str| {
        if has_nul(file) {
            check.refuse(field, "A file path cannot contain a NUL character.");
        }
    };
    trim(&mut network.ca_file);
    check_file(
        ServerField::CaFile,
        network.ca_file.as_deref().unwrap_or_default(),
    );
    if let Some(files) = &mut network.client_certificate {
        files.certificate = files.certificate.trim().to_owned();
        files.key = files.key.trim().to_owned();
        check_file(ServerField::Certificate, &files.certificate);
        check_file(ServerField::CertificateKey, &files.key);
        match (files.certificate.is_empty(), files.key.is_empty()) {
            (true, true) => network.client_certificate = None,
            (true, false) => {
                let message = "Enter the certificate that belongs to the key.";
                check.refuse(ServerField::Certificate, message);
            }
            // One file holds both.
            (false, true) => files.key.clone_from(&files.certificate),
            (false, false) => {}
        }
    }
    for (field, seconds) in [
        (ServerField::ConnectSeconds, network.connect_seconds),
        (ServerField::StreamIdleSeconds, network.idle_seconds),
    ] {
        check_seconds(field, seconds, check);
    }
}

/// Problem of the URL of a server, which is not quoted, as it may hold a password.
fn url_problem(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("Enter the server's URL, for example https://example.com/mcp.".to_owned());
    }
    // A placeholder contains a colon, although its value may not.
    let asked = inputs_in(text).into_iter();
    let filled = asked.fold(text.to_owned(), |filled, input| filled.replace(input, "x"));
    // A placeholder may stand for the whole beginning, including the scheme.
    let filled = match inputs_in(text).first() {
        Some(first) if text.starts_with(first) && !filled.contains("://") => {
            format!("https://{filled}")
        }
        _ => filled,
    };
    let schemes = "http://, https://, ws:// or wss://";
    let incomplete = format!("This is not a complete URL. It must start with {schemes}.");
    let parsed = match Url::parse(&filled) {
        Ok(parsed) => parsed,
        Err(ParseError::RelativeUrlWithoutBase) => return Some(incomplete),
        Err(error) => return Some(format!("This is not a valid URL: {error}.")),
    };
    match parsed.scheme() {
        "http" | "https" | "ws" | "wss" => {}
        // `localhost:3000/mcp` parses as the scheme `localhost`.
        _ if !text.contains("://") => return Some(incomplete),
        scheme => return Some(format!("{scheme}:// is not supported. Use {schemes}.")),
    }
    let message = "URLs are saved in plain text: put the password into an `Authorization` header \
                   marked as secret.";
    parsed.password().map(|_| message.to_owned())
}

#[cfg(test)]
mod tests {
    use sonde_auth::Secret;

    use super::{super::secret_slots::SecretInputs, *};
    use crate::servers::{AuthConfig, CertificateFiles, HttpKind, ServerConfig};

    fn input(transport: Transport) -> ServerInput {
        ServerInput {
            config: ServerConfig::new(" Name ", transport),
            secrets: Vec::new(),
        }
    }

    fn through(url: &str, headers: Vec<NamedValue>, network: NetworkConfig) -> ServerInput {
        input(Transport::Http {
            url: url.to_owned(),
            headers,
            kind: HttpKind::Automatic,
            network,
            auth: AuthConfig::default(),
        })
    }

    fn http(url: &str, headers: &[(&str, &str)]) -> ServerInput {
        let headers = headers.iter().map(|(name, value)| NamedValue {
            name: (*name).to_owned(),
            value: ConfigValue::Plain((*value).to_owned()),
        });
        through(url, headers.collect(), NetworkConfig::default())
    }

    fn over(network: NetworkConfig) -> ServerInput {
        through("https://a/", Vec::new(), network)
    }

    fn stdio(command: &str, env: &[(&str, &str)]) -> ServerInput {
        let secrets = env
            .iter()
            .map(|(name, value)| (env_secret(name), Some(Secret::new(*value))));
        let names = env.iter().map(|(name, _)| NamedValue {
            name: (*name).to_owned(),
            value: ConfigValue::SECRET,
        });
        ServerInput {
            secrets: secrets.collect(),
            ..input(Transport::Stdio {
                command: command.to_owned(),
                args: vec!["a".to_owned()],
                env: names.collect(),
                cwd: Some("  ".to_owned()),
            })
        }
    }

    /// The problems of an input, none of which contains the secret `hush`.
    fn problems(input: ServerInput) -> Vec<FieldProblem> {
        let found = check(input, &[]).err().unwrap_or_default();
        assert!(!format!("{found:?}").contains("hush"), "{found:?}");
        found
    }

    fn fields(input: ServerInput) -> Vec<ServerField> {
        problems(input)
            .iter()
            .map(|problem| problem.field)
            .collect()
    }

    #[test]
    fn all_problems_are_found_at_once_each_in_its_row() {
        let mut bad = http("nonsense", &[("X-A", "1"), ("", "x"), ("x-a", "a\nb")]);
        bad.config.name = " ".to_owned();
        bad.config.hard_seconds = Some(0);
        let found: Vec<_> = problems(bad)
            .iter()
            .map(|problem| (problem.field, problem.row))
            .collect();
        assert_eq!(
            found,
            [
                (ServerField::Name, None),
                (ServerField::Url, None),
                (ServerField::HeaderName, Some(1)),
                (ServerField::HeaderName, Some(2)),
                (ServerField::HeaderValue, Some(2)),
                (ServerField::HardSeconds, None),
            ]
        );
    }

    #[test]
    fn roots_are_whole_paths() {
        let with = |folders: &[&str]| {
            let mut input = input(Transport::Demo { http: false });
            let root = |folder: &&str| RootFolder {
                folder: (*folder).to_owned(),
                name: Some("  ".to_owned()),
            };
            input.config.roots = folders.iter().map(root).collect();
            input
        };
        let kept = check(with(&[" /work ", "", r"C:\work"]), &[])
            .unwrap()
            .config
            .roots;
        let folders: Vec<_> = kept.iter().map(|root| root.folder.as_str()).collect();
        assert_eq!(folders, ["/work", r"C:\work"]);
        assert!(kept.iter().all(|root| root.name.is_none()));
        let long = format!("/{}", "a".repeat(ROOT));
        for (refused, row) in [
            (&["", "work"][..], 1),
            (&["https://a/b"], 0),
            (&["/home/ada/../bob"], 0),
            (&[long.as_str()], 0),
            (&["/a"; ROOTS + 1], ROOTS),
        ] {
            let found = problems(with(refused));
            let [problem] = &found[..] else {
                panic!("{found:?}")
            };
            assert_eq!(
                (problem.field, problem.row),
                (ServerField::RootFolder, Some(row))
            );
        }
    }

    #[test]
    fn good_drafts_pass_and_are_trimmed() {
        let checked = check(stdio(" npx ", &[(" A ", ""), ("a", "x\ny")]), &[]).unwrap();
        assert_eq!(checked.config.name, "Name");
        assert_eq!(checked.secrets[0].0, "env:A");
        assert!(
            matches!(checked.config.transport, Transport::Stdio { command, cwd: None, .. } if command == "npx")
        );
        for url in [
            "http://localhost:3000/mcp",
            "https://user@example.com/x?y=1",
            "http://[::1]/",
            "ws://localhost:3000/mcp",
            "wss://example.com/",
        ] {
            let headers = [("X-Key", "ü \t z"), ("Authorization", "Bearer x")];
            assert_eq!(problems(http(url, &headers)), [], "{url}");
        }
    }

    #[test]
    fn a_kept_secret_must_be_stored() {
        let kept = |name: &str, arg: &str| {
            let mut input = stdio("x", &[(name, "")]);
            input.secrets = vec![(env_secret(name), None)];
            if let Transport::Stdio { args, .. } = &mut input.config.transport {
                args.push(arg.to_owned());
            }
            input
        };
        let stored = [env_secret("A"), arg_secret("b")];
        check(kept("A", "${secret:b}"), &stored).unwrap();
        let found = check(kept("C", "${secret:d}"), &stored).unwrap_err();
        let found: Vec<_> = found.iter().map(|one| (one.field, one.row)).collect();
        assert_eq!(
            found,
            [
                (ServerField::Argument, Some(1)),
                (ServerField::VariableValue, Some(0))
            ]
        );
    }

    fn by_proxy(url: &str) -> NetworkConfig {
        NetworkConfig {
            proxy: ProxyConfig::At {
                url: url.to_owned(),
                user: None,
                password: None,
            },
            ..NetworkConfig::default()
        }
    }

    fn files(certificate: &str, key: &str) -> NetworkConfig {
        NetworkConfig {
            client_certificate: Some(CertificateFiles {
                certificate: certificate.to_owned(),
                key: key.to_owned(),
            }),
            ..NetworkConfig::default()
        }
    }

    fn saved(network: NetworkConfig) -> (NetworkConfig, SecretInputs) {
        let ServerInput { config, secrets } = check(over(network), &[]).unwrap();
        let Transport::Http { network, .. } = config.transport else {
            panic!()
        };
        (network, secrets)
    }

    #[test]
    fn settings_of_the_network_are_checked() {
        for url in ["http://u:hush@p:1", " socks5://p:1080 ", "https://[::1]:3/"] {
            assert_eq!(problems(over(by_proxy(url))), []);
        }
        let (network, secrets) = saved(by_proxy(" http://u:hu%20sh@p:1"));
        let proxy = ProxyConfig::At {
            url: "http://p:1/".to_owned(),
            user: Some("u".to_owned()),
            password: Some(InKeyring::Keep),
        };
        assert!(network.proxy == proxy);
        let secret = Some(Secret::new("hu sh"));
        assert_eq!(secrets, [(proxy::PASSWORD.to_owned(), secret)]);
        let hurry = |connect_seconds, idle_seconds| NetworkConfig {
            connect_seconds,
            idle_seconds,
            ..NetworkConfig::default()
        };
        for (network, field) in [
            (by_proxy(""), ServerField::ProxyUrl),
            (by_proxy("u:hush@p:1"), ServerField::ProxyUrl),
            (by_proxy("ftp://u:hush@p"), ServerField::ProxyUrl),
            (files(" ", "/k.pem"), ServerField::Certificate),
            (hurry(Some(0), None), ServerField::ConnectSeconds),
            (hurry(None, Some(0)), ServerField::StreamIdleSeconds),
        ] {
            assert_eq!(fields(over(network)), [field]);
        }
        assert_eq!(saved(files(" /c.pem", "")).0, files("/c.pem", "/c.pem"));
        let empty = NetworkConfig {
            ca_file: Some(" ".to_owned()),
            ..files("", " ")
        };
        assert_eq!(saved(empty).0, NetworkConfig::default());
    }

    #[test]
    fn only_known_revisions_and_sensible_numbers_pass() {
        let fixed = |revision: &str| {
            let mut input = http("http://a/", &[]);
            input.config.protocol = ProtocolMode::Fixed {
                revision: revision.to_owned(),
            };
            fields(input)
        };
        for revision in Revision::ALL {
            assert_eq!(fixed(revision.as_str()), []);
        }
        assert_eq!(fixed("1999-01-01"), [ServerField::ProtocolVersion]);
        let stubborn = |attempts| {
            let mut input = http("http://a/", &[]);
            input.config.stream_attempts = Some(attempts);
            fields(input)
        };
        assert_eq!(stubborn(0), []);
        assert_eq!(stubborn(ATTEMPTS + 1), [ServerField::StreamAttempts]);
    }

    #[test]
    fn bad_drafts_say_where_and_what() {
        use ServerField::{Command, HeaderName, HeaderValue, Url, VariableName, VariableValue};
        let run = |command| stdio(command, &[]);
        let variables = |all: &[_]| stdio("x", all);
        let at = |url| http(url, &[]);
        let headers = |all: &[_]| http("http://a/", all);
        for (input, field, words) in [
            (run(""), Command, "command to run"),
            (run("a\0b"), Command, "NUL"),
            (variables(&[("", "")]), VariableName, "Enter the name"),
            (variables(&[("A=B", "")]), VariableName, "`A=B`"),
            (variables(&[("A", "1"), ("A", "2")]), VariableName, "twice"),
            (variables(&[("A", "hush\0")]), VariableValue, "NUL"),
            (at(""), Url, "https://example.com"),
            (at("localhost:3000/mcp"), Url, "not a complete URL"),
            (at("example.com/mcp"), Url, "not a complete URL"),
            (at("ftp://example.com"), Url, "ftp:// is not"),
            (at("file:///etc/passwd"), Url, "file:// is not"),
            (at("http://"), Url, "not a valid URL"),
            (at("http://a:99999/"), Url, "not a valid URL"),
            (at("http://u:hush@a/"), Url, "secret"),
            (headers(&[("", "x")]), HeaderName, "Enter the name"),
            (headers(&[("X Key", "x")]), HeaderName, "`X Key`"),
            (headers(&[("X-A", "1"), ("x-a", "2")]), HeaderName, "twice"),
            (
                headers(&[("Content-Length", "1")]),
                HeaderName,
                "HTTP itself",
            ),
            (
                headers(&[("X-A", "hush\r\nX-B: 1")]),
                HeaderValue,
                "line break",
            ),
        ] {
            let found = problems(input);
            let [problem] = &found[..] else {
                panic!("{words}: {found:?}")
            };
            assert_eq!(problem.field, field);
            assert!(problem.message.contains(words), "{problem:?}");
        }
    }
}
