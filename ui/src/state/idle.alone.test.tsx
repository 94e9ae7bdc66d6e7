import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { describe, expect, it } from "vitest";

import type { Backend } from "../ipc/backend";
import type { Batch } from "../ipc/bindings";
import { runEffectsAtOnce } from "../lib/effects";
import { noteBegun, track } from "../lib/underWay";
import { WatchedBackend, whenIdle } from "./idle";

/** A host whose results the test controls; acknowledgements are answered at once. */
function host() {
  const answers: [(value: never) => void, (reason: Error) => void][] = [];
  const gathered: (() => void)[] = [];
  let receive: ((batch: Batch) => void) | null = null;
  const backend: Backend = {
    call: (name) =>
      name === "acknowledge" ? Promise.resolve(null as never) : new Promise((...answer) => answers.push(answer)),
    readBytes: () => new Promise((...answer) => answers.push(answer)),
    subscribe: (onBatch) => {
      receive = onBatch;
      return Promise.resolve();
    },
    flush: () => gathered.splice(0).forEach((send) => send()),
  };
  return {
    backend: new WatchedBackend(backend),
    gathered,
    answer: () => answers.shift()?.[0](null as never),
    refuse: () => answers.shift()?.[1](new Error("no")),
    send: () => receive?.({ type: "events", number: 1, events: [] }),
  };
}

/** A page whose frames end when the test says so, or at once while it lets them run. */
function page(backend: WatchedBackend | null) {
  const painting: (() => void)[] = [];
  let runs = false;
  let painted = 0;
  const next = (): Promise<void> => {
    const frame = runs ? nextTask() : new Promise<void>((resolve) => painting.push(resolve));
    return frame.then(() => void painted++);
  };
  let idle = false;
  const done = whenIdle(backend, next).then(() => (idle = true));
  return {
    done,
    isIdle: () => idle,
    painted: () => painted,
    /** Draws a number of frames, with the tasks between them. */
    draw: async (frames: number) => {
      for (let frame = 0; frame < frames; frame++) {
        painting.splice(0).forEach((end) => end());
        await tasks();
      }
    },
    run: () => {
      runs = true;
      painting.splice(0).forEach((end) => end());
    },
  };
}

/** Checks that the page becomes idle only after `end` was called. */
async function expectIdleAfter(backend: WatchedBackend | null, end: () => void): Promise<void> {
  const { done, isIdle, draw, run } = page(backend);
  await draw(3);
  expect(isIdle()).toBe(false);
  end();
  run();
  await done;
}

async function tasks(): Promise<void> {
  for (let task = 0; task < 5; task++) await nextTask();
}

const nextTask = (): Promise<void> => new Promise((next) => setTimeout(next, 0));

const LAST = 5;
let start = (): void => undefined;

/** Counts up, each time in an effect of the previous rendering. */
function Counter() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    start = () => setCount(1);
  }, []);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect
    if (count > 0 && count < LAST) setCount(count + 1);
  }, [count]);
  return <p>{count}</p>;
}

describe("an idle page", () => {
  it("is told after one frame when nothing happens", async () => {
    const { done, isIdle, draw } = page(host().backend);
    await tasks();
    expect(isIdle()).toBe(false);
    await draw(1);
    await done;
  });

  it("has answers to its calls", async () => {
    const { backend, answer } = host();
    const asked = backend.call("demo_presentation", {});
    await expectIdleAfter(backend, answer);
    await asked;
  });

  it("has answers to calls that follow from answers", async () => {
    const { backend, answer } = host();
    let following: Promise<unknown> | null = null;
    void backend.call("demo_presentation", {}).then(() => (following = backend.call("known_hosts", {})));
    const { done, isIdle, draw, run } = page(backend);
    await draw(1);
    answer();
    await draw(3);
    expect(following).not.toBeNull();
    expect(isIdle()).toBe(false);
    answer();
    run();
    await done;
  });

  it("does not wait for a call that later ones overtake", async () => {
    const { backend } = host();
    void backend.call("choose_file", {});
    const first = page(backend);
    first.run();
    await first.done;
    // From then on nothing is under way.
    const second = page(backend);
    await second.draw(2);
    await second.done;
  });

  it("has its first batch", async () => {
    const { backend, send } = host();
    await backend.subscribe(() => undefined);
    await expectIdleAfter(backend, send);
  });

  it("has what was gathered for the next batch, and what follows from it", async () => {
    const { backend, gathered, answer } = host();
    gathered.push(() => void backend.call("known_hosts", {}));
    await expectIdleAfter(backend, answer);
  });

  it("has what it fetches, also what could not be had", async () => {
    const { backend, refuse } = host();
    const fetched = track(backend.call("known_hosts", {}));
    fetched.catch(() => undefined);
    await expectIdleAfter(null, refuse);
  });

  it("has drawn the frames that were requested while it drew", async () => {
    const { done, isIdle, draw } = page(null);
    await tasks();
    noteBegun();
    await draw(1);
    expect(isIdle()).toBe(false);
    await draw(1);
    await done;
  });

  it("may be one that always begins something else", async () => {
    let frames = 0;
    await whenIdle(null, async () => {
      frames++;
      noteBegun();
      await nextTask();
    });
    expect(frames).toBeGreaterThan(2);
  });

  it("has run all effects of what was rendered", async () => {
    runEffectsAtOnce();
    const place = document.createElement("div");
    createRoot(place).render(<Counter />);
    await whenIdle(null, nextTask);
    expect(place.textContent).toBe("0");
    start();
    await whenIdle(null, nextTask);
    expect(place.textContent).toBe(String(LAST));
  });
});
