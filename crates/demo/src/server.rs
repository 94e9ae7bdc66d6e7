//! The server: handles the requests of the protocol for the lighthouse.
// Log messages are deprecated from 2026-07-28 on; earlier versions still use them.
#![expect(deprecated)]

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams,
    GetPromptResponse, GetSkillRequestParams, GetSkillResult, GetTaskParams, GetTaskResult,
    Implementation, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, LoggingLevel, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ResourceUpdatedNotificationParam, ServerCapabilities, ServerConfig, SetLevelRequestMethod,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use tokio::sync::watch;

use crate::call::{Call, Stop, is_stateless};
use crate::state::State;
use crate::{completion, handshake_tasks, prompts, resources, skills, tools};

const INSTRUCTIONS: &str = "\
Gull Rock is a small, made-up lighthouse. Its tools show everything an MCP server can send back, \
and nothing here touches your files or the network.

Good first steps: `say_hello`, then `daily_report`, then `list_ships` for a table. `climb_tower` \
shows progress and `polish_lens` is slow, so you can cancel it. `salvage_wreck` and `survey_reef` give you a task. `hail_pilot` asks you a question, \
`visit_office` asks you to open a page, and `compose_verse` asks your model. \
`boathouse_doors` adds and removes another tool. \
Subscribe to the logbook, then `write_logbook`, to hear of a change. The tools under \"Trouble\" fail on purpose; `blow_fuse` ends the server.";

/// The extension for apps; `list_ships` has one.
const APPS: &str = "io.modelcontextprotocol/ui";

/// Usual lifetime of the lists in clients, in milliseconds. Clients are notified when the tools change.
const LIST_TTL: u64 = 5 * 60 * 1000;

/// Marks a result that everybody may cache for a time, in milliseconds. Required from 2026-07-28 on
/// (server/utilities/caching), unknown before.
macro_rules! cacheable {
    ($result:expr, $ttl:expr, $context:expr) => {{
        let result = $result;
        if is_stateless(&$context) {
            result
                .with_ttl_ms($ttl)
                .with_cache_scope(CacheScope::Public)
        } else {
            result
        }
    }};
}

/// Responds with one page of a list.
macro_rules! page {
    ($server:ident, $result:ident, $items:expr, $request:ident, $context:ident) => {{
        let cursor = $request.and_then(|request| request.cursor);
        let size = $server.state.generated().page;
        let (items, next) = page_of($items, size, cursor.as_deref())?;
        let mut list = $result::with_all_items(items);
        list.next_cursor = next;
        Ok(cacheable!(list, LIST_TTL, $context))
    }};
}

/// The server of one client.
pub(crate) struct DemoServer {
    state: Arc<State>,
    /// Level of the client's `logging/setLevel`; all levels before it.
    level: Mutex<LoggingLevel>,
    /// Addresses of the client's `resources/subscribe`.
    subscribed: Mutex<BTreeSet<String>>,
    /// Tasks that the client started after a handshake, oldest first.
    begun: Mutex<Vec<String>>,
}

impl DemoServer {
    pub(crate) fn new(state: Arc<State>) -> Self {
        Self {
            state,
            level: Mutex::new(LoggingLevel::Debug),
            subscribed: Mutex::default(),
            begun: Mutex::default(),
        }
    }

    fn lock_begun(&self) -> MutexGuard<'_, Vec<String>> {
        // Ids are plain strings, so the list is consistent even if another holder panicked.
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a task that the client started after a handshake.
    fn begin(&self, id: &str, peer: Peer<RoleServer>) {
        let mut begun = self.lock_begun();
        begun.retain(|id| self.state.tasks().get_task(id).is_ok());
        begun.push(id.to_owned());
        drop(begun);
        let told = handshake_tasks::notify(id.to_owned(), self.state.clone(), peer);
        tokio::spawn(told);
    }

