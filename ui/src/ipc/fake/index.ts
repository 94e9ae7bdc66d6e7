import { toBackendError, type Backend, type CommandName } from "../backend";
import type { CommandPreview, Commands, DocumentSource, ImportPreview, Snapshot } from "../bindings";
import { cancel, play } from "./behaviour";
import * as catalog from "./catalog";
import { build } from "./scenarios";
import { checkAuth, storedSecrets } from "./storedSecrets";
import { plainAuth, plainDraft, plainNetwork } from "../drafts";
import { fail } from "./fail";
import type { FakeServer, World } from "./world";

type Handlers = {
  [K in CommandName]: (args: Commands[K]["args"]) => Commands[K]["result"] | Promise<Commands[K]["result"]>;
};

/** A host that is simulated inside the page: for development in a browser and for tests. */
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
      world.channel.open(onBatch, snapshot(world));
      return Promise.resolve();
    },
  };
}

function snapshot(world: World): Omit<Snapshot, "number"> {
  const servers = world.order.map((id) => world.server(id));
  return {
    servers: servers.map((server) => server.view),
    sessions: servers.map((server) => server.session),
    catalogs: servers.flatMap((server) => (server.list ? [server.list] : [])),
    connections: servers.flatMap((server) => (server.connection ? [server.connection.view] : [])),
    auth: servers.flatMap((server) => (server.auth ? [server.auth.view] : [])),
    server_requests: [...world.serverRequests.values()].map((request) => request.view),
    operations: [...world.operations.values()].map((operation) => operation.view),
    notices: world.notices,
    settings: world.settings,
  };
}

function sourceBytes(world: World, source: DocumentSource): Uint8Array {
  const encode = (text: string | null | undefined): Uint8Array => {
    if (text === null || text === undefined) return fail("entry_dropped", "This entry is no longer stored.");
    return new TextEncoder().encode(text);
  };
  switch (source.type) {
    case "log_entry":
      return encode(world.log.body(source.server, source.seq));
    case "arguments":
      return encode(world.operations.get(source.operation)?.text);
    case "answer": {
      const operation = world.operations.get(source.operation);
      return encode(operation?.answer?.frame(operation.id));
    }
    case "structured": {
      const outcome = world.operations.get(source.operation)?.view.outcome;
      return encode(outcome?.type === "result" ? outcome.structured?.json : null);
    }
    case "content":
      return world.operations.get(source.operation)?.answer?.bodies[source.index] ?? encode(null);
  }
}

