//! Memory of the authorization server: clients, codes and tokens.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use tokio::time::Instant;

/// Beginning of every code, token and secret. No other text contains it.
pub const CANARY: &str = "CaNaRy7f3a";

/// Registration of a client.
#[derive(Clone, Debug)]
pub(super) struct Client {
    pub(super) secret: Option<String>,
    pub(super) redirect_uris: Vec<String>,
}

/// Permission by the user, or for a client to act by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Permission {
    pub(super) client: String,
    pub(super) scopes: BTreeSet<String>,
    pub(super) resource: String,
    /// Number shared by all tokens of one permission.
    pub(super) family: u64,
}

/// A code that was not used yet.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) permission: Permission,
    pub(super) redirect_uri: String,
    /// `code_challenge`, always S256.
    pub(super) challenge: String,
}

#[derive(Clone, Debug)]
struct Access {
    permission: Permission,
    expires: Option<Instant>,
}

/// Clients, codes and tokens.
#[derive(Debug, Default)]
pub(super) struct Registry {
    /// Distinguishes the peers of one test.
    pub(super) mark: String,
    serial: u64,
    clients: HashMap<String, Client>,
    codes: HashMap<String, Code>,
    access: HashMap<String, Access>,
    refresh: HashMap<String, Permission>,
    /// Refresh tokens that were used: a second use reveals a thief (RFC 9700 section 2.2.2).
    used: HashMap<String, u64>,
    /// Every access token ever issued, in order.
    issued: Vec<String>,
}

impl Registry {
    /// Creates a secret of this kind. It ends in characters that forms, addresses and JSON may write in another way.
    pub(super) fn secret(&mut self, kind: &str, padding: usize) -> String {
        self.serial += 1;
        let filler = "x".repeat(padding);
        format!("{CANARY}-{}-{kind}-{}{filler}+/~=", self.mark, self.serial)
    }

    pub(super) fn register(&mut self, id: &str, client: Client) {
        self.clients.insert(id.to_owned(), client);
    }

    /// Registers a client with an id, and with a secret if it wants one.
    pub(super) fn register_new(
        &mut self,
        redirect_uris: Vec<String>,
        with_secret: bool,
    ) -> (String, Option<String>) {
        self.serial += 1;
        let id = format!("client-{}-{}", self.mark, self.serial);
        let secret = with_secret.then(|| self.secret("client-secret", 0));
        self.register(
            &id,
            Client {
                secret: secret.clone(),
                redirect_uris,
            },
        );
        (id, secret)
    }

    pub(super) fn client(&self, id: &str) -> Option<&Client> {
        self.clients.get(id)
    }

    /// Notes a permission of the user; all its tokens are one family.
    pub(super) fn permit(
        &mut self,
        client: &str,
        scopes: BTreeSet<String>,
        resource: &str,
    ) -> Permission {
        self.serial += 1;
        Permission {
            client: client.to_owned(),
            scopes,
            resource: resource.to_owned(),
            family: self.serial,
        }
    }

    pub(super) fn add_code(&mut self, code: Code) -> String {
        let name = self.secret("code", 0);
        self.codes.insert(name.clone(), code);
        name
    }

    /// Removes a code, which is valid once, and returns it.
    pub(super) fn take_code(&mut self, code: &str) -> Option<Code> {
        self.codes.remove(code)
    }

    pub(super) fn add_access(
        &mut self,
        permission: &Permission,
        seconds: Option<u64>,
        padding: usize,
    ) -> String {
        let name = self.secret("access", padding);
        self.issued.push(name.clone());
        let expires = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        self.access.insert(
            name.clone(),
            Access {
                permission: permission.clone(),
                expires,
            },
        );
        name
    }

    pub(super) fn add_refresh(&mut self, permission: &Permission, padding: usize) -> String {
        let name = self.secret("refresh", padding);
        self.refresh.insert(name.clone(), permission.clone());
        name
    }

    /// Returns the permission behind a refresh token; `None` if it is not valid for this client and resource. With
    /// `rotate` the token becomes invalid. A token that was used before ends its whole family.
    pub(super) fn redeem(
        &mut self,
        token: &str,
        client: &str,
        resource: &str,
        rotate: bool,
    ) -> Option<Permission> {
        if let Some(family) = self.used.get(token).copied() {
            self.end_family(family);
            return None;
        }
        let permission = self
            .refresh
            .get(token)
            .filter(|one| one.client == client && one.resource == resource)?
            .clone();
        if rotate {
            self.refresh.remove(token);
            self.used.insert(token.to_owned(), permission.family);
        }
        Some(permission)
    }

    /// Returns the permission behind a live access token.
    pub(super) fn find_access(&self, token: &str) -> Option<&Permission> {
        let access = self.access.get(token)?;
        let alive = access.expires.is_none_or(|at| Instant::now() < at);
        alive.then_some(&access.permission)
    }

    /// Makes all access tokens expire.
    pub(super) fn expire_all(&mut self) {
        self.access.clear();
    }

    /// Makes all tokens invalid, including refresh tokens.
    pub(super) fn forget_tokens(&mut self) {
        self.access.clear();
        self.refresh.clear();
    }

    /// Revokes a token and all others of the same permission (RFC 7009 section 2.1).
    pub(super) fn revoke(&mut self, token: &str) {
        let family = self
            .refresh
            .get(token)
            .or_else(|| self.access.get(token).map(|access| &access.permission))
            .map(|permission| permission.family);
        if let Some(family) = family {
            self.end_family(family);
        }
    }

    /// Revokes all tokens of one permission.
    pub(super) fn end_family(&mut self, family: u64) {
        self.access
            .retain(|_, access| access.permission.family != family);
        self.refresh
            .retain(|_, permission| permission.family != family);
    }

    /// Returns every access token ever issued, in order.
    pub(super) fn issued(&self) -> &[String] {
        &self.issued
    }

    /// Returns the number of valid refresh tokens.
    pub(super) fn valid_refresh_tokens(&self) -> usize {
        self.refresh.len()
    }
}
