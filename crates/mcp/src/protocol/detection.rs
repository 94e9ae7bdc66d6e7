//! Detection of a server's era (versioning, Dual-Era Servers; stdio and Streamable HTTP, Backward
//! Compatibility). The only place that knows both.
//!
//! The principle: an error that only the stateless era has, or a result that lists protocol versions,
//! proves the stateless era. Any other answer of the server proves the handshake. An answer that is not
//! about the server (a login, an overload, a broken connection) proves nothing.

use serde_json::value::RawValue;

use super::stateless::{Discovered, code, discovered};
use crate::{
    Era, EraChoice, Revision, SessionOptions,
    event::DISCOVER_UNKNOWN,
    limits::{NAME, NAMES},
    members::{elements, member, string},
    text::cut,
};

/// Beginnings of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// With the handshake.
    Handshake {
        offer: Revision,
        /// Only this protocol version is acceptable.
        exact: bool,
    },
    /// Begins with a probe: the question which protocol versions the server speaks.
    Probe(Probe),
}

/// Parameters of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Probe {
    /// The protocol version of the probe.
    pub(crate) revision: Revision,
    /// The handshake may follow.
    pub(crate) fallback: bool,
    /// Only this protocol version is acceptable.
    pub(crate) exact: bool,
    /// Repeated: the server named other protocol versions.
    pub(crate) again: bool,
}

pub(crate) fn plan(options: &SessionOptions) -> Plan {
    let ask = |revision, fallback, exact| {
        Plan::Probe(Probe {
            revision,
            fallback,
            exact,
            again: false,
        })
    };
    let offer = options.offer.unwrap_or(Revision::NEWEST_HANDSHAKE);
    match options.era {
        EraChoice::Automatic => ask(Revision::NEWEST_STATELESS, true, false),
        EraChoice::Stateless => ask(Revision::NEWEST_STATELESS, false, false),
        EraChoice::Handshake => Plan::Handshake {
            offer,
            exact: false,
        },
        EraChoice::Fixed { revision } => match revision.era() {
            Era::Stateless => ask(revision, false, true),
            Era::Handshake => Plan::Handshake {
                offer: revision,
                exact: true,
            },
        },
    }
}

/// Replies to a probe.
#[derive(Debug)]
pub(crate) enum ProbeReply<'a> {
    Result(&'a RawValue),
    Error {
        code: i64,
        data: Option<&'a RawValue>,
    },
    /// A response that is not a message.
    Gibberish,
    /// No response, on a connection where silence counts.
    Silence,
}

/// Next step after a probe.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Use the stateless protocol.
    Stateless(Revision, Option<Discovered>),
    /// Probe again with this protocol version.
    AskAgain(Revision),
    /// Start the handshake; `Some` offers exactly this protocol version, the only kind that both speak.
    Handshake(Option<Revision>),
    /// The server speaks these protocol versions, and Sonde none of them.
    NoneInCommon(Vec<String>),
    /// The server's protocol versions are still unknown.
    Undecided,
}

/// A verdict with the step it was found in.
#[derive(Debug)]
pub(crate) struct Detection {
    pub(crate) code: &'static str,
    pub(crate) sentence: String,
    pub(crate) verdict: Verdict,
}

fn judged(code: &'static str, sentence: impl Into<String>, verdict: Verdict) -> Detection {
    Detection {
        code,
        sentence: sentence.into(),
        verdict,
    }
}

