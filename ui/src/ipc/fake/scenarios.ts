import { FakeAuth, type AuthTraits } from "./auth";
import { finding } from "./finding";
import type { ContentView, Failure, NetworkDraft, ServerDraft } from "../bindings";
import { refresh as refreshStep } from "./authSteps";
import { play } from "./behaviour";
import { statelessTraits, plainTraits, type Traits } from "./connection";
import { askingTools, demoTools, manyTools, plainTools } from "./definitions";
import { plainAuth, address, plainDraft, plainNetwork } from "../drafts";
import { mixed, protocolError, result, text } from "./results";
import { manySecrets } from "./storedSecrets";
import { World, type FakeServer } from "./world";

const commandNotFound: Failure = {
  code: "command_not_found",
  title: "The command “mcp-weather” was not found.",
  cause: "It is in none of the 9 directories of the PATH.",
  advice: [
    "Install it, or give its full path in the server's settings.",
    "The PATH is the one of your login shell; a program that was installed just now needs a restart of Sonde.",
  ],
  detail: "Searched:\n/usr/local/bin\n/usr/bin\n/bin\n/home/ada/.local/bin",
  stderr_tail: [],
  noise_tail: [],
};

const exitedAtOnce: Failure = {
  code: "process_exited",
  title: "The process ended with exit code 1 before it responded.",
  cause: "It ended by itself with exit code 1.",
  advice: ["Read the last lines of stderr below.", "Add the variable API_KEY to its environment."],
  detail: null,
  stderr_tail: [
    "Traceback (most recent call last):",
    '  File "/home/ada/server.py", line 12, in <module>',
    '    key = os.environ["API_KEY"]',
    "KeyError: 'API_KEY'",
  ],
  noise_tail: ["Starting server…"],
};

function draft(name: string, transport: ServerDraft["transport"]): ServerDraft {
  return { name, transport, ...plainDraft };
}

function demo(world: World): FakeServer {
  return world.addServer(draft("Demo server", { type: "demo", http: false }), demoTools);
}

function company(world: World): { files: FakeServer; remote: FakeServer } {
  const files = world.addServer(
    draft("Files", {
      type: "stdio",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/documents", "/home/ada/a folder with spaces"],
      env: [
        { name: "NODE_ENV", value: { kind: "plain", value: "production" } },
        { name: "API_KEY", value: { kind: "secret", input: { type: "keep" } } },
      ],
      cwd: null,
    }),
  );
  const remote = world.addServer(
    draft("Company tickets", {
      type: "http",
      url: "https://mcp.example.com/v1/mcp",
      headers: [{ name: "Authorization", value: { kind: "secret", input: { type: "keep" } } }],
      kind: "automatic",
      network: plainNetwork,
      auth: plainAuth,
    }),
    plainTools,
  );
  return { files, remote };
}

/** A few operations of every kind that have ended. */
function history(world: World, server: FakeServer): void {
  const call = (tool: string, argumentsText: string | null) => world.newOperation(server, tool, argumentsText);
  world.answer(call("say_hello", '{"name":"Ada"}'), result([text("Hello, Ada!")]));
  world.answer(
    call("forbidden_waters", "{}"),
    protocolError(-32602, "zone is closed", "The server says that the parameters are not valid."),
  );
  world.answer(call("run_aground", "{}"), result([text("The ship has run aground.")], { isError: true }));
  const tides = [1, 2, 3].map((day) => ({ day, kind: day % 2 ? "high" : "low", metres: day * 1.1 }));
  world.answer(
    call("read_tide_table", '{"days":3}'),
    result([text(JSON.stringify({ tides }))], { structured: { tides } }),
  );
  world.answer(call("show_chart", "{}"), mixed());
  world.finishWith(call("listen_for_ships", "{}"), { type: "cancelled" });
  world.finishWith(call("survey_buoys", '{"buoys":500}'), { type: "timed_out", hard: false });
  const long = Array.from({ length: 4000 }, (_, line) => `${line + 1}: wind ${(line * 7) % 12}, sight good`).join("\n");
  world.answer(call("read_logbook", '{"pages":2000}'), result([text(long)]));
}

