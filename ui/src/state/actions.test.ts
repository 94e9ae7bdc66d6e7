import { beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError, type Backend, type CommandArgs } from "../ipc/backend";
import type { Batch, IpcError, ServerView } from "../ipc/bindings";
import { address, plainDraft } from "../ipc/drafts";
import { fakeBackend } from "../ipc/fake";
import { fromText, toText } from "../schema/document";
import { draftActions } from "./actions/drafts";
import { issueActions } from "./actions/issues";
import { operationActions } from "./actions/operations";
import { serverRequestActions } from "./actions/serverRequests";
import { signInActions } from "./actions/signingIn";
import { wireActions } from "./actions/wire";
import type { App } from "./app";
import { issueCount, issuesOf } from "./issues";
import { draftKey } from "./view";
import { issuesSlice } from "./slices/issues";
import { itemsSlice } from "./slices/items";
import { signInSlice } from "./slices/signIn";
import { wireSlice } from "./slices/wire";
import { sliceOf } from "./slices/slice";
import { answering, openApp, settle } from "./testing/openApp";
import { keptTextActions } from "./keptTexts";

const schema = '{"type":"object","properties":{"name":{"type":"string"}}}';

/** Types a text into the form of a tool. */
function type(app: App, server: string, tool: string, text: string): void {
  const draft = app.store.getState().view.drafts[draftKey(server, tool)] ?? expect.fail("the draft is open");
  app.actions.get(draftActions).changeDraft(server, tool, fromText(draft.document, text));
}

const draftText = (app: App, server: string, tool: string): string | undefined => {
  const draft = app.store.getState().view.drafts[draftKey(server, tool)];
  return draft && toText(draft.document);
};

beforeEach(() => {
  vi.useFakeTimers();
});