function handlersOf(world: World): Handlers {
  const document = (number: number) => world.documents.get(number) ?? fail("not_found", "This document was closed.");
  const connected = (server: FakeServer): void => {
    if (server.session.phase !== "ready") fail("not_connected", "This server is not connected. Connect first.");
  };
  const definition = (server: FakeServer, key: string) =>
    server.definitions.find((tool) => tool.name === key) ??
    fail("not_found", "This tool is no longer in the server's list.");

  const connection = (id: string) => {
    const server = world.server(id);
    connected(server);
    return server.connection ?? fail("not_connected", "This server is not connected. Connect first.");
  };

  return {
    acknowledge: () => undefined,
    add_server: ({ draft }) => {
      checkAuth(draft);
      const server = world.addServer(draft);
      world.setDraft(server, draft);
      world.announce(server);
      return server.view.id;
    },
    update_server: ({ server, draft }) => {
      checkAuth(draft);
      world.setDraft(world.server(server), draft);
    },
    duplicate_server: ({ server }) => {
      const original = world.server(server);
      const copy = world.addServer(
        { ...original.view.config, name: `${original.view.config.name} (copy)` },
        original.definitions,
      );
      world.order = world.order.filter((id) => id !== copy.view.id);
      world.order.splice(world.order.indexOf(server) + 1, 0, copy.view.id);
      world.announce(copy);
      return copy.view.id;
    },
    remove_server: ({ server }) => {
      world.servers.delete(server);
      world.order = world.order.filter((id) => id !== server);
      world.channel.send({ type: "server_removed", data: server });
    },
    move_server: ({ server, index }) => {
      world.order = world.order.filter((id) => id !== server);
      world.order.splice(index, 0, server);
      world.channel.send({ type: "server_order", data: [...world.order] });
    },
    preview_import: ({ text }) => previewImport(world, text),
    import_servers: ({ text, chosen }) => {
      const { candidates } = previewImport(world, text);
      return chosen.flatMap((index) => {
        const candidate = candidates[index];
        if (!candidate) return [];
        const server = world.addServer(candidate.draft);
        world.announce(server);
        return [server.view.id];
      });
    },
    preview_command: ({ server }) => previewCommand(world.server(server)),
    connect: ({ server: id, confirm }) => {
      const server = world.server(id);
      if (!server.view.confirmed && confirm === null) {
        fail("command_not_confirmed", "Review the command and confirm it first.");
      }
      server.view = { ...server.view, confirmed: true };
      world.channel.send({ type: "server", data: server.view });
      world.connect(server);
    },
    disconnect: ({ server }) => world.disconnect(world.server(server)),
    restart: ({ server }) => {
      world.end(world.server(server), null);
      world.connect(world.server(server));
    },
    refresh_catalog: ({ server, kind }) => {
      if (kind === "tools") world.list(world.server(server), world.server(server).definitions);
    },
    ping: ({ server }) => {
      connected(world.server(server));
      world.exchange(world.server(server), "ping", {}, {}, null);
      world.change(world.server(server), { ping_micros: 800 + Math.round(Math.random() * 900) });
    },
    catalog_rows: ({ server, kind, revision, search, from, count }) =>
      kind === "tools"
        ? catalog.rows(world.server(server), revision, search, from, count)
        : { revision: 0, total: 0, rows: [] },
    catalog_index: ({ server, kind, search, key }) =>
      kind === "tools" ? catalog.index(world.server(server), search, key) : null,
    tool_detail: ({ server, key }) => catalog.detail(world.server(server), definition(world.server(server), key)),
    validate_arguments: ({ server, key, arguments: text }) => {
      const schema = definition(world.server(server), key).inputSchema as { required?: string[] } | undefined;
      const given = JSON.parse(text) as Record<string, unknown>;
      return (schema?.required ?? []).flatMap((missing) =>
        missing in given
          ? []
          : [
              {
                instancePath: "",
                schemaPath: "/required",
                keyword: "required",
                message: `“${missing}” is required.`,
                missing,
              },
            ],
      );
    },
    answer_server_request: ({ request, answer }) => world.answered(request, answer),
    reconnect_stream: ({ server, stream }) => connection(server).resume(stream),
    give_up_stream: ({ server, stream }) => connection(server).giveUp(stream),
    inject_fault: ({ server, fault }) => connection(server).fault(fault),
    sign_in: ({ server }) => world.auth(world.server(server)).signIn("You asked to sign in."),
    open_sign_in: ({ server, attempt }) => world.auth(world.server(server)).open(attempt),
    paste_redirect: ({ server, attempt, address }) => world.auth(world.server(server)).paste(attempt, address),
    register_again: ({ server, attempt }) => world.auth(world.server(server)).registerAgain(attempt),
    cancel_sign_in: ({ server }) => world.auth(world.server(server)).cancel(),
    refresh_token: ({ server }) => world.auth(world.server(server)).refresh(),
    sign_out: ({ server }) => world.auth(world.server(server)).signOut(),
    expire_token: ({ server }) => world.auth(world.server(server)).expire(),
    send_wrong_token: ({ server, wrong }) => world.auth(world.server(server)).change({ wrong_token: wrong }),
    auth_exchange: ({ server, step }) => world.auth(world.server(server)).exchange(step),
    ...storedSecrets(world),
    start_operation: ({ server: id, operation: { target, arguments: text, force } }) => {
      const server = world.server(id);
      connected(server);
      const tool = definition(server, target ?? "");
      if (tool.forbidden !== undefined && !force) fail("invalid_input", "The protocol forbids calling this tool.");
      const started = world.newOperation(server, tool.name, text);
      play(world, server, started);
      return started.view.operation;
    },
    cancel_operation: ({ operation }) => {
      const running = world.operations.get(operation);
      if (running) cancel(world, running);
    },
    extend_operation: ({ operation, seconds }) => {
      const running = world.operations.get(operation);
      const deadline = running?.view.deadline;
      if (!running || !deadline) return;
      const until = Date.now() + seconds * 1000;
      world.update(running, {
        deadline: { idle_at: Math.max(deadline.idle_at, until), hard_at: Math.max(deadline.hard_at, until) },
      });
    },
    forget_operation: ({ operation }) => {
      world.operations.delete(operation);
      world.channel.send({ type: "operation_removed", data: operation });
    },
    clear_operations: ({ server }) => {
      for (const [number, operation] of world.operations) {
        if (operation.view.server !== server || operation.view.state !== "finished") continue;
        world.operations.delete(number);
        world.channel.send({ type: "operation_removed", data: number });
      }
    },
    operation_messages: ({ operation, from, count }) =>
      world.operations.get(operation)?.messages.slice(from, from + count) ?? [],
    server_messages: ({ server, from, count }) => world.server(server).messages.slice(from, from + count),
    stderr_lines: ({ server, from, count }) => world.server(server).stderr.slice(from, from + count),
    open_log: ({ server, filter }) => world.log.open(server, filter),
    filter_log: ({ view, filter }) => world.log.filter(view, filter) ?? fail("not_found", "This view was closed."),
    log_rows: ({ view, from, count }) => world.log.rows(view, from, count),
    log_index: ({ view, seq }) => world.log.index(view, seq),
    close_log: ({ view }) => world.log.close(view),
    log_detail: ({ server, seq }) =>
      world.log.detail(server, seq) ?? fail("entry_dropped", "This entry is no longer stored."),
    log_curl: () => "curl -X POST https://mcp.example.com/v1/mcp -H 'Authorization: $TOKEN'",
    clear_log: ({ server }) => world.log.clear(server),
    open_document: ({ source, mode, columns }) =>
      world.openDocument(new TextDecoder().decode(sourceBytes(world, source))).document.show(mode, columns),
    show_document: ({ document: number, mode, columns }) => document(number).show(mode, columns),
    document_rows: ({ document: number, from, count }) => document(number).slice(from, count),
    toggle_node: ({ document: number, node }) => document(number).toggle(node),
    expand_document: ({ document: number, expanded }) => document(number).expandAll(expanded),
    search_document: ({ document: number, text, ordinal }) => document(number).search(text, ordinal),
    close_document: ({ document: number }) => void world.documents.delete(number),
    save_document: () => "/home/ada/result.json",
    load_draft: ({ server, tool }) => world.drafts.get(`${server} ${tool}`) ?? null,
    save_draft: ({ server, tool, text }) => {
      if (text === null) world.drafts.delete(`${server} ${tool}`);
      else world.drafts.set(`${server} ${tool}`, text);
    },
    update_settings: ({ settings }) => {
      world.settings = settings;
      world.channel.send({ type: "settings", data: settings });
    },
    dismiss_notice: ({ id }) => {
      const at = world.notices.findIndex((notice) => notice.id === id);
      if (at >= 0) world.notices.splice(at, 1);
      world.channel.send({ type: "notice_removed", data: id });
    },
    app_report: () => ({
      version: "0.1.0",
      system: "a simulated system",
      data_folder: "/home/ada/.local/share/sonde",
      keyring: "Secrets are stored in the system's keyring (Secret Service).",
      log: Array.from(
        { length: 60 },
        (_, index) => `12:00:${String(index).padStart(2, "0")} INFO sonde: line ${index + 1}`,
      ),
      crashes: ["2026-01-03 10:12:44  panicked at 'index out of range', explorer/calls.rs:88"],
    }),
    open_external: () => undefined,
  };
}

