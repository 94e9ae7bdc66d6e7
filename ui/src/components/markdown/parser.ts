/** The page's side of the worker that parses Markdown. */
import type { Parsed } from "./parse";

/** Milliseconds for one text, from when the worker is ready. A server can write one that takes minutes. */
export const TIME_LIMIT = 3_000;
/** Milliseconds after which a text that no worker could take may be tried again. */
export const AGAIN = 10_000;
const MAX_KEPT = 50;

const TOO_SLOW: Parsed = { ok: false, reason: `takes more than ${TIME_LIMIT / 1000} seconds to read` };
const FAILED: Parsed = { ok: false, reason: "could not be read" };

/** Parses one text after the other in a worker, which is ended when a text takes too long. */
export class MarkdownParser {
  #worker: Promise<Worker> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #kept = new Map<string, Promise<Parsed>>();

  constructor(private readonly start: () => Worker) {}

  /** The same promise for the same text. It never fails. */
  parse(text: string): Promise<Parsed> {
    let parsed = this.#kept.get(text);
    if (!parsed) {
      parsed = this.#last.then(() => this.#run(text)).catch(() => this.#failed(text));
      this.#last = parsed;
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
      this.#kept.set(text, parsed);
    }
    return parsed;
  }

  /** Starts the worker ahead of its first text. */
  prepare(): void {
    this.#ready().catch(() => undefined);
  }

  /** A worker that has loaded. */
  #ready(): Promise<Worker> {
    return (this.#worker ??= new Promise((resolve, reject) => {
      const worker = this.start();
      worker.onmessage = () => resolve(worker);
      worker.onerror = reject;
    }));
  }

  async #run(text: string): Promise<Parsed> {
    const worker = await this.#ready();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = await new Promise<Parsed | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Parsed>) => resolve(data);
      worker.onerror = reject;
      timer = setTimeout(() => resolve(null), TIME_LIMIT);
      worker.postMessage(text);
    }).finally(() => clearTimeout(timer));
    if (answer) return answer;
    worker.terminate();
    this.#worker = null;
    return TOO_SLOW;
  }

  /** The worker failed, which says nothing about the text. */
  #failed(text: string): Parsed {
    void this.#worker?.then((worker) => worker.terminate()).catch(() => undefined);
    this.#worker = null;
    setTimeout(() => this.#kept.delete(text), AGAIN);
    return FAILED;
  }
}

export const markdownParser = new MarkdownParser(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
);
