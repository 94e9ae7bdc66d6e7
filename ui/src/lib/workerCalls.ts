/** Functions that run in a worker, so that the page never waits for them and can end them. */

import { track } from "./underWay";

/** Functions of a worker by name; arguments and results are cloned. */
export type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: readonly never[];
}

type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Answers the calls of the page, in the worker. Each call begins when its message arrives. */
export function serveCalls(functions: Functions): void {
  addEventListener("message", async ({ data: { id, name, args } }: MessageEvent<Call>) => {
    try {
      postMessage({ id, value: await functions[name]?.(...args) } satisfies Answer);
    } catch (error) {
      postMessage({ id, error: String(error) } satisfies Answer);
    }
  });
}

/** Thrown for a call that exceeds its time limit. */
export class TooSlow extends Error {}

/** Calls functions of one worker from the page, until it is closed or a call takes longer than `limit` milliseconds. */
export class WorkerCalls<F extends Functions> {
  readonly #worker: Worker;
  readonly #limit: number;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #ended: Error | null = null;

  constructor(worker: Worker, limit: number) {
    this.#worker = worker;
    this.#limit = limit;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      if (!waiting) return;
      this.#waiting.delete(data.id);
      clearTimeout(waiting.timer);
      if ("error" in data) waiting.reject(new Error(data.error));
      else waiting.resolve(data.value);
    };
    worker.onerror = (event) => this.#end(new Error(event.message));
  }

  /** `transfer` lists buffers among the arguments that move to the worker. */
  call<K extends keyof F & string>(
    name: K,
    args: Parameters<F[K]>,
    transfer: Transferable[] = [],
  ): Promise<Awaited<ReturnType<F[K]>>> {
    const answer = new Promise<Awaited<ReturnType<F[K]>>>((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const id = ++this.#last;
      const timer = setTimeout(() => this.#end(new TooSlow(`${name} took more than ${this.#limit} ms`)), this.#limit);
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      this.#worker.postMessage({ id, name, args } satisfies Call, transfer);
    });
    return track(answer);
  }

  close(): void {
    this.#end(new Error("closed"));
  }

  #end(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#worker.terminate();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}
