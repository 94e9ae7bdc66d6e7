import { memberOf } from "../../schema/node";
import { nodeIn } from "../../schema/parse";
import { compactJson, printNode } from "../../schema/print";
import { toBackendError, type Backend } from "../backend";
import type { CommandPreview, DocumentSource, OperationInput } from "../bindings";
import { openApp, recordApp } from "./apps";
import { cancel, getPrompt, play } from "./behaviour";
import * as catalog from "./catalog";
import { previewDeclaration } from "./declaring";
import { hostCell, hostRows, hostSummary, knownHosts, toolLint } from "./hosts";
import { changedFinding, judging } from "./issues";
import { diagnosing } from "./diagnosis";
import { importing } from "./importing";
import { promptDetail, suggested } from "./prompts";
import { skillDetail } from "./skills";
import { presenting } from "./presenting";
import * as resources from "./resources";
import { answerOf, failure } from "./results";
import { build } from "./scenarios";
import { storedSecrets } from "./storedSecrets";
import { askTask, endTask, playTask, readTasks, resumeTask } from "./tasks";
import { plainTraits } from "./connection";
import { iconPicture } from "./extras";
import { checkServer } from "./checking";
import { checking } from "./checks";
import { fail } from "./fail";
import type { Handlers } from "./handlers";
import type { FakeOperation, FakeServer, World } from "./world";

/** Creates a host that is simulated inside the page, for development in a browser and for tests. */
export function fakeBackend(scenario: string): Backend {
  const world = build(scenario);
  const handlers = handlersOf(world);
  return {
    async call(name, args) {
      await Promise.resolve();
      try {
        return structuredClone(await handlers[name](structuredClone(args)));
      } catch (thrown) {
        throw toBackendError(thrown);
      }
    },
    async readBytes(source) {
      await Promise.resolve();
      return sourceBytes(world, source).slice().buffer;
    },
    subscribe(onBatch) {
      world.channel.open(onBatch, world.snapshot());
      return Promise.resolve();
    },
    flush: () => world.channel.flush(),
  };
}

function sourceBytes(world: World, source: DocumentSource): Uint8Array {
  const text = (found: string): Uint8Array => new TextEncoder().encode(found);
  if (source.type === "log_entry") return text(world.log.body(source.server, source.seq));
  if (source.type === "log_data") {
    const message = JSON.parse(world.log.body(source.server, source.seq)) as { params: { data: unknown } };
    return text(JSON.stringify(message.params.data));
  }
  if (source.type === "definition" && resources.isResourceKind(source.kind)) {
    return text(resources.detail(source.kind, source.key).raw);
  }
  if (source.type === "definition") {
    const server = world.server(source.server);
    if (source.kind === "skills") return text(skillDetail(skillOf(server, source.key)).raw);
    if (source.kind === "prompts") return text(promptDetail(promptOf(server, source.key)).raw);
    return text(JSON.stringify(toolOf(server, source.key)));
  }
  if (source.type === "instructions" || source.type === "capabilities" || source.type === "server_meta") {
    const member = source.type === "server_meta" ? "meta" : source.type;
    const cut = world.server(source.server).session.identity?.[member] ?? "";
    return text(cut.replace(/…$/, " and so on, to the very end."));
  }
  const operation = world.operations.get(source.operation);
  const outcome = operation?.view.outcome;
  const found = {
    arguments: operation?.text,
    redacted_arguments: operation?.text,
    params: operation?.view.params,
    transcript: operation && `→ +0.0 ms\n{"method":"${operation.view.method}"}\n`,
    answer: answerText(operation),
    structured: outcome?.type === "result" ? (outcome.structured?.json ?? longStructured(operation)) : null,
    content: operation?.answer?.bodies[source.type === "content" ? source.index : 0],
  }[source.type];
  return typeof found === "string"
    ? new TextEncoder().encode(found)
    : (found ?? fail("entry_dropped", "This entry is no longer stored."));
}

