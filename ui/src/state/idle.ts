import { unstable_IdlePriority as IDLE, unstable_scheduleCallback as schedule } from "scheduler";

import type { Backend } from "../ipc/backend";
import type { Batch } from "../ipc/bindings";
import { noteBegun, underWay } from "../lib/underWay";

declare global {
  interface Window {
    /** Resolves once the page has nothing under way and has painted. For the drivers of tests. */
    sondeIdle?: () => Promise<void>;
  }
}

/** Rounds after which a page that always begins something else, as under a flood, counts as idle. */
const ROUNDS = 20;
/**
 * Later calls that the backend answers, a frame apart, before a call that it has not answered is left out: that one
 * waits for the user, as a file dialog does, or for a server.
 */
const LATER_CALLS = 20;

/** Resolves after the next frame of the page was painted. */
export type Painted = () => Promise<void>;

/** A backend whose calls count as under way until they are answered. */
export class WatchedBackend implements Backend {
  private readonly calls = new Set<Promise<unknown>>();
  private readonly backend: Backend;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  readonly call: Backend["call"] = (name, args) => this.watch(this.backend.call(name, args));

  readonly readBytes: Backend["readBytes"] = (source) => this.watch(this.backend.readBytes(source));

  /** Counts until the first batch, which may come after the answer. */
  readonly subscribe: Backend["subscribe"] = (onBatch) => {
    let arrived = (): void => undefined;
    void this.watch(new Promise<void>((resolve) => (arrived = resolve)));
    const opened = this.backend.subscribe((batch: Batch) => {
      arrived();
      onBatch(batch);
    });
    opened.catch(() => arrived());
    return opened;
  };

  isBusy(): boolean {
    return this.calls.size > 0;
  }

  /** Hands out what is gathered for the next batch, and waits for the calls of this moment, except those that others overtake. */
  async answered(painted: Painted): Promise<void> {
    this.backend.flush?.();
    const now = [...this.calls];
    let open = now.length > 0;
    const all = Promise.allSettled(now).then(() => (open = false));
    for (let later = 0; open && later < LATER_CALLS; later++) {
      // Acknowledges nothing.
      const overtaking = this.backend.call("acknowledge", { number: 0 }).catch(() => undefined);
      await Promise.race([all, overtaking.then(painted)]);
    }
    for (const call of now) this.calls.delete(call);
  }

  private watch<T>(call: Promise<T>): Promise<T> {
    noteBegun();
    this.calls.add(call);
    const answered = (): void => {
      // What follows from an answer is work too.
      noteBegun();
      this.calls.delete(call);
    };
    call.then(answered, answered);
    return call;
  }
}

/**
 * Resolves once nothing is under way: calls are answered, batches applied and acknowledged, code that was fetched is
 * there, workers have answered, React has rendered and run its effects, and a frame with all of it was painted. Never
 * rejects, and does not wait for timers.
 */
export async function whenIdle(backend: WatchedBackend | null, painted: Painted = nextPaint): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const begun = underWay.begun();
    await backend?.answered(painted);
    await Promise.allSettled(underWay.pending());
    await rendered(painted);
    await painted();
    if (underWay.begun() === begun && underWay.pending().length === 0) return;
  }
}

/** Waits until React has nothing scheduled, neither renderings nor effects; not forever for one that always has. */
async function rendered(painted: Painted): Promise<void> {
  let isOver = false;
  const parked = async (): Promise<void> => {
    for (let before = 0; !isOver;) {
      const task = await lastTask();
      // Nothing was scheduled between the two. What effects change right before the first one is scheduled after it.
      isOver ||= task === before + 1;
      before = task;
    }
  };
  const whenParked = parked();
  for (let frame = 0; !isOver && frame < ROUNDS; frame++) await Promise.race([whenParked, painted()]);
  isOver = true;
}

/** Runs after all that React's scheduler has to do. Its number counts all tasks. */
function lastTask(): Promise<number> {
  return new Promise((resolve) => {
    const task = schedule(IDLE, () => resolve(task.id));
  });
}

/** Milliseconds in which a window that is shown draws a frame, even on a busy machine. */
const LONGEST_FRAME = 500;

/**
 * The first frame from now on, with the layout of all that was to be drawn in it. An observer tells of it, since a test
 * may have stopped the clock of the page and its animation frames with it.
 */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      // Its task comes after the painting.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
    observer.observe(document.documentElement);
    // Draws nothing while it is hidden.
    setTimeout(resolve, document.hidden ? 0 : LONGEST_FRAME);
  });
}
