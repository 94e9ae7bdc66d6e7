import { toBackendError, type Backend, type BackendError } from "../ipc/backend";
import type { Batch } from "../ipc/bindings";
import { onNextFrame } from "../lib/frames";
import { Gap } from "./live";

/** Runs a function before the next frame is drawn; injected so that tests control time. */
export type Frame = (run: () => void) => void;

export interface SubscriptionTarget {
  /** Takes over a batch. Throws {@link Gap} if it does not follow the previous one. */
  apply(batch: Batch): void;
  /** Handles the failure to open the channel. */
  failed(error: BackendError): void;
}

/**
 * Applies batches in order, acknowledges the newest batch of each frame once it is applied (which limits the batches in
 * flight), and requests a new snapshot after a gap. Batches of a replaced subscription are ignored.
 */
export class Subscription {
  private generation = 0;
  private pending: number | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly target: SubscriptionTarget,
    private readonly frame: Frame,
  ) {}

  /** Opens or reopens the channel. Batches wait until `first` is done. */
  async open(first?: Promise<void>): Promise<void> {
    const generation = ++this.generation;
    const waiting: Batch[] = [];
    let isWaiting = first !== undefined;
    const take = (batch: Batch): void => {
      if (isWaiting) waiting.push(batch);
      else if (generation === this.generation) this.receive(batch);
    };
    void first?.then(() => {
      isWaiting = false;
      waiting.forEach(take);
    });
    try {
      await this.backend.subscribe(take);
    } catch (thrown) {
      if (generation === this.generation) this.target.failed(toBackendError(thrown));
    }
  }

  /** Ignores all further batches. */
  close(): void {
    this.generation++;
  }

  private receive(batch: Batch): void {
    try {
      this.target.apply(batch);
    } catch (thrown) {
      if (!(thrown instanceof Gap)) throw thrown;
      void this.open();
      return;
    }
    const scheduled = this.pending !== null;
    this.pending = batch.number;
    if (!scheduled) this.frame(() => this.acknowledge());
  }

  private acknowledge(): void {
    const number = this.pending;
    this.pending = null;
    if (number === null) return;
    // A lost acknowledgement only delays the next batch until the next one is acknowledged.
    this.backend.call("acknowledge", { number }).catch(() => undefined);
  }
}

/**
 * Runs in the next animation frame, or after half a second if the window is hidden and draws none: otherwise a
 * minimised window would stop acknowledging and the host would stop sending.
 */
export const nextFrame: Frame = (run) => {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    run();
  };
  onNextFrame(once);
  setTimeout(once, 500);
};