/** Answers a request or notification that was written by hand, as far as the server's declaration allows. */
function byHand(world: World, server: FakeServer, { method, params, notification = false }: OperationInput): number {
  const started = world.newOperation(server, method, null, { params, byHand: { method, notification } });
  if (notification) world.finishWith(started, { type: "sent" });
  else if (method.startsWith("tools/") || method === "ping") {
    const answer = answerOf(method === "ping" ? {} : { tools: server.definitions }, {}, []);
    setTimeout(() => world.answer(started, answer), 80);
  } else {
    const { outcome } = failure(-32601, `Method not found: ${method}`, "The server does not know the method.");
    world.finishWith(started, outcome);
  }
  return started.view.operation;
}

/** Returns the result or the error of an operation, as the simulated server wrote it. */
function answerText(operation: FakeOperation | undefined): string | null {
  const frame = operation?.answer ? nodeIn(operation.answer.frame(operation.id)) : undefined;
  const found = memberOf(frame, "result") ?? memberOf(frame, "error");
  return found ? compactJson(printNode(found)) : null;
}

/** Returns structured content that is too long for the view of its operation. */
function longStructured(operation: FakeOperation | undefined): string | null {
  if (!operation?.answer) return null;
  const { result } = JSON.parse(operation.answer.frame(operation.id)) as {
    readonly result?: { readonly structuredContent?: unknown };
  };
  return result?.structuredContent === undefined ? null : JSON.stringify(result.structuredContent);
}

function findListed<T>(items: readonly T[], what: string, isThat: (item: T) => boolean): T {
  return items.find(isThat) ?? fail("not_found", `This ${what} is no longer in the server's list.`);
}

const toolOf = (server: FakeServer, key: string | null) =>
  findListed(server.definitions, "tool", ({ name }) => name === key);
const promptOf = (server: FakeServer, key: string | null) =>
  findListed(server.prompts, "prompt", ({ name }) => name === key);
const skillOf = (server: FakeServer, key: string | null) =>
  findListed(server.skills, "skill", ({ uri }) => uri === key);

