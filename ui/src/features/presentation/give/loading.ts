import { createContext, useContext, useLayoutEffect } from "react";

/** Counts the parts of a result that cannot be rendered yet. */
export const LoadingContext = createContext<(change: 1 | -1) => void>(() => undefined);

/** Keeps the previous view in place while a part of a result is loading. */
export function useLoading(isLoading: boolean): void {
  const report = useContext(LoadingContext);
  useLayoutEffect(() => {
    if (!isLoading) return undefined;
    report(1);
    return () => report(-1);
  }, [isLoading, report]);
}
