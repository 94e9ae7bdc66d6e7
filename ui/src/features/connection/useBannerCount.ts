import type { ServerId } from "../../ipc/bindings";
import { useConnection, useHealth, useIsReady } from "../../state/hooks";

/** Number of warnings about a connection. */
export function useBannerCount(server: ServerId): number {
  const connection = useConnection(server);
  const health = useHealth(server);
  const ready = useIsReady(server);
  if (!connection || !ready) return 0;
  const { paused, answer_delay_ms, warnings } = connection;
  return [health, paused, answer_delay_ms > 0].filter(Boolean).length + warnings.length;
}