/** A server at an address, connected, beside the demo server. */
function harbour(world: World, traits: Partial<Traits> = {}, network: Partial<NetworkDraft> = {}): FakeServer {
  const server = world.addServer(
    draft("Harbour office", address("https://harbour.example.com/mcp", network)),
    [...askingTools, ...demoTools],
    false,
    { ...plainTraits, ...traits },
  );
  world.connect(server, true);
  demo(world);
  return server;
}

/** A server at an address that wants a sign-in, beside the demo server. */
function guarded(world: World, traits: Partial<AuthTraits> = {}): { server: FakeServer; auth: FakeAuth } {
  const server = world.addServer(draft("Harbour office", address("https://harbour.example.com/mcp")), demoTools);
  const auth = (server.auth = new FakeAuth(world.channel, server.view.id, traits));
  return { server, auth };
}

/** The same with a token, and connected. */
function signedIn(world: World, traits: Partial<AuthTraits> = {}): { server: FakeServer; auth: FakeAuth } {
  const made = guarded(world, traits);
  made.auth.grantNow();
  world.connect(made.server, true);
  demo(world);
  return made;
}

/** The background stream of a server that has one. */
function listenerOf(server: FakeServer) {
  const { connection } = server;
  const stream = connection?.view.streams.find((each) => each.purpose !== "answer");
  if (!connection || !stream) throw new Error("the server has a background stream");
  return { connection, stream: stream.id };
}

