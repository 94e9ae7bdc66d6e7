import { expect, it } from "vitest";

import type { IssueCounts } from "../ipc/bindings";
import { build } from "../ipc/fake/scenarios";
import { issueCount, issuesOf, issueWords, subjectKey } from "./issues";
import { initialLive, reduce, type LiveState } from "./live";

function start(): { live: LiveState; server: string } {
  const world = build("issues");
  const [server = ""] = world.order;
  return { live: reduce(initialLive, { type: "snapshot", number: 1, events: world.snapshot() }), server };
}

it("counts what passed, what is listed and what runs returned, as the host says", () => {
  const { live, server } = start();
  const counts = issuesOf(live, server);
  expect(counts).toMatchObject({ server, frames: 4, tools: 1, results: 3, muted: 0 });
  expect(issueCount(counts)).toBe(8);
  expect(issueCount({ ...counts, infos: 5, muted: 7 })).toBe(8);
  expect(issueCount(issuesOf(live, "another"))).toBe(0);
});

it("tells that issues may be other ones, though they are as many", () => {
  const { live, server } = start();
  const before = live.issues[server];
  const data: IssueCounts = { ...issuesOf(live, server) };
  const next = reduce(live, { type: "events", number: 2, events: [{ type: "issues", data }] });
  expect(next.issues[server]?.counts).toEqual(before?.counts);
  expect(next.issues[server]?.version).not.toBe(before?.version);
  const gone = reduce(next, { type: "events", number: 3, events: [{ type: "server_removed", data: server }] });
  expect(gone.issues[server]).toBeUndefined();
});

it("names subjects apart", () => {
  const keys = [
    subjectKey({ type: "frame", seq: 1, method: null, stored: true }),
    subjectKey({ type: "run", operation: 1, target: null, stored: true }),
    subjectKey({ type: "list", kind: "tools" }),
    subjectKey({ type: "item", kind: "tools", key: "1" }),
    subjectKey({ type: "item", kind: "prompts", key: "1" }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

it("says how many of them are errors", () => {
  expect(issueWords(8, 0)).toBe("8 issues in this connection");
  expect(issueWords(8, 3)).toBe("8 issues in this connection, 3 of them errors");
  expect(issueWords(2, 2, "here")).toBe("2 issues here, all of them errors");
  expect(issueWords(1, 1)).toBe("1 issue in this connection, an error");
});
