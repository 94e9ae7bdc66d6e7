/**
 * Hands the outcome of work to a callback, unless the function that it returns was called before: for an effect, whose
 * cleanup that is. Without a callback for it, a failure is ignored.
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
