import { Channel, invoke } from "@tauri-apps/api/core";

import { type Backend, toBackendError } from "./backend";
import type { Batch } from "./bindings";

// Marks the steps of the start for measurements.
performance.mark("script");

/** The desktop host. The only module that imports the host's API. */
export function tauriBackend(): Backend {
  return {
    async call(name, args) {
      try {
        return await invoke(name, args);
      } catch (thrown) {
        throw toBackendError(thrown);
      }
    },
    async readBytes(source) {
      try {
        return await invoke<ArrayBuffer>("read_bytes", { source });
      } catch (thrown) {
        throw toBackendError(thrown);
      }
    },
    async subscribe(onBatch) {
      performance.mark("subscribe");
      const channel = new Channel<Batch>((batch) => {
        if (batch.type === "snapshot") performance.mark("snapshot");
        onBatch(batch);
      });
      try {
        await invoke("subscribe", { channel });
      } catch (thrown) {
        throw toBackendError(thrown);
      }
    },
  };
}
