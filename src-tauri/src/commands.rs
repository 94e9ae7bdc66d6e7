//! The window's commands, one for each method of [`Backend`]. Nothing is decided here.

use sonde_ipc::*;
use tauri::{
    Runtime, State,
    ipc::{Channel, Invoke, Response},
};

/// Opens the window's channel. The first batch is a snapshot; a repeated call, after a reload or a gap, replaces the
/// channel and begins with a new snapshot.
#[tauri::command]
async fn subscribe(backend: State<'_, Backend>, channel: Channel<Batch>) -> Result<(), IpcError> {
    backend
        .subscribe(move |batch| channel.send(batch).is_ok())
        .await
}

/// Returns bytes unencoded: as JSON a picture of a few megabytes would take seconds.
#[tauri::command]
async fn read_bytes(
    backend: State<'_, Backend>,
    source: DocumentSource,
) -> Result<Response, IpcError> {
    Ok(Response::new(backend.read_bytes(source).await?))
}

/// Defines the commands that only pass on their arguments, and lists all commands for the handler.
macro_rules! define {
    (
        by hand: $($by_hand:ident),*;
        $( $whose:ident {
            $( $(#[doc = $doc:literal])* $name:ident $(= $method:ident)? ( $($arg:ident : $ty:ty),* ) -> $out:ty; )*
        } )*
    ) => {
        $($(
            $(#[doc = $doc])*
            #[tauri::command]
            async fn $name(
                backend: State<'_, Backend>,
                $($arg: $ty),*
            ) -> Result<$out, IpcError> {
                backend.$name($($arg),*).await
            }
        )*)*

        /// Dispatches the commands.
        pub(crate) fn handler<R: Runtime>() -> impl Fn(Invoke<R>) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$($by_hand,)* $($($name),*),*]
        }
    };
}

sonde_ipc::commands!(define);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    /// The window may call exactly the commands of the contract. Its permissions are read from the resolved permissions
    /// of the build, as the app itself does.
    #[test]
    fn the_window_may_call_exactly_the_contract() {
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let manifests = read(include_str!(concat!(
            env!("OUT_DIR"),
            "/acl-manifests.json"
        )));
        let capabilities = read(include_str!(concat!(env!("OUT_DIR"), "/capabilities.json")));
        let manifest = &manifests["__app-acl__"];
        let names = |value: &Value| -> Vec<String> {
            let list = value.as_array().unwrap();
            list.iter()
                .map(|name| name.as_str().unwrap().to_owned())
                .collect()
        };
        let main = capabilities.as_object().unwrap();
        assert_eq!(main.keys().collect::<Vec<_>>(), ["main"]);
        let allowed: BTreeSet<String> = names(&main["main"]["permissions"])
            .iter()
            .flat_map(|set| names(&manifest["permission_sets"][set]["permissions"]))
            .flat_map(|one| names(&manifest["permissions"][one]["commands"]["allow"]))
            .collect();
        let contract = sonde_ipc::COMMANDS.iter().copied();
        assert_eq!(allowed, contract.map(str::to_owned).collect());
    }
}
