import type { Backend } from "../ipc/backend";
import type { Batch } from "../ipc/bindings";
import { noteBegun, underWay } from "../lib/underWay";

declare global {
  interface Window {
    /** Resolves once the page has nothing under way and has painted. For test drivers. */
    sondeIdle?: () => Promise<void>;
  }
}

/** Limit of rounds, as a page that always starts something new, as under a flood, would never be idle. */
const ROUNDS = 20;
/**
 * Number of later calls, a frame apart, that the backend answers before an unanswered call is ignored: it waits for the
 * user, as in a file dialog, or for a server.
 */
const LATER_CALLS = 20;

/** Resolves after the next frame of the page is painted. */
export type Painted = () => Promise<void>;

/** A backend that counts its calls as under way until they are answered. */
export class WatchedBackend implements Backend {
  private readonly calls = new Set<Promise<unknown>>();

  constructor(private readonly backend: Backend) {}

  readonly call: Backend["call"] = (name, args) => this.watch(this.backend.call(name, args));

  readonly readBytes: Backend["readBytes"] = (source) => this.watch(this.backend.readBytes(source));

  /** Counted until the first batch, which may come after the answer. */
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

  /** Requests the gathered events, and waits for the present calls, except those that are overtaken. */
  async answered(painted: Painted): Promise<void> {
    this.backend.flush?.();
    const now = [...this.calls];
    let open = now.length > 0;
    const all = Promise.allSettled(now).then(() => (open = false));
    for (let later = 0; open && later < LATER_CALLS; later++) {
      // Number 0 acknowledges nothing.
      const overtaking = this.backend.call("acknowledge", { number: 0 }).catch(() => undefined);
      await Promise.race([all, overtaking.then(painted)]);
    }
    for (const call of now) this.calls.delete(call);
  }

  private watch<T>(call: Promise<T>): Promise<T> {
    noteBegun();
    this.calls.add(call);
    const answered = (): void => {
      // Handling an answer is work too.
      noteBegun();
      this.calls.delete(call);
    };
    call.then(answered, answered);
    return call;
  }
}

/**
 * Resolves once nothing is under way: calls are answered, batches applied and acknowledged, code loaded, workers have
 * answered, all is rendered, its effects have run, and a frame with all of it is painted. Never rejects, and does not
 * wait for timers.
 */
export async function whenIdle(backend: WatchedBackend | null, painted: Painted = nextPaint): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const begun = underWay.begun();
    await backend?.answered(painted);
    await Promise.allSettled(underWay.pending());
    await painted();
    if (underWay.begun() === begun && underWay.pending().length === 0) return;
  }
}

/** Milliseconds within which a visible window draws a frame, even on a busy machine. */
const LONGEST_FRAME = 500;

/**
 * Waits for the next frame and its layout. An observer reports it, since a test may have stopped the clock of the page
 * and its animation frames.
 */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      // The message's task runs after painting.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
    observer.observe(document.documentElement);
    // A hidden window draws nothing.
    setTimeout(resolve, document.hidden ? 0 : LONGEST_FRAME);
  });
}
