import { describe, expect, it } from "vitest";

import type { Batch, DocumentRow, DocumentSource } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { DocumentSession } from "./documentSession";
import { recorded } from "../../state/testing/openApp";
import { rowAt } from "../rows/rowPages";

/** Resolves after all promises that only wait for the simulated host, which answers without timers. */
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

/**
 * Opens a document: by default the response frame of the simulated host's `show_chart`, nested, with strings of every
 * length.
 */
async function opened(mode: "tree" | "raw" = "tree", other?: DocumentSource) {
  const fake = fakeBackend("history");
  const { backend, sent, named } = recorded(fake);
  const { events } = await new Promise<Batch>((got) => void fake.subscribe(got));
  const run = events.flatMap((event) =>
    event.type === "operation" && event.data.operation === 5 ? event.data : [],
  )[0];
  if (!run || run.response_seq === null) throw new Error("no response");
  const source: DocumentSource = other ?? { type: "log_entry", server: run.server, seq: run.response_seq };
  const session = new DocumentSession(backend, source);
  session.show(mode, 80);
  session.pages.show(0, 100);
  await settled();
  return { session, backend, named, log: () => sent.map(({ name }) => name) };
}

async function allRows(session: DocumentSession): Promise<DocumentRow[]> {
  return session.rows(0, session.state().view?.rows ?? 0);
}

describe("DocumentSession", () => {
  it("opens a document and fetches what is visible", async () => {
    const { session, log } = await opened();
    expect(session.state()).toMatchObject({ status: "open", busy: false, error: null });
    expect(rowAt(session.pages.snapshot(), 0)).toMatchObject({ type: "node", depth: 0, kind: "object" });
    // The first rows come with it.
    expect(log()).toEqual(["open_document"]);
  });

  it("opens and closes nodes one after the other", async () => {
    const { session } = await opened();
    const closed = session.state().view?.rows ?? 0;
    const rows = await allRows(session);
    const row = rows.findIndex((each) => each.type === "node" && each.key === "result");
    const node = rows[row];
    if (node?.type !== "node") throw new Error("no result");
    void session.toggle(node.node, row);
    void session.toggle(node.node, row);
    await session.toggle(node.node, row);
    expect(session.state().view?.rows).toBeGreaterThan(closed);
    await settled();
    expect(rowAt(session.pages.snapshot(), row)).toMatchObject({ expanded: true });
  });

  it("copies the value and the path of a node, and refuses what is too long", async () => {
    const { session, backend } = await opened();
    await session.expandAll(true);
    const rows = await allRows(session);
    const row = rows.findIndex((each) => each.type === "node" && each.value === '"image/png"');
    const node = rows[row];
    if (node?.type !== "node") throw new Error("no picture");
    expect(rows[node.parent ?? -1]).toMatchObject({ index: 1, kind: "object" });
    expect(await session.nodeValue(node.node)).toBe("image/png");
    expect(await session.nodePath(node.node)).toBe("$.result.content[1].mimeType");
    backend.call = () => Promise.resolve(null) as Promise<never>;
    await expect(session.nodeValue(node.node)).rejects.toMatchObject({ message: expect.stringMatching(/too large/) });
  });

  it("reads the rows anew after a search has opened nodes", async () => {
    const { session } = await opened();
    const before = session.state().view?.rows ?? 0;
    const hit = await session.search("station://", 1);
    expect(hit).toMatchObject({ total: 2, ordinal: 1 });
    expect(session.state().view?.rows).toBeGreaterThan(before);
    expect(await session.search("nowhere", 0)).toBeNull();
  });

  it("asks for another width once, the last one", async () => {
    const { session, log } = await opened("raw");
    log().length = 0;
    for (const columns of [70, 60, 50]) session.show("raw", columns);
    await settled();
    expect(log().filter((name) => name === "show_document")).toHaveLength(1);
    const rows = await allRows(session);
    expect(Math.max(...rows.map((row) => (row.type === "text" ? row.text.length : 0)))).toBe(50);
  });

  it("closes what was opened, also when it opens only after closing, and opens anew", async () => {
    const { session, log } = await opened();
    session.close();
    expect(session.state().status).toBe("opening");
    session.show("tree", 80);
    await Promise.resolve(); // the command is on its way
    session.close();
    session.show("tree", 80);
    await settled();
    expect(session.state().status).toBe("open");
    expect(log().filter((name) => name === "open_document")).toHaveLength(3);
    expect(log().filter((name) => name === "close_document")).toHaveLength(2);
  });

  it("opens a document again that was closed to make room", async () => {
    const { session, backend } = await opened();
    const close = () => backend.call("close_document", { document: session.state().view?.document ?? -1 });
    await close();
    await Promise.all([session.toggle(0, 0), allRows(session)]);
    expect(session.state()).toMatchObject({ status: "open", error: null, view: { rows: 1 } });
    await close();
    session.show("raw", 60);
    await settled();
    expect(session.state()).toMatchObject({ error: null, view: { mode: "raw" } });
  });

  it("opens a document that is not JSON again in the mode last asked for, as only that one says why", async () => {
    const { session, backend, named } = await opened("tree", { type: "content", operation: 5, index: 0 });
    expect(session.state().view).toMatchObject({ mode: "raw", not_json: expect.any(String) });
    await backend.call("close_document", { document: session.state().view?.document ?? -1 });
    await allRows(session);
    expect(named("open_document")).toMatchObject([{ mode: "tree" }, { mode: "tree" }]);
  });

  it("says why it cannot be opened", async () => {
    const session = new DocumentSession(fakeBackend("history"), { type: "log_entry", server: "server-1", seq: 9999 });
    session.show("raw", 80);
    await settled();
    expect(session.state()).toMatchObject({ status: "failed", error: { code: "entry_dropped" } });
  });
});
