//! A load as a script for k6, which makes more requests than one computer can.

use std::{fmt::Write as _, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use sonde_client::{
    config::{ConfigValue, Transport},
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
    let Transport::Http { url, headers, .. } = &server.entry.config.transport else {
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
            "tools/call" => call = Some(message),
            _ => opening.push(message),
        }
    }
    let call = call.ok_or_else(|| Failed::incomplete("The tool was not called."))?;
    let mut all = json!({
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    })
    .to_string();
    // A secret comes from the environment of k6.
    all.pop();
    for header in headers {
        let value = match &header.value {
            ConfigValue::Plain(value) => Value::from(value.as_str()).to_string(),
            _ => format!("__ENV.{}", variable(&header.name)),
        };
        let _ = write!(all, ",{}:{value}", Value::from(header.name.as_str()));
    }
    all.push('}');
    let mut script = format!(
        "// {} in requests to {}. Run it with: k6 run FILE\n",
        concat!("Sonde ", env!("CARGO_PKG_VERSION")),
        visible(&url.replace('\n', " "))
    );
    let secret = headers
        .iter()
        .filter(|header| !matches!(header.value, ConfigValue::Plain(_)));
    for header in secret {
        let (variable, name) = (variable(&header.name), visible(&header.name));
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