/// Judges the reply to a probe. `status` is its HTTP status, if any.
pub(crate) fn judge(asked: &Probe, saw: &ProbeReply<'_>, status: Option<u16>) -> Detection {
    if let ProbeReply::Error { code, data } = saw
        && code::is_of_this_era(*code)
    {
        return stateless_error(asked, *code, *data);
    }
    if let Some(status) = status.filter(|status| says_nothing(*status)) {
        return judged(
            "discover-undecided",
            format!("HTTP status {status} does not show which protocol mode the server uses."),
            Verdict::Undecided,
        );
    }
    if let ProbeReply::Result(result) = saw
        && status.is_none_or(|status| (200..300).contains(&status))
        && let Some(found) = discovered(result)
    {
        return listed(asked, found);
    }
    let what = match (saw, status) {
        (ProbeReply::Result(_), _) => {
            "The server answered the probe with something else".to_owned()
        }
        (ProbeReply::Error { code, .. }, _) => {
            format!("The server answered the probe with the error {code}")
        }
        (ProbeReply::Gibberish, Some(status)) => {
            format!("The server answered the probe with HTTP status {status} and no message")
        }
        (ProbeReply::Gibberish, None) => {
            "The server answered the probe without a message".to_owned()
        }
        (ProbeReply::Silence, _) => "The server did not answer the probe".to_owned(),
    };
    if asked.fallback {
        let code = match saw {
            ProbeReply::Silence => "discover-silent",
            _ => "discover-refused",
        };
        return judged(
            code,
            format!("{what}: assuming that it needs the handshake."),
            Verdict::Handshake(None),
        );
    }
    match saw {
        // It "MUST implement" it, but nothing else depends on it (versioning, Discovery).
        ProbeReply::Error { code: -32601, .. } => judged(
            DISCOVER_UNKNOWN,
            format!(
                "The server does not support the required `server/discover`: continuing with {} \
                 without its capabilities.",
                asked.revision
            ),
            Verdict::Stateless(asked.revision, None),
        ),
        _ => judged(
            "discover-refused",
            format!("{what}, and the settings allow nothing else."),
            Verdict::Undecided,
        ),
    }
}

/// True for a login (401, 403), an overload or a server error, which prove nothing about the protocol.
fn says_nothing(status: u16) -> bool {
    matches!(status, 401 | 403 | 408 | 429 | 500..=599)
}

/// Judges an error code of the stateless protocol.
fn stateless_error(asked: &Probe, code: i64, data: Option<&RawValue>) -> Detection {
    if code != code::UNSUPPORTED_VERSION {
        return judged(
            "discover-refused-as-stateless",
            format!(
                "The server answered with {code}, an error that only the stateless protocol has."
            ),
            Verdict::Stateless(asked.revision, None),
        );
    }
    let supported = supported(data);
    match common(&supported, asked) {
        Some(revision) if revision.era() == Era::Stateless && asked.again => judged(
            "discover-refused-twice",
            format!(
                "The server rejects {} although it lists it.",
                asked.revision
            ),
            Verdict::Undecided,
        ),
        Some(revision) if revision.era() == Era::Stateless => judged(
            "other-revision",
            format!(
                "The server rejects {} and lists {}: probing again with {revision}.",
                asked.revision,
                supported.join(", ")
            ),
            Verdict::AskAgain(revision),
        ),
        other => handshake_only(other, supported),
    }
}

/// Judges a result that lists protocol versions.
fn listed(asked: &Probe, found: Discovered) -> Detection {
    match common(&found.supported, asked) {
        Some(revision) if revision.era() == Era::Stateless => judged(
            "discover-answered",
            format!(
                "The server supports {}: continuing with {revision}.",
                found.supported.join(", ")
            ),
            Verdict::Stateless(revision, Some(found)),
        ),
        other => handshake_only(other, found.supported),
    }
}

/// The corner that the specification leaves open: the only revision in common has a handshake.
fn handshake_only(revision: Option<Revision>, supported: Vec<String>) -> Detection {
    let names = supported.join(", ");
    match revision {
        Some(revision) => judged(
            "handshake-revision-only",
            format!("The server supports {names}: starting the handshake with {revision}."),
            Verdict::Handshake(Some(revision)),
        ),
        None => judged(
            "no-common-revision",
            format!("The server supports {names}, and Sonde supports none of them."),
            Verdict::NoneInCommon(supported),
        ),
    }
}

/// Returns the newest version that both speak, preferring stateless ones.
fn common(supported: &[String], asked: &Probe) -> Option<Revision> {
    supported
        .iter()
        .filter_map(|name| Revision::parse(name))
        .filter(|revision| !asked.exact || *revision == asked.revision)
        .filter(|revision| asked.fallback || revision.era() == Era::Stateless)
        .max()
}

