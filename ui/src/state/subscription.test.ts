import { describe, expect, it, vi } from "vitest";

import { BackendError, type Backend } from "../ipc/backend";
import type { Batch } from "../ipc/bindings";
import { DEFAULT_SETTINGS } from "../ipc/settings";
import { createApp, type App } from "./app";
import { initialView } from "./view";

/** A host whose batches the test sends, and a frame that the test draws. */
function host() {
  const channels: ((batch: Batch) => void)[] = [];
  const acknowledged: number[] = [];
  const frames: (() => void)[] = [];
  let refuse: BackendError | null = null;
  const backend: Backend = {
    call(name, args) {
      if (name === "acknowledge") acknowledged.push((args as { number: number }).number);
      return Promise.resolve(null as never);
    },
    readBytes: () => Promise.resolve(new ArrayBuffer(0)),
    subscribe(onBatch) {
      if (refuse) return Promise.reject(refuse);
      channels.push(onBatch);
      return Promise.resolve();
    },
  };
  const app: App = createApp(backend, (run) => frames.push(run));
  return {
    backend,
    app,
    acknowledged,
    channels,
    refuse: (error: BackendError) => (refuse = error),
    send: (batch: Batch, channel = channels.length - 1) => channels[channel]?.(batch),
    drawFrame: () => frames.splice(0).forEach((run) => run()),
  };
}

const snapshot = (number: number): Batch => ({
  type: "snapshot",
  number,
  events: [{ type: "settings", data: { ...DEFAULT_SETTINGS, theme: "light" } }],
});
const events = (number: number): Batch => ({ type: "events", number, events: [] });

describe("the channel to the host", () => {
  it("acknowledges the newest batch of a frame, once, after it was applied", async () => {
    const { app, acknowledged, send, drawFrame } = host();
    await app.start();
    send(snapshot(4));
    send(events(5));
    send(events(6));
    expect(app.store.getState().live.number).toBe(6);
    expect(acknowledged).toEqual([]);
    drawFrame();
    expect(acknowledged).toEqual([6]);
    drawFrame();
    expect(acknowledged).toEqual([6]);
    send(events(7));
    drawFrame();
    expect(acknowledged).toEqual([6, 7]);
  });

  it("asks for a snapshot after a gap and ignores what still comes on the old channel", async () => {
    const { app, channels, acknowledged, send, drawFrame } = host();
    await app.start();
    send(snapshot(4));
    send(events(6));
    expect(channels).toHaveLength(2);
    send(events(7), 0);
    expect(app.store.getState().live.number).toBe(4);
    send(snapshot(9), 1);
    send(events(10), 1);
    drawFrame();
    expect(app.store.getState().live.number).toBe(10);
    expect(acknowledged).toEqual([10]);
  });

  it("takes over what the page before looked like before the snapshot, which may come first", async () => {
    const { backend, app, send } = host();
    let answer: (text: string) => void = () => undefined;
    const asked = new Promise<string>((resolve) => (answer = resolve));
    vi.spyOn(backend, "call").mockReturnValueOnce(asked as never);
    const started = app.start();
    send(snapshot(4));
    send(events(5));
    expect(app.store.getState().live.ready).toBe(false);
    answer(JSON.stringify({ ...initialView, serverFilter: "kept", scroll: {} }));
    await started;
    expect(app.store.getState().live.number).toBe(5);
    expect(app.store.getState().view.serverFilter).toBe("kept");
  });

  it("keeps the error where the channel cannot be opened", async () => {
    const { app, refuse } = host();
    const error = new BackendError({ code: "internal", message: "no channel" });
    refuse(error);
    await app.start();
    await Promise.resolve();
    await Promise.resolve();
    expect(app.store.getState().channelError).toBe(error);
    expect(app.store.getState().live.ready).toBe(false);
  });
});
