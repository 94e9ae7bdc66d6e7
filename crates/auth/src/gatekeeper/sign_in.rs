//! Signing in: who gives out tokens, who asks for one, and how.

use std::sync::{Arc, atomic::Ordering};

use super::{Shared, State, book::Orders, work::cancelled};
use crate::{
    ClientKind, Dpop, GrantType, Problem, Spec,
    flow::{
        agent::Agent,
        challenge::Demand,
        client::{Client, ClientAuth, preregistered},
        discovery::{Found, Search},
        dpop::Proofs,
        scope,
        token::Issued,
    },
    keep::Grant,
    trace::Step,
};

/// What a sign-in came to. It has to be kept, whatever happens meanwhile.
pub(super) struct Fresh {
    pub(super) grant: Grant,
    pub(super) proofs: Option<Arc<Proofs>>,
}

/// A sign-in under way.
pub(super) struct Entry<'a> {
    pub(super) agent: &'a Agent,
    pub(super) found: &'a Found,
    pub(super) scopes: Vec<String>,
    /// Scopes of the token in use.
    pub(super) granted: Vec<String>,
    pub(super) step_up: bool,
    pub(super) proofs: Option<Arc<Proofs>>,
}

impl Shared {
    /// No user is involved: a new token is got as the first one was.
    pub(super) fn is_programs_own(&self) -> bool {
        !matches!(self.settings.grant, GrantType::Browser)
    }

    pub(super) async fn sign_in(
        self: &Arc<Self>,
        demand: &Demand,
        step_up: bool,
        orders: &Orders,
    ) -> Result<Fresh, Problem> {
        if orders.left.load(Ordering::Relaxed) {
            return Err(cancelled());
        }
        self.phase(State::Discovering);
        self.note_demand(demand, step_up);
        let settings = &self.settings;
        let agent = self.agent().await;
        let known = self.vault.known_issuers().await;
        let found = Search {
            agent: &agent,
            trace: &self.trace,
            server: &settings.server,
            demand,
            issuer: settings.issuer.as_deref(),
            known: &known,
        }
        .run()
        .await?;
        let current = self.book.open().current.clone();
        let before = current.filter(|current| {
            current.grant.issuer == found.authority.issuer
                && current.grant.resource == found.resource
        });
        let (asked, granted) = before.map_or_else(Default::default, |current| {
            (current.grant.asked.clone(), current.grant.scopes.clone())
        });
        let entry = Entry {
            agent: &agent,
            found: &found,
            scopes: self.scopes(&found, demand, if step_up { &asked } else { &[] }),
            granted,
            step_up,
            proofs: self.bind_to_key(&found, demand)?,
        };
        let (client, issued) = match &settings.grant {
            GrantType::Browser => self.through_the_browser(&entry).await?,
            _ => self.as_a_program(&entry).await?,
        };
        self.phase(State::Exchanging);
        let asked = scope::union(&asked, entry.scopes.iter().map(String::as_str));
        let grant = self.grant(&entry, &client, issued, asked)?;
        let proofs = entry.proofs.clone().filter(|_| grant.is_dpop());
        Ok(Fresh { grant, proofs })
    }

    /// The refusal that began it is the first step.
    fn note_demand(&self, demand: &Demand, step_up: bool) {
        if *demand == Demand::default() {
            return;
        }
        let (title, spec) = match step_up {
            true => ("The server requires more scopes", Spec::StepUp),
            false => ("The server requires a token", Spec::Challenge),
        };
        let step = Step::begin(&self.trace, "refused", title, spec);
        let refusal = self.book.open().refusal.take();
        if let Some(exchange) = refusal {
            step.exchange(exchange);
        }
        let mut said = Vec::new();
        if let Some(error) = &demand.error {
            said.push(format!("`error` is `{error}`"));
        }
        if let Some(scope) = &demand.scope {
            said.push(format!("`scope` is `{scope}`"));
        }
        match &demand.resource_metadata {
            Some(url) => said.push(format!("its metadata is at `{url}`")),
            None => said.push("it does not name its metadata URL".to_owned()),
        }
        step.done(format!("`WWW-Authenticate`: {}.", said.join(", ")));
    }

    fn scopes(&self, found: &Found, demand: &Demand, before: &[String]) -> Vec<String> {
        let server = found
            .authority
            .metadata
            .as_ref()
            .and_then(|metadata| metadata.scopes_supported.as_deref());
        scope::select(scope::Sources {
            wanted: self.settings.scopes.as_deref(),
            challenged: demand.scope.as_deref(),
            resource: found.scopes.as_deref(),
            server,
            before,
            offline: !self.is_programs_own(),
        })
    }

