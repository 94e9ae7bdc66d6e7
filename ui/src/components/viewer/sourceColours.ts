import { WorkerCalls } from "../../lib/workerCalls";
import type { SourceLanguage } from "./sourceLanguage";
import type { SourceFunctions } from "./sourceWorker";
import type { Token } from "./tokens";

/** Milliseconds for one text, including the start of the worker. A server can send a text that takes forever. */
export const TIME_LIMIT = 5_000;
/** Limit of texts that time out or fail; after that, none is tried in this window. */
export const MOST_FAILED = 3;

/** Finds the colours of texts in a worker, one after the other. The worker is terminated when a text takes too long. */
export class SourceColours {
  #calls: WorkerCalls<SourceFunctions> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #failed = 0;

  constructor(private readonly start: () => Worker) {}

  /**
   * Returns the colours of each line; `null` if there are none, or if they are no longer wanted when their turn comes.
   * Never rejects.
   */
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
