//! The window's commands, one for each method of [`Explorer`]. Nothing is decided here.

use sonde_explorer::{Explorer, ipc::*};
use tauri::{
    Runtime, State,
    ipc::{Channel, Invoke, Response},
};

/// Writes the commands that only hand their arguments on.
macro_rules! commands {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        $(
            #[tauri::command]
            async fn $name(
                explorer: State<'_, Explorer>,
                $($arg: $ty),*
            ) -> Result<$out, IpcError> {
                explorer.$name($($arg),*).await
            }
        )*

        /// Dispatches the commands.
        pub(crate) fn handler<R: Runtime>() -> impl Fn(Invoke<R>) -> bool + Send + Sync + 'static {
            tauri::generate_handler![subscribe, read_bytes, $($name),*]
        }
    };
}

/// Opens the window's channel. The first batch is a snapshot; asking again, after a reload or a
/// gap, replaces the channel and begins with a new snapshot.
#[tauri::command]
async fn subscribe(explorer: State<'_, Explorer>, channel: Channel<Batch>) -> Result<(), IpcError> {
    explorer
        .subscribe(move |batch| channel.send(batch).is_ok())
        .await
}

/// Bytes travel raw: as JSON a picture of a few megabytes would take seconds.
#[tauri::command]
async fn read_bytes(
    explorer: State<'_, Explorer>,
    source: DocumentSource,
) -> Result<Response, IpcError> {
    Ok(Response::new(explorer.read_bytes(source).await?))
}

commands! {
    acknowledge(number: u64) -> ();
    add_server(draft: ServerDraft) -> ServerId;
    update_server(server: ServerId, draft: ServerDraft) -> ();
    duplicate_server(server: ServerId) -> ServerId;
    remove_server(server: ServerId) -> ();
    move_server(server: ServerId, index: u32) -> ();
    preview_import(text: String) -> ImportPreview;
    import_servers(text: String, chosen: Vec<u32>) -> Vec<ServerId>;
    preview_command(server: ServerId) -> CommandPreview;
    connect(server: ServerId, confirm: Option<String>) -> ();
    disconnect(server: ServerId) -> ();
    restart(server: ServerId) -> ();
    refresh_tools(server: ServerId) -> ();
    ping(server: ServerId) -> ();
    answer_question(question: u64, answer: AnswerInput) -> ();
    reconnect_stream(server: ServerId, stream: u64) -> ();
    give_up_stream(server: ServerId, stream: u64) -> ();
    inject_fault(server: ServerId, fault: FaultInput) -> ();
    sign_in(server: ServerId) -> ();
    open_sign_in(server: ServerId, attempt: u64) -> ();
    paste_redirect(server: ServerId, attempt: u64, address: String) -> ();
    register_again(server: ServerId, attempt: u64) -> ();
    cancel_sign_in(server: ServerId) -> ();
    refresh_token(server: ServerId) -> ();
    sign_out(server: ServerId) -> ();
    expire_token(server: ServerId) -> ();
    send_wrong_token(server: ServerId, wrong: bool) -> ();
    auth_exchange(server: ServerId, step: u64) -> AuthExchange;
    stored_secrets() -> StoredSecrets;
    delete_secret(id: String) -> ();
    retry_keyring() -> u32;
    tool_detail(server: ServerId, key: String) -> ToolDetail;
    validate_arguments(server: ServerId, key: String, arguments: String) -> Vec<ArgumentProblem>;
    start_call(
        server: ServerId,
        key: String,
        arguments: Option<String>,
        force: bool
    ) -> CallNumber;
    cancel_call(call: CallNumber) -> ();
    extend_call(call: CallNumber, seconds: u32) -> ();
    forget_call(call: CallNumber) -> ();
    clear_calls(server: ServerId) -> ();
    call_messages(call: CallNumber, from: u64, count: u32) -> Vec<CallMessage>;
    server_messages(server: ServerId, from: u64, count: u32) -> Vec<CallMessage>;
    stderr_lines(server: ServerId, from: u64, count: u32) -> Vec<String>;
    open_log(server: ServerId, filter: LogFilter) -> LogViewState;
    filter_log(view: u64, filter: LogFilter) -> LogViewState;
    log_rows(view: u64, epoch: u32, from: u64, count: u32) -> Vec<LogRow>;
    log_index(view: u64, seq: u64) -> Option<u64>;
    close_log(view: u64) -> ();
    log_detail(server: ServerId, seq: u64) -> LogDetail;
    log_curl(server: ServerId, seq: u64) -> String;
    clear_log(server: ServerId) -> ();
    open_document(source: DocumentSource, mode: DocumentMode, columns: u32) -> DocumentView;
    show_document(document: u64, mode: DocumentMode, columns: u32) -> DocumentView;
    document_rows(document: u64, from: u64, count: u32) -> Vec<DocumentRow>;
    toggle_node(document: u64, node: u32) -> DocumentView;
    expand_document(document: u64, expanded: bool) -> DocumentView;
    search_document(document: u64, text: String, ordinal: u64) -> Option<SearchHit>;
    close_document(document: u64) -> ();
    save_document(source: DocumentSource) -> Option<String>;
    load_draft(server: ServerId, tool: String) -> Option<String>;
    save_draft(server: ServerId, tool: String, text: Option<String>, private: bool) -> ();
    update_settings(settings: Settings) -> ();
    dismiss_notice(id: u64) -> ();
    app_report() -> AppReport;
    open_external(url: String) -> ();
}

#[cfg(test)]
mod tests {
    include!("command_names.rs");

    /// The window may call what the contract names: nothing more, nothing less.
    #[test]
    fn commands_are_those_of_the_contract() {
        assert_eq!(COMMANDS, sonde_explorer::ipc::COMMANDS);
        let capability = include_str!("../capabilities/main.json");
        let capability: serde_json::Value = serde_json::from_str(capability).unwrap();
        let allowed: Vec<String> = COMMANDS
            .iter()
            .map(|name| format!("allow-{}", name.replace('_', "-")))
            .collect();
        assert_eq!(capability["permissions"], serde_json::json!(allowed));
    }
}
