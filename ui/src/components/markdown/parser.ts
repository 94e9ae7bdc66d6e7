/** The page's side of the worker that parses Markdown. */
import { track } from "../../lib/underWay";
import type { Parsed } from "./parse";

/** Milliseconds for one text, from when the worker is ready. A server can write one that takes minutes. */
export const TIME_LIMIT = 3_000;
/** Milliseconds after which a text that no worker could take may be tried again. */
export const AGAIN = 10_000;
/** Milliseconds for all texts that wait at the same time. Those that come later are not drawn. */
export const QUEUE_LIMIT = 10_000;
/** Texts that are kept once they are parsed. */
const MAX_KEPT = 50;

const TOO_SLOW: Parsed = { ok: false, reason: `takes more than ${TIME_LIMIT / 1000} seconds to read` };
const HELD_BACK: Parsed = { ok: false, reason: "waited too long for other texts", again: true };
const FAILED: Parsed = { ok: false, reason: "could not be read" };

/** Parses one text after the other in a worker, which is ended when a text takes too long. */
export class MarkdownParser {
  #worker: Promise<Worker> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Map<string, Promise<Parsed>>();
  readonly #kept = new Map<string, Parsed>();
  /** Milliseconds taken since no text waited. */
  #taken = 0;

  constructor(private readonly start: () => Worker) {}

  /** Result of a text that was parsed not long ago. */
  known(text: string): Parsed | null {
    return this.#kept.get(text) ?? null;
  }

  /** Parses a text once for all who ask, until {@link MAX_KEPT} others are parsed. It never fails. */
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
