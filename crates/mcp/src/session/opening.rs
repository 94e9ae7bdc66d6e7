//! Opening of a session: a probe, `initialize` and its response, the first messages after it.

use std::{collections::BTreeSet, sync::Arc};

use sonde_findings::{Finding, Location, rules};
use sonde_wire::{Cause, ExchangeId, Header, Seq};
use tokio::time::{Duration, Instant};

use super::{
    context::Context,
    deadlines::Alarm,
    effect::Effect,
    envelope::ErrorObject,
    http_response::{HttpResponse, is_success},
    probing::{ProbeOutcome, Probing},
    purpose::Purpose,
    requests::Answered,
    response::{Loss, Response},
    stage::{Stage, Step},
    time_limits::Limits,
};
use crate::{
    CatalogKind, CloseReason, Era, EraChoice, Event, Negotiated, NoResponse, OpenFailure, Phase,
    Revision,
    catalog::{declared, declared_catalogs, declares_subscriptions},
    protocol::{
        EncodedRequest, Introduction, Protocol,
        detection::{self, Plan},
        handshake,
        stateless::{Discovered, Stateless},
        tasks,
    },
    text::brief,
};

/// Limit of waiting for the acknowledgement of `notifications/initialized`; after it, the session continues anyway.
const ACKNOWLEDGED: Duration = Duration::from_secs(5);

/// State of the opening.
#[derive(Debug, Default)]
pub(super) struct Opening {
    probing: Probing,
    /// The protocol version that was offered first.
    offered: Option<Revision>,
    /// Only this protocol version is acceptable.
    exact: bool,
    /// A session id came with the response to `initialize`.
    session_given: bool,
    /// Id of the `initialize` request.
    request: u64,
    /// `notifications/initialized` is on its way, and everything else waits for it.
    initialized: Option<Initialized>,
}

/// The outcome of the handshake, until the server has `notifications/initialized`.
#[derive(Debug)]
struct Initialized {
    exchange: ExchangeId,
    negotiated: Arc<Negotiated>,
}

impl Opening {
    /// Begins according to the options.
    pub(super) fn begin(&mut self, ctx: &mut Context) {
        match detection::plan(&ctx.options) {
            Plan::Handshake { offer, exact } => self.send_initialize(ctx, offer, exact),
            Plan::Probe(probe) => {
                self.offered = Some(probe.revision);
                self.probing.start(ctx, probe);
            }
        }
    }

    /// Begins again after the server forgot the session.
    pub(super) fn begin_anew(&mut self, ctx: &mut Context) {
        let offer = self.offered.unwrap_or(Revision::NEWEST_HANDSHAKE);
        self.send_initialize(ctx, offer, self.exact);
    }

    /// Stops waiting for the end of the handshake: the session ends, or is restarted.
    pub(super) fn stop(&mut self, ctx: &mut Context) {
        ctx.deadlines.disarm(Alarm::Handshake);
        ctx.deadlines.disarm(Alarm::Initialized);
        self.initialized = None;
    }

    /// Returns true if commands of the user have to wait.
    pub(super) fn is_under_way(&self, ctx: &Context) -> bool {
        ctx.stage() == Stage::Opening || self.initialized.is_some()
    }

    /// Returns true while the era of the server is unknown.
    pub(super) fn is_undecided(&self) -> bool {
        self.probing.is_undecided()
    }

    /// The request that the opening waits for.
    pub(super) fn request(&self, ctx: &Context) -> Option<u64> {
        let request = match self.probing.is_under_way() {
            true => self.probing.request(),
            false => self.request,
        };
        (ctx.stage() == Stage::Opening).then_some(request)
    }

    /// Offers a revision, `exact` if no other will do. Until it is answered nothing else is sent
    /// but answers to pings (lifecycle, Initialization).
    fn send_initialize(&mut self, ctx: &mut Context, offered: Revision, exact: bool) {
        ctx.protocol = Protocol::default();
        self.offered = Some(offered);
        self.exact = exact;
        ctx.report(Event::Phase(Phase::Opening));
        let limit = ctx.options.timeouts.handshake;
        ctx.deadlines.arm_in(Alarm::Handshake, limit);
        let client = ctx.options.client.clone();
        let capabilities = ctx.options.capabilities.clone();
        self.request = ctx.send_encoded(
            Purpose::Initialize,
            "initialize",
            Limits::new(Instant::now(), limit, limit),
            Cause::Lifecycle,
            |_, id| EncodedRequest {
                text: handshake::initialize(id, offered, &client, &capabilities),
                headers: Vec::new(),
            },
        );
        // `Alarm::Handshake` covers it. It must not be cancelled either (cancellation, Behavior
        // Requirements).
        ctx.deadlines.disarm(Alarm::Request(self.request));
    }