/// `supported` in the data of an error.
pub(crate) fn supported(data: Option<&RawValue>) -> Vec<String> {
    let names = || {
        let supported = member(data, "supported");
        Some(
            elements(supported?.get(), NAMES)
                .ok()?
                .first
                .into_iter()
                .filter_map(|name| Some(cut(&string(name)?, NAME)))
                .collect(),
        )
    };
    names().unwrap_or_default()
}

/// Returns the stateless version to continue with after the version of a request was refused.
pub(crate) fn refused_revision(data: Option<&RawValue>) -> Option<Revision> {
    supported(data)
        .iter()
        .filter_map(|name| Revision::parse_stateless(name))
        .max()
}

/// Returns the protocol version to speak after the handshake got an error of the stateless era: such a
/// server "SHOULD name its versions" in it (versioning).
pub(crate) fn refused_handshake(code: i64, data: Option<&RawValue>) -> Option<Revision> {
    if !code::is_of_this_era(code) {
        return None;
    }
    let supported = supported(data);
    if supported.is_empty() {
        return Some(Revision::NEWEST_STATELESS);
    }
    supported
        .iter()
        .filter_map(|name| Revision::parse_stateless(name))
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::raw;

    const ASKED: Probe = Probe {
        revision: Revision::NEWEST_STATELESS,
        fallback: true,
        exact: false,
        again: false,
    };

    #[test]
    fn of_supported_versions_without_end_the_first_are_read() {
        let name = format!("\"{}\"", "x".repeat(1_000));
        let names = vec![name; 10_000].join(",");
        let read = supported(Some(&raw(&format!(r#"{{"supported":[{names}]}}"#))));
        assert_eq!(read.len(), NAMES);
        assert!(read.iter().all(|name| name.chars().count() == NAME + 1));
    }

    const fn error(code: i64) -> ProbeReply<'static> {
        ProbeReply::Error { code, data: None }
    }

    /// The verdict in one word.
    fn word(asked: &Probe, saw: &ProbeReply<'_>, status: Option<u16>) -> String {
        match judge(asked, saw, status).verdict {
            Verdict::Stateless(revision, Some(_)) => format!("stateless {revision}"),
            Verdict::Stateless(revision, None) => format!("stateless {revision} blind"),
            Verdict::AskAgain(revision) => format!("again {revision}"),
            Verdict::Handshake(None) => "handshake".to_owned(),
            Verdict::Handshake(Some(revision)) => format!("handshake {revision}"),
            Verdict::NoneInCommon(_) => "none".to_owned(),
            Verdict::Undecided => "undecided".to_owned(),
        }
    }

    /// Every row of the table for HTTP, and for pipes where there is no status.
    #[test]
    fn the_whole_table() {
        let (new, old) = (Revision::NEWEST_STATELESS, Revision::NEWEST_HANDSHAKE);
        let list = |names: &str| raw(&format!(r#"{{"supportedVersions":[{names}]}}"#));
        let data = |names: &str| raw(&format!(r#"{{"supported":[{names}],"requested":"x"}}"#));
        let (both, only_old, neither) = (
            format!(r#""{old}","{new}""#),
            format!(r#""{old}","1999-01-01""#),
            r#""1999-01-01""#.to_owned(),
        );
        let other = raw(r#"{"tools":[]}"#);

        for status in [None, Some(200)] {
            for (names, verdict) in [
                (&both, format!("stateless {new}")),
                (&only_old, format!("handshake {old}")),
                (&neither, "none".to_owned()),
            ] {
                let list = list(names);
                assert_eq!(word(&ASKED, &ProbeReply::Result(&list), status), verdict);
            }
            for saw in [ProbeReply::Result(&other), ProbeReply::Gibberish] {
                assert_eq!(word(&ASKED, &saw, status), "handshake");
            }
        }
        for status in [None, Some(400), Some(200), Some(500)] {
            for (names, verdict) in [
                (&both, format!("again {new}")),
                (&only_old, format!("handshake {old}")),
                (&neither, "none".to_owned()),
            ] {
                let data = data(names);
                let saw = ProbeReply::Error {
                    code: -32022,
                    data: Some(&data),
                };
                assert_eq!(word(&ASKED, &saw, status), verdict);
                if names == &both {
                    let again = Probe {
                        again: true,
                        ..ASKED
                    };
                    assert_eq!(word(&again, &saw, status), "undecided");
                }
            }
            for code in [-32020, -32021] {
                let verdict = format!("stateless {new} blind");
                assert_eq!(word(&ASKED, &error(code), status), verdict);
            }
        }
        // Codes are no evidence for the handshake one by one: any other will do, the ones of the
        // era's drafts too.
        for code in [-32601, -32602, -32600, -32000, -32001, -32004, -32023, 0, 7] {
            for status in [None, Some(200), Some(400), Some(404)] {
                assert_eq!(word(&ASKED, &error(code), status), "handshake");
            }
        }
        for status in [400, 404, 405, 406, 415, 422] {
            let found = word(&ASKED, &ProbeReply::Gibberish, Some(status));
            assert_eq!(found, "handshake", "{status}");
        }
        for status in [401, 403, 429, 500, 502, 503] {
            for saw in [
                ProbeReply::Gibberish,
                error(-32601),
                ProbeReply::Result(&other),
            ] {
                assert_eq!(word(&ASKED, &saw, Some(status)), "undecided");
            }
        }
        assert_eq!(word(&ASKED, &ProbeReply::Silence, None), "handshake");
    }

    #[test]
    fn without_a_fallback_nothing_leads_to_the_handshake() {
        let (new, old) = (Revision::NEWEST_STATELESS, Revision::NEWEST_HANDSHAKE);
        let strict = Probe {
            fallback: false,
            ..ASKED
        };
        let blind = format!("stateless {new} blind");
        let list = raw(&format!(r#"{{"supportedVersions":["{old}"]}}"#));
        for (saw, status, verdict) in [
            (error(-32601), Some(404), &*blind),
            (error(-32601), None, &*blind),
            (error(-32600), None, "undecided"),
            (ProbeReply::Gibberish, Some(404), "undecided"),
            (ProbeReply::Silence, None, "undecided"),
            (ProbeReply::Result(&list), None, "none"),
        ] {
            assert_eq!(word(&strict, &saw, status), verdict);
        }
    }

    #[test]
    fn each_choice_has_its_plan() {
        let mut options = SessionOptions::new(crate::Implementation::new("n", "1"));
        let [first, ..] = Revision::HANDSHAKE;
        let strict = Probe {
            fallback: false,
            ..ASKED
        };
        let fixed = Probe {
            exact: true,
            ..strict
        };
        options.offer = Some(first);
        let exactly = |revision| EraChoice::Fixed { revision };
        let handshake = |offer, exact| Plan::Handshake { offer, exact };
        let newest = Revision::NEWEST_HANDSHAKE;
        for (era, expected) in [
            (EraChoice::Automatic, Plan::Probe(ASKED)),
            (EraChoice::Stateless, Plan::Probe(strict)),
            (exactly(Revision::NEWEST_STATELESS), Plan::Probe(fixed)),
            (EraChoice::Handshake, handshake(first, false)),
            (exactly(newest), handshake(newest, true)),
        ] {
            options.era = era;
            assert_eq!(plan(&options), expected);
        }
    }

    #[test]
    fn a_handshake_refused_in_the_other_eras_words_leads_there() {
        let new = Revision::NEWEST_STATELESS;
        let named = raw(&format!(r#"{{"supported":["1999-01-01","{new}"]}}"#));
        let foreign = raw(r#"{"supported":["1999-01-01"]}"#);
        assert_eq!(refused_handshake(-32022, Some(&named)), Some(new));
        assert_eq!(refused_handshake(-32021, None), Some(new));
        assert_eq!(refused_handshake(-32022, Some(&foreign)), None);
        assert_eq!(refused_handshake(-32602, Some(&named)), None);
    }
}
