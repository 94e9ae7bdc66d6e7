import { WorkerCalls } from "../../lib/workerCalls";
import type { SourceLanguage } from "./sourceLanguage";
import type { SourceFunctions } from "./sourceWorker";
import type { Token } from "./tokens";

/** Milliseconds for one text, the start of the worker included. A server can write one that takes for ever. */
export const TIME_LIMIT = 5_000;
/** Texts that may take too long, or fail, before no other is tried in this window. */
export const MOST_FAILED = 3;

/** Finds the colours of one text after the other in a worker, which is ended when a text takes too long. */
export class SourceColours {
  #calls: WorkerCalls<SourceFunctions> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #failed = 0;

  constructor(private readonly start: () => Worker) {}

  /** The colours of each line; `null` where there are none, or nobody wants them any more when their turn comes. It never fails. */
  lines(
    text: string,
    language: SourceLanguage,
    isWanted: () => boolean,
  ): Promise<readonly (readonly Token[])[] | null> {
    const found = this.#last
      .then(() => {
        if (!isWanted() || this.#failed >= MOST_FAILED) return null;
        this.#calls ??= new WorkerCalls<SourceFunctions>(this.start(), TIME_LIMIT);
        return this.#calls.call("tokensOfSource", [text, language]);
      })
      .catch(() => {
        this.#failed += 1;
        this.#calls?.close();
        this.#calls = null;
        return null;
      });
    this.#last = found;
    return found;
  }
}

export const sourceColours = new SourceColours(
  () => new Worker(new URL("./sourceWorker.ts", import.meta.url), { type: "module" }),
);
