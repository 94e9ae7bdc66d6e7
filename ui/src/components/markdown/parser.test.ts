import { beforeEach, describe, expect, it, vi } from "vitest";

import type { Parsed } from "./parse";
import { AGAIN, MarkdownParser, QUEUE_LIMIT, TIME_LIMIT } from "./parser";

/** A worker that becomes ready, answers and fails when the test says so. */
class Scripted {
  onmessage: ((event: { data: Parsed | "ready" }) => void) | null = null;
  onerror: ((error: Error) => void) | null = null;
  readonly texts: string[] = [];
  ended = false;

  postMessage(text: string): void {
    this.texts.push(text);
  }

  terminate(): void {
    this.ended = true;
  }

  async says(data: Parsed | "ready"): Promise<void> {
    this.onmessage?.({ data });
    await settled();
  }
}

const drawn = (text: string): Parsed => ({ ok: true, nodes: [text] });
const failed: Parsed = { ok: false, reason: "could not be read" };
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

function scripted() {
  const workers: Scripted[] = [];
  const parser = new MarkdownParser(() => {
    const worker = new Scripted();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  const worker = (at: number): Scripted => {
    const one = workers[at];
    if (!one) throw new Error(`worker ${at} was not started`);
    return one;
  };
  return { workers, worker, parser };
}

beforeEach(() => void vi.useFakeTimers());

describe("the worker that parses Markdown", () => {
  it("gets one text after the other, each once", async () => {
    const { workers, worker, parser } = scripted();
    parser.prepare();
    const first = parser.parse("a");
    const second = parser.parse("b");
    expect(parser.parse("a")).toBe(first);
    await worker(0).says("ready");
    expect(worker(0).texts).toEqual(["a"]);
    await worker(0).says(drawn("a"));
    expect(await first).toEqual(drawn("a"));
    expect(worker(0).texts).toEqual(["a", "b"]);
    await worker(0).says(drawn("b"));
    expect(await second).toEqual(drawn("b"));
    await vi.advanceTimersByTimeAsync(2 * TIME_LIMIT);
    expect(workers).toHaveLength(1);
    expect(worker(0).ended).toBe(false);
  });

  it("is ended with the text that takes too long, and another one goes on", async () => {
    const { worker, parser } = scripted();
    const slow = parser.parse("slow");
    const next = parser.parse("next");
    await settled();
    await worker(0).says("ready");
    await vi.advanceTimersByTimeAsync(TIME_LIMIT);
    expect(await slow).toEqual({ ok: false, reason: "takes more than 3 seconds to read" });
    expect(worker(0).ended).toBe(true);
    await worker(1).says("ready");
    expect(worker(1).texts).toEqual(["next"]);
    await worker(1).says(drawn("next"));
    expect(await next).toEqual(drawn("next"));
    expect(await parser.parse("slow")).toMatchObject({ ok: false });
  });

  it("gets each text once, however many wait", async () => {
    const { worker, parser } = scripted();
    const texts = Array.from({ length: 120 }, (_, at) => `${at}`);
    const asked = texts.map((text) => parser.parse(text));
    expect(texts.map((text) => parser.parse(text))).toEqual(asked);
    expect(parser.parse("0")).toBe(asked[0]);
    await settled();
    await worker(0).says("ready");
    for (const text of texts) await worker(0).says(drawn(text));
    expect(worker(0).texts).toEqual(texts);
    expect(await Promise.all(asked)).toEqual(texts.map(drawn));
    // Of the parsed texts, the latest are kept.
    expect(parser.known("119")).toEqual(drawn("119"));
    expect(parser.known("0")).toBeNull();
  });

  it("is free again where slow texts have taken all the time", async () => {
    const { workers, worker, parser } = scripted();
    const asked = Array.from({ length: 1_000 }, (_, at) => parser.parse(`slow ${at}`));
    await settled();
    for (let at = 0; at * TIME_LIMIT < QUEUE_LIMIT; at++) {
      await worker(at).says("ready");
      await vi.advanceTimersByTimeAsync(TIME_LIMIT);
    }
    expect(await asked.at(-1)).toEqual({ ok: false, reason: "waited too long for other texts", again: true });
    const started = workers.length;
    const next = parser.parse("next");
    await settled();
    await worker(started).says("ready");
    await worker(started).says(drawn("next"));
    expect(await next).toEqual(drawn("next"));
    // Texts that were held back have no result yet.
    expect(parser.parse("slow 999")).not.toBe(asked.at(-1));
  });

  it("has all the time it needs to load", async () => {
    const { worker, parser } = scripted();
    const text = parser.parse("a");
    await vi.advanceTimersByTimeAsync(10 * TIME_LIMIT);
    await worker(0).says("ready");
    await worker(0).says(drawn("a"));
    expect(await text).toEqual(drawn("a"));
  });

  it("can fail, which is not kept of the text", async () => {
    const { workers, worker, parser } = scripted();
    const text = parser.parse("a");
    await settled();
    worker(0).onerror?.(new Error("no module"));
    expect(await text).toEqual(failed);
    // A component that renders asks again at once, which must not start the next worker.
    expect(parser.known("a")).toEqual(failed);
    expect(workers).toHaveLength(1);

    await vi.advanceTimersByTimeAsync(AGAIN);
    const again = parser.parse("a");
    await settled();
    await worker(1).says("ready");
    worker(1).onerror?.(new Error("a fault"));
    expect(await again).toEqual(failed);
    await settled();
    expect(worker(1).ended).toBe(true);
  });

  it("can be missing", async () => {
    const parser = new MarkdownParser(() => {
      throw new Error("no workers here");
    });
    expect(await parser.parse("a")).toEqual(failed);
  });
});