function previewCommand(server: FakeServer): CommandPreview {
  const { transport } = server.view.config;
  if (transport.type !== "stdio") return fail("invalid_input", "Only a program has a command.");
  return {
    fingerprint: "fingerprint-of-the-command",
    program: transport.command === "mcp-weather" ? null : `/usr/bin/${transport.command}`,
    argv: [transport.command, ...transport.args],
    env: transport.env,
    cwd: transport.cwd ?? "/home/ada",
    path: "/usr/local/bin:/usr/bin:/bin:/home/ada/.local/bin",
    path_source: "The PATH of your login shell (/bin/bash).",
    warnings: transport.command === "npx" ? ["npx downloads a package from the internet and runs it."] : [],
  };
}

function previewImport(world: World, text: string): ImportPreview {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (thrown) {
    return fail("invalid_input", "This is not JSON.", String(thrown));
  }
  const servers = (given as { mcpServers?: Record<string, Record<string, unknown>> }).mcpServers;
  if (!servers) return fail("invalid_input", "There are no servers in this JSON: it has no member “mcpServers”.");
  const candidates: ImportPreview["candidates"] = [];
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(servers)) {
    const url = entry["url"];
    const command = entry["command"];
    if (typeof url !== "string" && typeof command !== "string") {
      problems.push(`“${name}” has neither a command nor a URL.`);
      continue;
    }
    const env = Object.entries((entry["env"] ?? {}) as Record<string, string>);
    const address =
      typeof url === "string" ? url : `${String(command)} ${((entry["args"] ?? []) as string[]).join(" ")}`;
    candidates.push({
      draft: {
        name,
        ...plainDraft,
        transport:
          typeof url === "string"
            ? { type: "http", url, headers: [], kind: "automatic", network: plainNetwork, auth: plainAuth }
            : {
                type: "stdio",
                command: String(command),
                args: (entry["args"] ?? []) as string[],
                env: env.map(([key, value]) => ({
                  name: key,
                  value: /key|token|secret/i.test(key)
                    ? { kind: "secret" as const, input: { type: "keep" as const } }
                    : { kind: "plain" as const, value },
                })),
                cwd: null,
              },
      },
      remarks: entry["disabled"] === true ? ["It is switched off in the other client."] : [],
      duplicate_of:
        [...world.servers.values()].find((server) => server.view.address === address.trim())?.view.config.name ?? null,
    });
  }
  return { candidates, problems };
}
