//! Matching of responses to requests.

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::ExchangeId;

use super::{requests::Requests, response::Response};
use crate::members::string;

/// The request that a response belongs to, pending or ended, and the response as it counts for it.
/// `opening` is the request that the opening of the session waits for.
pub(super) fn match_response<'a>(
    requests: &Requests,
    opening: Option<u64>,
    exchange: Option<ExchangeId>,
    id: Option<&str>,
    response: Response<'a>,
    findings: &mut Vec<Finding>,
) -> Option<(u64, Response<'a>)> {
    let is_pending = |number: &u64| requests.get(*number).is_some();
    let Some(text) = id else {
        // A response without an id is matched by its stream, or by the fact that only one request was sent so far.
        let number = match exchange {
            Some(ExchangeId(id)) => Some(id).filter(is_pending),
            None => opening,
        };
        // The body of a refusal "MAY comprise a JSON-RPC error response that has no id" (Streamable HTTP), be it
        // of a notification, of the listener or of the end of the session.
        if number.is_none() && exchange.is_none() {
            findings.push(Finding::new(&rules::UNKNOWN_RESPONSE_ID).with("id", "missing"));
        }
        return Some((number?, response));
    };
    if let Ok(number) = text.parse() {
        return Some((number, response));
    }
    // An answer "MUST have the same ID as the request" (base protocol, Responses): the string "1"
    // is not the number 1, and no client has to understand it.
    let Some(number) = unquoted(text).filter(is_pending) else {
        findings.push(
            Finding::new(&rules::UNKNOWN_RESPONSE_ID)
                .with("id", text)
                .in_member("id"),
        );
        return None;
    };
    let problem = format!("the response id is {text}, the request id was {number}");
    findings.push(
        Finding::new(&rules::RESPONSE_ID_TYPE)
            .with("id", text)
            .in_member("id"),
    );
    Some((number, Response::Unreadable(problem)))
}

/// The number in a JSON string.
fn unquoted(text: &str) -> Option<u64> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    string(raw)?.parse().ok()
}

/// Returns true if the beginning of a message that was cut is from a response. A request of the server may
/// have the same id as a request of Sonde.
pub(super) fn begins_as_response(head: &str) -> bool {
    let place = |key: &str| head.find(key).unwrap_or(usize::MAX);
    place("\"result\"").min(place("\"error\"")) <= place("\"method\"")
}
