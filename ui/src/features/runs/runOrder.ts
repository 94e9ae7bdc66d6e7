import type { OperationNumber, OperationView } from "../../ipc/bindings";

/**
 * The runs as they are listed, from those of a server with the newest first: the pinned ones, those in progress, then
 * those that ended. Those in progress stand in the order in which they were started, so that none moves when another
 * is started; of the others the one that ended last stands first.
 */
export function listed(
  newestFirst: readonly OperationNumber[],
  operations: Readonly<Record<OperationNumber, OperationView>>,
): readonly OperationNumber[] {
  const pinned: OperationNumber[] = [];
  const running: OperationNumber[] = [];
  const ended: OperationNumber[] = [];
  for (const number of newestFirst) {
    const run = operations[number];
    if (run?.label.pinned === true) pinned.push(number);
    else if (run && run.state !== "finished") running.push(number);
    else ended.push(number);
  }
  const end = (number: OperationNumber): number => {
    const run = operations[number];
    return run ? run.started_at + (run.micros ?? 0) / 1000 : 0;
  };
  return [...pinned, ...running.toReversed(), ...ended.toSorted((a, b) => end(b) - end(a))];
}
