import { expect, it } from "vitest";

import { askEarly } from "./askEarly";
import type { Backend } from "./backend";
import type { Batch } from "./bindings";

const batch = (number: number): Batch => ({ type: "events", number, events: [] });

/** A host that notes what it is asked for. */
function recordingHost() {
  const calls: string[] = [];
  const channels: ((batch: Batch) => void)[] = [];
  const host: Backend = {
    call: (name) => Promise.resolve(calls.push(name) as never),
    readBytes: () => Promise.resolve(new ArrayBuffer()),
    subscribe: (onBatch) => Promise.resolve(void channels.push(onBatch)),
  };
  return { host, calls, channels };
}

it("hands what was asked early to the first who asks, in order", async () => {
  const { host, calls, channels } = recordingHost();
  const early = askEarly(host);
  expect(calls).toEqual(["kept_view"]);
  channels[0]?.(batch(1));
  channels[0]?.(batch(2));
  const taken: number[] = [];
  await early.subscribe(({ number }) => void taken.push(number));
  channels[0]?.(batch(3));
  expect(taken).toEqual([1, 2, 3]);
  await early.call("kept_view", {});
  expect(calls).toEqual(["kept_view"]);
});

it("sends later requests to the host", async () => {
  const { host, calls, channels } = recordingHost();
  const early = askEarly(host);
  const taken: number[] = [];
  for (const times of [1, 2]) {
    await early.subscribe(({ number }) => void taken.push(number));
    await early.call("kept_view", {});
    expect([channels.length, calls.length]).toEqual([times, times]);
  }
  channels[1]?.(batch(7));
  expect(taken).toEqual([7]);
});

it("passes a failure on to the caller", async () => {
  const failing: Backend = {
    call: () => Promise.reject(new Error("no view")),
    readBytes: () => Promise.reject(new Error("no bytes")),
    subscribe: () => Promise.reject(new Error("no channel")),
  };
  const early = askEarly(failing);
  await Promise.resolve();
  await expect(early.subscribe(() => undefined)).rejects.toThrow("no channel");
  await expect(early.call("kept_view", {})).rejects.toThrow("no view");
});
