/**
 * Passes the outcome of work to a callback, unless the returned function is called first, which serves as the cleanup
 * of an effect. Without a failure callback, failures are ignored.
 */
export function whileWanted<T>(
  work: Promise<T>,
  done: (value: T) => void,
  failed: (thrown: unknown) => void = () => undefined,
): () => void {
  let isWanted = true;
  work.then(
    (value) => {
      if (isWanted) done(value);
    },
    (thrown: unknown) => {
      if (isWanted) failed(thrown);
    },
  );
  return () => {
    isWanted = false;
  };
}
