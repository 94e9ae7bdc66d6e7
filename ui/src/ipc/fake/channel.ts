import type { Batch, Snapshot, UiEvent } from "../bindings";

/** Sends events in numbered batches, at most one a frame, the newest of each thing alone. */
export class FakeChannel {
  private number = 0;
  private waiting = new Map<string, UiEvent>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private receiver: ((batch: Batch) => void) | null = null;

  open(receiver: (batch: Batch) => void, snapshot: Omit<Snapshot, "number">): void {
    this.receiver = receiver;
    this.waiting.clear();
    const batch: Batch = structuredClone({ type: "snapshot", number: this.number, ...snapshot });
    setTimeout(() => receiver(batch), 0);
  }

  send(event: UiEvent): void {
    const key = keyOf(event);
    this.waiting.delete(key);
    this.waiting.set(key, event);
    this.timer ??= setTimeout(() => this.flush(), 16);
  }

  private flush(): void {
    this.timer = null;
    const events = structuredClone([...this.waiting.values()]);
    this.waiting.clear();
    if (events.length > 0) this.receiver?.({ type: "events", number: ++this.number, events });
  }
}

function keyOf(event: UiEvent): string {
  switch (event.type) {
    case "server":
    case "notice":
      return `${event.type} ${event.data.id}`;
    case "session":
    case "connection":
    case "auth":
      return `${event.type} ${event.data.server}`;
    case "catalog":
      return `catalog ${event.data.server} ${event.data.kind}`;
    case "server_request":
      return `request ${event.data.request}`;
    case "operation":
      return `operation ${event.data.operation}`;
    case "log":
      return `log ${event.data.view}`;
    case "server_removed":
    case "server_request_removed":
    case "operation_removed":
    case "notice_removed":
      return `${event.type} ${event.data}`;
    case "server_order":
    case "settings":
      return event.type;
  }
}
