/** The page's side of the worker that parses Markdown. */
import { track } from "../../lib/underWay";
import type { Parsed } from "./parse";

/** Milliseconds for one text, counted from when the worker is ready. A server can send a text that takes minutes. */
export const TIME_LIMIT = 3_000;
/** Milliseconds after which a text that failed without a worker may be tried again. */
export const AGAIN = 10_000;
/** Milliseconds for all texts waiting at the same time. Later ones are not rendered. */
export const QUEUE_LIMIT = 10_000;
/** Limit of parsed texts that are kept. */
const MAX_KEPT = 50;

const TOO_SLOW: Parsed = { ok: false, reason: `takes more than ${TIME_LIMIT / 1000} seconds to read` };
const HELD_BACK: Parsed = { ok: false, reason: "waited too long for other texts", again: true };
const FAILED: Parsed = { ok: false, reason: "could not be read" };

/** Parses texts in a worker, one after the other. The worker is terminated when a text takes too long. */
export class MarkdownParser {
  #worker: Promise<Worker> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Map<string, Promise<Parsed>>();
  readonly #kept = new Map<string, Parsed>();
  /** Milliseconds used since the queue was last empty. */
  #taken = 0;

  constructor(private readonly start: () => Worker) {}

  /** Returns the result of a recently parsed text. */
  known(text: string): Parsed | null {
    return this.#kept.get(text) ?? null;
  }

  /** Parses a text once for all callers, until {@link MAX_KEPT} others are parsed. Never rejects. */
  parse(text: string): Promise<Parsed> {
    const kept = this.#kept.get(text);
    if (kept) return Promise.resolve(kept);
    const waiting = this.#waiting.get(text);
    if (waiting) return waiting;
    const parsed = track(this.#last.then(() => this.#run(text)).catch(() => this.#failed(text)));
    this.#last = parsed;
    this.#waiting.set(text, parsed);
    void parsed.then((result) => {
      this.#waiting.delete(text);
      if (this.#waiting.size === 0) this.#taken = 0;
      if (result === HELD_BACK) return;
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
      this.#kept.set(text, result);
    });
    return parsed;
  }

  /** Starts the worker before its first text. */
  prepare(): void {
    this.#ready().catch(() => undefined);
  }

  /** Resolves with a worker that has loaded. */
  #ready(): Promise<Worker> {
    return (this.#worker ??= new Promise((resolve, reject) => {
      const worker = this.start();
      worker.onmessage = () => resolve(worker);
      worker.onerror = reject;
    }));
  }

  async #run(text: string): Promise<Parsed> {
    if (this.#taken >= QUEUE_LIMIT) return HELD_BACK;
    const worker = await this.#ready();
    const started = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = await new Promise<Parsed | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Parsed>) => resolve(data);
      worker.onerror = reject;
      timer = setTimeout(() => resolve(null), TIME_LIMIT);
      worker.postMessage(text);
    }).finally(() => {
      clearTimeout(timer);
      this.#taken += performance.now() - started;
    });
    if (answer) return answer;
    worker.terminate();
    this.#worker = null;
    return TOO_SLOW;
  }

  /** Builds the result for a failed worker, which means nothing about the text. */
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
