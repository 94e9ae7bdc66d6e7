import { beforeEach, describe, expect, it, vi } from "vitest";

import { AppHost, LEAST_HEIGHT, MOST_HEIGHT } from "./host";
import { boundedText, type Json, LONGEST_MESSAGE } from "./message";
import { pieces } from "./pieces";
import { CHARACTERS_PER_SECOND, MAX_DROPPED, PER_SECOND } from "./rate";
import { type AppRequest, readRequest, Refusal } from "./request";

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "ui/initialize",
  params: { appInfo: { name: "Ships" }, appCapabilities: { availableDisplayModes: ["inline"] } },
};
const initialized = { jsonrpc: "2.0", method: "ui/notifications/initialized" };

function setUp(serve: (request: AppRequest) => Promise<Json> = async () => ({})) {
  const sent: Json[] = [];
  const recorded: string[] = [];
  let now = 0;
  let closed = 0;
  const host = new AppHost({
    post: (message) => void sent.push(message),
    record: (entry, text) => void recorded.push(`${entry} ${text}`),
    serve,
    introduce: () => ({ hostInfo: { name: "Sonde" } }),
    close: () => void (closed += 1),
    changed: () => undefined,
    now: () => now,
  });
  const say = (data: unknown): void => host.receive(() => data);
  const methods = (): unknown[] => sent.map(({ method, id }) => method ?? id);
  return { host, say, sent, recorded, methods, closed: () => closed, later: (millis: number) => void (now += millis) };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("the host of an app", () => {
  let run: ReturnType<typeof setUp>;
  beforeEach(() => void (run = setUp()));

  it("sends nothing of its own before the app is initialized, then input and result in order, once each", () => {
    const { host, say, sent, methods } = run;
    host.setResult({ content: [] });
    host.setInput({ kind: "ferry" }, false);
    host.contextChanged({ theme: "dark" });
    expect(sent).toEqual([]);
    say(initialize);
    expect(sent).toEqual([
      { jsonrpc: "2.0", id: 1, result: { protocolVersion: "2026-01-26", hostInfo: { name: "Sonde" } } },
    ]);
    say(initialized);
    expect(methods()).toEqual([1, "ui/notifications/tool-input", "ui/notifications/tool-result"]);
    host.setInput({ kind: "cargo" }, false);
    host.setCancelled("late");
    say(initialized);
    host.contextChanged({ theme: "light" });
    expect(methods().slice(3)).toEqual(["ui/notifications/host-context-changed"]);
    expect(host.state).toMatchObject({ phase: "ready", name: "Ships", modes: ["inline"] });
    expect(host.allows("fullscreen")).toBe(false);
  });

  it("sends the arguments in pieces before the whole, and the result after it", () => {
    vi.useFakeTimers();
    try {
      const { host, say, sent } = run;
      host.setInput({ kind: "ferry", ports: ["Aberdeen", "Bergen"], fast: true }, true);
      host.setResult({ content: [] });
      say(initialize);
      say(initialized);
      vi.runAllTimers();
      expect(sent.slice(1).map(({ method, params }) => [method, (params as Json)["arguments"]])).toEqual([
        ["ui/notifications/tool-input-partial", { kind: "fe" }],
        ["ui/notifications/tool-input-partial", { kind: "ferry", ports: ["Aberdeen"] }],
        ["ui/notifications/tool-input-partial", { kind: "ferry", ports: ["Aberdeen", "Bergen"] }],
        ["ui/notifications/tool-input", { kind: "ferry", ports: ["Aberdeen", "Bergen"], fast: true }],
        ["ui/notifications/tool-result", undefined],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("sends few pieces of many arguments, and none of none", () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`a${index}`, "text"]));
    expect(pieces(many).length).toBeLessThanOrEqual(5);
    expect(pieces({})).toEqual([]);
  });

  it("does not grow while something below it can be agreed to", () => {
    const { host, say } = run;
    const ask = (height: number): void =>
      say({ jsonrpc: "2.0", method: "ui/notifications/size-changed", params: { height } });
    host.holdHeight(true);
    ask(400);
    expect(host.state.height).toBe(LEAST_HEIGHT);
    host.holdHeight(false);
    expect(host.state.height).toBe(400);
    ask(300);
    expect(host.state.height).toBe(400);
  });

  it("is closed as the app asks, and says where there was no time to tell it", () => {
    const { host, say, sent, recorded, closed } = run;
    const ask = { jsonrpc: "2.0", method: "ui/notifications/request-teardown" };
    say(ask);
    expect(closed()).toBe(0);
    say(initialize);
    say(initialized);
    say(ask);
    expect(closed()).toBe(1);
    const before = sent.length;
    host.drop("Its run is no longer shown.");
    host.drop("Its run is no longer shown.");
    say(ask);
    expect(closed()).toBe(1);
    expect(sent.length).toBe(before);
    expect(recorded.filter((line) => line.startsWith("note The app was taken away"))).toHaveLength(1);
  });

  it("says in words what the script in its frame refused", () => {
    const { say, recorded } = run;
    const blocked = (params: unknown): void => say({ jsonrpc: "2.0", method: "sonde/blocked", params });
    blocked({ what: "localStorage" });
    blocked({ directive: "connect-src", uri: "https://example.com" });
    blocked(7);
    expect(recorded).toEqual([
      "note The app tried to use localStorage. No app may.",
      "note The app tried to load https://example.com. Its content security policy refused it (connect-src).",
      "note The app tried to use something. No app may.",
    ]);
  });

  it("tells of a run that has no result", () => {
    const { host, say, sent } = run;
    say(initialize);
    say(initialized);
    host.setInput({}, false);
    host.setCancelled("The run was cancelled.");
    expect(sent.at(-1)).toEqual({
      jsonrpc: "2.0",
      method: "ui/notifications/tool-cancelled",
      params: { reason: "The run was cancelled." },
    });
  });

  it("serves nothing before the handshake, and a second one not at all", async () => {
    const serve = vi.fn<(request: AppRequest) => Promise<Json>>();
    const { say, sent } = setUp(serve);
    say({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "a" } });
    say({ jsonrpc: "2.0", id: 8, method: "ping" });
    say(initialize);
    say({ ...initialize, id: 9 });
    await settled();
    expect(serve).not.toHaveBeenCalled();
    expect(sent[0]).toMatchObject({ id: 7, error: { code: -32_600 } });
    expect(sent[1]).toEqual({ jsonrpc: "2.0", id: 8, result: {} });
    expect(sent[3]).toMatchObject({ id: 9, error: { code: -32_600 } });
  });

  it("answers requests with what serving them gives or throws", async () => {
    const { say, sent } = setUp(async ({ type }) => {
      if (type === "tool") throw new Refusal(-32_000, "The user refused");
      return { contents: [] };
    });
    say(initialize);
    say(initialized);
    say({ jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "t" } });
    say({ jsonrpc: "2.0", id: "b", method: "resources/read", params: { uri: "x:1" } });
    say({ jsonrpc: "2.0", id: "c", method: "sampling/createMessage" });
    await settled();
    const byId = (id: string): unknown => sent.find((message) => message["id"] === id);
    expect(byId("a")).toMatchObject({ error: { code: -32_000, message: "The user refused" } });
    expect(byId("b")).toMatchObject({ result: { contents: [] } });
    expect(byId("c")).toMatchObject({ error: { code: -32_601 } });
  });

  it("has only so many requests open", async () => {
    const { say, sent } = setUp(() => new Promise(() => undefined));
    say(initialize);
    say(initialized);
    for (let id = 10; id < 31; id += 1) say({ jsonrpc: "2.0", id, method: "resources/read", params: { uri: "x:1" } });
    await settled();
    expect(sent.slice(1)).toEqual([
      { jsonrpc: "2.0", id: 30, error: { code: -32_000, message: "Too many requests at once" } },
    ]);
  });

  it("takes a malformed message for data", () => {
    const { say, sent, recorded, host } = run;
    for (const odd of [7, null, "x", [], {}, { jsonrpc: "1.0", id: 1, method: "ping" }, { jsonrpc: "2.0", id: {} }]) {
      say(odd);
    }
    say({ jsonrpc: "2.0", method: "ui/notifications/size-changed", params: { height: "high" } });
    say(new Map());
    expect(sent).toEqual([]);
    expect(recorded).toHaveLength(9);
    expect(recorded.at(-1)).toContain("no JSON");
    expect(host.state.phase).toBe("loading");
  });

  it("handles only so many messages in a second, and ends an app that goes on", () => {
    const { host, later, recorded } = run;
    let read = 0;
    const flood = (count: number): void => {
      for (let one = 0; one < count; one += 1) host.receive(() => ({ read: (read += 1) }));
    };
    flood(PER_SECOND + 50);
    expect(read).toBe(PER_SECOND);
    expect(recorded.filter((line) => line.includes("too many messages"))).toHaveLength(1);
    later(1000);
    flood(1);
    expect(read).toBe(PER_SECOND + 1);
    flood(PER_SECOND + MAX_DROPPED);
    expect(host.state).toMatchObject({ phase: "ended" });
    later(1000);
    flood(1);
    expect(read).toBe(2 * PER_SECOND);
  });

  it("handles only so many characters in a second", () => {
    const { say, later, recorded } = run;
    const long = "x".repeat(CHARACTERS_PER_SECOND / 4);
    for (let one = 0; one < 6; one += 1) say(long);
    expect(recorded.filter((line) => line.startsWith("received"))).toHaveLength(3);
    expect(recorded.filter((line) => line.includes("too much at once"))).toHaveLength(1);
    later(1000);
    say(long);
    expect(recorded.filter((line) => line.startsWith("received"))).toHaveLength(4);
  });

  it("counts what is too long to be read, and looks at nothing more in that second", () => {
    const { host, say, recorded } = run;
    const tooLong = "x".repeat(LONGEST_MESSAGE + 1);
    for (let one = 0; one < 3; one += 1) say(tooLong);
    expect(recorded.filter((line) => line.includes("longer than 1 MB"))).toHaveLength(2);
    expect(recorded.filter((line) => line.includes("too much at once"))).toHaveLength(1);
    const read = vi.fn<() => unknown>();
    host.receive(read);
    expect(read).not.toHaveBeenCalled();
  });

  it("grows with its app within bounds and never shrinks", () => {
    const { host, say } = run;
    const size = (height: number): void =>
      say({ jsonrpc: "2.0", method: "ui/notifications/size-changed", params: { width: 1, height } });
    size(300.2);
    expect(host.state.height).toBe(301);
    size(20);
    expect(host.state.height).toBe(301);
    size(1e9);
    expect(host.state.height).toBe(MOST_HEIGHT);
    size(Number.NaN);
    expect(host.state.height).toBe(MOST_HEIGHT);
  });

  it("waits for the answer to the teardown", async () => {
    const { host, say, sent } = run;
    say(initialize);
    say(initialized);
    const gone = host.teardown("It is closed.");
    const { id } = sent.at(-1) ?? {};
    expect(sent.at(-1)).toMatchObject({ method: "ui/resource-teardown", params: { reason: "It is closed." } });
    say({ jsonrpc: "2.0", id, result: {} });
    await gone;
    const before = sent.length;
    await host.teardown("Again.");
    expect(sent).toHaveLength(before);
  });
});

