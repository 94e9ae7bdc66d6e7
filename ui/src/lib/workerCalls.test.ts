import { expect, it, vi } from "vitest";

import { TooSlow, WorkerCalls } from "./workerCalls";

type Functions = { readonly add: (a: number, b: number) => number };

function fake() {
  const posted: { readonly id: number; readonly name: string; readonly args: readonly number[] }[] = [];
  const worker = {
    onmessage: null as ((event: { readonly data: unknown }) => void) | null,
    onerror: null as ((event: { readonly message: string }) => void) | null,
    postMessage: (call: (typeof posted)[number]) => posted.push(call),
    terminate: vi.fn<() => void>(),
  };
  const calls = new WorkerCalls<Functions>(worker as unknown as Worker, 100);
  return { worker, calls, posted, answer: (data: unknown) => worker.onmessage?.({ data }) };
}

it("hands each answer to its call", async () => {
  const { calls, posted, answer } = fake();
  const one = calls.call("add", [1, 2]);
  const two = calls.call("add", [3, 4]);
  answer({ id: posted[1]?.id, value: 7 });
  answer({ id: posted[0]?.id, value: 3 });
  expect(await Promise.all([one, two])).toEqual([3, 7]);
});

it("fails a call alone whose function throws", async () => {
  const { calls, posted, answer, worker } = fake();
  const one = calls.call("add", [1, 2]);
  answer({ id: posted[0]?.id, error: "RangeError: no" });
  await expect(one).rejects.toThrow("RangeError: no");
  expect(worker.terminate).not.toHaveBeenCalled();
});

it("ends the worker where a call takes too long, and fails all that wait", async () => {
  vi.useFakeTimers();
  const { calls, worker } = fake();
  const all = [calls.call("add", [1, 2]), calls.call("add", [3, 4])].map((call) =>
    call.then(
      () => null,
      (error: unknown) => error,
    ),
  );
  await vi.advanceTimersByTimeAsync(100);
  expect(await Promise.all(all)).toEqual([expect.any(TooSlow), expect.any(TooSlow)]);
  expect(worker.terminate).toHaveBeenCalledOnce();
  await expect(calls.call("add", [1, 2])).rejects.toBeInstanceOf(TooSlow);
});

it("fails what waits when it is closed or the worker breaks", async () => {
  const first = fake();
  const one = first.calls.call("add", [1, 2]);
  first.calls.close();
  await expect(one).rejects.toThrow("closed");
  const second = fake();
  const two = second.calls.call("add", [1, 2]);
  second.worker.onerror?.({ message: "out of memory" });
  await expect(two).rejects.toThrow("out of memory");
});
