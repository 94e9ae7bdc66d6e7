//! Checks of a configuration before it enters the list.

use std::collections::HashSet;

use sonde_auth::Secret;
use sonde_mcp::Revision;

use super::{
    RootFolder, ServerInput,
    check_sign_in::check_sign_in,
    config::{
        ConfigValue, InKeyring, NamedValue, NetworkConfig, ProtocolMode, ProxyConfig, Transport,
    },
    inputs_in,
    network::take_login,
    secret_slots::{SecretInputs, env_secret, header_secret, proxy},
};
use crate::{Error, limits::NAME};

/// The most attempts for a broken stream.
const ATTEMPTS: u32 = 1_000;
/// The most roots of one server.
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

fn refuse<T>(field: &str, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::InvalidInput {
        message: message.into(),
        detail: Some(field.to_owned()),
    })
}

/// The input with the white space around what was typed removed.
///
/// # Errors
/// `InvalidInput` with one plain sentence; `detail` names the field (`name`, `command`, `args`,
/// `env`, `cwd`, `url`, `headers`, `proxy`, `ca_file`, `client_certificate`, `connect_seconds`,
/// `stream_idle_seconds`, `idle_seconds`, `hard_seconds`, `era`, `stream_attempts`, `roots`,
/// `request_rules`, `declaration`).
pub(super) fn check(mut input: ServerInput) -> Result<ServerInput, Error> {
    let ServerInput { config, secrets } = &mut input;
    config.name = config.name.trim().to_owned();
    if config.name.is_empty() {
        return refuse("name", "Give the server a name.");
    }
    match &mut config.transport {
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            *command = command.trim().to_owned();
            if command.is_empty() {
                return refuse(
                    "command",
                    "Enter the command to run, for example npx or uvx.",
                );
            }
            if command.contains('\0') || args.iter().any(|arg| arg.contains('\0')) {
                return refuse("args", "A command cannot contain a NUL character.");
            }
            if cwd.as_deref().is_some_and(|cwd| cwd.trim().is_empty()) {
                *cwd = None;
            }
            if cwd.as_deref().is_some_and(|cwd| cwd.contains('\0')) {
                return refuse("cwd", "A directory cannot contain a NUL character.");
            }
            let mut seen = HashSet::new();
            for var in env {
                if var.name.is_empty() {
                    return refuse("env", "Each environment variable needs a name.");
                }
                if var.name.contains(['=', '\0']) {
                    return refuse(
                        "env",
                        format!("The variable name `{}` cannot contain = or NUL.", var.name),
                    );
                }
                // Windows ignores the case of variable names.
                let key = if cfg!(windows) {
                    var.name.to_uppercase()
                } else {
                    var.name.clone()
                };
                if !seen.insert(key) {
                    return refuse("env", format!("The variable `{}` is set twice.", var.name));
                }
                if exposed(var, env_secret, secrets).is_some_and(|value| value.contains('\0')) {
                    return refuse(
                        "env",
                        format!(
                            "The value of `{}` cannot contain a NUL character.",
                            var.name
                        ),
                    );
                }
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
            check_url(url)?;
            check_network(network, secrets)?;
            check_sign_in(auth, secrets).or_else(|(field, message)| refuse(field, message))?;
            let mut seen = HashSet::new();
            for header in headers {
                let handed_in = header_secret(&header.name);
                header.name = header.name.trim().to_owned();
                for (name, _) in secrets.iter_mut().filter(|(name, _)| *name == handed_in) {
                    *name = header_secret(&header.name);
                }
                let name = &header.name;
                if name.is_empty() {
                    return refuse("headers", "Each header needs a name.");
                }
                if !name.bytes().all(is_token) {
                    return refuse(
                        "headers",
                        format!(
                            "`{name}` is not a valid header name: letters, digits and \
                             !#$%&'*+-.^_`|~ are allowed."
                        ),
                    );
                }
                let lower = name.to_ascii_lowercase();
                if FRAMING.contains(&lower.as_str()) {
                    return refuse(
                        "headers",
                        format!("The header `{name}` is set by HTTP itself and cannot be changed."),
                    );
                }
                if !seen.insert(lower) {
                    return refuse("headers", format!("The header `{name}` is set twice."));
                }
                let bad = exposed(header, header_secret, secrets).is_some_and(|value| {
                    value
                        .bytes()
                        .any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f)
                });
                if bad {
                    return refuse(
                        "headers",
                        format!(
                            "The value of `{name}` contains a line break or control character."
                        ),
                    );
                }
            }
        }
        Transport::Demo { .. } => {}
    }
    if config.idle_seconds == Some(0) {
        return refuse("idle_seconds", "A timeout must be at least one second.");
    }
    if config.hard_seconds == Some(0) {
        return refuse("hard_seconds", "A timeout must be at least one second.");
    }
    if let ProtocolMode::Fixed { revision } = &config.protocol
        && Revision::parse(revision).is_none()
    {
        let known: Vec<_> = Revision::ALL.map(Revision::as_str).into();
        return refuse(
            "protocol",
            format!("Sonde supports the protocol versions {}.", known.join(", ")),
        );
    }
    if config.stream_attempts.is_some_and(|count| count > ATTEMPTS) {
        return refuse(
            "stream_attempts",
            format!("At most {ATTEMPTS} reconnect attempts are allowed."),
        );
    }
    check_roots(&mut config.roots)?;
    config.request_rules.check()?;
    config.declaration.check()?;
    Ok(input)
}