    /// Keeps the session id that comes with the head of the response to `initialize`.
    pub(super) fn head(
        &mut self,
        ctx: &mut Context,
        request: u64,
        status: u16,
        headers: &[Header],
        seq: Seq,
    ) {
        if self.request(ctx) != Some(request) || !is_success(status) {
            // "A server […] MAY assign a session ID at initialization time" (transports, Session Management).
            let late = ctx.is_ready() && ctx.protocol.handshake().is_some() && !self.session_given;
            if late
                && matches!(handshake::read_session_id(headers), Ok(Some(_)))
                && ctx.is_news(&rules::LATE_SESSION_ID)
            {
                ctx.annotate(seq, None, vec![Finding::new(&rules::LATE_SESSION_ID)]);
            }
            return;
        }
        match handshake::read_session_id(headers) {
            Ok(id) => {
                self.session_given = id.is_some();
                if let Some(short) = id.as_ref().and_then(handshake::SessionId::short) {
                    let short = Finding::new(&rules::SHORT_SESSION_ID).with("size", short);
                    ctx.annotate(seq, None, vec![short]);
                }
                if let Some(handshake) = ctx.protocol.handshake_mut() {
                    handshake.session_id = id;
                }
            }
            Err(_) => ctx.annotate(seq, None, vec![Finding::new(&rules::BAD_SESSION_ID)]),
        }
    }

    /// The response to `initialize`.
    pub(super) fn initialize_answered(
        &mut self,
        ctx: &mut Context,
        answered: Answered<'_>,
        findings: &mut Vec<Finding>,
    ) -> Vec<Effect> {
        let Answered {
            request,
            response,
            seq,
        } = answered;
        let sent = request.sent;
        let http = request.http.as_deref();
        ctx.deadlines.disarm(Alarm::Handshake);
        let accepted = match response {
            Response::Result(result) => handshake::accept(&result)
                .inspect_err(|failure| findings.extend(version_problem(failure)))
                .and_then(|(revision, introduction)| match self.offered {
                    Some(offered) if self.exact && offered != revision => {
                        Err(OpenFailure::UnknownRevision {
                            answered: revision.to_string(),
                        })
                    }
                    _ => Ok((revision, introduction)),
                }),
            Response::Error(error) => {
                if let Some(effects) = self.refused_as_stateless(ctx, &error, sent, seq) {
                    return effects;
                }
                Err(rejected(error, http))
            }
            Response::Unreadable(problem) => Err(OpenFailure::BadShape { problem }),
        };
        let (revision, mut introduction) = match accepted {
            Ok(accepted) => accepted,
            Err(failure) => return failed(failure),
        };
        if !ctx.step(Step::Opened) {
            return Vec::new();
        }
        findings.append(&mut introduction.findings);
        ctx.declared = Some(Arc::clone(&introduction.capabilities));
        if let Some(handshake) = ctx.protocol.handshake_mut() {
            handshake.revision = Some(revision);
        }
        let negotiated = self.report_ready(ctx, revision, introduction, Vec::new(), sent);
        let exchange = ctx.send_notification(
            "notifications/initialized",
            handshake::INITIALIZED.to_owned(),
            Cause::Lifecycle,
            None,
        );
        self.initialized = Some(Initialized {
            exchange,
            negotiated,
        });
        if http.is_none() {
            return self.initialized(ctx);
        }
        // Over HTTP each message is a separate request, and one can overtake another: a server may refuse a request
        // that arrives before the notification (lifecycle, Initialization).
        ctx.deadlines.arm_in(Alarm::Initialized, ACKNOWLEDGED);
        Vec::new()
    }

    /// Handles the loss of the response to `initialize`.
    pub(super) fn initialize_lost(&self, loss: Loss) -> Vec<Effect> {
        failed(loss.into_open_failure())
    }

    /// Something became of this exchange: if it carried `notifications/initialized`, the server has
    /// it.
    pub(super) fn acknowledged(&mut self, ctx: &mut Context, exchange: ExchangeId) -> Vec<Effect> {
        let initialized = self.initialized.as_ref();
        match initialized.is_some_and(|initialized| initialized.exchange == exchange) {
            true => self.initialized(ctx),
            false => Vec::new(),
        }
    }