    fn subscribed(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // URIs are plain strings, so the set is consistent even if another holder panicked.
        self.subscribed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn level(&self) -> LoggingLevel {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ServerHandler for DemoServer {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_tasks()
            .enable_skills()
            .build();
        capabilities
            .extensions
            .get_or_insert_default()
            .insert(APPS.to_owned(), JsonObject::new());
        let implementation = Implementation::new("sonde-demo", env!("CARGO_PKG_VERSION"))
            .with_title("Gull Rock Lighthouse")
            .with_website_url("https://modelcontextprotocol.io/")
            .with_icons(vec![resources::icon()])
            .with_description("A small lighthouse that shows what MCP servers can do.");
        ServerConfig::new(capabilities)
            .with_server_info(implementation)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        page!(
            self,
            ListToolsResult,
            tools::definitions(&self.state),
            request,
            context
        )
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        handshake_tasks::check(&request.name, &context)?;
        let listener = (!is_stateless(&context)).then(|| context.peer.clone());
        // 2026-07-28 server/utilities/logging: no log messages unless the request asks for them.
        let level = if is_stateless(&context) {
            context.meta.log_level()
        } else {
            Some(self.level())
        };
        let tool = tools::find(&request.name, &self.state).ok_or_else(|| {
            // 2025-11-25 server/tools, Error Handling.
            let message = format!("There is no tool called {:?} here.", request.name);
            ErrorData::invalid_params(message, None)
        })?;
        let state = self.state.clone();
        let version = context.protocol_version();
        let call = Call::new(tool.definition.clone(), request, context, state, level);
        let response = match tool.run(&call).await {
            Ok(mut result) => {
                let content = result.content.into_iter();
                result.content = content
                    .map(|block| known_block(block, version.as_ref()))
                    .collect();
                result.into()
            }
            Err(Stop::Response(response)) => *response,
            Err(Stop::Error(error)) => return Err(error),
        };
        if let (CallToolResponse::Task(created), Some(peer)) = (&response, listener) {
            self.begin(&created.task.task_id, peer);
        }
        Ok(response)
    }

    /// Returns a tool for the SDK, which checks the headers of a call against it.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name, &self.state).map(|tool| tool.definition)
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let task = self.state.tasks().get_task(&request.task_id)?;
        Ok(GetTaskResult::new(task))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let tasks = self.state.tasks();
        tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let tasks = self.state.tasks();
        // 2025-11-25 basic/utilities/tasks, Task Cancellation.
        if !is_stateless(&context) && tasks.get_task(&request.task_id)?.status().is_terminal() {
            return Err(ErrorData::invalid_params("The task is over.", None));
        }
        tasks.cancel_task(&request.task_id)?;
        // In 2025-11-25 the task is cancelled before the response; no tool here takes long to stop.
        while !is_stateless(&context)
            && tasks
                .get_task(&request.task_id)
                .is_ok_and(|task| !task.status().is_terminal())
        {
            tokio::time::sleep(handshake_tasks::POLL_INTERVAL).await;
        }
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let task = request
            .params
            .as_ref()
            .and_then(|params| params["taskId"].as_str());
        match (request.method.as_str(), task) {
            ("tasks/result", Some(task)) if handshake_tasks::are_known(&context) => {
                handshake_tasks::result(task, &self.state, &context).await
            }
            ("tasks/list", _) if handshake_tasks::are_known(&context) => {
                let cursor = request.params.as_ref().and_then(|it| it["cursor"].as_str());
                let page = self.state.generated().page;
                let (ids, next) = page_of(self.lock_begun().clone(), page, cursor)?;
                Ok(handshake_tasks::list(ids, next, &self.state))
            }
            _ => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                request.method,
                None,
            )),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        page!(
            self,
            ListResourcesResult,
            resources::list(self.state.generated().resources),
            request,
            context
        )
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        page!(
            self,
            ListResourceTemplatesResult,
            resources::templates(),
            request,
            context
        )
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let result = resources::read(&request.uri, &self.state)?;
        let ttl = resources::ttl(&request.uri);
        Ok(cacheable!(result, ttl, context).into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        page!(
            self,
            ListPromptsResult,
            prompts::list(self.state.generated().prompts),
            request,
            context
        )
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let version = context.protocol_version();
        let mut result = prompts::get(&request.name, request.arguments.as_ref(), &self.state)?;
        for message in &mut result.messages {
            let block = message.content.clone();
            message.content = known_block(block, version.as_ref());
        }
        Ok(result.into())
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        page!(self, ListSkillsResult, skills::all(), request, context)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        let mut skills = skills::all().into_iter();
        let found = skills.find(|skill| skill.uri == request.uri);
        // Skills, Error Handling.
        let skill =
            found.ok_or_else(|| ErrorData::invalid_params("No skill has this URI.", None))?;
        Ok(cacheable!(GetSkillResult::new(skill), LIST_TTL, context))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(completion::complete(&request))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_stateless(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = request.level;
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // Every readable document can be subscribed to, though most never change.
        resources::read(&request.uri, &self.state)?;
        self.subscribed().insert(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribed().remove(&request.uri);
        Ok(())
    }

    /// Notifies a client with a handshake of changes until it disconnects.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = Changes::new(&self.state);
        let closing = self.state.closing();
        while let Some(Some(change)) = closing.run_until_cancelled(changes.next()).await {
            let peer = &context.peer;
            let mut told = match change {
                Change::Boathouse => peer.notify_tool_list_changed().await,
                Change::Logbook => Ok(()),
            };
            for uri in change.resources() {
                if self.subscribed().contains(*uri) {
                    let update = ResourceUpdatedNotificationParam::new(*uri);
                    told = told.and(peer.notify_resource_updated(update).await);
                }
            }
            if told.is_err() {
                break;
            }
        }
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let known = |uri: &&String| resources::read(uri, &self.state).is_ok();
        let uris = requested.resource_subscriptions.iter().flatten();
        let filter = SubscriptionFilter::builder()
            .tools_list_changed()
            .resource_subscriptions(uris.filter(known));
        Some(filter.build())
    }

    /// Notifies a stateless client, which has to ask for notifications.
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = Changes::new(&self.state);
        let wanted = context.accepted();
        let lists = wanted.tools_list_changed == Some(true);
        let subscribed: Vec<String> = wanted.resource_subscriptions.clone().unwrap_or_default();
        loop {
            let change = tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.state.closing().cancelled() => return Ok(()),
                change = changes.next() => change,
            };
            let Some(change) = change else { return Ok(()) };
            let sink = context.sink();
            let mut told = match change {
                Change::Boathouse if lists => sink.notify_tool_list_changed().await,
                Change::Boathouse | Change::Logbook => Ok(()),
            };
            for uri in change.resources() {
                if subscribed.iter().any(|one| one == uri) {
                    told = told.and(sink.notify_resource_updated(*uri).await);
                }
            }
            if told.is_err() {
                return Ok(());
            }
        }
    }
}

