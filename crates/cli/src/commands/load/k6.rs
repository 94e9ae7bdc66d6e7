//! A load as a script for k6, which makes more requests than one computer can.

use std::{fmt::Write as _, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use sonde_client::{
    config::{ConfigValue, NamedValue, Transport},
    log::{LogHeader, LogKind},
    sessions::TransportKind,
};

use super::{Load, MAX_LATE_SHARE};
use crate::{
    console::visible,
    exit::{Failed, Result},
    servers::Server,
    session::Session,
};

/// The shortest time of a load, for k6.
const SHORTEST_LOAD: Duration = Duration::from_secs(1);

/// A message that Sonde sent.
#[derive(Deserialize)]
struct SentMessage<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Messages before the first call of a session, and the call.
const MESSAGES: [&str; 3] = ["initialize", "notifications/initialized", "tools/call"];

/// Header of a token.
const AUTHORIZATION: &str = "Authorization";

/// The functions of the script. Each virtual user has a session of its own, if the server has sessions.
const FUNCTIONS: &str = "
let id = 0;
let session = null;
let opened = false;

function send(message) {
  const headers = Object.assign({}, HEADERS, message.headers);
  if (session) headers['Mcp-Session-Id'] = session;
  const number = message.notification ? '' : `\"id\":${++id},`;
  const body = `{\"jsonrpc\":\"2.0\",${number}\"method\":\"${message.method}\",\"params\":${message.params}}`;
  return http.post(URL, body, { headers, tags: { name: message.method } });
}

// The response, which may be the last event of a stream.
function response(answer) {
  const lines = String(answer.body).split(/\\r?\\n/);
  const events = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
  try {
    return JSON.parse(events.length > 0 ? events[events.length - 1] : answer.body);
  } catch (_) {
    return {};
  }
}

export default function () {
  if (!opened) {
    opened = true;
    for (const message of OPENING) {
      session = send(message).headers['Mcp-Session-Id'] || session;
    }
  }
  const answer = send(CALL);
  const { result } = response(answer);
  check(answer, { 'the tool succeeds': () => answer.status === 200 && !!result && !result.isError });
}
";

/// Writes the script from the messages of a session that has called the tool once.
pub(super) fn script(session: &Session, server: &Server, load: &Load) -> Result<String> {
    let Transport::Http {
        url,
        headers: configured,
        ..
    } = &server.entry.config.transport
    else {
        return Err(Failed::usage("k6 reaches servers over HTTP only.")
            .more(["Give the server's address.".to_owned()]));
    };
    let transport = session.connection.read(|state| {
        let details = state.session.connection.as_ref()?;
        details.facts.transport
    });
    if transport != Some(TransportKind::StreamableHttp) {
        return Err(Failed::usage(
            "The script is for servers over Streamable HTTP, and this one is reached in another way.",
        ));
    }
    let mut opening = Vec::new();
    let mut call = None;
    let mut sent_headers = Vec::new();
    let log = session.connection.log();
    for seq in 1.. {
        let Ok(row) = log.row(seq) else { break };
        let is_message = matches!(row.kind, LogKind::Request | LogKind::Notification);
        let method = row.method.as_deref().filter(|_| row.out && is_message);
        if !method.is_some_and(|method| MESSAGES.contains(&method)) {
            continue;
        }
        if log.detail(seq).is_ok_and(|detail| detail.redacted) {
            return Err(Failed::usage(
                "The arguments have a secret, which is not written into a file.",
            ));
        }
        let body = log.body(seq).map(|body| body.bytes().to_vec());
        let body = body.map_err(|error| Failed::incomplete(format!("{error}.")))?;
        let sent: SentMessage<'_> = serde_json::from_slice(&body)
            .map_err(|error| Failed::incomplete(format!("A message cannot be read: {error}.")))?;
        let headers = log.request_headers(seq).unwrap_or_default();
        let message = message(&sent, &headers);
        match sent.method.as_str() {
            "tools/call" => (call, sent_headers) = (Some(message), headers),
            _ => opening.push(message),
        }
    }
    let call = call.ok_or_else(|| Failed::incomplete("The tool was not called."))?;
    let mut all = json!({
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    })
    .to_string();
    all.pop();
    let headers = own_headers(configured, &sent_headers);
    for (name, value) in &headers {
        let value = match value {
            Some(value) => Value::from(*value).to_string(),
            None => format!("__ENV.{}", variable(name)),
        };
        let _ = write!(all, ",{}:{value}", Value::from(*name));
    }
    all.push('}');
    let mut script = format!(
        "// Made by {}: requests to {}. Run it with: k6 run FILE\n",
        concat!("Sonde ", env!("CARGO_PKG_VERSION")),
        visible(&url.replace('\n', " "))
    );
    for (name, _) in headers.iter().filter(|(_, value)| value.is_none()) {
        let (variable, name) = (variable(name), visible(name));
        let _ = writeln!(
            script,
            "// {variable} in its environment is the whole value of the header {name}."
        );
    }
    script.push_str("import http from 'k6/http';\nimport { check } from 'k6';\n\n");
    let _ = write!(
        script,
        "export const options = {:#};\n\nconst URL = {};\nconst HEADERS = {all};\nconst OPENING = {:#};\nconst CALL = {call:#};\n",
        options(load)?,
        Value::from(url.as_str()),
        Value::Array(opening),
    );
    script.push_str(FUNCTIONS);
    Ok(script)
}

/// The headers of the server by name, and that of a token where one was sent. A secret has no value: it comes from the
/// environment of k6.
fn own_headers<'a>(
    configured: &'a [NamedValue],
    sent: &[LogHeader],
) -> Vec<(&'a str, Option<&'a str>)> {
    let named = configured.iter().map(|header| match &header.value {
        ConfigValue::Plain(value) => (header.name.as_str(), Some(value.as_str())),
        _ => (header.name.as_str(), None),
    });
    let mut headers: Vec<_> = named.collect();
    let is_authorization = |name: &str| name.eq_ignore_ascii_case(AUTHORIZATION);
    let has_token = sent
        .iter()
        .any(|header| is_authorization(&header.name) && header.value.starts_with("Bearer "));
    if has_token && !headers.iter().any(|(name, _)| is_authorization(name)) {
        headers.push((AUTHORIZATION, None));
    }
    headers
}

