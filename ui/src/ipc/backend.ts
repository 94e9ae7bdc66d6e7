import type { Batch, Commands, DocumentSource, ErrorCode, IpcError } from "./bindings";

export type CommandName = keyof Commands;
export type CommandArgs<K extends CommandName> = Commands[K]["args"];
export type CommandResult<K extends CommandName> = Commands[K]["result"];

/** Interface between the window and the outside world, implemented by the host and by the fake. */
export interface Backend {
  /** Runs a command. Rejects with a {@link BackendError} and nothing else. */
  call<K extends CommandName>(name: K, args: CommandArgs<K>): Promise<CommandResult<K>>;
  /** Returns the undecoded bytes of a document. Rejects with a {@link BackendError}. */
  readBytes(source: DocumentSource): Promise<ArrayBuffer>;
  /** Opens the channel. The first batch is a snapshot; a later subscription replaces this one. */
  subscribe(onBatch: (batch: Batch) => void): Promise<void>;
  /** Sends the gathered events at once. Only a simulated host can. */
  flush?(): void;
}

/** Failure of a command. Branch on `code`; `message` is one plain sentence for people. */
export class BackendError extends Error {
  override readonly name = "BackendError";
  readonly code: ErrorCode;
  /** The technical detail, shown on request. */
  readonly detail: string | undefined;

  constructor(error: IpcError) {
    super(error.message);
    this.code = error.code;
    this.detail = error.detail;
  }
}

/** Converts a thrown value to a {@link BackendError}, so that callers have one type to handle. */
export function toBackendError(thrown: unknown): BackendError {
  if (thrown instanceof BackendError) return thrown;
  if (isIpcError(thrown)) return new BackendError(thrown);
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return new BackendError({
    code: "internal",
    message: "Something went wrong inside Sonde. See the app log in Settings.",
    detail,
  });
}

function isIpcError(value: unknown): value is IpcError {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}
