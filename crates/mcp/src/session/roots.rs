//! Folders that a server may work in (`roots`). `roots/list` is answered with the user's list, without asking.

use sonde_wire::Cause;

use super::context::Context;
use crate::{Root, members::quoted};

/// The method that asks for them.
pub(super) const LIST: &str = "roots/list";

/// Returns the result of `roots/list`; `None` if the capability was not declared, or if the request is passed to the
/// user.
pub(super) fn result(ctx: &Context) -> Option<String> {
    if ctx.options.hand_on_roots {
        return None;
    }
    let roots = ctx.options.capabilities.roots.as_ref()?;
    Some(roots_result(&roots.list))
}

/// The result of `roots/list`, as JSON text.
#[must_use]
pub fn roots_result(roots: &[Root]) -> String {
    let roots: Vec<String> = roots
        .iter()
        .map(|root| {
            let name = root
                .name
                .as_ref()
                .map(|name| format!(r#","name":{}"#, quoted(name)));
            format!(
                r#"{{"uri":{}{}}}"#,
                quoted(&root.uri),
                name.unwrap_or_default()
            )
        })
        .collect();
    format!(r#"{{"roots":[{}]}}"#, roots.join(","))
}

/// Replaces the list. Clients that declared `listChanged` "MUST send a notification" when it changes
/// (roots, Root List Changes); a stateless server asks within an operation and gets no notification.
pub(super) fn set(ctx: &mut Context, list: Vec<Root>) {
    let Some(roots) = &mut ctx.options.capabilities.roots else {
        return;
    };
    if roots.list == list {
        return;
    }
    roots.list = list;
    if roots.list_changed && ctx.protocol.handshake().is_some() && ctx.is_ready() {
        let method = "notifications/roots/list_changed";
        let text = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
        ctx.send_notification(method, text, Cause::User, None);
    }
}
