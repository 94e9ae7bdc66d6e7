/** Counts pending work of the page, so that test drivers can wait for it. */
const pending = new Set<Promise<unknown>>();
let begun = 0;

/** Counts work until it is settled. Call it for each lazy part and worker of the page. */
export function track<T>(work: Promise<T>): Promise<T> {
  begun++;
  pending.add(work);
  const settled = (): void => void pending.delete(work);
  work.then(settled, settled);
  return work;
}

/** Counts the start of work that somebody else waits for: a call, or a requested frame. */
export function noteBegun(): void {
  begun++;
}

export const underWay = {
  pending: (): readonly Promise<unknown>[] => [...pending],
  /** Number of pieces of work ever started. */
  begun: (): number => begun,
};
