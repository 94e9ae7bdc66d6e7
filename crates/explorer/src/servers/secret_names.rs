//! Guessing which values of a configuration are secrets.

/// Parts of a name that mark its value as secret: its end where they begin with `_`, else anything of its letters and digits.
pub const SECRET_NAMES: [&str; 16] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "authorization",
    "cookie",
    "bearer",
    "authkey",
    "sessionkey",
    "clientkey",
    "_key",
];

/// Prefixes of secrets of well-known services.
const PREFIXES: [&str; 18] = [
    "sk-",
    "sk_",
    "pk_live",
    "rk_live",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "AKIA",
    "AIza",
    "ya29.",
    "npm_",
    "eyJ",
];

/// True for a value that must still be filled in.
pub(super) fn is_placeholder(value: &str) -> bool {
    let (_, value) = split_scheme(value.trim());
    let value = value.trim_start();
    let lower = value.to_ascii_lowercase();
    value.contains("${")
        || is_variable(value)
        || (value.starts_with('<') && value.ends_with('>'))
        || (lower.starts_with("your") && (lower.contains('_') || lower.contains('-')))
        || ["changeme", "xxx", "...", "todo"].contains(&lower.as_str())
}

/// Splits off the scheme of credentials: `Bearer ` or `Basic `.
pub(super) fn split_scheme(value: &str) -> (&str, &str) {
    let schemes = ["Bearer ", "Basic "].into_iter();
    let mut lengths = schemes.filter_map(|one| value.starts_with(one).then_some(one.len()));
    value.split_at(lengths.next().unwrap_or(0))
}

/// True for exactly `$NAME`, which Gemini CLI replaces (<https://geminicli.com/docs/tools/mcp-server>).
pub(super) fn is_variable(value: &str) -> bool {
    let letters = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let name = value.strip_prefix('$').unwrap_or_default();
    name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_') && letters(name)
}

/// True if the name or the shape of a value suggests a secret.
pub fn looks_secret(name: &str, value: &str) -> bool {
    if value.is_empty() {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let joined: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    let by_name = SECRET_NAMES.iter().any(|part| {
        if part.starts_with('_') {
            lower.ends_with(part)
        } else {
            joined.contains(part)
        }
    });
    // Flags and numbers under such a name (MAX_TOKENS=4096) are no secrets.
    let trivial = value.len() < 6 && value.bytes().all(|byte| byte.is_ascii_digit())
        || ["true", "false"].contains(&value.to_ascii_lowercase().as_str());
    (by_name && !trivial) || shape(value)
}

/// The value looks like a key, whatever its name.
pub(super) fn shape(value: &str) -> bool {
    let (scheme, value) = split_scheme(value.trim());
    if !scheme.is_empty() {
        return !value.trim().is_empty();
    }
    if value.len() >= 16 && PREFIXES.iter().any(|prefix| value.starts_with(prefix)) {
        return true;
    }
    // An address with a password: of a proxy, of a database.
    if url::Url::parse(value).is_ok_and(|url| url.password().is_some()) {
        return true;
    }
    // A long word of mixed letters and digits without the marks of paths, names and addresses.
    value.len() >= 32
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-+=".contains(&byte))
        && value.bytes().filter(u8::is_ascii_digit).count() >= 4
        && value.bytes().filter(u8::is_ascii_alphabetic).count() >= 4
        && !is_uuid(value)
}

fn is_uuid(value: &str) -> bool {
    uuid::Uuid::try_parse(value).is_ok() && value.contains('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_seen_by_name_or_shape() {
        for (name, value) in [
            ("GITHUB_PERSONAL_ACCESS_TOKEN", "abc"),
            ("OPENAI_API_KEY", "abc"),
            ("Authorization", "Bearer abc"),
            ("X-Custom", "Bearer abc"),
            ("DB_PASSWORD", "p"),
            ("SOME_KEY", "value"),
            ("WHATEVER", "ghp_0123456789abcdef"),
            ("WHATEVER", "0123456789abcdef0123456789abcdef"),
            ("HTTPS_PROXY", "http://me:pw@proxy.example.com:8080"),
        ] {
            assert!(looks_secret(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("PATH", "/usr/local/bin:/usr/bin:/bin:/opt/tools/4.5.6/bin"),
            ("MAX_TOKENS", "4096"),
            ("TOKEN_CHECK", "false"),
            ("API_KEY", ""),
            ("REGION", "eu-central-1"),
            ("HTTPS_PROXY", "http://me@proxy.example.com:8080"),
            ("PROJECT", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
            ("NAME", "a-rather-long-name-without-any-numbers"),
        ] {
            assert!(!looks_secret(name, value), "{name}={value}");
        }
    }

    #[test]
    fn placeholders_are_seen() {
        for value in [
            "${TOKEN}",
            "${input:key}",
            "$MY_API_TOKEN",
            "Bearer $TOKEN_2",
            "<your key>",
            "YOUR_API_KEY",
            "changeme",
            "Bearer <token>",
            "Bearer YOUR_TOKEN",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in ["sk-real", "$", "$5", "$2a$10$abc", "$Pass", "A$TOKEN"] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
