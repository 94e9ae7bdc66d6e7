import type { ReactNode } from "react";

import { FilterSelect } from "../../components/FilterSelect";
import type { LogLevel, ServerId } from "../../ipc/bindings";
import { declares } from "../../lib/capabilities";
import { useActions, useConnection, useServer, useSession } from "../../state/hooks";
import { LEVELS } from "../../state/view";
import wire from "./wire.module.css";

/** Choice of the log level requested from the server; shown only if it declares `logging`. */
export function ServerLogLevel({ server }: { readonly server: ServerId }): ReactNode {
  const actions = useActions();
  const level = useServer(server)?.log_level ?? null;
  const capabilities = useSession(server)?.identity?.capabilities;
  const stateless = useConnection(server)?.era === "stateless";
  if (capabilities === undefined || declares(capabilities, "logging") === false) return null;
  const choose = (value: string): void => {
    const chosen = LEVELS.find((each) => each === value) ?? null;
    void actions.command("set_log_level", { server, level: chosen satisfies LogLevel | null });
  };
  return (
    <label
      className={wire.serverLevel}
      data-tip={
        stateless
          ? "Sent in _meta with every request from now on"
          : "Sent with logging/setLevel, now and after each connect. Default takes effect with the next connect."
      }
    >
      Server log level
      <FilterSelect
        label="Server log level"
        value={level ?? ""}
        none={stateless ? "Default (debug)" : "Default (server decides)"}
        items={LEVELS.map((name) => [name, name])}
        onChange={choose}
      />
    </label>
  );
}