/// The folders that a server may work in; rows without a folder are none.
fn check_roots(roots: &mut Vec<RootFolder>) -> Result<(), Error> {
    for root in roots.iter_mut() {
        root.folder = root.folder.trim().to_owned();
        let name = root.name.take().map(|name| name.trim().to_owned());
        root.name = name.filter(|name| !name.is_empty());
    }
    roots.retain(|root| !root.folder.is_empty());
    if roots.len() > ROOTS {
        return refuse("roots", format!("At most {ROOTS} roots are allowed."));
    }
    for root in roots.iter() {
        let chars = |text: &str| text.chars().count();
        if chars(&root.folder) > ROOT || root.name.as_deref().is_some_and(|name| chars(name) > NAME)
        {
            return refuse(
                "roots",
                format!("A root has at most {ROOT} characters, and its name {NAME}."),
            );
        }
        if let Err(why) = root.uri() {
            let folder = &root.folder;
            return refuse("roots", format!("`{folder}` is not a root: {why}."));
        }
    }
    Ok(())
}

/// The settings of the way to an address; empty fields are none.
fn check_network(network: &mut NetworkConfig, secrets: &mut SecretInputs) -> Result<(), Error> {
    if let ProxyConfig::At {
        url,
        user,
        password,
    } = &mut network.proxy
    {
        *url = url.trim().to_owned();
        if url.is_empty() {
            return refuse(
                "proxy",
                "Enter the proxy URL, for example http://proxy.example.com:8080.",
            );
        }
        let usable = url::Url::parse(url).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") && url.has_host()
        });
        if !usable {
            // Not quoted: it may hold a password.
            return refuse(
                "proxy",
                "A proxy URL starts with http://, https:// or socks5:// and names a host.",
            );
        }
        // What stands in the address goes where it belongs.
        if let Some(login) = take_login(url) {
            *user = login.user;
            *password = login.password.is_some().then_some(InKeyring::Keep);
            secrets.retain(|(name, _)| name != proxy::PASSWORD);
            let handed_in = |secret| (proxy::PASSWORD.to_owned(), Some(secret));
            secrets.extend(login.password.map(handed_in));
        }
        user.take_if(|user| user.is_empty());
        if user
            .as_deref()
            .is_some_and(|user| user.contains([':', '\0']))
        {
            return refuse(
                "proxy",
                "The user name of a proxy cannot contain a colon or NUL.",
            );
        }
    }
    if let Some(file) = &mut network.ca_file {
        *file = file.trim().to_owned();
    }
    network.ca_file.take_if(|file| file.is_empty());
    if network
        .ca_file
        .as_deref()
        .is_some_and(|file| file.contains('\0'))
    {
        return refuse("ca_file", "A file path cannot contain a NUL character.");
    }
    if let Some(files) = &mut network.client_certificate {
        files.certificate = files.certificate.trim().to_owned();
        files.key = files.key.trim().to_owned();
        if files.certificate.is_empty() && files.key.is_empty() {
            network.client_certificate = None;
        } else if files.certificate.is_empty() || files.key.is_empty() {
            return refuse(
                "client_certificate",
                "A client certificate needs a certificate file and a key file. They may be the \
                 same file.",
            );
        } else if files.certificate.contains('\0') || files.key.contains('\0') {
            return refuse(
                "client_certificate",
                "A file path cannot contain a NUL character.",
            );
        }
    }
    if network.connect_seconds == Some(0) {
        return refuse(
            "connect_seconds",
            "The connect timeout must be at least one second.",
        );
    }
    if network.idle_seconds == Some(0) {
        return refuse(
            "stream_idle_seconds",
            "The stream idle timeout must be at least one second.",
        );
    }
    Ok(())
}

