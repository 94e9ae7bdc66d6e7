import { beforeEach, expect, it, vi } from "vitest";

import { MOST_FAILED, SourceColours, TIME_LIMIT } from "./sourceColours";

beforeEach(() => void vi.useFakeTimers());

interface Worked {
  readonly texts: string[];
  readonly ended: () => number;
  readonly colours: SourceColours;
}

/** Workers that answer every text except `hang`. */
function working(): Worked {
  const texts: string[] = [];
  const terminate = vi.fn<() => void>();
  const colours = new SourceColours(() => {
    const worker = {
      onmessage: null as ((event: { readonly data: unknown }) => void) | null,
      onerror: null,
      terminate,
      postMessage({ id, args: [text] }: { readonly id: number; readonly args: readonly string[] }) {
        texts.push(text ?? "");
        const value = [[{ text, kind: "word" }]];
        if (text !== "hang") queueMicrotask(() => worker.onmessage?.({ data: { id, value } }));
      },
    };
    return worker as unknown as Worker;
  });
  return { texts, ended: () => terminate.mock.calls.length, colours };
}

const wanted = (): boolean => true;

it("ends a text that takes too long, and reads the next", async () => {
  const { colours, ended, texts } = working();
  const slow = colours.lines("hang", "c", wanted);
  const next = colours.lines("a", "c", wanted);
  await vi.advanceTimersByTimeAsync(TIME_LIMIT - 1);
  expect([ended(), texts]).toEqual([0, ["hang"]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await slow).toBeNull();
  expect(await next).toEqual([[{ text: "a", kind: "word" }]]);
  expect(ended()).toBe(1);
});

it("leaves out what nobody wants any more", async () => {
  const { colours, texts } = working();
  expect(await colours.lines("a", "c", () => false)).toBeNull();
  expect(texts).toEqual([]);
});

it("tries no more once several have failed", async () => {
  const { colours, texts } = working();
  const all = Array.from({ length: MOST_FAILED + 2 }, () => colours.lines("hang", "c", wanted));
  await vi.advanceTimersByTimeAsync(TIME_LIMIT * MOST_FAILED);
  expect(await Promise.all(all)).toEqual(all.map(() => null));
  expect(texts).toHaveLength(MOST_FAILED);
});
