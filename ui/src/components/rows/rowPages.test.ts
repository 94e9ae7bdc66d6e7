import { describe, expect, it } from "vitest";

import { RowPages, rowAt } from "./rowPages";

/** A backend whose answers the test releases. */
function scripted() {
  const waiting: { from: number; count: number; answer: (rows: string[]) => void; fail: (e: unknown) => void }[] = [];
  const fetch = (from: number, count: number) =>
    new Promise<string[]>((answer, fail) => waiting.push({ from, count, answer, fail }));
  const settle = async (prefix = "row") => {
    const next = waiting.shift() ?? expect.fail("nothing was asked for");
    next.answer(Array.from({ length: next.count }, (_, i) => `${prefix} ${next.from + i}`));
    await Promise.resolve();
    await Promise.resolve();
    return next;
  };
  return { waiting, fetch, settle };
}

describe("RowPages", () => {
  it("fetches the visible page, then its neighbours, one at a time", async () => {
    const { fetch, waiting, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(100);
    pages.show(42, 48);
    expect(waiting).toHaveLength(1);
    expect((await settle()).from).toBe(40);
    expect(rowAt(pages.snapshot(), 45)).toBe("row 45");
    expect((await settle()).from).toBe(50);
    expect((await settle()).from).toBe(30);
    expect(waiting).toHaveLength(0);
  });

  it("shows other rows at once where their first page is here", async () => {
    const { fetch, waiting, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(100);
    pages.show(0, 5);
    pages.replace(
      12,
      Array.from({ length: 10 }, (_, index) => `other ${index}`),
    );
    expect(rowAt(pages.snapshot(), 9)).toBe("other 9");
    // The pending answer is dropped, and only missing rows of the new generation are fetched.
    await settle();
    expect(rowAt(pages.snapshot(), 9)).toBe("other 9");
    expect((await settle("other")).from).toBe(10);
    expect(rowAt(pages.snapshot(), 11)).toBe("other 11");
    expect(waiting).toHaveLength(0);
    pages.replace(0, []);
    expect(rowAt(pages.snapshot(), 0)).toBeUndefined();
    expect(waiting).toHaveLength(0);
  });

  it("turns to the place that is visible now", async () => {
    const { fetch, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(1000);
    pages.show(0, 10);
    pages.show(200, 210);
    pages.show(900, 905);
    await settle();
    expect((await settle()).from).toBe(900);
  });

  it("drops answers of an older generation", async () => {
    const { fetch, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(10);
    pages.show(0, 10);
    pages.invalidate(10);
    await settle("old");
    expect(rowAt(pages.snapshot(), 0)).toBeUndefined();
    await settle("new");
    expect(rowAt(pages.snapshot(), 0)).toBe("new 0");
  });

  it("shows stale rows until the new ones are here", async () => {
    const { fetch, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(10);
    pages.show(0, 10);
    await settle("old");
    pages.invalidate(8);
    expect(rowAt(pages.snapshot(), 3)).toBe("old 3");
    await settle("new");
    expect(rowAt(pages.snapshot(), 3)).toBe("new 3");
  });

  it("keeps pages before the change", async () => {
    const { fetch, waiting, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(20);
    pages.show(0, 20);
    await settle();
    await settle();
    pages.invalidate(25, 14);
    expect(waiting.map((w) => w.from)).toEqual([10]);
  });

  it("fetches the last page again when it grew", async () => {
    const { fetch, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(13);
    pages.show(10, 13);
    expect((await settle()).count).toBe(3);
    await settle();
    pages.resize(17);
    expect((await settle()).count).toBe(7);
    expect(rowAt(pages.snapshot(), 16)).toBe("row 16");
  });

  it("keeps at most so many pages, the near ones", async () => {
    const { fetch, waiting, settle } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10, maxPages: 3 });
    pages.clear(1000);
    for (const from of [0, 300, 600]) {
      pages.show(from, from + 10);
      while (waiting.length > 0) await settle();
    }
    expect([...pages.snapshot().pages.keys()].sort((a, b) => a - b)).toEqual([59, 60, 61]);
  });

  it("does not spin when the backend has fewer rows than announced", async () => {
    const { fetch, waiting } = scripted();
    const pages = new RowPages({ fetch, pageSize: 10 });
    pages.clear(10);
    pages.show(0, 10);
    waiting.shift()?.answer(["only"]);
    await Promise.resolve();
    await Promise.resolve();
    expect(waiting).toHaveLength(0);
    expect(rowAt(pages.snapshot(), 0)).toBe("only");
  });

  it("reports a failed fetch and goes on when asked again", async () => {
    const { fetch, waiting } = scripted();
    const errors: unknown[] = [];
    const pages = new RowPages({ fetch, pageSize: 10, onError: (e) => errors.push(e) });
    pages.clear(10);
    pages.show(0, 10);
    waiting.shift()?.fail("gone");
    await Promise.resolve();
    await Promise.resolve();
    expect(errors).toEqual(["gone"]);
    pages.show(0, 10);
    expect(waiting).toHaveLength(1);
  });
});