    /// Continues once the server has received `notifications/initialized`.
    fn initialized(&mut self, ctx: &mut Context) -> Vec<Effect> {
        ctx.deadlines.disarm(Alarm::Initialized);
        let initialized = self.initialized.take().filter(|_| ctx.is_ready());
        let Some(Initialized { negotiated, .. }) = initialized else {
            return Vec::new();
        };
        let mut effects = vec![Effect::OpenListener];
        let level = ctx.options.log_level;
        if level.is_some() && declared(&negotiated.capabilities, "logging") {
            effects.push(Effect::SetLogLevel(level, Cause::Lifecycle));
        }
        effects.push(Effect::ReadCatalogs(negotiated.catalogs.clone()));
        let declared = negotiated.resource_subscriptions;
        effects.push(Effect::SubscribeResources(declared));
        effects
    }

    /// The response to the probe.
    pub(super) fn probe_answered(
        &mut self,
        ctx: &mut Context,
        answered: Answered<'_>,
        findings: &mut Vec<Finding>,
    ) -> Vec<Effect> {
        let probed = self.probing.answered(ctx, answered, findings);
        self.probed(ctx, probed)
    }

    /// Handles the loss of the response to the probe.
    pub(super) fn probe_lost(
        &mut self,
        ctx: &mut Context,
        sent: Instant,
        loss: Loss,
    ) -> Vec<Effect> {
        let probed = self.probing.on_lost(ctx, sent, loss);
        self.probed(ctx, probed)
    }

    /// Handles an alarm of the opening.
    pub(super) fn alarm(&mut self, ctx: &mut Context, alarm: Alarm) -> Vec<Effect> {
        // While a request waits for authorization, the limits of the server do not count.
        if ctx.requests.is_any_parked() {
            let limit = ctx.options.timeouts.handshake;
            ctx.deadlines.arm_in(alarm, limit);
            return Vec::new();
        }
        if alarm == Alarm::Initialized {
            return self.initialized(ctx);
        }
        if self.probing.is_under_way() {
            let probed = self.probing.timed_out(ctx);
            return self.probed(ctx, probed);
        }
        ctx.give_up_request(self.request, NoResponse::TimedOut);
        failed(OpenFailure::TimedOut)
    }

    /// Restarts the time limit of the opening once no request waits for authorization.
    pub(super) fn postpone(&self, ctx: &mut Context) {
        for alarm in [Alarm::Handshake, Alarm::Initialized] {
            if ctx.deadlines.is_armed(alarm) {
                let limit = ctx.options.timeouts.handshake;
                ctx.deadlines.arm_in(alarm, limit);
            }
        }
    }

    fn probed(&mut self, ctx: &mut Context, probed: ProbeOutcome) -> Vec<Effect> {
        match probed {
            ProbeOutcome::Waits => Vec::new(),
            ProbeOutcome::Failed(failure) => failed(failure),
            ProbeOutcome::Stateless {
                revision,
                discovered,
                sent,
            } => self.go_stateless(ctx, revision, discovered, sent),
            ProbeOutcome::Handshake(offer) => {
                ctx.deadlines.disarm(Alarm::Handshake);
                let offer = offer
                    .or(ctx.options.offer)
                    .unwrap_or(Revision::NEWEST_HANDSHAKE);
                self.send_initialize(ctx, offer, false);
                Vec::new()
            }
        }
    }

    /// Handles an `initialize` that was refused with an error of the stateless protocol: the server speaks nothing
    /// else. `None` if there is no way to continue.
    fn refused_as_stateless(
        &mut self,
        ctx: &mut Context,
        error: &ErrorObject,
        sent: Instant,
        seq: Seq,
    ) -> Option<Vec<Effect>> {
        let (code, data) = (error.code, error.data.as_deref());
        let revision = detection::refused_handshake(code, data)?;
        let allowed = ctx.options.era == EraChoice::Automatic;
        let names = detection::supported(data).join(", ");
        if names.is_empty() {
            ctx.annotate(seq, None, vec![Finding::new(&rules::UNNAMED_VERSIONS)]);
        }
        let named = if names.is_empty() {
            "no version".to_owned()
        } else {
            names
        };
        let what = format!(
            "The server rejected the handshake with {code}, an error that only the stateless \
             protocol has, and listed {named}"
        );
        let sentence = if allowed {
            format!("{what}: continuing with {revision}.")
        } else {
            format!("{what}; the settings allow only the handshake.")
        };
        ctx.report_detection(
            "handshake-refused-as-stateless",
            sentence,
            Some(Era::Stateless),
            Some(seq),
        );
        if !allowed {
            return None;
        }
        if self.probing.was_silent() {
            // The server was still starting at the first probe, and can describe itself now.
            self.offered = Some(revision);
            let probe = detection::Probe {
                revision,
                fallback: false,
                exact: false,
                again: false,
            };
            self.probing.start(ctx, probe);
            return Some(Vec::new());
        }
        Some(self.go_stateless(ctx, revision, None, sent))
    }

