import { useEffect, useState } from "react";

const MINUTE = 60_000;
/** Longest wait in milliseconds: a browser's timers overflow at 25 days. */
const DAY = 86_400_000;

/**
 * Returns the current time in milliseconds since the Unix epoch, updated every `everyMs` (counted from `since`) while
 * `active`. Only for things in progress: times of past events come from the host.
 */
export function useNow(everyMs: number, active = true, since = 0): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(
    () => (active ? readAgain(setNow, (at) => everyMs - (Math.max(0, at - since) % everyMs)) : undefined),
    [everyMs, active, since],
  );
  return now;
}

/**
 * Returns the current time, updated only when {@link timeLeft} until `until`, or the whole minutes since `since`,
 * change.
 */
export function useCoarseNow(until: number | null, since: number | null = null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(
    () =>
      readAgain(setNow, (at) =>
        Math.min(until === null ? Infinity : untilWordsChange(until - at), minuteOf(since, at)),
      ),
    [until, since],
  );
  return now;
}

/** Returns the current time, updated at midnight: for the names of days. */
export function useToday(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => readAgain(setNow, (at) => new Date(at).setHours(24, 0, 0, 0) - at), []);
  return now;
}

/** Updates the time at once, and again after each finite wait. */
function readAgain(setNow: (now: number) => void, wait: (now: number) => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = (): void => {
    const now = Date.now();
    setNow(now);
    const delay = wait(now);
    if (delay < Infinity) timer = setTimeout(read, Math.min(delay, DAY));
  };
  read();
  return () => clearTimeout(timer);
}

/** Words for a remaining time that seldom change: `less than a minute`, `4 minutes`, `2 hours`, `3 days`. */
export function timeLeft(millis: number): string {
  if (millis < MINUTE) return "less than a minute";
  const minutes = Math.round(millis / MINUTE);
  if (minutes < 90) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

function untilWordsChange(left: number): number {
  if (left <= 0) return Infinity;
  if (left < MINUTE) return left;
  return left < 1.5 * MINUTE ? left - MINUTE + 1 : ((left - MINUTE / 2) % MINUTE) + 1;
}

function minuteOf(since: number | null, now: number): number {
  return since === null ? Infinity : MINUTE - (Math.max(0, now - since) % MINUTE);
}