function handlersOf(world: World): Handlers {
  const { log } = world;
  const document = (number: number) => world.documents.get(number) ?? fail("not_found", "This document was closed.");
  const connection = (id: string) => world.connected(id).connection;
  const groupOf = (id: string) =>
    world.groups.find((group) => group.id === id) ?? fail("not_found", "This group no longer exists.");
  return {
    acknowledge: () => undefined,
    ready_to_close: () => undefined,
    keep_view: ({ view }) => globalThis.sessionStorage?.setItem("view", view),
    kept_view: () => globalThis.sessionStorage?.getItem("view") ?? null,
    check_server: ({ draft }) => checkServer(draft),
    add_server: ({ draft }) => world.announce(world.addServer(draft)),
    update_server: ({ server, draft }) => {
      const { config } = world.server(server).view;
      world.setDraft(world.server(server), draft);
      if (JSON.stringify(config) === JSON.stringify(draft)) return null;
      return world.deleted(() => world.setDraft(world.server(server), config));
    },
    duplicate_server: ({ server }) => {
      const { config } = world.server(server).view;
      return world.announce(world.addServer({ ...config, name: `${config.name} (copy)` }));
    },
    remove_server: ({ server }) => {
      const gone = world.server(server);
      const group = world.groups.find(({ servers }) => servers.includes(server));
      const index = (group?.servers ?? world.order).indexOf(server);
      for (const one of world.groups) one.servers = one.servers.filter((id) => id !== server);
      world.servers.delete(server);
      world.order = world.order.filter((id) => id !== server);
      world.channel.send({ type: "server_removed", data: server });
      world.tellPresentations();
      return world.deleted(() => {
        world.servers.set(server, gone);
        world.channel.send({ type: "server", data: gone.view });
        world.channel.send({ type: "session", data: gone.session });
        world.tellInputs(server);
        world.tellPresentations();
        world.place(server, group?.id ?? null, index);
      });
    },
    move_server: ({ server, group, index }) => world.place(server, group, index),
    add_server_group: ({ name, servers }) => world.addGroup(name, servers),
    update_server_group: ({ group, name, collapsed }) => {
      const changed = groupOf(group);
      changed.name = name ?? changed.name;
      changed.collapsed = collapsed ?? changed.collapsed;
      world.tellOrder();
    },
    move_server_group: ({ group, index }) => {
      const moved = groupOf(group);
      world.groups = world.groups.filter((one) => one !== moved).toSpliced(index, 0, moved);
      world.tellOrder();
    },
    remove_server_group: ({ group }) => {
      const gone = groupOf(group);
      const place = world.groups.indexOf(gone);
      world.groups = world.groups.filter((one) => one !== gone);
      world.tellOrder();
      return world.deleted(() => {
        world.groups.splice(place, 0, gone);
        world.tellOrder();
      });
    },
    ...importing(world),
    ...presenting(world),
    ...judging(world),
    ...diagnosing(world),
    ...checking(world),
    preview_declaration: ({ declaration, protocol }) => previewDeclaration(declaration, protocol),
    preview_command: ({ server }) => previewCommand(world.server(server)),
    split_command: ({ command }) => {
      const words = command.trim().split(/\s+/);
      return words.length < 2 || command.startsWith("/") ? null : words;
    },
    reveal_variable: ({ name }) => `the-value-of-${name}`,
    connect: ({ server: id, confirm }) => {
      const server = world.server(id);
      if (server.view.missing_inputs.length > 0) {
        fail("inputs_missing", "Values are missing.");
      }
      if (!server.view.confirmed && confirm === null) {
        fail("command_not_confirmed", "Review the command and confirm it first.");
      }
      world.setView(server, { confirmed: true });
      world.connect(server);
    },
    disconnect: ({ server }) => world.disconnect(world.server(server)),
    restart: ({ server }) => {
      world.end(world.server(server), null);
      world.connect(world.server(server));
    },
    refresh_catalog: ({ server, kind }) => {
      const known = world.server(server);
      if (kind === "tools") world.list(known, known.definitions);
      else world.listOthers(known, kind);
    },
    stop_catalog: ({ server: id, kind }) => {
      const { server } = world.connected(id);
      const error = "You stopped the reading of the tools.";
      if (kind === "tools" && server.list) world.changeList(server, { ...server.list, reading: null, error });
    },
    open_catalog: ({ server, kind }) => {
      const { server: known } = world.connected(server);
      const list = known.lists.find((one) => one.kind === kind);
      if (list?.revision === 0 && kind !== "tools") world.listOthers(known, kind);
    },
    fresh_reading: ({ server, uri }) => {
      world.connected(server);
      return world.freshReading(server, uri);
    },
    icon_picture: ({ server, src }) => {
      world.server(server);
      return iconPicture(src);
    },
    subscribe_resource: ({ server: id, uri }) => {
      const { server } = world.connected(id);
      if (!server.hasResources) fail("invalid_input", "This server does not declare that it takes subscriptions.");
      const one = { uri, updates: 0, updated_at: null, sub_resource: null, unread: false };
      const others = server.subscriptions.filter((other) => other.uri !== uri);
      server.subscriptions = [...others, { ...one, state: { type: "active" } }];
      world.subscribe(server, (other) => other);
      world.exchange(server, "resources/subscribe", { uri }, {}, null);
    },
    unsubscribe_resource: ({ server: id, uri }) => {
      const server = world.server(id);
      server.subscriptions = server.subscriptions.filter((one) => one.uri !== uri);
      world.subscribe(server, (other) => other);
      if (server.session.phase === "ready") world.exchange(server, "resources/unsubscribe", { uri }, {}, null);
    },
    resource_detail: ({ kind, key }) => resources.detail(kind, key),
    skill_detail: ({ server, key }) => skillDetail(skillOf(world.server(server), key)),
    expand_template: ({ template, values }) => resources.expand(template, values),
    round_trips: ({ server, method, tool }) => world.server(server).connection?.roundTrips(method, tool) ?? [],
    progress_rates: () => [2, 4, 3].map((rate, at) => ({ from: at * 1e6, to: (at + 1) * 1e6, rate })),
    set_log_level: ({ server: id, level }) => {
      const server = world.server(id);
      world.setView(server, { log_level: level });
      if (server.session.phase !== "ready" || level === null || server.traits.era === "stateless") return;
      world.exchange(server, "logging/setLevel", { level }, {}, null);
    },
    ping: ({ server: id }) => {
      const { server } = world.connected(id);
      world.exchange(server, "ping", {}, {}, null);
      world.change(server, { ping_micros: 800 + Math.round(Math.random() * 900) });
    },
    catalog_rows: (asked) => catalog.rows(world.server(asked.server), asked),
    catalog_index: ({ server, kind, search, key }) => catalog.index(world.server(server), kind, search, key),
    known_hosts: () => [...knownHosts],
    host_summary: ({ server }) => hostSummary(world.server(server)),
    host_rows: ({ server, revision, filter, from, count }) =>
      hostRows(world.server(server), revision, filter, from, count),
    host_cell: ({ server, key, host }) => hostCell(toolOf(world.server(server), key), host),
    tool_lint: ({ server: id, key }) => {
      const server = world.server(id);
      const changed = server.changedDefinitions.filter(({ subject }) => subject.type === "tool" && subject.key === key);
      return [...changed.map(changedFinding), ...toolLint(toolOf(server, key))];
    },
    host_table: () => "Tool,Bytes,Tokens (estimated)\n",
    prompt_detail: ({ server, key }) => promptDetail(promptOf(world.server(server), key)),
    complete: async ({ server, argument, resolved }) => {
      world.connected(server);
      if (argument.value.startsWith("?"))
        fail("no_completion", "No suggestions: the server answered “no such harbour” (-32602).");
      await Promise.resolve();
      return suggested(argument, resolved);
    },
    cancel_completion: () => undefined,
    tool_detail: ({ server, key }) => catalog.detail(world.server(server), toolOf(world.server(server), key)),
    validate_arguments: ({ server, key, arguments: text }) => {
      const schema = toolOf(world.server(server), key).inputSchema as { required?: string[] } | undefined;
      const given = JSON.parse(text) as object;
      const missing = (schema?.required ?? []).filter((name) => !(name in given));
      const place = { instancePath: "", schemaPath: "/required", keyword: "required" };
      const problems = missing.map((name) => ({ ...place, message: `“${name}” is required.`, missing: name }));
      return { problems, unchecked: null };
    },
    answer_server_request: ({ request, answer }) => world.answered(request, answer),
    reconnect_stream: ({ server, stream }) => connection(server).resume(stream),
    give_up_stream: ({ server, stream }) => connection(server).giveUp(stream),
    inject_fault: ({ server, fault }) => connection(server).fault(fault),
    reopen_session: ({ server }) => connection(server).reopen(),
    sign_in: ({ server }) => world.auth(server).signIn("You asked to sign in."),
    open_sign_in: ({ server, attempt }) => world.auth(server).open(attempt),
    confirm_issuer: ({ server, attempt }) => world.auth(server).confirm(attempt),
    paste_redirect: ({ server, attempt, address: at }) => world.auth(server).paste(attempt, at),
    register_again: ({ server, attempt }) => world.auth(server).registerAgain(attempt),
    cancel_sign_in: ({ server }) => world.auth(server).cancel(),
    refresh_token: ({ server }) => world.auth(server).refresh(),
    sign_out: ({ server }) => world.auth(server).signOut(),
    expire_token: ({ server }) => world.auth(server).expire(),
    send_wrong_token: ({ server, wrong }) => world.auth(server).change({ wrong_token: wrong }),
    auth_exchange: ({ server, step }) => world.auth(server).exchange(step),
    ...storedSecrets(world),
    start_operation: ({ server: id, operation }) => {
      const { method, target, arguments: text, params, force, task, by_app: byApp = false } = operation;
      const { server } = world.connected(id);
      if (target === null) return byHand(world, server, operation);
      if (method === "resources/read") return world.read(server, target).view.operation;
      if (method === "prompts/get") {
        const got = world.newOperation(server, promptOf(server, target).name, text, { method });
        setTimeout(() => getPrompt(world, server, got), 60);
        return got.view.operation;
      }
      const tool = toolOf(server, target);
      if (tool.forbidden !== undefined && !force) fail("invalid_input", "The protocol forbids calling this tool.");
      const started = world.newOperation(server, tool.name, text, { params, byApp });
      if (server.traits.tasks && (task || tool.taskSupport === "required")) playTask(world, started);
      else play(world, server, started);
      return started.view.operation;
    },
    open_app: ({ operation, reading }) => openApp(world, operation, reading),
    close_app: () => undefined,
    record_app: ({ app, entry, text }) => recordApp(world, app, entry, text),
    operation: ({ operation }) => world.operation(operation).view,
    cancel_operation: ({ operation }) => {
      const running = world.operations.get(operation);
      if (running) cancel(world, running);
    },
    ask_task: ({ operation }) => {
      const running = world.operations.get(operation);
      if (running?.view.task && running.view.state !== "finished") askTask(world, running);
    },
    resume_task: ({ operation }) => {
      const run = world.operations.get(operation);
      if (run?.view.task && run.view.state === "finished") resumeTask(world, run);
    },
    list_tasks: ({ server }) => {
      const one = world.server(server);
      if (one.taskList.supported) readTasks(world, one);
    },
    stop_waiting: ({ operation }) => {
      const running = world.operations.get(operation);
      if (running?.view.task && running.view.state !== "finished") endTask(world, running, { type: "stopped_waiting" });
    },
    extend_operation: () => undefined,
    run_with_handshake: ({ operation }) => {
      const failed = world.operation(operation);
      const server = world.server(failed.view.server);
      server.traits = { ...server.traits, era: "handshake", revision: plainTraits.revision };
      world.end(server, null);
      world.connect(server, true);
      play(world, server, world.newOperation(server, failed.view.target ?? "", failed.view.arguments ?? "{}"));
    },
    load_history: ({ server }) => world.loadHistory(server),
    search_operations: ({ server, search }) => world.searchOperations(server, search),
    label_operation: ({ operation, label }) => world.update(world.operation(operation), { label }),
    delete_operations: ({ operations }) => world.deleteOperations(operations),
    undo_deletion: ({ deletion }) => {
      const undo = world.deletions.get(deletion) ?? fail("not_found", "This can no longer be undone.");
      world.deletions.delete(deletion);
      undo();
    },
    forget_deletion: ({ deletion }) => void world.deletions.delete(deletion),
    operation_messages: ({ operation, from, count }) =>
      world.operations.get(operation)?.messages.slice(from, from + count) ?? [],
    stderr_lines: ({ server, from, count }) => world.server(server).stderr.slice(from, from + count),
    open_log: ({ server, filter }) => log.open(server, filter),
    filter_log: ({ view, filter }) => log.filter(view, filter),
    open_log_group: ({ view, seq, open }) => log.openGroup(view, seq, open),
    log_rows: ({ view, from, count }) => log.rows(view, from, count),
    log_index: ({ view, seq }) => log.index(view, seq),
    close_log: ({ view }) => log.close(view),
    log_detail: ({ server, seq }) => log.detail(server, seq),
    log_curl: () => "curl -X POST https://mcp.example.com/v1/mcp -H 'Authorization: Bearer '\"${AUTHORIZATION:?}\"",
    clear_log: ({ server }) => {
      log.clear(server);
      world.tellIssues(world.server(server));
      return null;
    },
    open_document: ({ source, mode, columns }) =>
      world.openDocument(new TextDecoder().decode(sourceBytes(world, source))).show(mode, columns),
    show_document: ({ document: number, mode, columns }) => document(number).show(mode, columns),
    document_rows: ({ document: number, from, count }) => document(number).slice(from, count),
    toggle_node: ({ document: number, node }) => document(number).toggle(node),
    expand_document: ({ document: number, expanded }) => document(number).expandAll(expanded),
    search_document: ({ document: number, text, ordinal }) => document(number).search(text, ordinal),
    locate_value: ({ document: number, pointer }) => document(number).locate(pointer),
    node_value: ({ document: number, node }) => document(number).nodeValue(node),
    node_path: ({ document: number, node }) => document(number).nodePath(node),
    close_document: ({ document: number }) => void world.documents.delete(number),
    save_log: () => "/home/ada/Downloads/Demo server - wire log 2026-07-30.mcplog",
    show_saved_file: () => undefined,
    save_document: () => "/home/ada/result.json",
    load_draft: ({ server, method, target }) => world.drafts.get(`${server} ${method} ${target}`) ?? null,
    save_draft: ({ server, method, target, text }) => {
      if (text === null) world.drafts.delete(`${server} ${method} ${target}`);
      else world.drafts.set(`${server} ${method} ${target}`, text);
    },
    update_settings: ({ settings }) => {
      world.settings = settings;
      world.channel.send({ type: "settings", data: settings });
    },
    dismiss_notice: ({ id }) => {
      world.notices = world.notices.filter((notice) => notice.id !== id);
      world.channel.send({ type: "notice_removed", data: id });
    },
    app_report: () => ({
      version: "0.1.0",
      system: "a simulated system",
      data_folder: "/home/ada/.local/share/dev.sonde.app",
      releases: "https://example.org/sonde/releases",
      keyring: "Secrets are stored in the system's keyring (Secret Service).",
      log: Array.from(
        { length: 60 },
        (_, line) => `12:00:${String(line).padStart(2, "0")} INFO sonde_desktop: line ${line + 1}`,
      ),
      crashes: ["2026-01-03 10:12:44  panicked at 'index out of range', explorer/operations.rs:88"],
    }),
    set_full_screen: ({ on }) => {
      const before = world.fullScreen;
      world.fullScreen = on ?? !before;
      return before;
    },
    open_external: () => undefined,
    choose_folder: () => "/home/ada/work",
    choose_file: () => "/home/ada/bin/my server",
  };
}