describe("drafts", () => {
  it("are handed to the host once the typing stops", async () => {
    const { app, server, named } = await openApp("connected");
    await app.actions.get(draftActions).openDraft(server, "say_hello", schema);
    for (const text of ['{"name":"A"}', '{"name":"Ad"}', '{"name":"Ada"}']) {
      type(app, server, "say_hello", text);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(named("save_draft")).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(named("save_draft")).toEqual([
      { server, method: "tools/call", target: "say_hello", text: '{"name":"Ada"}', private: false },
    ]);
  });

  it("are handed over at once when the window goes, and only once", async () => {
    const { app, server, named } = await openApp("connected");
    await app.actions.get(draftActions).openDraft(server, "say_hello", schema);
    type(app, server, "say_hello", '{"name":"A"}');
    void app.actions.saveTyped();
    void app.actions.saveTyped();
    await vi.advanceTimersByTimeAsync(1000);
    expect(named("save_draft")).toHaveLength(1);
  });

  it("are with the host before a window that is to close hears that it may", async () => {
    const host = fakeBackend("connected");
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    let send: (batch: Batch) => void = () => undefined;
    const subscribe: Backend["subscribe"] = (onBatch) => host.subscribe((send = onBatch));
    const { app, server, live, named } = await openApp(answering({ ...host, subscribe }, { save_draft: () => held }));
    await app.actions.get(draftActions).openDraft(server, "say_hello", schema);
    type(app, server, "say_hello", '{"name":"A"}');
    app.actions.get(keptTextActions).changeText(server, { type: "request" }, "{}");
    // As when the window loses the focus before it closes.
    void app.actions.saveTyped();
    send({ type: "events", number: live().number + 1, events: [{ type: "closing" }] });
    await vi.advanceTimersByTimeAsync(10);
    expect([named("save_draft").length, named("ready_to_close").length]).toEqual([2, 0]);
    release();
    await vi.advanceTimersByTimeAsync(10);
    expect(named("ready_to_close")).toHaveLength(1);
  });

  it("of a tool with a password are marked as private", async () => {
    const { app, server, named } = await openApp("connected");
    const secret = '{"type":"object","properties":{"pin":{"type":"string","format":"password"}}}';
    await app.actions.get(draftActions).openDraft(server, "radio_login", secret);
    type(app, server, "radio_login", '{"pin":"1"}');
    await vi.advanceTimersByTimeAsync(1000);
    expect(named("save_draft")).toEqual([
      { server, method: "tools/call", target: "radio_login", text: '{"pin":"1"}', private: true },
    ]);
  });

  it("come back with every digit, and follow a changed schema", async () => {
    const { app, server } = await openApp("connected");
    const text = '{"name":"x","big":9007199254740993,"kept":1.0}';
    await app.backend.call("save_draft", { server, method: "tools/call", target: "say_hello", text, private: false });
    await app.actions.get(draftActions).openDraft(server, "say_hello", schema);
    expect(draftText(app, server, "say_hello")).toBe(text);
    await app.actions.get(draftActions).openDraft(server, "say_hello", '{"type":"object","properties":{}}');
    expect(draftText(app, server, "say_hello")).toBe(text);
  });

  it("take over the arguments of a run", async () => {
    const { app, view, server } = await openApp("history");
    expect(await app.actions.get(draftActions).restoreArguments(server, "say_hello", '{"name":"Grace"}')).toBe(true);
    expect(sliceOf(view().perServer[server], itemsSlice).tool).toBe("say_hello");
    expect(draftText(app, server, "say_hello")).toBe('{"name":"Grace"}');
    expect(await app.actions.get(draftActions).restoreArguments(server, "gone", "{}")).toBe(false);
  });
});

describe("the name of a run", () => {
  it("changes without its note, of which the window may hold the beginning alone", async () => {
    const { app, server, named } = await openApp("history");
    const run = app.store.getState().live.operationOrder[server]?.[0] ?? -1;
    const view = () => app.store.getState().live.operations[run];
    const note = "n".repeat(9_000);
    await app.actions.get(operationActions).labelRun(run, { note });
    await settle();
    expect([view()?.cut, view()?.label.note?.length]).toEqual([true, 257]);
    await app.actions.get(operationActions).labelRun(run, { pinned: true });
    expect(named("label_operation").at(-1)).toEqual({ operation: run, label: { name: null, note, pinned: true } });
  });

  it("is given, and comes back when it was replaced", async () => {
    const { app, server, offers } = await openApp("history");
    const { live } = app.store.getState();
    const run = live.operationOrder[server]?.[0] ?? -1;
    const label = () => app.store.getState().live.operations[run]?.label;
    expect(await app.actions.get(operationActions).labelRun(run, { name: "First" })).toBe(true);
    await settle();
    expect(offers).toEqual([]);
    await app.actions.get(operationActions).labelRun(run, { name: "Second", pinned: true });
    await settle();
    expect(label()).toEqual({ name: "Second", note: null, pinned: true });
    offers.at(-1)?.undo();
    await settle();
    expect(label()).toEqual({ name: "First", note: null, pinned: false });
    expect(await app.actions.get(operationActions).labelRun(-1, { name: "Nobody" })).toBe(false);
  });
});

describe("what is deleted or replaced", () => {
  it("comes back whole and in its order", async () => {
    const { app, view, server, offers } = await openApp("history");
    const live = () => app.store.getState().live;
    const runs = live().operationOrder[server] ?? [];
    const gone = runs.filter((_, place) => place % 2 === 0);
    const before = live().operations;
    await app.actions.get(operationActions).deleteRuns(server, gone);
    await settle();
    expect(live().operationOrder[server]).toEqual(runs.filter((run) => !gone.includes(run)));
    expect(offers.at(-1)?.title).toBe(`${gone.length} runs deleted`);
    offers.at(-1)?.undo();
    await settle();
    expect(live().operationOrder[server]).toEqual(runs);
    expect(live().operations).toEqual(before);

    const order = live().order;
    await app.actions.removeServer(server);
    await settle();
    expect(live().order).toEqual(order.filter((other) => other !== server));
    offers.at(-1)?.undo();
    await settle();
    expect(live().order).toEqual(order);
    expect(view().server).toBe(server);
  });

  it("in the configuration of a server comes back", async () => {
    const { app, server, offers } = await openApp("connected");
    const config = () => app.store.getState().live.servers[server]?.config;
    const former = config() ?? expect.fail("the server is there");
    await app.actions.saveServer(server, former);
    // Nothing changed, so nothing can be undone.
    expect(offers).toEqual([]);
    await app.actions.saveServer(server, { ...former, name: "Other" });
    await settle();
    expect([config()?.name, offers.at(-1)?.title]).toEqual(["Other", "Changes to “Other” saved"]);
    offers.at(-1)?.undo();
    await settle();
    expect(config()?.name).toBe(former.name);
  });

  it("by splitting a command comes back", async () => {
    const { app, server, offers } = await openApp("connected");
    const config = () => app.store.getState().live.servers[server]?.config;
    const words = () => {
      const transport = config()?.transport;
      return transport?.type === "stdio" ? [transport.command, ...transport.args] : [];
    };
    const former = config() ?? expect.fail("the server is there");
    const command = "my-server --port 1";
    const transport = { type: "stdio" as const, command, args: ["--last"], env: [], cwd: null };
    await app.actions.saveServer(server, { ...former, transport });
    await settle();
    await app.actions.splitCommandOf(server, ["my-server", "--port", "1"]);
    await settle();
    expect(words()).toEqual(["my-server", "--port", "1", "--last"]);
    offers.at(-1)?.undo();
    await settle();
    expect(words()).toEqual([command, "--last"]);
  });

  it("is named, a run by its own name where it has one", async () => {
    const { app, server, offers } = await openApp("history");
    const { operationOrder, operations } = app.store.getState().live;
    const [one = -1, other = -1] = operationOrder[server] ?? [];
    await app.actions.get(operationActions).labelRun(one, { name: "Spring tides" });
    await settle();
    await app.actions.get(operationActions).deleteRuns(server, [one]);
    await app.actions.get(operationActions).deleteRuns(server, [other]);
    const titles = offers.map(({ title }) => title);
    expect(titles).toEqual(["Run “Spring tides” deleted", `Run of “${operations[other]?.title ?? ""}” deleted`]);
  });

  it("offers nothing when nothing happened, and frees what was kept when the time is over", async () => {
    const { app, server, offers, named } = await openApp("history");
    const runs = app.store.getState().live.operationOrder[server] ?? [];
    await app.actions.get(operationActions).deleteRuns(server, runs);
    await app.actions.get(operationActions).deleteRuns(server, runs);
    expect(offers).toHaveLength(1);
    offers[0]?.over?.();
    expect(named("forget_deletion")).toEqual([{ deletion: 1 }]);
  });

  it("in a form comes back step by step, and what was typed since is not lost", async () => {
    const { app, server, offers } = await openApp("history");
    const text = () => draftText(app, server, "say_hello");
    const typed = (words: string): void => type(app, server, "say_hello", words);
    const undo = () => app.actions.get(draftActions).undoReplacement(server, "say_hello");
    const { input_schema } = await app.backend.call("tool_detail", { server, key: "say_hello" });
    await app.actions.get(draftActions).openDraft(server, "say_hello", input_schema ?? "{}");
    const empty = text();
    await app.actions.get(draftActions).restoreArguments(server, "say_hello", '{"name":"Grace"}');
    expect(offers, "nothing was typed").toHaveLength(0);
    typed('{"name":"Ida"}');
    expect(undo(), "typing is the field's own to undo").toBe(false);
    app.actions.get(draftActions).resetDraft(server, "say_hello");
    await app.actions.get(draftActions).restoreArguments(server, "say_hello", '{"name":"Alan"}');
    expect(offers.map(({ title }) => title)).toEqual(["Form reset"]);
    expect(undo()).toBe(true);
    expect(text()).toBe(empty);
    expect(undo()).toBe(true);
    expect(offers[0]?.closed()).toBe(true);
    expect(text()).toBe('{"name":"Ida"}');
    expect(undo()).toBe(false);

    await app.actions.get(draftActions).restoreArguments(server, "say_hello", '{"name":"Alan"}');
    typed('{"name":"Alan T"}');
    offers[1]?.undo();
    expect(text()).toBe('{"name":"Ida"}');
    offers[2]?.undo();
    expect(text()).toBe('{"name":"Alan T"}');
    await vi.advanceTimersByTimeAsync(1000);
    const kept = await app.backend.call("load_draft", { server, method: "tools/call", target: "say_hello" });
    expect(kept).toBe('{"name":"Alan T"}');
  });

  it("in a form that was not open yet is what was kept of it", async () => {
    const { app, server, offers } = await openApp("history");
    const draft = { server, method: "tools/call", target: "say_hello", text: '{"name":"kept"}', private: false };
    await app.backend.call("save_draft", draft);
    await app.actions.get(draftActions).restoreArguments(server, "say_hello", '{"name":"Alan"}');
    offers[0]?.undo();
    expect(draftText(app, server, "say_hello")).toBe('{"name":"kept"}');
  });
});

describe("what the wire log is limited to", () => {
  it("goes when it is left", async () => {
    const { app, server, view } = await openApp("issues");
    const limits = () => {
      const { issuesOnly, operation, rule } = sliceOf(view().perServer[server], wireSlice);
      return [issuesOnly, operation, rule];
    };
    app.actions.get(issueActions).showFramesOfRule(server, "remarkable");
    expect(limits()).toEqual([true, null, "remarkable"]);
    app.actions.get(wireActions).showLogEntry(server, 1, { operation: 1 });
    expect(limits()).toEqual([true, 1, "remarkable"]);
    app.actions.selectTab(server, "tools");
    expect(limits()).toEqual([false, null, null]);
  });
});

describe("issues", () => {
  it("are muted with a reason for the server, and count again after undo", async () => {
    const { app, server, offers } = await openApp("issues");
    const counts = () => issuesOf(app.store.getState().live, server);
    expect([issueCount(counts()), counts().muted]).toEqual([8, 0]);
    await app.actions.get(issueActions).muteRule(server, "remarkable", "They are known.", null);
    await settle();
    expect([issueCount(counts()), counts().muted]).toEqual([4, 4]);
    const shown = () => sliceOf(app.store.getState().view.perServer[server], issuesSlice).filter.muted;
    app.actions.get(issueActions).showIssues(server, "another-rule");
    expect(shown()).toBe(false);
    // Muted cases are hidden, so the list is shown with muted ones.
    app.actions.get(issueActions).showIssues(server, "remarkable");
    expect(shown()).toBe(true);
    offers.at(-1)?.undo();
    await settle();
    expect([issueCount(counts()), counts().muted]).toEqual([8, 0]);
  });

  it("keep the reason that was typed until their rule is muted, and offer only the newest to be undone", async () => {
    const { app, server, offers, view } = await openApp("issues");
    const typed = () => sliceOf(view().perServer[server], issuesSlice).muteReasons;
    app.actions.get(issueActions).setMuteReason(server, "remarkable", "They are");
    app.actions.get(issueActions).setMuteReason(server, "another-rule", "Unknown");
    expect(typed()).toEqual({ remarkable: "They are", "another-rule": "Unknown" });
    expect(await app.actions.get(issueActions).muteRule("gone", "remarkable", "They are", null)).toBe(false);
    expect(typed()).toHaveProperty("remarkable");
    expect(await app.actions.get(issueActions).muteRule(server, "remarkable", "They are", null)).toBe(true);
    expect(typed()).toEqual({ "another-rule": "Unknown" });
    expect(offers.map(({ closed }) => closed())).toEqual([false]);
    await app.actions.get(issueActions).unmuteRule(server, "remarkable", "They are");
    expect(offers.map(({ closed }) => closed())).toEqual([true, false]);
  });

  it("lead to what has them, and a mark there leads back", async () => {
    const { app, server, view } = await openApp("issues");
    const ui = () => view().perServer[server];
    const issues = () => sliceOf(ui(), issuesSlice);
    const items = () => sliceOf(ui(), itemsSlice);
    app.actions.get(issueActions).showIssueSubject(server, { type: "frame", seq: 3, method: null, stored: true }, null);
    expect([ui()?.tab, sliceOf(ui(), wireSlice).target, issues().place]).toEqual(["wire", 3, null]);
    app.actions.get(issueActions).showIssueSubject(server, { type: "item", kind: "tools", key: "chart" }, "/name");
    expect([ui()?.tab, items().tool]).toEqual(["tools", "chart"]);
    expect(issues().place).toEqual({ subject: "item tools chart", pointer: "/name" });
    app.actions
      .get(issueActions)
      .showIssueSubject(server, { type: "list", kind: "resource_templates" }, "header mcp-session-id");
    expect([ui()?.tab, items().resourceKind]).toEqual(["resources", "resource_templates"]);
    // A location that is not a place in JSON is dropped.
    expect(issues().place).toBe(null);
    app.actions
      .get(issueActions)
      .showIssueSubject(server, { type: "frame", seq: 3, method: null, stored: true }, "/params");
    expect(issues().place?.pointer).toBe("/params");
    app.actions.get(issueActions).showIssues(server, "remarkable", "frame 3");
    expect([ui()?.tab, issues().selected, issues().subject, issues().open]).toEqual([
      "issues",
      { rule: "remarkable", case: null, location: null },
      "frame 3",
      ["remarkable"],
    ]);
    app.actions.get(issueActions).leaveIssuePlace(server, "frame 4");
    expect(issues().place?.pointer).toBe("/params");
    app.actions.get(issueActions).leaveIssuePlace(server, "frame 3");
    expect(issues().place).toBe(null);
  });
});

describe("answers", () => {
  it("are kept while the request is open, and forgotten with it", async () => {
    const { app, view, named } = await openApp("serverRequests");
    const [request] = Object.values(app.store.getState().live.serverRequests).filter(({ schema }) => schema !== null);
    if (!request) throw new Error("a form is asked");
    app.actions.get(serverRequestActions).openAnswer(request);
    const begun = view().answers[request.request]?.document ?? expect.fail("the request is a form");
    app.actions
      .get(serverRequestActions)
      .changeAnswer(request.request, { document: fromText(begun, '{"ship":"Beagle"}') });
    app.actions.get(serverRequestActions).openAnswer(request);
    app.actions.selectServerAt(1);
    const kept = view().answers[request.request]?.document;
    expect(kept && toText(kept)).toBe('{"ship":"Beagle"}');
    const answer = { type: "accept", content: '{"ship":"Beagle"}' } as const;
    expect(await app.actions.get(serverRequestActions).answerServerRequest(request, answer)).toBe(true);
    expect(named("answer_server_request")).toEqual([{ request: request.request, answer }]);
    await settle();
    expect(view().answers).toEqual({});
    expect(await app.actions.get(serverRequestActions).answerServerRequest(request, answer)).toBe(false);
    expect(view().localNotices).toHaveLength(1);
  });
});

describe("disturbances", () => {
  it("say whether they were done", async () => {
    const { app, server } = await openApp("listening");
    expect(await app.actions.injectFault(server, { type: "pause_reading", paused: true })).toBe(true);
    await settle();
    expect(app.store.getState().live.connections[server]?.paused).toBe(true);
    await app.actions.command("disconnect", { server });
    await vi.advanceTimersByTimeAsync(500);
    expect(await app.actions.injectFault(server, { type: "kill" })).toBe(false);
  });
});

describe("signing in", () => {
  it("keeps the pasted address until it was taken", async () => {
    const { app, view, server } = await openApp("sign_in_waits");
    await vi.advanceTimersByTimeAsync(3000);
    const auth = () => app.store.getState().live.auth[server];
    const attempt = auth()?.prompt?.attempt ?? 0;
    const address = "http://127.0.0.1:43119/callback?code=1";
    app.actions.get(signInActions).setRedirect(server, auth()?.prompt?.url ?? "", address.slice(0, -7));
    expect(await app.actions.get(signInActions).pasteRedirect(server, attempt, address.slice(0, -7))).toBe(
      "There is no code in this URL. Copy all of it. It has neither `code` nor `error`.",
    );
    expect(sliceOf(view().perServer[server], signInSlice).redirect?.text).toBe(address.slice(0, -7));
    expect(view().localNotices).toEqual([]);
    expect(await app.actions.get(signInActions).pasteRedirect(server, attempt, address)).toBeNull();
    expect(sliceOf(view().perServer[server], signInSlice).redirect).toBeNull();
    await vi.advanceTimersByTimeAsync(3000);
    expect(auth()?.state).toBe("signed_in");
  });

  it("is shown where the card is, and unfolded", async () => {
    const { app, view, server } = await openApp("step_up");
    const signIn = app.store.getState().live.auth[server]?.prompt?.url ?? "";
    app.actions.get(signInActions).foldSignIn(server, signIn);
    app.actions.get(signInActions).showSignIn(server);
    expect(view()).toMatchObject({
      signInFocus: server,
      perServer: { [server]: { slices: { sign_in: { folded: null } } } },
    });
    app.actions.get(signInActions).signInFocused(server, signIn);
    expect(view()).toMatchObject({
      signInFocus: null,
      perServer: { [server]: { slices: { sign_in: { seen: signIn } } } },
    });
  });

  it("has a tab for when nothing waits for the user", async () => {
    const { app, view, server } = await openApp("signed_in");
    app.actions.get(signInActions).showSignIn(server);
    expect(view().signInFocus).toBeNull();
    expect(view().perServer[server]?.tab).toBe("sign_in");
  });
});

describe("forbidden tools", () => {
  it("are called only when that is meant", async () => {
    const { app, server, named } = await openApp("listening");
    expect(await app.actions.get(operationActions).run(server, "signal_fleet", "{}")).toBeUndefined();
    expect(await app.actions.get(operationActions).run(server, "signal_fleet", "{}", true)).toBeDefined();
    expect(named("start_operation").at(-1)).toEqual({
      server,
      operation: { method: "tools/call", target: "signal_fleet", arguments: "{}", params: null, force: true },
    });
  });
});

describe("resources", () => {
  it("that a link leads to are shown where the list has them, else by their URI, and are read", async () => {
    const { app, view, server, named } = await openApp("resources");
    const shown = () => sliceOf(view().perServer[server], itemsSlice).resource;
    await app.actions.get(operationActions).openUri(server, "station://barograph");
    expect(shown()).toEqual({ type: "item", kind: "resources", key: "station://barograph" });
    await app.actions.get(operationActions).openUri(server, "station://nowhere");
    expect(shown()).toEqual({ type: "uri", uri: "station://nowhere" });
    const detail = await app.backend.call("resource_detail", {
      server,
      kind: "resources",
      key: "station://barograph",
    });
    const lookup = vi.spyOn(app.backend, "call").mockResolvedValueOnce(detail);
    await app.actions.get(operationActions).openUri(server, "station://barograph#2");
    expect(shown()).toEqual({ type: "uri", uri: "station://barograph#2" });
    lookup.mockRestore();
    expect(named("start_operation")).toMatchObject([
      { server, operation: { method: "resources/read", target: "station://barograph" } },
      { server, operation: { method: "resources/read", target: "station://nowhere" } },
      { server, operation: { method: "resources/read", target: "station://barograph#2" } },
    ]);
  });

  it("get the values back that were typed into their template at an earlier start", async () => {
    const host = fakeBackend("resources");
    const { app, server } = await openApp(host);
    app.actions.get(draftActions).setTemplateValue(server, "station://tides/{port}", "port", "oslo");
    await app.actions.saveTyped();
    const { app: next } = await openApp(answering(host, { kept_view: () => null }));
    await next.actions.get(draftActions).openTemplate(server, "station://tides/{port}");
    expect(sliceOf(next.store.getState().view.perServer[server], itemsSlice).templateValues).toEqual({
      "station://tides/{port}": { port: "oslo" },
    });
  });
});

/** Imports three servers with commands; `question` returns the one that is asked about, and those that follow. */
async function importCommands() {
  const opened = await openApp("connected");
  const text = JSON.stringify({ mcpServers: { a: { command: "a" }, b: { command: "b" }, c: { command: "c" } } });
  const added = await opened.app.actions.importServers(
    text,
    [0, 1, 2].map((index) => ({ index, name: null })),
  );
  await settle();
  const question = () => {
    const { panel, commandQueue } = opened.view();
    return panel?.type === "confirm_command" ? [panel.server, ...commandQueue] : commandQueue;
  };
  return { ...opened, added, question };
}

describe("connecting", () => {
  it("does not ask for inputs that were saved a moment ago, before that was told", async () => {
    const { app, view, server, named } = await openApp("connected");
    const { live } = app.store.getState();
    const stale = { ...live.servers[server], missing_inputs: ["harbour"] } as ServerView;
    app.store.setState({ live: { ...live, servers: { ...live.servers, [server]: stale } } });
    await app.actions.connect(server);
    expect(named("connect")).toEqual([{ server, confirm: null }]);
    expect(view().panel).toBeNull();
  });

  it("shows the command first where it was not confirmed, and hands its fingerprint back", async () => {
    const { app, view, named } = await openApp("connected");
    const files = app.store.getState().live.order[1] ?? "";
    await app.actions.connect(files);
    expect(view().panel).toEqual({ type: "confirm_command", server: files, how: "connect" });
    expect(named("connect")).toEqual([{ server: files, confirm: null }]);
    expect(app.store.getState().live.sessions[files]?.phase ?? "idle").toBe("idle");
    await app.actions.connectConfirmed(files, "fingerprint");
    expect(named("connect")).toEqual([
      { server: files, confirm: null },
      { server: files, confirm: "fingerprint" },
    ]);
    expect(view().panel).toBeNull();
  });

  it("connects several a few at a time, each whatever becomes of the others", async () => {
    const host = fakeBackend("connected");
    const error = new BackendError({ code: "internal", message: "It cannot be connected." } as IpcError);
    const connect = (args: CommandArgs<"connect">) =>
      named("connect").length === 2 ? Promise.reject(error) : host.call("connect", args);
    const { app, named } = await openApp(answering(host, { connect }));
    const names = ["a", "b", "c", "d", "e", "f"];
    const text = JSON.stringify({
      mcpServers: Object.fromEntries(names.map((name) => [name, { url: `https://${name}.example.com/mcp` }])),
    });
    const added = await app.actions.importServers(
      text,
      names.map((_, index) => ({ index, name: null })),
    );
    const all = app.actions.connectAll(added);
    await settle();
    // The second server failed at once, so the fifth one could start.
    expect(named("connect")).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(10_000);
    await all;
    const { sessions } = app.store.getState().live;
    expect(added.map((server) => sessions[server]?.phase ?? "idle")).toEqual([
      "ready",
      "idle",
      "ready",
      "ready",
      "ready",
      "ready",
    ]);
  });

  it("asks about the commands of several one after the other, and skips one", async () => {
    const { app, question, named, added } = await importCommands();
    const [a = "", b, c = ""] = added;
    await app.actions.connectAll(added);
    expect(question()).toEqual([a, b, c]);
    // As a presentation does, whose questions are no panels.
    const [shown = ""] = app.store.getState().live.order;
    await app.actions.connectConfirmed(shown, "fingerprint");
    expect(question()).toEqual([a, b, c]);
    await app.actions.connectConfirmed(a, "fingerprint");
    expect(question()).toEqual([b, c]);
    app.actions.skipCommand();
    expect(question()).toEqual([c]);
    await app.actions.connectConfirmed(c, "fingerprint");
    expect(question()).toEqual([]);
    const confirmed = named("connect").filter((args) => (args as { confirm: unknown }).confirm !== null);
    expect(confirmed).toEqual([shown, a, c].map((server) => ({ server, confirm: "fingerprint" })));
  });

  it("keeps the questions that wait while another panel is open, until they are cancelled", async () => {
    const { app, view, question, added } = await importCommands();
    const [a = "", b, c] = added;
    app.actions.openHelp();
    await app.actions.connectAll(added);
    expect(view().panel?.type).toBe("help");
    app.actions.closePanel();
    expect(question()).toEqual([a, b, c]);
    app.actions.openHelp();
    app.actions.closePanel();
    expect(question()).toEqual([a, b, c]);
    app.actions.openPanel({ type: "edit_server", server: a });
    app.actions.closePanel();
    expect(question()).toEqual([b, c]);
    app.actions.closePanel();
    expect(question()).toEqual([]);
  });

  it("leaves all questions for a server", async () => {
    const { app, view, added } = await importCommands();
    const [, b = "", c = ""] = added;
    for (const go of [() => app.actions.selectServer(c), () => app.actions.showBeside(b)]) {
      // oxlint-disable-next-line no-await-in-loop
      await app.actions.connectAll(added);
      go();
      expect(view()).toMatchObject({ server: c, panel: null, commandQueue: [] });
    }
  });

  it("does not ask again about a command that was confirmed meanwhile", async () => {
    const { app, question, added } = await importCommands();
    const [a = "", b = "", c] = added;
    await app.actions.connectAll(added);
    app.actions.openHelp();
    await app.actions.connect(b);
    expect(question()).toEqual([b, a, c]);
    await app.actions.connectConfirmed(b, "fingerprint");
    expect(question()).toEqual([a, c]);
    // A check asks without the queue.
    app.actions.openHelp();
    app.actions.openPanel({ type: "confirm_command", server: a, how: "connect" });
    await app.actions.connectConfirmed(a, "fingerprint");
    expect(question()).toEqual([c]);
  });

  it("forgets the question of a single connect that another panel replaces", async () => {
    const { app, view, added } = await importCommands();
    const [a = "", b = ""] = added;
    await app.actions.connect(a);
    app.actions.openPanel({ type: "settings" });
    app.actions.selectServer(b);
    expect(view()).toMatchObject({ server: b, panel: null, commandQueue: [] });
  });

  it("does not ask about the command of a removed server", async () => {
    const { app, question, added } = await importCommands();
    const [a = "", b, c = ""] = added;
    await app.actions.connectAll(added);
    await app.actions.removeServer(c);
    await settle();
    expect(question()).toEqual([a, b]);
    await app.actions.removeServer(a);
    await settle();
    expect(question()).toEqual([b]);
  });

  it("leaves the panel alone from which a presentation was begun", async () => {
    const { app, view } = await openApp("connected");
    const files = app.store.getState().live.order[1] ?? "";
    app.actions.openPanel({ type: "presentations" });
    await app.actions.connectConfirmed(files, "fingerprint");
    expect(view().panel).toEqual({ type: "presentations" });
  });
});

describe("settings", () => {
  it("that are changed one after the other do not undo each other", async () => {
    const { app, named } = await openApp("connected");
    const other = app.store.getState().live.order[1] ?? "";
    const theme = app.actions.updateSettings({ theme: "dark" });
    app.actions.selectServer(other);
    await theme;
    expect(named("update_settings").at(-1)).toMatchObject({ settings: { theme: "dark", selected_server: other } });
    await settle();
    expect(app.store.getState().live.settings).toMatchObject({ theme: "dark", selected_server: other });
  });

  it("build on those sent last, also while an earlier change is confirmed, and are sent one after the other", async () => {
    const host = fakeBackend("connected");
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    const { app, named } = await openApp(
      answering(host, {
        update_settings: async (args: CommandArgs<"update_settings">) => {
          await held;
          return host.call("update_settings", args);
        },
      }),
    );
    const { live } = app.store.getState();
    const zooms = [app.actions.zoom(1), app.actions.zoom(1)];
    app.store.setState({ live: { ...live, settings: { ...live.settings, zoom: 110 } } });
    zooms.push(app.actions.zoom(-1));
    await settle();
    expect(named("update_settings")).toMatchObject([{ settings: { zoom: 110 } }]);
    release();
    await Promise.all(zooms);
    expect(named("update_settings")).toMatchObject([110, 125, 110].map((zoom) => ({ settings: { zoom } })));
  });
});

describe("panes", () => {
  it("keep their sizes, forget one that is reset, and show a collapsed list to search in it", async () => {
    const { app, named } = await openApp("connected");
    const sizes = () => app.store.getState().live.settings.pane_sizes;
    app.actions.setPaneSize("runs", 40);
    app.actions.setPaneSize("tools", 0);
    await settle();
    expect(sizes()).toEqual({ runs: 40, tools: 0 });
    const sent = named("update_settings").length;
    app.actions.setPaneSize("runs", 40);
    expect(named("update_settings")).toHaveLength(sent);
    app.actions.setPaneSize("runs", null);
    app.actions.focusSearch(app.store.getState().view.server ?? "");
    await settle();
    expect(sizes()).toEqual({});
  });

  it("that fill the view make room for what is asked for", async () => {
    const { app, view, server } = await openApp("connected");
    const maximized = () => view().perServer[server]?.maximized;
    app.actions.maximize(server, "list");
    app.actions.focusForm(server, "say_hello");
    expect(maximized()).toBeNull();
    app.actions.maximize(server, "form");
    await app.actions.get(operationActions).run(server, "say_hello", "{}");
    expect(maximized()).toBeNull();
    app.actions.maximize(server, "runs");
    await app.actions.get(operationActions).run(server, "say_hello", "{}");
    expect(maximized()).toBe("runs");
    app.actions.selectTab(server, "wire");
    expect(maximized()).toBeNull();
  });
});

describe("failed commands", () => {
  it("become one notice, also when they fail the same way again", async () => {
    const { app, view, server, offers } = await openApp("disconnected");
    expect(await app.actions.get(operationActions).run(server, "say_hello", "{}")).toBeUndefined();
    await app.actions.get(operationActions).run(server, "say_hello", "{}");
    const notices = view().localNotices;
    expect(notices.map(({ code }) => code)).toEqual(["not_connected"]);
    await app.actions.dismissNotice(notices[0]?.id ?? 0);
    expect(view().localNotices).toEqual([]);
    // A dismissed notice cannot be undone.
    expect(offers).toEqual([]);
  });

  it("become a notice for each server", async () => {
    const { app, view, live } = await openApp("disconnected");
    const [one = "", other = ""] = live().order;
    for (const server of [one, other]) app.actions.inform(new Error("It cannot be connected."), server);
    expect(view().localNotices.map(({ server }) => server)).toEqual([one, other]);
  });
});

describe("the selection", () => {
  it("moves to the neighbour of a removed server", async () => {
    const { app, view } = await openApp("connected");
    const [first = "", second = "", third = ""] = app.store.getState().live.order;
    app.actions.selectServer(second);
    await app.actions.removeServer(second);
    await settle();
    expect(view().server).toBe(third);
    await app.actions.command("remove_server", { server: third });
    await settle();
    expect(view().server).toBe(first);
  });

  it("closes a panel about a removed server, and the typed form comes back with the server", async () => {
    const { app, view, offers } = await openApp("connected");
    const [, second = "", third = ""] = app.store.getState().live.order;
    const typed = { name: "Typed", transport: address("http://127.0.0.1:1/mcp"), ...plainDraft };
    app.actions.setServerForm(second, typed);
    app.actions.openPanel({ type: "edit_server", server: second });
    await app.actions.removeServer(third);
    await settle();
    expect(view().panel).toEqual({ type: "edit_server", server: second });
    await app.actions.removeServer(second);
    await settle();
    expect(view().panel).toBeNull();
    offers.at(-1)?.undo();
    await settle();
    expect(app.store.getState().live.order).toContain(second);
    expect(view().serverForms[second]).toEqual(typed);
  });

  it("stays on a server that was added just now, before the host says so", async () => {
    const { app, view } = await openApp("busy");
    const added = await app.actions.saveServer(null, {
      name: "New",
      transport: address("http://127.0.0.1:1/mcp"),
      ...plainDraft,
    });
    await settle();
    expect(added).toBeDefined();
    expect(view().server).toBe(added);
    expect(view().serverForms).toEqual({});
  });
});

describe("an answer that comes late", () => {
  const json = JSON.stringify({ mcpServers: { late: { command: "late" } } });

  it("selects what was imported while its panel is open", async () => {
    const { app, view } = await openApp("connected");
    app.actions.openPanel({ type: "import", text: json });
    await app.actions.importServers(json, [{ index: 0, name: null }]);
    await settle();
    expect(view()).toMatchObject({ server: app.store.getState().live.order.at(-1), panel: null });
  });

  it("takes nothing away that was opened meanwhile", async () => {
    const { app, view, server } = await openApp("connected");
    const other = app.store.getState().live.order[1] ?? "";
    for (const begin of [
      () => app.actions.importServers(json, [{ index: 0, name: null }]),
      () => app.actions.duplicateServer(server),
      () => app.actions.saveServer(null, { name: "N", transport: address("http://127.0.0.1:1/mcp"), ...plainDraft }),
    ]) {
      app.actions.openPanel({ type: "import", text: json });
      const answered = begin();
      await app.actions.connect(other);
      const panel = { type: "confirm_command", server: other, how: "connect" };
      expect(view()).toMatchObject({ server: other, panel });
      await answered;
      expect(view()).toMatchObject({ server: other, panel });
    }
  });
});

describe("links", () => {
  it("open in the form in which they were shown", async () => {
    const { app, view, named } = await openApp("connected");
    app.actions.askToOpen("https:\\\\good.example\u200B@EVIL.example\\\u202Egpj");
    expect(view().opening).not.toBeNull();
    await app.actions.answerOpen(true);
    expect(named("open_external")).toEqual([{ url: "https://good.example%E2%80%8B@evil.example/%E2%80%AEgpj" }]);
  });
});
