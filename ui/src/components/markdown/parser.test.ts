import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Parsed } from "./parse";
import { MarkdownParser, TIME_LIMIT } from "./parser";

/** A worker that answers when the test says so. */
class Scripted {
  onmessage: ((event: { data: Parsed }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly texts: string[] = [];
  ended = false;

  postMessage(text: string): void {
    this.texts.push(text);
  }

  terminate(): void {
    this.ended = true;
  }
}

const drawn = (text: string): Parsed => ({ ok: true, nodes: [text] });

function scripted() {
  const workers: Scripted[] = [];
  const parser = new MarkdownParser(() => {
    const worker = new Scripted();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  return { workers, parser };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the worker that parses Markdown", () => {
  it("gets one text after the other, each once", async () => {
    const { workers, parser } = scripted();
    const first = parser.parse("a");
    const second = parser.parse("b");
    expect(parser.parse("a")).toBe(first);
    await vi.advanceTimersByTimeAsync(0);
    expect(workers[0]?.texts).toEqual(["a"]);
    workers[0]?.onmessage?.({ data: drawn("a") });
    expect(await first).toEqual(drawn("a"));
    await vi.advanceTimersByTimeAsync(0);
    expect(workers[0]?.texts).toEqual(["a", "b"]);
    workers[0]?.onmessage?.({ data: drawn("b") });
    expect(await second).toEqual(drawn("b"));
    await vi.advanceTimersByTimeAsync(2 * TIME_LIMIT);
    expect(workers).toHaveLength(1);
    expect(workers[0]?.ended).toBe(false);
  });

  it("is ended with the text that takes too long, and another one goes on", async () => {
    const { workers, parser } = scripted();
    const slow = parser.parse("slow");
    const next = parser.parse("next");
    await vi.advanceTimersByTimeAsync(TIME_LIMIT);
    expect(await slow).toEqual({ ok: false, reason: "takes more than 3 seconds to read" });
    expect(workers[0]?.ended).toBe(true);
    expect(workers[1]?.texts).toEqual(["next"]);
    workers[1]?.onmessage?.({ data: drawn("next") });
    expect(await next).toEqual(drawn("next"));
  });

  it("can fail or be missing", async () => {
    const { workers, parser } = scripted();
    const failed = parser.parse("a");
    await vi.advanceTimersByTimeAsync(0);
    workers[0]?.onerror?.();
    expect(await failed).toEqual({ ok: false, reason: "could not be read" });
    expect(workers[0]?.ended).toBe(true);

    const none = new MarkdownParser(() => {
      throw new Error("no workers here");
    });
    expect(await none.parse("a")).toEqual({ ok: false, reason: "could not be read" });
  });
});