/// Returns a content block, or a text in place of a kind that the protocol version does not know.
fn known_block(block: ContentBlock, version: Option<&ProtocolVersion>) -> ContentBlock {
    let is_before = |first| version.is_some_and(|version| *version < first);
    match block {
        ContentBlock::Audio(_) if is_before(ProtocolVersion::V_2025_03_26) => {
            ContentBlock::text("A sound, which this protocol version cannot carry.")
        }
        ContentBlock::ResourceLink(link) if is_before(ProtocolVersion::V_2025_06_18) => {
            ContentBlock::text(format!("{}: {}", link.name, link.uri))
        }
        known => known,
    }
}

/// Changes at the station.
#[derive(Clone, Copy, Debug)]
enum Change {
    Boathouse,
    Logbook,
}

impl Change {
    /// Returns the documents that a change affects.
    fn resources(self) -> &'static [&'static str] {
        match self {
            Change::Boathouse => &[resources::STATE],
            Change::Logbook => &[resources::LOGBOOK, resources::STATE],
        }
    }
}

/// Receiver of later changes.
struct Changes {
    boathouse: watch::Receiver<bool>,
    logbook: watch::Receiver<()>,
}

impl Changes {
    fn new(state: &State) -> Self {
        Changes {
            boathouse: state.list_changes(),
            logbook: state.logbook_changes(),
        }
    }

    /// Waits for the next change; `None` if no more can come.
    async fn next(&mut self) -> Option<Change> {
        tokio::select! {
            changed = self.boathouse.changed() => changed.ok().map(|()| Change::Boathouse),
            changed = self.logbook.changed() => changed.ok().map(|()| Change::Logbook),
        }
    }
}

/// Returns a page of the list and the cursor of the next. Cursors are opaque to clients (2025-11-25
/// server/utilities/pagination); here they are the index of the page's first item.
fn page_of<T>(
    mut items: Vec<T>,
    size: Option<NonZeroUsize>,
    cursor: Option<&str>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor
            .parse()
            .ok()
            .filter(|start| *start < items.len())
            .ok_or_else(|| ErrorData::new(ErrorCode::INVALID_PARAMS, "Unknown cursor.", None))?,
    };
    let total = items.len();
    items.drain(..start);
    let mut next = None;
    if let Some(size) = size
        .map(NonZeroUsize::get)
        .filter(|size| start + size < total)
    {
        items.truncate(size);
        next = Some((start + size).to_string());
    }
    Ok((items, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(count: usize) -> Vec<usize> {
        (0..count).collect()
    }

    #[test]
    fn pages_join_to_the_whole_list() {
        for (count, size) in [(0, 3), (1, 3), (6, 3), (7, 3), (7, 100)] {
            let mut seen = Vec::new();
            let mut cursor = None;
            loop {
                let (page, next) =
                    page_of(items(count), NonZeroUsize::new(size), cursor.as_deref()).unwrap();
                assert!(page.len() <= size);
                seen.extend(page);
                cursor = next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(seen, items(count), "{count} items by {size}");
        }
    }

    #[test]
    fn foreign_cursors_are_refused() {
        for cursor in ["", "x", "-1", "7", "99999999999999999999"] {
            assert!(
                page_of(items(7), NonZeroUsize::new(3), Some(cursor)).is_err(),
                "{cursor:?}"
            );
        }
    }
}
