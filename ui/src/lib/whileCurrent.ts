/** Hands a value on once it is read, unless the returned function was called before; a failure is ignored. */
export function whileCurrent<T>(reading: Promise<T>, use: (value: T) => void): () => void {
  let current = true;
  reading.then(
    (value) => {
      if (current) use(value);
    },
    () => undefined,
  );
  return () => {
    current = false;
  };
}
