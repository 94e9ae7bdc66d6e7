import type { Batch, UiEvent } from "../bindings";

/** Sends events in numbered batches, at most one per frame. */
export class FakeChannel {
  private number = 0;
  private waiting: UiEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private snapshot: Batch | null = null;
  private receiver: ((batch: Batch) => void) | null = null;

  open(receiver: (batch: Batch) => void, events: UiEvent[]): void {
    this.receiver = receiver;
    this.waiting = [];
    this.snapshot = structuredClone({ type: "snapshot", number: this.number, events });
    setTimeout(() => this.flush(), 0);
  }

  send(event: UiEvent): void {
    this.waiting.push(event);
    this.timer ??= setTimeout(() => this.flush(), 16);
  }

  /** Sends the waiting events now. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { snapshot } = this;
    this.snapshot = null;
    if (snapshot) this.receiver?.(snapshot);
    const events = structuredClone(this.waiting);
    this.waiting = [];
    if (events.length > 0) this.receiver?.({ type: "events", number: ++this.number, events });
  }
}
