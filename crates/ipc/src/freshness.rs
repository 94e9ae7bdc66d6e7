//! Sentences about the caching of responses that the server allows.

use sonde_mcp::Freshness;

use sonde_record::text::cut;

/// Formats how long the server allows caching a response (Caching: `ttlMs`, `cacheScope`). `what` names the response: a
/// list, a result.
pub(super) fn freshness(said: &Freshness, what: &str) -> String {
    let who = match said.scope.as_deref() {
        Some("public") => ", also by shared caches",
        Some("private") => ", by this client only",
        Some(_) => ", with an unknown scope",
        None => "",
    };
    match said
        .ttl_ms
        .as_deref()
        .map(|text| (text, text.parse::<u64>()))
    {
        None => format!("The server does not say how long this {what} may be cached."),
        Some((_, Ok(0))) => format!("The server says that this {what} must not be cached."),
        Some((_, Ok(millis))) => {
            format!(
                "The server allows caching this {what} for {}{who}.",
                duration(millis)
            )
        }
        Some((text, Err(_))) => format!(
            "The server says how long this {what} may be cached, but `{}` is not a number of \
             milliseconds.",
            cut(text, 40)
        ),
    }
}

/// Formats a time in the largest unit that divides it: "5 minutes", "1 second", "250 milliseconds".
fn duration(millis: u64) -> String {
    let units = [
        (86_400_000, "day"),
        (3_600_000, "hour"),
        (60_000, "minute"),
        (1_000, "second"),
        (1, "millisecond"),
    ];
    let (size, name) = units
        .into_iter()
        .find(|(size, _)| millis >= *size && millis.is_multiple_of(*size))
        .unwrap_or((1, "millisecond"));
    let count = millis / size;
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freshness_is_told_as_it_was_said() {
        let say = |ttl: Option<&str>, scope: Option<&str>| {
            freshness(
                &Freshness {
                    ttl_ms: ttl.map(str::to_owned),
                    scope: scope.map(str::to_owned),
                },
                "list",
            )
        };
        assert!(say(None, Some("public")).contains("does not say"));
        assert!(say(Some("0"), None).contains("must not"));
        assert!(say(Some("1000"), Some("public")).contains("1 second, also by shared caches"));
        assert!(say(Some("90001"), None).contains("90001 milliseconds."));
        assert!(say(Some("\"soon\""), None).contains("`\"soon\"`"));
        assert!(say(Some("-5"), None).contains("`-5`"));
    }
}
