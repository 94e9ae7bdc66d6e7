interface End {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stopped: boolean;
  readonly terminated: boolean;
}

/**
 * Describes the end of a process, without a full stop: "Stopped by Sonde (exit code 0)"; `null` if nothing is known
 * about it.
 */
export function endWords({ exit_code, signal, stopped, terminated }: End): string | null {
  const status = signal !== null ? `signal ${signal}` : exit_code === null ? null : `exit code ${exit_code}`;
  if (status === null) return null;
  if (terminated) return `Terminated by Sonde (${status})`;
  if (stopped) return `Stopped by Sonde (${status})`;
  return signal === null ? `Ended with ${status}` : `Ended by ${status}`;
}