/// A value as far as it is here.
fn exposed<'a>(
    named: &'a NamedValue,
    stored_as: fn(&str) -> String,
    secrets: &'a SecretInputs,
) -> Option<&'a str> {
    match &named.value {
        ConfigValue::Plain(value) => Some(value),
        ConfigValue::Secret(_) => {
            let name = stored_as(&named.name);
            let (_, secret) = secrets.iter().find(|(one, _)| *one == name)?;
            secret.as_ref().map(Secret::expose)
        }
    }
}

/// RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn check_url(text: &str) -> Result<(), Error> {
    if text.is_empty() {
        return refuse(
            "url",
            "Enter the server's URL, for example https://example.com/mcp.",
        );
    }
    // What is asked for has a colon in it, and stands for something that may have none.
    let asked = inputs_in(text).into_iter();
    let filled = asked.fold(text.to_owned(), |filled, input| filled.replace(input, "x"));
    // The whole beginning may be asked for.
    let filled = match inputs_in(text).first() {
        Some(first) if text.starts_with(first) && !filled.contains("://") => {
            format!("https://{filled}")
        }
        _ => filled,
    };
    let parsed = match url::Url::parse(&filled) {
        Ok(parsed) => parsed,
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            return refuse(
                "url",
                format!("The URL must start with http:// or https://: `{text}`."),
            );
        }
        Err(error) => return refuse("url", format!("`{text}` is not a valid URL: {error}.")),
    };
    match parsed.scheme() {
        "http" | "https" | "ws" | "wss" => {}
        // `localhost:3000/mcp` parses as the scheme `localhost`.
        scheme if text[scheme.len()..].starts_with(":") && !text.contains("://") => {
            return refuse(
                "url",
                format!("The URL must start with http:// or https://: `{text}`."),
            );
        }
        scheme => {
            return refuse(
                "url",
                format!(
                    "No transport handles `{scheme}:` URLs. A URL starts with https://, http://, \
                     wss:// or ws://."
                ),
            );
        }
    }
    if parsed.password().is_some() {
        return refuse(
            "url",
            "URLs are saved in plain text: put the password into an `Authorization` header marked \
             as secret.",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::servers::{AuthConfig, CertificateFiles, HttpKind, ServerConfig};

    fn http(url: &str, headers: &[(&str, &str)]) -> ServerInput {
        let headers = headers.iter().map(|(name, value)| NamedValue {
            name: (*name).to_owned(),
            value: ConfigValue::Plain((*value).to_owned()),
        });
        through(url, headers.collect(), NetworkConfig::default())
    }

    fn through(url: &str, headers: Vec<NamedValue>, network: NetworkConfig) -> ServerInput {
        let transport = Transport::Http {
            url: url.to_owned(),
            headers,
            kind: HttpKind::Automatic,
            network,
            auth: AuthConfig::default(),
        };
        ServerInput {
            config: ServerConfig::new(" Name ", transport),
            secrets: Vec::new(),
        }
    }

    fn stdio(command: &str, env: &[(&str, &str)]) -> ServerInput {
        let secrets = env
            .iter()
            .map(|(name, value)| (env_secret(name), Some(Secret::new(*value))));
        let names = env.iter().map(|(name, _)| NamedValue {
            name: (*name).to_owned(),
            value: ConfigValue::SECRET,
        });
        let transport = Transport::Stdio {
            command: command.to_owned(),
            args: vec!["a".to_owned()],
            env: names.collect(),
            cwd: Some("  ".to_owned()),
        };
        ServerInput {
            config: ServerConfig::new(" Name ", transport),
            secrets: secrets.collect(),
        }
    }

    #[test]
    fn roots_are_whole_paths() {
        let with = |folders: &[&str]| {
            let mut input = ServerInput {
                config: super::super::ServerConfig::new("n", Transport::Demo { http: false }),
                secrets: SecretInputs::new(),
            };
            input.config.roots = folders
                .iter()
                .map(|folder| RootFolder {
                    folder: (*folder).to_owned(),
                    name: Some("  ".to_owned()),
                })
                .collect();
            check(input)
        };
        let kept = with(&[" /work ", "", r"C:\work"]).unwrap().config.roots;
        let folders: Vec<_> = kept.iter().map(|root| root.folder.as_str()).collect();
        assert_eq!(folders, ["/work", r"C:\work"]);
        assert!(kept.iter().all(|root| root.name.is_none()));
        let long = format!("/{}", "a".repeat(ROOT));
        for refused in [
            &["work"][..],
            &["https://a/b"],
            &["/home/ada/../bob"],
            &[long.as_str()],
            &["/a"; ROOTS + 1],
        ] {
            assert!(matches!(
                with(refused).unwrap_err(),
                Error::InvalidInput { detail: Some(field), .. } if field == "roots"
            ));
        }
    }

    #[test]
    fn good_drafts_pass_and_are_trimmed() {
        let checked = check(stdio(" npx ", &[("A", ""), ("a", "x\ny")])).unwrap();
        assert_eq!(checked.config.name, "Name");
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
            check(http(
                url,
                &[("X-Key", "ü \t z"), ("Authorization", "Bearer x")],
            ))
            .unwrap();
        }
    }

    fn over(network: NetworkConfig) -> ServerInput {
        through("https://a/", Vec::new(), network)
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

    #[test]
    fn settings_of_the_network_are_checked() {
        for url in ["http://u:hush@p:1", " socks5://p:1080 ", "https://[::1]:3/"] {
            check(over(by_proxy(url))).unwrap();
        }
        let checked = check(over(by_proxy(" http://u:hu%20sh@p:1"))).unwrap();
        let Transport::Http { network, .. } = checked.config.transport else {
            panic!()
        };
        let proxy = ProxyConfig::At {
            url: "http://p:1/".to_owned(),
            user: Some("u".to_owned()),
            password: Some(InKeyring::Keep),
        };
        assert!(network.proxy == proxy);
        let secret = Some(Secret::new("hu sh"));
        assert_eq!(checked.secrets, [(proxy::PASSWORD.to_owned(), secret)]);
        let files = |certificate: &str, key: &str| NetworkConfig {
            client_certificate: Some(CertificateFiles {
                certificate: certificate.to_owned(),
                key: key.to_owned(),
            }),
            ..NetworkConfig::default()
        };
        let hurry = |connect_seconds, idle_seconds| NetworkConfig {
            connect_seconds,
            idle_seconds,
            ..NetworkConfig::default()
        };
        for (network, field) in [
            (by_proxy(""), "proxy"),
            (by_proxy("u:hush@p:1"), "proxy"),
            (by_proxy("ftp://u:hush@p"), "proxy"),
            (files("/c.pem", " "), "client_certificate"),
            (hurry(Some(0), None), "connect_seconds"),
            (hurry(None, Some(0)), "stream_idle_seconds"),
        ] {
            let error = check(over(network)).unwrap_err();
            assert_eq!(error.detail().as_deref(), Some(field));
            assert!(!error.to_string().contains("hush"), "{error}");
        }
        let empty = NetworkConfig {
            ca_file: Some(" ".to_owned()),
            ..files("", " ")
        };
        let Transport::Http { network, .. } = check(over(empty)).unwrap().config.transport else {
            panic!()
        };
        assert_eq!(network, NetworkConfig::default());
    }

    #[test]
    fn only_known_revisions_and_sensible_numbers_pass() {
        let mut fixed = http("http://a/", &[]);
        for revision in Revision::ALL {
            fixed.config.protocol = ProtocolMode::Fixed {
                revision: revision.as_str().to_owned(),
            };
            check(fixed.clone()).unwrap();
        }
        fixed.config.protocol = ProtocolMode::Fixed {
            revision: "1999-01-01".to_owned(),
        };
        let error = check(fixed).unwrap_err();
        assert_eq!(error.detail().as_deref(), Some("protocol"));
        let mut stubborn = http("http://a/", &[]);
        stubborn.config.stream_attempts = Some(0);
        check(stubborn.clone()).unwrap();
        stubborn.config.stream_attempts = Some(ATTEMPTS + 1);
        assert_eq!(
            check(stubborn).unwrap_err().detail().as_deref(),
            Some("stream_attempts")
        );
    }

    #[test]
    fn bad_drafts_say_where_and_what() {
        let mut nameless = http("http://a/", &[]);
        nameless.config.name = " ".to_owned();
        let mut hurried = http("http://a/", &[]);
        hurried.config.hard_seconds = Some(0);
        for (input, field, words) in [
            (nameless, "name", "a name"),
            (hurried, "hard_seconds", "one second"),
            (stdio("", &[]), "command", "command to run"),
            (stdio("a\0b", &[]), "args", "NUL"),
            (stdio("x", &[("", "")]), "env", "needs a name"),
            (stdio("x", &[("A=B", "")]), "env", "`A=B`"),
            (stdio("x", &[("A", "1"), ("A", "2")]), "env", "twice"),
            (stdio("x", &[("A", "hush\0")]), "env", "NUL"),
            (http("", &[]), "url", "https://example.com"),
            (http("localhost:3000/mcp", &[]), "url", "http://"),
            (http("example.com/mcp", &[]), "url", "http://"),
            (http("ftp://example.com", &[]), "url", "`ftp:`"),
            (http("file:///etc/passwd", &[]), "url", "`file:`"),
            (http("http://", &[]), "url", "not a valid URL"),
            (http("http://a:99999/", &[]), "url", "not a valid URL"),
            (http("http://u:hush@a/", &[]), "url", "secret"),
            (http("http://a/", &[("", "x")]), "headers", "needs a name"),
            (http("http://a/", &[("X Key", "x")]), "headers", "`X Key`"),
            (
                http("http://a/", &[("X-A", "1"), ("x-a", "2")]),
                "headers",
                "twice",
            ),
            (
                http("http://a/", &[("Content-Length", "1")]),
                "headers",
                "HTTP itself",
            ),
            (
                http("http://a/", &[("X-A", "hush\r\nX-B: 1")]),
                "headers",
                "line break",
            ),
        ] {
            let error = check(input.clone()).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { .. }));
            assert_eq!(error.detail().as_deref(), Some(field), "{input:?}");
            assert!(error.to_string().contains(words), "{input:?}: {}", error);
            assert!(!error.to_string().contains("hush"), "{error}");
        }
    }
}
