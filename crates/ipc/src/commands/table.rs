//! The commands of the window, each written once.
//!
//! Everything that has to name them comes from this table: the TypeScript declarations, the host's
//! functions, and the permissions that its `build.rs` generates. Only the table stands here, since
//! that build script compiles this file as well.

/// Hands the table to the macro `$with`. First come the commands whose function the host writes by hand, as their
/// arguments or answers do not travel as JSON. Those of the other sections are methods of the same name:
/// of [`Explorer`](sonde_explorer::Explorer); of the [`Connection`](sonde_client::Connection) of the server, run or request
/// that the first argument names; and, where they ask or answer in the words of the window, of
/// [`Backend`](crate::Backend).
#[macro_export]
macro_rules! commands {
    ($with:ident) => {
        $with! {
            by hand: subscribe, read_bytes;

            explorer {
                /// Copies a server, secrets included, behind the original.
                duplicate_server(server: ServerId) -> ServerId;
                /// Moves a server to this place in a group, or among those of no group.
                move_server(server: ServerId, group: Option<String>, index: u32) -> ();
                /// Adds a group at the end of the list, with these servers.
                add_server_group(name: String, servers: Vec<ServerId>) -> String;
                /// Names a group, and shows its servers or not; `None` leaves either as it is.
                update_server_group(group: String, name: Option<String>, collapsed: Option<bool>) -> ();
                /// Moves a group with its servers to this place among the groups.
                move_server_group(group: String, index: u32) -> ();
                /// Removes a group; its servers stay, and are of no group.
                remove_server_group(group: String) -> DeletionNumber;
                /// Reads a URL, a command line, a configuration of another client, or a presentation. Adds nothing.
                preview_import(text: String) -> ImportPreview;
                /// Reads the configuration files of other clients on this computer. Adds nothing.
                installed_configurations() -> Vec<InstalledConfiguration>;
                /// The exact command of a stdio server.
                preview_command(server: ServerId) -> CommandPreview;
                /// Adds the chosen candidates of the same text.
                import_servers(text: String, chosen: Vec<Chosen>) -> Vec<ServerId>;
                /// Adds the chosen candidates of a file of another client, as long as it has the content of this fingerprint.
                import_installed(path: String, fingerprint: String, chosen: Vec<Chosen>) -> Vec<ServerId>;
                /// Adds the presentation of a text with the chosen candidates. Of the others those are used that are in the list already. It takes the place of the presentation `replace`.
                import_presentation(text: String, chosen: Vec<Chosen>, replace: Option<String>) -> ImportedPresentation;
                /// The presentation of the demo server as a text to import.
                demo_presentation() -> String;
                /// The link with which the app was opened, or the text of the file, once.
                take_offer() -> Option<String>;
                /// Declaration of the client to a server with these settings, for each possible protocol version.
                preview_declaration(declaration: Declaration, roots: Vec<RootFolder>, protocol: ProtocolMode) -> DeclarationPreview;
                /// Connects. `confirm` is the fingerprint of the command that the user saw and accepted.
                connect(server: ServerId, confirm: Option<String>) -> ();
                /// The words of a whole command line in the place of a command; `None` for a single word, and where there is a program of just this name.
                split_command(command: String) -> Option<Vec<String>>;
                /// The secret value of a variable or an argument, before the command that gets it was confirmed for the first time.
                reveal_variable(server: ServerId, name: String) -> String;
                /// Disconnects if needed, then connects again.
                restart(server: ServerId) -> ();
                /// Asks a server for log messages of this level and above, and remembers it; `None` goes back to the default.
                set_log_level(server: ServerId, level: Option<LogLevel>) -> ();
                /// Opens the app of a run whose resource was read; its page waits to be loaded once.
                open_app(operation: OperationNumber, reading: OperationNumber) -> OpenedApp;
                /// Forgets an app that is shown no longer.
                close_app(app: String) -> ();
                /// Records what passed between Sonde and an app.
                record_app(app: String, entry: AppEntry, text: String) -> ();
                /// Opens the address of a sign-in in the browser, after the user saw it whole.
                open_sign_in(server: ServerId, attempt: u64) -> ();
                /// Deletes the token and tells the authorization server where that is offered.
                sign_out(server: ServerId) -> ();
                /// Stored secrets and sign-ins, without the secrets themselves.
                stored_secrets() -> StoredSecrets;
                /// Deletes something that is stored.
                delete_secret(id: String) -> ();
                /// Offers the keyring again what it did not take. Returns how many secrets it took.
                retry_keyring() -> u32;
                /// Reconnects with the handshake, for this time or from now on, and runs an operation again.
                run_with_handshake(operation: OperationNumber, keep: bool) -> ();
                /// Reads the operations of a server of before this start of the app, unless that was done.
                load_history(server: ServerId) -> ();
                /// Deletes finished operations from the history; `None` when there were none.
                delete_operations(operations: Vec<OperationNumber>) -> Option<DeletionNumber>;
                /// Empties a server's log; `None` when it was empty.
                clear_log(server: ServerId) -> Option<DeletionNumber>;
                /// Issues of a server by rule: at most 100 cases of each and 1,000 in all.
                issues(server: ServerId, filter: IssueFilter) -> IssueList;
                /// The issues of a server, of one rule or one case of it, as Markdown for a bug report.
                issue_report(server: ServerId, rule: Option<String>, case: Option<String>) -> String;
                /// The definitions of a server that are not as they were accepted.
                definition_changes(server: ServerId) -> DefinitionChanges;
                /// Accepts a definition of a server as it is now, or all that changed; `digest` is that of what the user saw.
                accept_definitions(server: ServerId, which: Option<DefinitionSubject>, digest: String) -> DeletionNumber;
                /// Tries each step of reaching a server over a connection of its own; what comes of it arrives as events.
                diagnose(server: ServerId) -> ();
                /// Ends the diagnosis of a server that is under way.
                cancel_diagnosis(server: ServerId) -> ();
                /// The last diagnosis of a server as one page, without secrets.
                diagnosis_report(server: ServerId, format: ReportFormat) -> String;
                /// Reads the suites of a server's folder, again if they were read before; they arrive as an event.
                open_checks(server: ServerId) -> ();
                /// Asks the user for the folder of a server's suites; false when they cancelled.
                choose_checks_folder(server: ServerId) -> bool;
                /// Goes back to the server's own folder of suites. The files of the other one stay.
                use_own_checks_folder(server: ServerId) -> ();
                /// Runs checks of a server over connections of their own; returns when the run has begun. `on` and `revision` replace the servers and the protocol version of the suites.
                run_checks(server: ServerId, choice: CheckChoice, destructive: bool, on: Option<ServerId>, revision: Option<String>) -> ();
                /// Ends the run of a server's checks.
                stop_checks(server: ServerId) -> ();
                /// A check from a finished run, prefilled with what held in it.
                check_draft(operation: OperationNumber) -> NewCheck;
                /// The step of a check as it will be written.
                preview_check(draft: NewCheck) -> String;
                /// Adds a check to a suite of the server's folder, with the result of its run as the value to compare with.
                keep_check(draft: NewCheck) -> CheckId;
                /// Adds a saved input of a tool to the server's checks.
                add_input_to_checks(input: String) -> CheckId;
                /// The whole arguments of a check as JSON text, to fill a form with.
                check_arguments(server: ServerId, check: CheckId) -> String;
                /// Leaves a check out of runs, or runs it again.
                set_check_on(server: ServerId, check: CheckId, on: bool) -> ();
                /// Moves a check, with the comment above it, to this place among the steps of its file.
                move_check(server: ServerId, check: CheckId, index: u32) -> ();
                /// Removes a check from its file. Its stored value stays.
                remove_check(server: ServerId, check: CheckId) -> DeletionNumber;
                /// The value of the last run beside the stored one.
                check_comparison(server: ServerId, check: CheckId) -> CheckComparison;
                /// Stores the values of the last run, which later ones are compared with.
                accept_check(server: ServerId, check: CheckId) -> DeletionNumber;
                /// Leaves a value out of the comparisons of a check from now on.
                ignore_in_check(server: ServerId, check: CheckId, pointer: String) -> DeletionNumber;
                /// The last results of a server's checks as Markdown, without secrets.
                checks_report(server: ServerId) -> String;
                /// Makes a presentation of a suite in the folder of a server's checks, in the place of the one that was made of it before.
                present_suite(server: ServerId, file: String) -> ImportedPresentation;
                /// Compares the lists of two sides.
                compare_lists(left: ListSide, right: ListSide) -> ListComparison;
                /// No finding of a rule counts for this server from now on, for this reason.
                mute_rule(server: ServerId, rule: String, reason: String) -> ();
                /// Findings of a rule count again.
                unmute_rule(server: ServerId, rule: String) -> ();
                /// Brings back what was deleted, whole and in its place.
                undo_deletion(deletion: DeletionNumber) -> ();
                /// The time to undo a deletion is over: frees what was kept for it.
                forget_deletion(deletion: DeletionNumber) -> ();
                /// Arguments that were typed for a target of a method (a tool, say) and not sent yet, as JSON text.
                load_draft(server: ServerId, method: String, target: String) -> Option<String>;
                /// Keeps what was typed for a target of a method; `None` forgets it. `private` keeps it in memory only.
                save_draft(server: ServerId, method: String, target: String, text: Option<String>, private: bool) -> ();
                /// Adds a saved input (one without an `id`) behind the others of its target, or replaces the name and the arguments of one. Its id.
                save_input(input: SavedInput) -> String;
                /// Moves a saved input to this place among those of its target.
                move_input(input: String, index: u32) -> ();
                /// Deletes a saved input.
                delete_input(input: String) -> DeletionNumber;
                /// Adds a presentation (one without an `id`) at the end, or replaces it whole. Its id.
                save_presentation(presentation: Presentation) -> String;
                /// Deletes a presentation; the saved inputs that it offers stay.
                delete_presentation(presentation: String) -> DeletionNumber;
                /// Replaces the settings.
                update_settings(settings: Settings) -> ();
                /// Closes a notice.
                dismiss_notice(id: u64) -> ();
                /// Lets the window fill its screen, or no longer; `None` the other way round than now. Whether it did before.
                set_full_screen(on: Option<bool>) -> bool;
                /// Opens an http or https address in the browser, after the user saw it whole.
                open_external(url: String) -> ();
                /// Asks the user for a folder; its path, `None` when they cancelled.
                choose_folder() -> Option<String>;
                /// Asks the user for a file that is there; its path, `None` when they cancelled.
                choose_file() -> Option<String>;
                /// Begins to sign in; a sign-in that is under way begins anew.
                sign_in(server: ServerId) -> ();
            }

            connection {
                /// Disconnects in good order; while connecting, gives up.
                disconnect(server: ServerId) -> ();
                /// Reads a catalog again.
                refresh_catalog(server: ServerId, kind: CatalogKind) -> ();
                /// Stops the reading of a catalog under way. What was read is kept.
                stop_catalog(server: ServerId, kind: CatalogKind) -> ();
                /// Reads a catalog that is looked at, unless it was read since the session opened.
                open_catalog(server: ServerId, kind: CatalogKind) -> ();
                /// The newest reading of a resource that the server lets be kept until now, if there is one.
                fresh_reading(server: ServerId, uri: String) -> Option<OperationNumber>;
                /// Subscribes to a resource, in this session and in those that follow.
                subscribe_resource(server: ServerId, uri: String) -> ();
                /// Ends the subscription to a resource.
                unsubscribe_resource(server: ServerId, uri: String) -> ();
                /// The picture of an icon at a URL, fetched from the server's own origin unless that was done.
                icon_picture(server: ServerId, src: String, mime_type: Option<String>) -> IconPicture;
                /// Measures a round trip; the session's view has the result.
                ping(server: ServerId) -> ();
                /// The last 512 round trips of a method, or of one tool of it; oldest first.
                round_trips(server: ServerId, method: String, tool: Option<String>) -> Vec<RoundTrip>;
                /// Makes the announced attempt of a broken stream now.
                reconnect_stream(server: ServerId, stream: u64) -> ();
                /// Makes no more attempts for a broken stream.
                give_up_stream(server: ServerId, stream: u64) -> ();
                /// Opens a session anew that the server does not know any more. Runs under way are lost.
                reopen_session(server: ServerId) -> ();
                /// Trusts the authorization server of a sign-in with what the settings hold.
                confirm_issuer(server: ServerId, attempt: u64) -> ();
                /// Goes on with the address to which the browser returned, where Sonde could not receive it.
                paste_redirect(server: ServerId, attempt: u64, address: String) -> ();
                /// Registers Sonde again and goes on with a new address: the page did not know the client.
                register_again(server: ServerId, attempt: u64) -> ();
                /// Gives a sign-in up. Requests that wait for it are refused.
                cancel_sign_in(server: ServerId) -> ();
                /// Gets a new token now.
                refresh_token(server: ServerId) -> ();
                /// Treats the token as expired, so that the next request refreshes it first.
                expire_token(server: ServerId) -> ();
                /// Sends the next request with a token that is wrong; false takes that back.
                send_wrong_token(server: ServerId, wrong: bool) -> ();
                /// The request of a step and its answer.
                auth_exchange(server: ServerId, step: u64) -> AuthExchange;
                /// Findings of the input schema about arguments.
                validate_arguments(server: ServerId, key: String, arguments: String) -> ArgumentCheck;
                /// Starts an operation; everything else about it arrives as events.
                start_operation(server: ServerId, operation: OperationInput) -> OperationNumber;
                /// Asks a server for values of an argument that is being typed; `None` once another request took its place.
                complete(server: ServerId, reference: CompletionReference, argument: CompletionArgument, resolved: Vec<CompletionArgument>) -> Option<Completion>;
                /// Cancels the completion that is under way.
                cancel_completion(server: ServerId) -> ();
                /// Reads the list of a server's tasks; `TaskListView` has what comes of it.
                list_tasks(server: ServerId) -> ();
                /// The operations of a server that match a search, the newest first.
                search_operations(server: ServerId, search: String) -> Vec<OperationNumber>;
                /// Lines of standard error, by index.
                stderr_lines(server: ServerId, from: u64, count: u32) -> Vec<String>;
            }

            run {
                /// Progress rates of a run, oldest first; at most 120. Empty for a run from before this start.
                progress_rates(operation: OperationNumber) -> Vec<ProgressRate>;
                /// Asks the server to stop.
                cancel_operation(operation: OperationNumber) -> ();
                /// Asks for the status of its task now.
                ask_task(operation: OperationNumber) -> ();
                /// Waits again for the task of a run that is over without a result.
                resume_task(operation: OperationNumber) -> ();
                /// Ends the run without cancelling its task.
                stop_waiting(operation: OperationNumber) -> ();
                /// Waits at least this much longer.
                extend_operation(operation: OperationNumber, seconds: u32) -> ();
                /// Replaces the name, the note and the pin of an operation.
                label_operation(operation: OperationNumber, label: OperationLabel) -> ();
                /// Log messages of an operation, by index.
                operation_messages(operation: OperationNumber, from: u64, count: u32) -> Vec<LoggedMessage>;
            }

            request {
                /// Answers a request of the server.
                answer_server_request(request: u64, answer: AnswerInput) -> ();
            }

            backend {
                /// All of the view of an operation. Events cut what is long in it.
                operation(operation: OperationNumber) -> OperationView;
                /// The window has handled all batches up to this number.
                acknowledge(number: u64) -> ();
                /// Reports after the event `closing` that the page has handed over its unsaved text.
                ready_to_close() -> ();
                /// Keeps what the page looks like, as its own text, for as long as the app runs.
                keep_view(view: String) -> ();
                /// State of the page as it was kept, for a page that is loaded again.
                kept_view() -> Option<String>;
                /// Problems that keep a configuration from being saved, for a new server (`None`) or one of the list.
                check_server(server: Option<ServerId>, draft: ServerDraft) -> Vec<FieldProblem>;
                /// Adds a server at the end of the list.
                add_server(draft: ServerDraft) -> ServerId;
                /// Replaces a server's configuration. A running session keeps the old one until reconnect. `None` when nothing changed.
                update_server(server: ServerId, draft: ServerDraft) -> Option<DeletionNumber>;
                /// Disconnects and removes a server, its operations, log and secrets.
                remove_server(server: ServerId) -> DeletionNumber;
                /// A server in the configuration of every client, without secrets.
                export_server(server: ServerId) -> Vec<ExportedServer>;
                /// Saves what `export_server` says for a client where the user says; its path, `None` when they cancelled.
                save_export(server: ServerId, client: String) -> Option<String>;
                /// Saves a presentation with its saved inputs and servers, without secrets, where the user says.
                export_presentation(presentation: String) -> ExportedPresentation;
                /// Disturbs the connection on purpose.
                inject_fault(server: ServerId, fault: Fault) -> ();
                /// Rows of a catalog that match a search, by index; none under another revision than the present.
                catalog_rows(server: ServerId, kind: CatalogKind, revision: u32, search: String, from: u64, count: u32) -> Rows<CatalogRow>;
                /// The index of an item among those that match a search.
                catalog_index(server: ServerId, kind: CatalogKind, search: String, key: String) -> Option<u64>;
                /// Known hosts, first the hosts whose demands on tools are known.
                known_hosts() -> Vec<HostView>;
                /// In which hosts the tools of a server work, and what its lists cost.
                host_summary(server: ServerId) -> HostSummary;
                /// Rows of the tools of a server with what becomes of them in hosts, by index; none under another revision than the present.
                host_rows(server: ServerId, revision: u32, filter: HostFilter, from: u64, count: u32) -> Rows<HostRow>;
                /// Verdict about a tool in a host, with its reasons.
                host_cell(server: ServerId, key: String, host: String) -> HostCell;
                /// Findings about a tool beside the protocol: hosts that refuse it, cost, clarity, trust.
                tool_lint(server: ServerId, key: String) -> Vec<FindingView>;
                /// The tools that match and what becomes of them in hosts, as a table to paste elsewhere.
                host_table(server: ServerId, filter: HostFilter, format: TableText) -> String;
                /// All about one prompt.
                prompt_detail(server: ServerId, key: String) -> PromptDetail;
                /// All about one skill.
                skill_detail(server: ServerId, key: String) -> SkillDetail;
                /// All about one tool.
                tool_detail(server: ServerId, key: String) -> ToolDetail;
                /// All about one resource or resource template.
                resource_detail(server: ServerId, kind: CatalogKind, key: String) -> ResourceDetail;
                /// The URI of a resource template with these values.
                expand_template(template: String, values: Vec<TemplateInput>) -> ExpandedTemplate;
                /// Opens a view on a server's log; its state arrives as events.
                open_log(server: ServerId, filter: LogFilter) -> LogViewState;
                /// Changes what a view shows.
                filter_log(view: u64, filter: LogFilter) -> LogViewState;
                /// Shows each entry of the group that an entry belongs to, or one row for them.
                open_log_group(view: u64, seq: u64, open: bool) -> LogViewState;
                /// Rows of a view, by index.
                log_rows(view: u64, epoch: u32, from: u64, count: u32) -> Vec<LogRow>;
                /// The index of an entry in a view, or of the nearest one after it.
                log_index(view: u64, seq: u64) -> Option<u64>;
                /// Closes a view.
                close_log(view: u64) -> ();
                /// All about one entry but its body.
                log_detail(server: ServerId, seq: u64) -> LogDetail;
                /// The HTTP request of an entry as a curl command, secrets as placeholders.
                log_curl(server: ServerId, seq: u64) -> String;
                /// Opens a document. `columns` is the width of a row in characters.
                open_document(source: DocumentSource, mode: DocumentMode, columns: u32) -> DocumentView;
                /// Changes how a document is shown, or its width.
                show_document(document: u64, mode: DocumentMode, columns: u32) -> DocumentView;
                /// Rows of a document, by index.
                document_rows(document: u64, from: u64, count: u32) -> Vec<DocumentRow>;
                /// Opens or closes a node of the tree.
                toggle_node(document: u64, node: u32) -> DocumentView;
                /// Opens or closes all nodes of the tree.
                expand_document(document: u64, expanded: bool) -> DocumentView;
                /// Finds the n-th place that contains the text, ignoring case.
                search_document(document: u64, text: String, ordinal: u64) -> Option<SearchHit>;
                /// The row of the value that a JSON Pointer leads to in the tree of a document; the way to it is opened.
                locate_value(document: u64, pointer: String) -> Option<u64>;
                /// Closes a document.
                close_document(document: u64) -> ();
                /// Saves a document, or the decoded data of a content block, where the user says; its path, `None` when they cancelled.
                save_document(source: DocumentSource) -> Option<String>;
                /// Saves the wire log of a server where the user says; its path, `None` when they cancelled.
                save_log(server: ServerId) -> Option<String>;
                /// Saves the last diagnosis of a server as one page, without secrets, where the user says; its path, `None` when they cancelled.
                save_diagnosis(server: ServerId, format: ReportFormat) -> Option<String>;
                /// Saves the frames of the last diagnosis of a server where the user says; its path, `None` when they cancelled.
                save_diagnosis_log(server: ServerId) -> Option<String>;
                /// Shows a file that was saved in the system's file manager.
                show_saved_file(path: String) -> ();
                /// Report of the app about itself, for a bug report.
                app_report() -> AppReport;
            }
        }
    };
}