describe("a message of an app", () => {
  it("is read as JSON within limits", () => {
    expect(boundedText({ a: [1, "x", null, true, undefined] })).toBe('{"a":[1,"x",null,true,null]}');
    for (const odd of [new Map(), new ArrayBuffer(8), new Date(), () => 1, undefined, 1n]) {
      expect(boundedText(odd)).toBeNull();
    }
    expect(boundedText("x".repeat(LONGEST_MESSAGE + 1))).toBeNull();
    expect(boundedText(Array.from({ length: 200_000 }, () => 1))).toBeNull();
    const sparse: unknown[] = [];
    sparse.length = 2 ** 31;
    expect(boundedText(sparse)).toBeNull();
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(boundedText(circle)).toBeNull();
  });

  it("asks for what the specification knows", () => {
    const refused = (method: string, params: unknown): number => {
      try {
        readRequest(method, params);
      } catch (thrown) {
        return (thrown as Refusal).code;
      }
      return 0;
    };
    expect(readRequest("tools/call", { name: "a" })).toEqual({ type: "tool", name: "a", arguments: "{}" });
    expect(refused("tools/call", { name: "a", arguments: [] })).toBe(-32_602);
    expect(refused("tools/call", { name: 7 })).toBe(-32_602);
    expect(readRequest("ui/open-link", { url: "https://a.example/" })).toMatchObject({ type: "link" });
    for (const url of ["javascript:alert(1)", "file:///etc/passwd", "tauri://localhost/", "x"]) {
      expect(refused("ui/open-link", { url })).toBe(-32_000);
    }
    const content = { type: "text", text: "Hello" };
    expect(readRequest("ui/message", { role: "user", content })).toEqual({ type: "message", text: "Hello" });
    expect(refused("ui/message", { role: "assistant", content })).toBe(-32_000);
    expect(readRequest("ui/update-model-context", { content: "x".repeat(9_000) })).toMatchObject({ type: "context" });
    expect(refused("tools/list", {})).toBe(-32_601);
  });
});
