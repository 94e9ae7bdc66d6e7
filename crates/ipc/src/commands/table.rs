//! The commands of the window, each written once.
//!
//! The TypeScript declarations, the host's functions, and the permissions that its `build.rs` generates all come from
//! this table. Only the table is in this file, since that build script compiles it as well.

/// Passes the table to the macro `$with`. First come the commands whose function the host writes by hand, because their
/// arguments or responses do not cross as JSON. Commands of the other sections are methods of the same name, or of the
/// name behind `=`: of [`Explorer`](sonde_explorer::Explorer); of the [`Connection`](sonde_client::Connection) of the
/// server, run or request that the first argument names; of the page's [`LogViews`](sonde_record::log::LogViews) and
/// [`Documents`](sonde_record::document::Documents); and, where they use types of the window, of
/// [`Backend`](crate::Backend).
#[macro_export]
macro_rules! commands {
    ($with:ident) => {
        $with! {
            by hand: subscribe, read_bytes;

            explorer {
                /// Returns the problems that keep a configuration from being saved, for a new server (`None`) or one of
                /// the list.
                check_server(server: Option<ServerId>, draft: ServerDraft) -> Vec<FieldProblem>;
                /// Adds a server at the end of the list.
                add_server(draft: ServerDraft) -> ServerId;
                /// Replaces a server's configuration. A running session keeps the old one until it reconnects. `None`
                /// if nothing changed.
                update_server(server: ServerId, draft: ServerDraft) -> Option<DeletionNumber>;
                /// Returns a server in the configuration of every client, without secrets.
                export_server(server: ServerId) -> Vec<ExportedServer>;
                /// Copies a server, secrets included, after the original.
                duplicate_server(server: ServerId) -> ServerId;
                /// Moves a server to this place in a group, or among those without a group.
                move_server(server: ServerId, group: Option<String>, index: u32) -> ();
                /// Adds a group at the end of the list, with these servers.
                add_server_group(name: String, servers: Vec<ServerId>) -> String;
                /// Renames a group, and shows or hides its servers; `None` leaves either unchanged.
                update_server_group(group: String, name: Option<String>, collapsed: Option<bool>) -> ();
                /// Moves a group with its servers to this place among the groups.
                move_server_group(group: String, index: u32) -> ();
                /// Removes a group; its servers stay, without a group.
                remove_server_group(group: String) -> DeletionNumber;
                /// Reads a URL, a command line, a configuration of another client, or a presentation. Adds nothing.
                preview_import(text: String) -> ImportPreview;
                /// Reads the configuration files of other clients on this computer. Adds nothing.
                installed_configurations() -> Vec<InstalledConfiguration>;
                /// Returns the exact command of a stdio server.
                preview_command(server: ServerId) -> CommandPreview;
                /// Adds the chosen candidates of the same text.
                import_servers(text: String, chosen: Vec<Chosen>) -> Vec<ServerId>;
                /// Adds the chosen candidates of another client's file, if its content still has this fingerprint.
                import_installed(path: String, fingerprint: String, chosen: Vec<Chosen>) -> Vec<ServerId>;
                /// Adds the presentation of a text with the chosen candidates. For other candidates, uses servers that
                /// are already in the list. Replaces the presentation `replace`.
                import_presentation(text: String, chosen: Vec<Chosen>, replace: Option<String>) -> ImportedPresentation;
                /// Returns the presentation of the demo server as a text to import.
                demo_presentation() -> String;
                /// Returns the link or the text of the file with which the app was opened, once.
                take_offer() -> Option<String>;
                /// Previews the client's declaration to a server with these settings, for each possible protocol
                /// version.
                preview_declaration(declaration: Declaration, roots: Vec<RootFolder>, protocol: ProtocolMode) -> DeclarationPreview;
                /// Connects. `confirm` is the fingerprint of the command that the user saw and accepted.
                connect(server: ServerId, confirm: Option<String>) -> ();
                /// Splits a command line that was entered as a command into words; `None` for a single word, and if
                /// there is a program of exactly this name.
                split_command(command: String) -> Option<Vec<String>>;
                /// Returns the secret value of a variable or an argument, before the command that uses it is confirmed
                /// for the first time.
                reveal_variable(server: ServerId, name: String) -> String;
                /// Disconnects if needed, then connects again.
                restart(server: ServerId) -> ();
                /// Requests log messages of this level and above from a server, and remembers the level; `None`
                /// restores the default.
                set_log_level(server: ServerId, level: Option<LogLevel>) -> ();
                /// Opens the app of a run whose resource was read; its page can be loaded once.
                open_app(operation: OperationNumber, reading: OperationNumber) -> OpenedApp;
                /// Forgets an app that is no longer shown.
                close_app(app: String) -> ();
                /// Records a message between Sonde and an app.
                record_app(app: String, entry: AppEntry, text: String) -> ();
                /// Opens the address of a sign-in in the browser, after the user has seen all of it.
                open_sign_in(server: ServerId, attempt: u64) -> ();
                /// Deletes the token, and revokes it if the authorization server offers that.
                sign_out(server: ServerId) -> ();
                /// Lists stored secrets and sign-ins, without the secrets themselves.
                stored_secrets() -> StoredSecrets;
                /// Deletes a stored secret or sign-in.
                delete_secret(id: String) -> ();
                /// Offers the secrets in memory to the keyring again. Returns the number of accepted ones.
                retry_keyring() -> u32;
                /// Reconnects with a handshake, once or permanently, and runs an operation again.
                run_with_handshake(operation: OperationNumber, keep: bool) -> ();
                /// Reads a server's operations of earlier starts of the app, unless that was done.
                load_history(server: ServerId) -> ();
                /// Deletes finished operations from the history; `None` if there were none.
                delete_operations(operations: Vec<OperationNumber>) -> Option<DeletionNumber>;
                /// Empties a server's log; `None` if it was empty.
                clear_log(server: ServerId) -> Option<DeletionNumber>;
                /// Lists the issues of a server by rule: at most 100 cases of each and 1,000 in all.
                issues(server: ServerId, filter: IssueFilter) -> IssueList;
                /// Formats the issues of a server, of one rule or one case, as Markdown for a bug report.
                issue_report(server: ServerId, rule: Option<String>, case: Option<String>) -> String;
                /// Lists the definitions of a server that differ from their accepted form.
                definition_changes(server: ServerId) -> DefinitionChanges;
                /// Accepts a definition of a server as it is now, or all changed ones; `digest` is that of the
                /// definitions that the user saw.
                accept_definitions(server: ServerId, which: Option<DefinitionSubject>, digest: String) -> DeletionNumber;
                /// Tries each step of reaching a server over a separate connection; the results arrive as events.
                diagnose(server: ServerId) -> ();
                /// Ends the running diagnosis of a server.
                cancel_diagnosis(server: ServerId) -> ();
                /// Formats the last diagnosis of a server as one page, without secrets.
                diagnosis_report(server: ServerId, format: ReportFormat) -> String;
                /// Reads the suites of a server's folder, also if they were read before; they arrive as an event.
                open_checks(server: ServerId) -> ();
                /// Asks the user for the folder of a server's suites; false when they cancelled.
                choose_checks_folder(server: ServerId) -> bool;
                /// Returns to the server's own folder of suites. Files in the other folder stay.
                use_own_checks_folder(server: ServerId) -> ();
                /// Runs checks of a server over separate connections; returns when the run has begun. `on` and
                /// `revision` replace the servers and the protocol version of the suites.
                run_checks(server: ServerId, choice: CheckChoice, destructive: bool, on: Option<ServerId>, revision: Option<String>) -> ();
                /// Ends the run of a server's checks.
                stop_checks(server: ServerId) -> ();
                /// Creates a check from a finished run, prefilled with expectations that the run met.
                check_draft(operation: OperationNumber) -> NewCheck;
                /// Previews the step of a check as it would be written.
                preview_check(draft: NewCheck) -> String;
                /// Adds a check to a suite of the server's folder, with the result of its run as its baseline.
                keep_check(draft: NewCheck) -> CheckId;
                /// Adds a saved input of a tool to the server's checks.
                add_input_to_checks(input: String) -> CheckId;
                /// Returns the whole arguments of a check as JSON text, to fill a form with.
                check_arguments(server: ServerId, check: CheckId) -> String;
                /// Includes a check in runs, or excludes it.
                set_check_on(server: ServerId, check: CheckId, on: bool) -> ();
                /// Moves a check, with the comment above it, to this place among the steps of its file.
                move_check(server: ServerId, check: CheckId, index: u32) -> ();
                /// Removes a check from its file. Its stored value stays.
                remove_check(server: ServerId, check: CheckId) -> DeletionNumber;
                /// Compares the value of the last run with the stored one.
                check_comparison(server: ServerId, check: CheckId) -> CheckComparison;
                /// Stores the values of the last run as the ones to compare with.
                accept_check(server: ServerId, check: CheckId) -> DeletionNumber;
                /// Leaves a value out of the comparisons of a check from now on.
                ignore_in_check(server: ServerId, check: CheckId, pointer: String) -> DeletionNumber;
                /// Formats the last results of a server's checks as Markdown, without secrets.
                checks_report(server: ServerId) -> String;
                /// Creates a presentation from a suite in the folder of a server's checks, replacing the one created
                /// from it before.
                present_suite(server: ServerId, file: String) -> ImportedPresentation;
                /// Compares the lists of two sides.
                compare_lists(left: ListSide, right: ListSide) -> ListComparison;
                /// Mutes a rule for this server, with a reason: its findings no longer count.
                mute_rule(server: ServerId, rule: String, reason: String) -> ();
                /// Unmutes a rule: its findings count again.
                unmute_rule(server: ServerId, rule: String) -> ();
                /// Restores a deletion completely, in its old place.
                undo_deletion(deletion: DeletionNumber) -> ();
                /// Ends the time to undo a deletion and frees its data.
                forget_deletion(deletion: DeletionNumber) -> ();
                /// Returns the unsent arguments typed for a target of a method (a tool, for example), as JSON text.
                load_draft(server: ServerId, method: String, target: String) -> Option<String>;
                /// Stores the unsent arguments of a target of a method; `None` deletes them. `private` keeps them in
                /// memory only.
                save_draft(server: ServerId, method: String, target: String, text: Option<String>, private: bool) -> ();
                /// Adds a saved input (if it has no `id`) after the others of its target, or replaces the name and the
                /// arguments of one. Returns its id.
                save_input(input: SavedInput) -> String;
                /// Moves a saved input to this place among those of its target.
                move_input(input: String, index: u32) -> ();
                /// Deletes a saved input.
                delete_input(input: String) -> DeletionNumber;
                /// Adds a presentation (if it has no `id`) at the end, or replaces it whole. Returns its id.
                save_presentation(presentation: Presentation) -> String;
                /// Deletes a presentation; its saved inputs stay.
                delete_presentation(presentation: String) -> DeletionNumber;
                /// Replaces the settings.
                update_settings(settings: Settings) -> ();
                /// Closes a notice.
                dismiss_notice(id: u64) -> ();
                /// Turns full screen on or off; `None` toggles it. Returns the previous state.
                set_full_screen(on: Option<bool>) -> bool;
                /// Opens an http or https address in the browser, after the user has seen all of it.
                open_external(url: String) -> ();
                /// Asks the user for a folder; returns its path, or `None` if the user cancelled.
                choose_folder() -> Option<String>;
                /// Asks the user for an existing file; returns its path, or `None` if the user cancelled.
                choose_file() -> Option<String>;
                /// Starts a sign-in; restarts one that is running.
                sign_in(server: ServerId) -> ();
            }

            connection {
                /// Disconnects in good order, or stops connecting.
                disconnect(server: ServerId) -> ();
                /// Reads a catalog again.
                refresh_catalog(server: ServerId, kind: CatalogKind) -> ();
                /// Stops the reading of a catalog. Items that were read stay.
                stop_catalog(server: ServerId, kind: CatalogKind) -> ();
                /// Reads a catalog that the user opens, unless it was read since the session opened.
                open_catalog(server: ServerId, kind: CatalogKind) -> ();
                /// Returns the newest reading of a resource that the server still allows caching, if there is one.
                fresh_reading(server: ServerId, uri: String) -> Option<OperationNumber>;
                /// Subscribes to a resource, in this session and later ones.
                subscribe_resource(server: ServerId, uri: String) -> ();
                /// Ends the subscription to a resource.
                unsubscribe_resource(server: ServerId, uri: String) -> ();
                /// Returns the picture of an icon at a URL, fetched once from the server's own origin.
                icon_picture(server: ServerId, src: String, mime_type: Option<String>) -> IconPicture;
                /// Measures a round trip; the session's view has the result.
                ping(server: ServerId) -> ();
                /// Returns the last 512 round trips of a method, or of one tool; oldest first.
                round_trips(server: ServerId, method: String, tool: Option<String>) -> Vec<RoundTrip>;
                /// Makes the announced attempt for a broken stream now.
                reconnect_stream(server: ServerId, stream: u64) -> ();
                /// Makes no more attempts for a broken stream.
                give_up_stream(server: ServerId, stream: u64) -> ();
                /// Reopens a session that the server has forgotten. Running operations are lost.
                reopen_session(server: ServerId) -> ();
                /// Trusts the authorization server of a sign-in with the credentials in the settings.
                confirm_issuer(server: ServerId, attempt: u64) -> ();
                /// Continues a sign-in with the address to which the browser returned, if Sonde could not receive it.
                paste_redirect(server: ServerId, attempt: u64, address: String) -> ();
                /// Registers Sonde again and continues with a new address, because the page did not know the client.
                register_again(server: ServerId, attempt: u64) -> ();
                /// Cancels a sign-in. Requests that wait for it are rejected.
                cancel_sign_in(server: ServerId) -> ();
                /// Gets a new token now.
                refresh_token(server: ServerId) -> ();
                /// Treats the token as expired, so that the next request refreshes it first.
                expire_token(server: ServerId) -> ();
                /// Sends the next request with a wrong token; false cancels that.
                send_wrong_token(server: ServerId, wrong: bool) -> ();
                /// Returns the request of a step and its response.
                auth_exchange(server: ServerId, step: u64) -> AuthExchange;
                /// Checks arguments against the input schema.
                validate_arguments(server: ServerId, key: String, arguments: String) -> ArgumentCheck;
                /// Starts an operation; everything else about it arrives as events.
                start_operation(server: ServerId, operation: OperationInput) -> OperationNumber;
                /// Asks a server for values of an argument that is being typed; `None` if a newer request replaced this
                /// one.
                complete(server: ServerId, reference: CompletionReference, argument: CompletionArgument, resolved: Vec<CompletionArgument>) -> Option<Completion>;
                /// Cancels the running completion.
                cancel_completion(server: ServerId) -> ();
                /// Reads the list of a server's tasks; `TaskListView` has the result.
                list_tasks(server: ServerId) -> ();
                /// Returns the operations of a server that match a search, newest first.
                search_operations(server: ServerId, search: String) -> Vec<OperationNumber>;
                /// Returns lines of standard error, by index.
                stderr_lines(server: ServerId, from: u64, count: u32) -> Vec<String>;
                /// Disturbs the connection on purpose.
                inject_fault(server: ServerId, fault: Fault) -> ();
            }

            run {
                /// Returns progress rates of a run, oldest first; at most 120. Empty for a run of an earlier start.
                progress_rates(operation: OperationNumber) -> Vec<ProgressRate>;
                /// Asks the server to stop an operation.
                cancel_operation(operation: OperationNumber) -> ();
                /// Requests the status of an operation's task now.
                ask_task(operation: OperationNumber) -> ();
                /// Waits again for the task of a run that ended without a result.
                resume_task(operation: OperationNumber) -> ();
                /// Ends the run without cancelling its task.
                stop_waiting(operation: OperationNumber) -> ();
                /// Waits at least this much longer for an operation.
                extend_operation(operation: OperationNumber, seconds: u32) -> ();
                /// Replaces the name, the note and the pin of an operation.
                label_operation(operation: OperationNumber, label: OperationLabel) -> ();
                /// Returns log messages of an operation, by index.
                operation_messages(operation: OperationNumber, from: u64, count: u32) -> Vec<LoggedMessage>;
            }

            request {
                /// Answers a request of the server.
                answer_server_request(request: u64, answer: AnswerInput) -> ();
            }

            logs {
                /// Changes the filter of a view.
                filter_log = filter(view: u64, filter: LogFilter) -> LogViewState;
                /// Shows every entry of the group that an entry belongs to, or one row for them.
                open_log_group = open_group(view: u64, seq: u64, open: bool) -> LogViewState;
                /// Returns rows of a view, by index.
                log_rows = rows(view: u64, epoch: u32, from: u64, count: u32) -> Vec<LogRow>;
                /// Returns the index of an entry in a view, or of the nearest one after it.
                log_index = index(view: u64, seq: u64) -> Option<u64>;
            }

            documents {
                /// Changes the mode or the width of a document.
                show_document = show(document: u64, mode: DocumentMode, columns: u32) -> DocumentView;
                /// Returns rows of a document, by index.
                document_rows = rows(document: u64, from: u64, count: u32) -> Vec<DocumentRow>;
                /// Opens or closes a node of the tree.
                toggle_node = toggle(document: u64, node: u32) -> DocumentView;
                /// Opens or closes all nodes of the tree.
                expand_document = expand(document: u64, expanded: bool) -> DocumentView;
                /// Finds the n-th place that contains the text, ignoring case.
                search_document = search(document: u64, text: String, ordinal: u64) -> Option<SearchHit>;
                /// Opens the way to the value that a JSON Pointer leads to in the tree of a document, and returns its
                /// row.
                locate_value = locate(document: u64, pointer: String) -> Option<u64>;
                /// Returns the whole value of a node of the tree; `None` if it is too long to copy.
                node_value = node_value(document: u64, node: u32) -> Option<String>;
                /// Returns the path of a node of the tree as in code; `None` if it is too long to copy.
                node_path = node_path(document: u64, node: u32) -> Option<String>;
            }

            backend {
                /// Returns the whole view of an operation. Events cut long ones.
                operation(operation: OperationNumber) -> OperationView;
                /// Acknowledges all batches up to this number.
                acknowledge(number: u64) -> ();
                /// Confirms, after the event `closing`, that the page has sent its unsaved text.
                ready_to_close() -> ();
                /// Stores the state of the page, in the page's own format, as long as the app runs.
                keep_view(view: String) -> ();
                /// Returns the stored state of the page, for a page that is loaded again.
                kept_view() -> Option<String>;
                /// Disconnects and removes a server, its operations, log and secrets.
                remove_server(server: ServerId) -> DeletionNumber;
                /// Saves a client's text of `export_server` in a file that the user chooses; returns its path, or
                /// `None` if the user cancelled.
                save_export(server: ServerId, client: String) -> Option<String>;
                /// Saves a presentation with its saved inputs and servers, without secrets, in a file that the user
                /// chooses.
                export_presentation(presentation: String) -> ExportedPresentation;
                /// Returns rows of a catalog that match a search, by index; none for another revision than the current
                /// one.
                catalog_rows(server: ServerId, kind: CatalogKind, revision: u32, search: String, from: u64, count: u32) -> Rows<CatalogRow>;
                /// Returns the index of an item among those that match a search.
                catalog_index(server: ServerId, kind: CatalogKind, search: String, key: String) -> Option<u64>;
                /// Returns known hosts, first those whose demands on tools are known.
                known_hosts() -> Vec<HostView>;
                /// Returns the summary of the hosts in which a server's tools work, and of the cost of its lists.
                host_summary(server: ServerId) -> HostSummary;
                /// Returns rows of the tools of a server with their verdicts in hosts, by index; none for another
                /// revision than the current one.
                host_rows(server: ServerId, revision: u32, filter: HostFilter, from: u64, count: u32) -> Rows<HostRow>;
                /// Returns the verdict about a tool in a host, with its reasons.
                host_cell(server: ServerId, key: String, host: String) -> Judgement;
                /// Returns findings about a tool other than those of the protocol: hosts that refuse it, cost, clarity,
                /// trust.
                tool_lint(server: ServerId, key: String) -> Vec<FindingView>;
                /// Returns the matching tools and their verdicts in hosts, as a table to paste elsewhere.
                host_table(server: ServerId, filter: HostFilter, format: TableText) -> String;
                /// Returns everything about one prompt.
                prompt_detail(server: ServerId, key: String) -> PromptDetail;
                /// Returns everything about one skill.
                skill_detail(server: ServerId, key: String) -> SkillDetail;
                /// Returns everything about one tool.
                tool_detail(server: ServerId, key: String) -> ToolDetail;
                /// Returns everything about one resource or resource template.
                resource_detail(server: ServerId, kind: CatalogKind, key: String) -> ResourceDetail;
                /// Fills values into a resource template and returns the URI.
                expand_template(template: String, values: Vec<TemplateInput>) -> ExpandedTemplate;
                /// Opens a view on a server's log; its state arrives as events.
                open_log(server: ServerId, filter: LogFilter) -> LogViewState;
                /// Closes a view.
                close_log(view: u64) -> ();
                /// Returns everything about one entry except its body.
                log_detail(server: ServerId, seq: u64) -> LogDetail;
                /// Returns the HTTP request of an entry as a curl command, with placeholders for secrets.
                log_curl(server: ServerId, seq: u64) -> String;
                /// Opens a document. `columns` is the width of a row in characters.
                open_document(source: DocumentSource, mode: DocumentMode, columns: u32) -> DocumentView;
                /// Closes a document.
                close_document(document: u64) -> ();
                /// Saves a document, or the decoded data of a content block, in a file that the user chooses; returns
                /// its path, or `None` if the user cancelled.
                save_document(source: DocumentSource) -> Option<String>;
                /// Saves the wire log of a server in a file that the user chooses; returns its path, or `None` if the
                /// user cancelled.
                save_log(server: ServerId) -> Option<String>;
                /// Saves the last diagnosis of a server as one page, without secrets, in a file that the user chooses;
                /// returns its path, or `None` if the user cancelled.
                save_diagnosis(server: ServerId, format: ReportFormat) -> Option<String>;
                /// Saves the frames of the last diagnosis of a server in a file that the user chooses; returns its
                /// path, or `None` if the user cancelled.
                save_diagnosis_log(server: ServerId) -> Option<String>;
                /// Shows a saved file in the system's file manager.
                show_saved_file(path: String) -> ();
                /// Returns the app's report about itself, for a bug report.
                app_report() -> AppReport;
            }
        }
    };
}