/// A message with the headers that describe it. The script has the session's own.
fn message(sent: &SentMessage<'_>, headers: &[LogHeader]) -> Value {
    let describes = |header: &&LogHeader| {
        let name = header.name.to_ascii_lowercase();
        name.starts_with("mcp-") && name != "mcp-session-id"
    };
    let headers = headers.iter().filter(describes);
    let headers = headers.map(|one| (one.name.clone(), Value::from(one.value.as_str())));
    json!({
        "method": sent.method,
        "notification": sent.id.is_none(),
        "headers": headers.collect::<serde_json::Map<_, _>>(),
        "params": sent.params.map_or("{}", RawValue::get),
    })
}

/// Options of the script. Iterations that k6 leaves out fail it, as `sonde load` fails.
fn options(load: &Load) -> Result<Value> {
    let time = |time: Duration| match time < SHORTEST_LOAD {
        true => Err(Failed::usage(
            "k6 runs for at least 1 second: give more requests, or a longer --duration.",
        )),
        false => Ok(format!("{}ms", time.as_millis())),
    };
    let mut allowed = 0.0;
    let scenario = match (load.rate, load.duration) {
        (Some(rate), duration) => {
            let duration =
                duration.unwrap_or_else(|| Duration::from_secs_f64(load.requests as f64 / rate));
            allowed = rate * duration.as_secs_f64() * MAX_LATE_SHARE;
            json!({
                "executor": "constant-arrival-rate",
                // Requests in a thousand seconds, since k6 takes whole numbers.
                "rate": (rate * 1_000.0).round().max(1.0) as u64,
                "timeUnit": "1000s",
                "duration": time(duration)?,
                "preAllocatedVUs": load.sessions,
            })
        }
        (None, Some(duration)) => json!({
            "executor": "constant-vus",
            "vus": load.sessions,
            "duration": time(duration)?,
        }),
        (None, None) => json!({
            "executor": "shared-iterations",
            "vus": u64::from(load.sessions).min(load.requests),
            "iterations": load.requests,
            "maxDuration": "24h",
        }),
    };
    let mut thresholds = json!({
        "checks": ["rate==1"],
        "dropped_iterations": [format!("count<={}", allowed as u64)],
    });
    if let Some(limit) = load.max_p95 {
        let name = "http_req_duration{name:tools/call}";
        thresholds[name] = json!([format!("p(95)<={}", limit.as_millis())]);
    }
    Ok(json!({ "scenarios": { "load": scenario }, "thresholds": thresholds }))
}

/// The variable for a header's secret.
fn variable(header: &str) -> String {
    let upper = header.to_uppercase();
    upper.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_from_the_environment_of_k6() {
        let sent = |value: &str| LogHeader {
            name: "authorization".to_owned(),
            value: value.to_owned(),
        };
        let configured = |name: &str| NamedValue {
            name: name.to_owned(),
            value: ConfigValue::Plain("qa".to_owned()),
        };
        let [team, own] = ["X-Team", "authorization"].map(configured);
        let token = [sent("Bearer ‹secret 1›")];
        let both = [("X-Team", Some("qa")), (AUTHORIZATION, None)];
        assert_eq!(own_headers(std::slice::from_ref(&team), &token), both);
        // The address has a password, or the header is configured.
        let basic = [sent("Basic ‹secret 1›")];
        assert_eq!(own_headers(&[team], &basic), both[..1]);
        assert_eq!(own_headers(&[own], &token).len(), 1);
    }
}
