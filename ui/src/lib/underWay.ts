/** Work of the page that ends by itself, counted for the drivers of tests, which wait for it. */
const pending = new Set<Promise<unknown>>();
let begun = 0;

/** Counts work from now until it is settled. Call it for each lazy part and worker of the page. */
export function track<T>(work: Promise<T>): Promise<T> {
  begun++;
  pending.add(work);
  const settled = (): void => void pending.delete(work);
  work.then(settled, settled);
  return work;
}

/** Notes work that somebody else waits for: a call, or a frame that was requested. */
export function noteBegun(): void {
  begun++;
}

export const underWay = {
  pending: (): readonly Promise<unknown>[] => [...pending],
  /** Number of pieces of work ever begun. */
  begun: (): number => begun,
};