    /// A key for the token, where the server wants one.
    fn bind_to_key(&self, found: &Found, demand: &Demand) -> Result<Option<Arc<Proofs>>, Problem> {
        let wanted = match self.settings.dpop {
            Dpop::Always => true,
            Dpop::Never => false,
            Dpop::Automatic => demand.dpop || found.dpop_required,
        };
        if !wanted {
            return Ok(None);
        }
        let step = Step::begin(&self.trace, "dpop", "Generate a DPoP key", Spec::Dpop);
        let algorithms = found
            .authority
            .metadata
            .as_ref()
            .and_then(|metadata| metadata.dpop_signing_alg_values_supported.as_deref());
        let proofs = Proofs::generate(Arc::clone(&self.clock))?;
        self.trace.learn(proofs.stored());
        match algorithms {
            Some(names) if !names.iter().any(|name| name == "ES256") => step.warn(format!(
                "The authorization server names {names:?}; trying ES256 anyway."
            )),
            _ => step.done("P-256 key; proofs are signed with ES256."),
        }
        Ok(Some(Arc::new(proofs)))
    }

    /// What the user has entered for this server may be seen by one authorization server alone
    /// (authorization, Authorization Server Binding).
    pub(super) async fn bind(&self, entry: &Entry<'_>, what: &str) -> Result<(), Problem> {
        let issuer = &entry.found.authority.issuer;
        let seen_by = match &self.settings.issuer {
            Some(issuer) => issuer.clone(),
            None => self.vault.bind_client(&self.server, issuer).await,
        };
        match seen_by == *issuer {
            true => Ok(()),
            false => Err(Problem::new(
                "client_belongs_elsewhere",
                "The server names a different authorization server than before.",
            )
            .because(format!(
                "{what} belongs to `{seen_by}`, but the server now names `{issuer}`. Nothing was \
                 sent there."
            ))
            .advise(
                "If that is correct, enter the credentials and the issuer of the new \
                 authorization server in the server's settings.",
            )
            .see(Spec::ClientRegistration)),
        }
    }

    /// The user's own client.
    pub(super) async fn own_client(&self, entry: &Entry<'_>) -> Result<Option<Client>, Problem> {
        let Some(id) = self
            .settings
            .client_id
            .as_deref()
            .filter(|id| !id.is_empty())
        else {
            return Ok(None);
        };
        self.bind(entry, &format!("The client `{id}`")).await?;
        let issuer = &entry.found.authority.issuer;
        let authority = &entry.found.authority;
        let step = Step::begin(
            &self.trace,
            "client",
            "Use the pre-registered client",
            Spec::ClientRegistration,
        );
        let client = preregistered(id, self.settings.client_secret.as_ref(), authority);
        step.done(format!("The client is `{id}`, used with `{issuer}` only."));
        Ok(Some(client))
    }

    fn grant(
        &self,
        entry: &Entry<'_>,
        client: &Client,
        issued: Issued,
        asked: Vec<String>,
    ) -> Result<Grant, Problem> {
        let authority = &entry.found.authority;
        let now = self.now();
        let grant = Grant {
            server: self.server.clone(),
            way: self.settings.grant.name().to_owned(),
            issuer: authority.issuer.clone(),
            client_id: client.id.clone(),
            client_secret: client
                .secret
                .as_ref()
                .filter(|_| {
                    client.kind == ClientKind::Registered || client.auth != ClientAuth::None
                })
                .map(|secret| secret.expose().to_owned()),
            client_kind: client.kind,
            client_auth: client.auth,
            resource: entry.found.resource.clone(),
            token_endpoint: authority.token_endpoint.to_string(),
            revocation_endpoint: authority
                .revocation_endpoint
                .as_ref()
                .map(ToString::to_string),
            access_token: issued.access_token.expose().to_owned(),
            token_type: issued.token_type.clone(),
            refresh_token: issued
                .refresh_token
                .as_ref()
                .map(|token| token.expose().to_owned()),
            scopes: issued.scopes.unwrap_or_else(|| entry.scopes.clone()),
            asked,
            granted_at: now,
            expires_at: issued
                .expires_in
                .map(|seconds| now.saturating_add(seconds.saturating_mul(1_000))),
            refreshed: 0,
            dpop_key: entry
                .proofs
                .as_ref()
                .map(|proofs| proofs.stored().to_owned()),
        };
        match grant.token_type.to_ascii_lowercase().as_str() {
            "bearer" if self.settings.dpop == Dpop::Always => Err(Problem::new(
                "not_bound",
                "The authorization server issued a token that is not bound to a key.",
            )
            .because("`token_type` is `Bearer`, but DPoP is set to always for this server.")
            .advise("Set DPoP to automatic if that is correct.")
            .see(Spec::Dpop)),
            "bearer" => Ok(grant),
            "dpop" if grant.dpop_key.is_some() => Ok(grant),
            other => Err(Problem::new(
                "unknown_token_type",
                "The authorization server issued a token of an unsupported type.",
            )
            .because(format!("`token_type` is `{other}`."))
            .see(Spec::TokenRequest)),
        }
    }
}