/** Operations whose answers are damaged, unknown, late or no longer in the log. */
function oddities(world: World, server: FakeServer): void {
  const call = (tool: string) => world.newOperation(server, tool, '{"unit":"metres"}');
  world.finishWith(call("say_hello"), {
    type: "bad_shape",
    problem: "The result has no member “content”, which has to be an array.",
  });

  const rows = [
    { port: "Brest", depth: "eight" },
    { port: "Bergen", depth: 12.5 },
  ];
  const disagreeing = call("read_tide_table");
  world.answer(disagreeing, result([text("Two ports.")], { structured: { rows, unit: "metres", id: 1 } }));
  const { outcome } = disagreeing.view;
  if (outcome?.type === "result" && outcome.structured) {
    const problems = [
      {
        instancePath: "/rows/0/depth",
        schemaPath: "/x",
        keyword: "type",
        message: "“eight” is not a number.",
        missing: null,
      },
    ];
    world.update(disagreeing, { outcome: { ...outcome, structured: { ...outcome.structured, problems } } });
  }

  const hologram = new TextEncoder().encode('{"type":"hologram","frames":12}');
  const unknown: ContentView = {
    kind: "unknown",
    mime_type: null,
    bytes: hologram.length,
    text: '{"type":"hologram","frames":12}',
    uri: null,
    title: null,
    findings: [],
  };
  const damaged: ContentView = {
    ...unknown,
    kind: "image",
    text: null,
    mime_type: "image/png",
    findings: [finding("bad-base64", "`data` is not valid Base64: 1 of its characters are invalid.")],
  };
  const silent: ContentView = { ...unknown, kind: "audio", text: null, mime_type: "audio/x-morse" };
  const odd = call("show_chart");
  world.answer(odd, {
    outcome: {
      type: "result",
      is_error: false,
      content: [unknown, damaged, silent],
      structured: null,
      bytes: 211,
      findings: [finding("missing-content-member", "The member “content” has an entry without a type.")],
    },
    frame: (id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`,
    bodies: [hologram, hologram, hologram],
  });

  const dropped = call("run_aground");
  world.finishWith(dropped, { type: "timed_out", hard: true });
  world.update(dropped, { request_seq: 99_999, late: 2 });
  world.finishWith(call("sink"), {
    type: "lost",
    reason: "The server's process ended before it answered.",
    code: "connection_lost",
  });
}

const worlds: Readonly<Record<string, (world: World) => void>> = {
  /** The very first start. */
  first: (world) => {
    demo(world);
  },
  /** No server at all. */
  empty: () => undefined,
  /** Connected, nothing run yet. */
  connected: (world) => {
    world.connect(demo(world), true);
    company(world);
  },
  /** Connected, with a history. */
  history: (world) => {
    const server = demo(world);
    world.connect(server, true);
    history(world, server);
    company(world);
  },
  /** Results that are not as they should be. */
  odd: (world) => {
    const server = demo(world);
    world.connect(server, true);
    oddities(world, server);
  },
  /** Several operations at once. */
  busy: (world) => {
    const server = demo(world);
    world.connect(server, true);
    history(world, server);
    for (const [tool, given] of [
      ["survey_buoys", '{"buoys":40,"pause_ms":300}'],
      ["listen_for_ships", "{}"],
      ["stubborn_winch", "{}"],
    ] as const) {
      play(world, server, world.newOperation(server, tool, given));
    }
    const { remote } = company(world);
    world.connect(remote, true);
  },
  /** Connecting, and it stays so. */
  connecting: (world) => {
    const server = demo(world);
    server.stuckAt = 1;
    world.connect(server, true);
    world.stderr(server, "npm warn deprecated glob@7.2.3", "Downloading packages…");
    company(world);
  },
  /** Failed: command not found. */
  failed: (world) => {
    const server = world.addServer(
      draft("Weather", { type: "stdio", command: "mcp-weather", args: ["--units", "metric"], env: [], cwd: null }),
      plainTools,
      true,
    );
    server.failure = commandNotFound;
    world.connect(server, true);
    demo(world);
    company(world);
  },
  /** Failed: ended at once, with its last words. */
  exited: (world) => {
    const server = world.addServer(
      draft("My Python server", { type: "stdio", command: "python3", args: ["server.py"], env: [], cwd: "/home/ada" }),
      plainTools,
      true,
    );
    server.failure = exitedAtOnce;
    world.connect(server, true);
    demo(world);
  },
  /** Connected once; the process has ended since. */
  lost: (world) => {
    const server = demo(world);
    world.connect(server, true);
    history(world, server);
    world.newOperation(server, "survey_buoys", '{"buoys":40}');
    world.end(server, { ...exitedAtOnce, title: "The server's process ended." });
    company(world);
  },
  /** Disconnected in good order. */
  disconnected: (world) => {
    const server = demo(world);
    world.connect(server, true);
    history(world, server);
    world.end(server, null);
    company(world);
  },
  /** The list changed while connected. */
  changed: (world) => {
    const server = demo(world);
    world.connect(server, true);
    const [hello, ...others] = demoTools;
    world.list(server, [
      ...(hello ? [{ ...hello, description: "Greets you in another way." }] : []),
      ...others.slice(1),
      { name: "row_out", title: "Row out", description: "Takes the boat.", inputSchema: { type: "object" } },
      { name: "mend_nets", title: "Mend the nets", inputSchema: { type: "object" } },
    ]);
    company(world);
  },
  /** A server with ten thousand tools. */
  many: (world) => {
    const server = world.addServer(draft("Large catalogue", address("http://127.0.0.1:9000/mcp")), manyTools(10_000));
    world.connect(server, true);
    demo(world);
  },
  /** Problems wherever there can be some. */
  problems: (world) => {
    const { files } = company(world);
    files.view = { ...files.view, unsaved_secrets: ["env:API_KEY"], confirmed: true };
    world.connect(files, true);
    if (files.list) {
      files.list = {
        ...files.list,
        findings: [finding("duplicate-name", "Two tools are called “read_file”; the second is shown as read_file#2.")],
        finding_count: 1,
        error: "The tools could not be listed: no response in time.",
      };
    }
    demo(world);
    world.notice({
      level: "warning",
      server: null,
      code: "servers_file_damaged",
      title: "The server list was damaged. It was set aside and a new list was created.",
      detail: "servers.json.damaged-1: expected `,` or `}` at line 12 column 3",
    });
    world.notice({
      level: "error",
      server: files.view.id,
      code: "keyring_unavailable",
      title: "The keyring is locked: the secrets of “Files” are in memory only.",
      detail: null,
    });
    world.notice({
      level: "info",
      server: null,
      code: "crashed_before",
      title: "Sonde crashed last time.",
      detail: null,
    });
  },
  /** Many servers, several of them connected. */
  servers: (world) => {
    world.connect(demo(world), true);
    company(world);
    for (let index = 1; index <= 14; index++) {
      const server = world.addServer(
        draft(`Service ${index} with a rather long name`, address(`https://s${index}.example.com/mcp`)),
        plainTools,
      );
      if (index % 3 === 0) world.connect(server, true);
      if (index % 5 === 0) {
        server.failure = commandNotFound;
        world.connect(server, true);
      }
    }
  },
  /** A background stream that is open and has delivered something. */
  listening: (world) => {
    const server = harbour(world);
    const { connection, stream } = listenerOf(server);
    connection.eventIds(stream, 120);
    history(world, server);
  },
  /** The background stream broke; the server said when to come back. */
  waiting: (world) => {
    const { connection, stream } = listenerOf(harbour(world));
    connection.eventIds(stream, 3);
    connection.lose(stream, "The server closed the stream.", 30_000, "server", 2);
  },
  /** The same, with so short a pause that it is soon open again. */
  resuming: (world) => {
    const { connection, stream } = listenerOf(harbour(world));
    connection.lose(stream, "The connection was reset.", 1500, "backoff");
  },
  /** The server answers the background GET with 405. */
  silent: (world) => {
    harbour(world, { listener: "not_offered" });
  },
  /** The background stream was given up. */
  given_up: (world) => {
    const { connection, stream } = listenerOf(harbour(world));
    connection.lose(stream, "The server closed the stream.", 30_000, "server", 5);
    connection.giveUp(stream);
  },
  /** A server of the stateless way, one of whose operations needs an answer. */
  stateless: (world) => {
    const server = harbour(world, statelessTraits);
    play(world, server, world.newOperation(server, "hail_pilot", "{}"));
  },
  /** Questions of every kind, and an operation whose stream has closed. */
  serverRequests: (world) => {
    const server = harbour(world);
    play(world, server, world.newOperation(server, "consult_chart", "{}"));
    play(world, server, world.newOperation(server, "hail_pilot", "{}"));
    world.ask(server, {
      method: "sampling/createMessage",
      message: "The server requests a response from a language model.",
      params: { messages: [{ role: "user", content: { type: "text", text: "Name three harbours." } }], maxTokens: 100 },
      undeclared: true,
    });
  },
  /** A server request that sends the user to an address. */
  visit: (world) => {
    world.ask(harbour(world), {
      method: "elicitation/create",
      message: "The server asks you to open a URL: https://harbour.example.com/login.",
      params: { mode: "url", url: "https://harbour.example.com/login", message: "Log in." },
    });
  },
  /** Events without end. */
  flood: (world) => {
    const { connection, stream } = listenerOf(harbour(world));
    connection.eventIds(stream, 220);
    setInterval(() => connection.eventIds(stream, 3), 40);
  },
  /** Disturbed on purpose. */
  disturbed: (world) => {
    const { connection } = listenerOf(harbour(world));
    connection.fault({ type: "pause_reading", paused: true });
    connection.fault({ type: "delay_answers", millis: 5000 });
  },
  /** Connecting waits for the user to sign in. */
  sign_in: (world) => {
    world.connect(guarded(world).server);
    demo(world);
  },
  /** The same, and nobody finishes in the browser. */
  sign_in_waits: (world) => {
    world.connect(
      guarded(world, {
        user: "waits",
        warnings: ["The authorization server is at another place than the server: login.example.com."],
      }).server,
    );
    demo(world);
  },
  /** The same, and the browser's answer cannot be received. */
  sign_in_by_hand: (world) => {
    world.connect(guarded(world, { listening: false }).server);
    demo(world);
  },
  /** The user refuses in the browser. */
  sign_in_refused: (world) => {
    world.connect(guarded(world, { user: "refuses" }).server);
    demo(world);
  },
  /** The authorization server is not the one that was named. */
  issuer_mismatch: (world) => {
    world.connect(guarded(world, { problem: "issuer_mismatch" }).server);
    demo(world);
  },
  /** The authorization server does not advertise PKCE. */
  no_pkce: (world) => {
    world.connect(guarded(world, { problem: "no_pkce" }).server);
    demo(world);
  },
  /** A sign-in whose texts are as long and as odd as a server can make them. */
  sign_in_odd: (world) => {
    const { server, auth } = guarded(world);
    world.connect(server);
    setTimeout(() => {
      const { prompt } = auth.view;
      if (!prompt) return;
      const scopes = Array.from(
        { length: 40 },
        (_, index) => `https://api.example.com/auth/${"very.".repeat(index % 7)}scope-${index}`,
      );
      auth.change({
        problem: {
          code: "extra_scopes",
          title: "The server asks for more scopes than it says it knows.",
          cause: "",
          advice: ["Look at the scopes before you go on."],
          detail: "x".repeat(600),
          spec: null,
        },
        prompt: {
          ...prompt,
          reason: `It wants ${"everything".repeat(30)}, <b>now</b> \u202eesrever`,
          issuer: `https://login.${"deep.".repeat(24)}example.com/a`,
          client_id: `https://${"client.".repeat(20)}example.com/metadata.json`,
          scopes,
          new_scopes: scopes.slice(30),
          url: `${prompt.url}&padding=${"0123456789".repeat(500)}`,
          warnings: ["The address is remarkably long.", "The sign-in page is on a different host than the issuer."],
        },
      });
    }, 1500);
    demo(world);
  },
  /** A server whose token stands in its settings, and one that is never signed in to. */
  fixed_token: (world) => {
    const transport = address("https://harbour.example.com/mcp");
    if (transport.type !== "http") return;
    world.addServer(
      draft("Harbour office", { ...transport, auth: { type: "token", token: { type: "keep" } } }),
      demoTools,
    );
    world.addServer(draft("Lighthouse", { ...transport, auth: { type: "off" } }), demoTools);
  },
  /** Signed in and connected. */
  signed_in: (world) => {
    signedIn(world);
  },
  /** Signed in with a token that nothing renews, that is in memory only and expires soon. */
  signed_in_briefly: (world) => {
    signedIn(world, { kept: "memory", lifetime: 40_000, refreshable: false, revocable: false });
  },
  /** Signed in; an operation needs one scope more. */
  step_up: (world) => {
    const { server, auth } = signedIn(world);
    const operation = world.newOperation(server, "say_hello", '{"name":"Ada"}');
    world.update(operation, { state: "signing_in", token_waits: 1, deadline: null });
    auth.stepUp(
      "ships:steer",
      () => {
        world.update(operation, { state: "running" });
        play(world, server, operation);
      },
      ({ title }) => world.finishWith(operation, { type: "lost", reason: title, code: "http_status" }),
    );
  },
  /** Signed in, with so many steps that the oldest go. */
  many_refreshes: (world) => {
    const { auth } = signedIn(world);
    for (let index = 0; index < 90; index++) auth.step(refreshStep);
    setInterval(() => auth.step(refreshStep), 150);
  },
  /** A keyring with secrets of every kind. */
  secrets: (world) => {
    const { files, remote } = company(world);
    world.keyring = { kind: "open", secrets: manySecrets(files.view.id, remote.view.id) };
  },
  /** No keyring: the same in memory, until it is tried again twice. */
  secrets_in_memory: (world) => {
    const { files, remote } = company(world);
    world.keyring = {
      kind: "shut",
      secrets: manySecrets(files.view.id, remote.view.id).map((secret) => ({ ...secret, kept: "memory" })),
    };
  },
  /** No keyring, and nothing to keep in it. */
  secrets_no_keyring: (world) => {
    demo(world);
    world.keyring = { kind: "shut", secrets: [] };
  },
  /** The keyring cannot be read at first. */
  secrets_unreadable: (world) => {
    const { files, remote } = company(world);
    world.keyring = { kind: "unreadable", secrets: manySecrets(files.view.id, remote.view.id) };
  },
  /** The keyring does not answer. */
  secrets_slow: (world) => {
    demo(world);
    world.keyring = { kind: "slow", secrets: [] };
  },
  /** Connected without looking at the certificate. */
  any_certificate: (world) => {
    harbour(
      world,
      { warnings: ["Any certificate is accepted: anyone on the network path can read and change the traffic."] },
      { accept_any_certificate: true },
    );
  },
};

export function build(scenario: string): World {
  const world = new World();
  (worlds[scenario] ?? worlds["first"])?.(world);
  return world;
}