    /// Ends the opening: every stateless request is self-contained.
    fn go_stateless(
        &self,
        ctx: &mut Context,
        revision: Revision,
        discovered: Option<Discovered>,
        sent: Instant,
    ) -> Vec<Effect> {
        ctx.deadlines.disarm(Alarm::Handshake);
        if !ctx.step(Step::Opened) {
            return Vec::new();
        }
        ctx.protocol = Protocol::Stateless(Stateless::new(revision, &ctx.options));
        ctx.declared = discovered
            .as_ref()
            .map(|found| Arc::clone(&found.introduction.capabilities));
        let (supported, introduction) = match discovered {
            Some(found) => (found.supported, found.introduction),
            None => (Vec::new(), Introduction::read([None; 4])),
        };
        let negotiated = self.report_ready(ctx, revision, introduction, supported, sent);
        let subscribe = match &ctx.declared {
            Some(capabilities) => Effect::Subscribe(Arc::clone(capabilities)),
            None => Effect::SubscribeResources(false),
        };
        let catalogs = negotiated.catalogs.clone();
        vec![Effect::ReadCatalogs(catalogs), subscribe]
    }

    /// Reports the outcome of the opening, and that calls work.
    fn report_ready(
        &self,
        ctx: &mut Context,
        revision: Revision,
        introduction: Introduction,
        supported: Vec<String>,
        sent: Instant,
    ) -> Arc<Negotiated> {
        let row = revision.row();
        let capabilities = &introduction.capabilities;
        let session = ctx.protocol.session_id();
        let negotiated = Arc::new(Negotiated {
            revision: revision.as_str(),
            offered: self.offered.unwrap_or(revision).as_str(),
            era: revision.era(),
            supported,
            session: session.map(handshake::SessionId::fingerprint),
            catalogs: match &ctx.declared {
                Some(capabilities) => declared_catalogs(capabilities),
                // The server declared nothing, so it may have tools.
                None => BTreeSet::from([CatalogKind::Tools]),
            },
            completions: !row.completions_capability || declared(capabilities, "completions"),
            resource_subscriptions: declares_subscriptions(capabilities),
            tool_tasks: row.tasks && tasks::takes_tool_tasks(capabilities),
            task_list: row.tasks && tasks::lists_tasks(capabilities),
            server: introduction.server.map(|server| *server),
            capabilities: introduction.capabilities,
            instructions: introduction.instructions,
            meta: introduction.meta,
            handshake_ms: millis_since(sent),
        });
        ctx.report(Event::Negotiated(Arc::clone(&negotiated)));
        ctx.report(Event::Phase(Phase::Ready));
        negotiated
    }
}

/// Returns the finding for a result of `initialize` whose version cannot be used.
fn version_problem(failure: &OpenFailure) -> Option<Finding> {
    let problem = match failure {
        OpenFailure::UnknownRevision { answered } => {
            format!("{:?} is none that begins with a handshake", brief(answered))
        }
        OpenFailure::BadShape { problem } => problem.clone(),
        _ => return None,
    };
    Some(
        Finding::new(&rules::BAD_PROTOCOL_VERSION)
            .with("problem", problem)
            .at(Location::Pointer("/result/protocolVersion".to_owned())),
    )
}

fn failed(failure: OpenFailure) -> Vec<Effect> {
    vec![Effect::End(CloseReason::OpenFailed(failure))]
}

/// Converts an error response to `initialize` into the failure of the opening.
fn rejected(error: ErrorObject, http: Option<&HttpResponse>) -> OpenFailure {
    match http {
        // These statuses mean that the address accepts no messages, whatever the body says.
        Some(http) if matches!(http.status, 404 | 405) => OpenFailure::Http {
            status: http.status,
            content_type: http.content_type.clone(),
            snippet: error.message,
        },
        _ => OpenFailure::Rejected {
            code: error.code,
            message: error.message,
            data: error.data,
            http: http.map(|http| http.status),
        },
    }
}

fn millis_since(sent: Instant) -> u64 {
    u64::try_from(sent.elapsed().as_millis()).unwrap_or(u64::MAX)
}
