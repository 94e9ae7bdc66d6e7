/** The page's side of the worker that parses Markdown. */
import type { Parsed } from "./parse";

/** Milliseconds for one text. A server can write one that takes minutes. */
export const TIME_LIMIT = 3_000;
const MAX_KEPT = 50;

const TOO_SLOW: Parsed = { ok: false, reason: `takes more than ${TIME_LIMIT / 1000} seconds to read` };
const FAILED: Parsed = { ok: false, reason: "could not be read" };

/** Parses one text after the other in a worker, which is ended when a text takes too long. */
export class MarkdownParser {
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #kept = new Map<string, Promise<Parsed>>();

  constructor(private readonly start: () => Worker) {}

  /** The same promise for the same text. It never fails. */
  parse(text: string): Promise<Parsed> {
    let parsed = this.#kept.get(text);
    if (!parsed) {
      parsed = this.#last.then(() => this.#run(text)).catch(() => FAILED);
      this.#last = parsed;
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
      this.#kept.set(text, parsed);
    }
    return parsed;
  }

  /** Starts the worker ahead of its first text. */
  prepare(): void {
    this.#worker ??= this.start();
  }

  async #run(text: string): Promise<Parsed> {
    const worker = (this.#worker ??= this.start());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = await new Promise<Parsed | null>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<Parsed>) => resolve(data);
      worker.onerror = () => resolve(FAILED);
      timer = setTimeout(() => resolve(null), TIME_LIMIT);
      worker.postMessage(text);
    });
    clearTimeout(timer);
    if (answer === null || answer === FAILED) {
      worker.terminate();
      this.#worker = null;
    }
    return answer ?? TOO_SLOW;
  }
}

export const markdownParser = new MarkdownParser(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
);
