//! Signing in: the authorization server, the client, and the grant.

use std::sync::Arc;

use super::{
    job::{JobControl, cancelled},
    shared::Shared,
    sign_in_context::{SignInContext, is_within},
    state::Activity,
    token::{NewToken, check_token_type},
};
use crate::{
    ClientKind, Dpop, GrantConfig, Problem, Spec,
    flow::{
        challenge::ChallengeInfo,
        client::{Client, ClientAuth},
        discovery::{Discovery, DiscoveryRequest},
        dpop::DpopSigner,
        scope,
        token::TokenResponse,
        violations::judge_challenge,
    },
    store::Grant,
};

impl Shared {
    /// Gets a token according to the settings. It is not stored and not in use yet.
    pub(super) async fn sign_in(
        self: &Arc<Self>,
        challenge: &ChallengeInfo,
        step_up: bool,
        control: &JobControl,
    ) -> Result<NewToken, Problem> {
        if control.is_unattended() {
            return Err(cancelled());
        }
        self.busy(Activity::Discovering);
        self.trace_challenge(challenge, step_up);
        let settings = &self.settings;
        let http_client = self.http_client();
        let known = self.store.known_issuers(&self.server).await;
        let trusted = self.trusted_issuer().await;
        let discovery = DiscoveryRequest {
            http_client: &http_client,
            trace: &self.trace,
            server: &settings.server,
            challenge,
            issuer: settings.sign_in.issuer.as_deref(),
            trusted: trusted.as_deref(),
            known: &known,
        }
        .run()
        .await?;
        let before = self.state.token().filter(|token| {
            token.grant.issuer == discovery.auth_server.issuer
                && token.grant.resource == discovery.resource
        });
        let (requested, granted) = before.map_or_else(Default::default, |token| {
            let grant = &token.grant;
            (grant.requested_scopes.clone(), grant.scopes.clone())
        });
        let issuer = &discovery.auth_server.issuer;
        let others = match is_within(&settings.server, issuer) {
            true => Vec::new(),
            false => {
                let resource = &discovery.resource;
                let others = self.store.other_resources(&self.server, issuer, resource);
                others.await
            }
        };
        let context = SignInContext {
            http_client: &http_client,
            others,
            discovery: &discovery,
            scopes: self.scopes(
                &discovery,
                challenge,
                if step_up { &requested } else { &[] },
            ),
            granted,
            step_up,
            signer: self.dpop_signer(&discovery, challenge)?,
        };
        let (client, response) = match &settings.sign_in.grant {
            GrantConfig::Browser => self.authorization_code_grant(&context).await?,
            _ => self.non_interactive_grant(&context).await?,
        };
        self.busy(Activity::Exchanging);
        let requested = scope::union(&requested, context.scopes.iter().map(String::as_str));
        let grant = self.grant(&context, &client, response, requested)?;
        let signer = context.signer.clone().filter(|_| grant.is_dpop());
        Ok(NewToken { grant, signer })
    }

    /// Reports the rejection that caused the sign-in as the first step.
    fn trace_challenge(&self, challenge: &ChallengeInfo, step_up: bool) {
        if challenge.is_empty() {
            return;
        }
        let (title, spec) = match step_up {
            true => ("The server requires more scopes", Spec::StepUp),
            false => ("The server requires a token", Spec::Challenge),
        };
        let step = self.step("refused", title, spec);
        if let Some(exchange) = self.state.take_rejection() {
            step.exchange(exchange);
        }
        judge_challenge(&step, challenge, &self.settings.server, step_up);
        let mut said = Vec::new();
        // The scopes may be long, so this comes first.
        if challenge.more_scopes {
            said.push("it names more scopes than Sonde asks for".to_owned());
        }
        if let Some(error) = &challenge.error {
            said.push(format!("`error` is `{error}`"));
        }
        if let Some(scope) = &challenge.scope {
            said.push(format!("`scope` is `{scope}`"));
        }
        match &challenge.resource_metadata {
            Some(url) => said.push(format!("its metadata is at `{url}`")),
            None => said.push("it does not name its metadata URL".to_owned()),
        }
        step.done(format!("`WWW-Authenticate`: {}.", said.join(", ")));
    }

    fn scopes(
        &self,
        discovery: &Discovery,
        challenge: &ChallengeInfo,
        before: &[String],
    ) -> Vec<String> {
        let server = discovery
            .auth_server
            .metadata
            .as_ref()
            .and_then(|metadata| metadata.scopes_supported.as_deref());
        scope::select(scope::Sources {
            wanted: self.settings.sign_in.scopes.as_deref(),
            challenged: challenge.scope.as_deref(),
            resource: discovery.scopes.as_deref(),
            server,
            before,
            offline: !self.is_non_interactive(),
        })
    }

    /// Creates a key for the token, if the server requires one.
    fn dpop_signer(
        &self,
        discovery: &Discovery,
        challenge: &ChallengeInfo,
    ) -> Result<Option<Arc<DpopSigner>>, Problem> {
        let wanted = match self.settings.sign_in.dpop {
            Dpop::Always => true,
            Dpop::Never => false,
            Dpop::Automatic => challenge.dpop || discovery.dpop_required,
        };
        if !wanted {
            return Ok(None);
        }
        let step = self.step("dpop", "Generate a DPoP key", Spec::Dpop);
        let algorithms = discovery
            .auth_server
            .metadata
            .as_ref()
            .and_then(|metadata| metadata.dpop_signing_alg_values_supported.as_deref());
        let signer = DpopSigner::generate(Arc::clone(&self.clock))?;
        self.hold([signer.stored_key()]);
        match algorithms {
            Some(names) if !names.iter().any(|name| name == "ES256") => step.warn(format!(
                "The authorization server names {names:?}; trying ES256 anyway."
            )),
            _ => step.done("P-256 key; proofs are signed with ES256."),
        }
        Ok(Some(Arc::new(signer)))
    }

    /// Assembles the grant to store after a sign-in.
    fn grant(
        &self,
        context: &SignInContext<'_>,
        client: &Client,
        response: TokenResponse,
        requested_scopes: Vec<String>,
    ) -> Result<Grant, Problem> {
        let auth_server = &context.discovery.auth_server;
        let now = self.now();
        let expires_at = response.expires_at(now);
        let grant = Grant {
            server: self.server.clone(),
            grant_type: self.settings.sign_in.grant.name().to_owned(),
            issuer: auth_server.issuer.clone(),
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
            resource: context.discovery.resource.clone(),
            token_endpoint: auth_server.token_endpoint.to_string(),
            source: Some(auth_server.source),
            revocation_endpoint: auth_server
                .revocation_endpoint
                .as_ref()
                .map(ToString::to_string),
            access_token: response.access_token.expose().to_owned(),
            token_type: response.token_type.clone(),
            refresh_token: response
                .refresh_token
                .as_ref()
                .map(|token| token.expose().to_owned()),
            scopes: response.scopes.unwrap_or_else(|| context.scopes.clone()),
            requested_scopes,
            granted_at: now,
            expires_at,
            refreshed: 0,
            dpop_key: context
                .signer
                .as_ref()
                .map(|signer| signer.stored_key().to_owned()),
        };
        check_token_type(&grant, self.settings.sign_in.dpop)?;
        Ok(grant)
    }
}