/** Effects of some environment variables on the program. */
const effects: Readonly<Record<string, string>> = {
  PATH: "It decides which program files are found and run.",
  BASH_ENV: "Shells run it, or read scripts differently because of it.",
};

function previewCommand(server: FakeServer): CommandPreview {
  const { transport } = server.view.config;
  if (transport.type !== "stdio") return fail("invalid_input", "Only a program has a command.");
  const env = transport.env.map(({ name, value }) => ({
    name,
    value: value.kind === "plain" ? value.value : null,
    effect: effects[name] ?? null,
  }));
  const path = env.find(({ name }) => name === "PATH")?.value ?? "/usr/local/bin:/usr/bin:/bin:/home/ada/.local/bin";
  const folder = path.split(":").find((one) => one.startsWith("/opt/")) ?? "/usr/bin";
  return {
    fingerprint: "fingerprint-of-the-command",
    program: `${folder}/${transport.command}`,
    argv: [transport.command, ...transport.args],
    secret_arguments: transport.args.flatMap((arg) => arg.match(/\$\{secret:[^}]*\}/g) ?? []),
    env,
    inherited: ["HOME", "LANG", "SHELL", "USER"].filter((name) => env.every((set) => set.name !== name)),
    revealable: !server.view.confirmed,
    cwd: transport.cwd ?? "/home/ada",
    path,
    path_source: "The PATH of your login shell (/bin/bash).",
    warnings: [
      ...env.flatMap(({ name, effect }) => (effect === null ? [] : [`It sets \`${name}\`. ${effect}`])),
      ...(transport.command === "npx" ? ["npx downloads a package from the internet and runs it."] : []),
    ],
  };
}
