import { Channel, invoke } from "@tauri-apps/api/core";

import { type Backend, toBackendError } from "./backend";
import type { Batch } from "./bindings";

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
      const channel = new Channel<Batch>(onBatch);
      try {
        await invoke("subscribe", { channel });
      } catch (thrown) {
        throw toBackendError(thrown);
      }
    },
  };
}
