//! What the window is shown of a sign-in.

use sonde_auth::{AuthSnapshot, Phase, Problem, Prompt, Spec, TokenInfo};

use sonde_findings::SpecLink;

use crate::{
    ipc::{AuthProblem, AuthState, ClientKind, GrantView, Kept, SignInPrompt},
    log::{WireLog, fingerprint},
    text::cut,
};

/// How long a text may be in characters: a server may have written it.
const LONGEST: usize = 4_000;

pub(super) fn state(snapshot: &AuthSnapshot) -> AuthState {
    match snapshot.phase {
        Phase::SignedOut => AuthState::SignedOut,
        Phase::Discovering => AuthState::Discovering,
        Phase::Prompt => AuthState::Prompt,
        Phase::Browser => AuthState::Browser,
        Phase::Exchanging => AuthState::Exchanging,
        Phase::SignedIn => AuthState::SignedIn,
        Phase::Refreshing => AuthState::Refreshing,
        Phase::Failed => AuthState::Failed,
    }
}

pub(super) fn kind(kind: sonde_auth::ClientKind) -> ClientKind {
    match kind {
        sonde_auth::ClientKind::Preregistered => ClientKind::Preregistered,
        sonde_auth::ClientKind::MetadataDocument => ClientKind::MetadataDocument,
        sonde_auth::ClientKind::Registered => ClientKind::Registered,
    }
}

pub(super) fn kept(in_memory: bool) -> Kept {
    match in_memory {
        true => Kept::Memory,
        false => Kept::Keyring,
    }
}

pub(super) fn grant(token: &TokenInfo) -> GrantView {
    GrantView {
        issuer: token.issuer.clone(),
        resource: token.resource.clone(),
        client_id: token.client_id.clone(),
        client_kind: kind(token.client_kind),
        scopes: token.scopes.clone(),
        token_type: token.token_type.clone(),
        token_mark: fingerprint(token.access_token.expose()),
        refresh_mark: token
            .refresh_token
            .as_ref()
            .map(|token| fingerprint(token.expose())),
        granted_at: token.granted_at,
        expires_at: token.expires_at,
        refreshed: token.refreshed,
        kept: kept(token.in_memory),
        revocable: token.revocable,
    }
}

pub(super) fn prompt(prompt: &Prompt) -> SignInPrompt {
    let host = url::Url::parse(&prompt.url)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_default();
    SignInPrompt {
        attempt: prompt.attempt,
        reason: prompt.reason.clone(),
        url: prompt.url.clone(),
        host,
        issuer: prompt.issuer.clone(),
        resource: prompt.resource.clone(),
        client_id: prompt.client_id.clone(),
        client_kind: kind(prompt.client_kind),
        scopes: prompt.scopes.clone(),
        new_scopes: prompt.new_scopes.clone(),
        redirect_uri: prompt.redirect_uri.clone(),
        listening: prompt.listening,
        opened: prompt.opened,
        expires_at: prompt.expires_at,
        warnings: prompt.warnings.clone(),
    }
}

/// A problem, without what a server may have repeated in it.
pub(super) fn problem(problem: &Problem, log: &WireLog) -> AuthProblem {
    let clean = |text: &str| {
        let mut text = text.to_owned();
        log.hide(&mut text);
        cut(&text, LONGEST)
    };
    AuthProblem {
        code: problem.code.to_owned(),
        title: clean(&problem.title),
        cause: clean(&problem.cause),
        advice: problem.advice.iter().map(|text| clean(text)).collect(),
        detail: problem.detail.as_deref().map(clean),
        spec: problem.spec.map(link),
    }
}

pub(super) fn link(spec: Spec) -> SpecLink {
    SpecLink {
        name: spec.name().to_owned(),
        url: spec.url(),
    }
}
