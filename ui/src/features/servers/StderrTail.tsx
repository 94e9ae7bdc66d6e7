import type { ServerId } from "../../ipc/bindings";
import { scrollable } from "../../lib/scrollable";
import { useFetched } from "../../state/queries";

const LINES = 12;

/** Newest lines of standard error. */
export function StderrTail({ server, lines }: { server: ServerId; lines: number }) {
  const from = Math.max(0, lines - LINES);
  const tail = useFetched(server, String(lines), (backend) =>
    backend.call("stderr_lines", { server, from, count: LINES }),
  );
  return <Lines label="Newest lines of stderr" lines={tail.value ?? []} />;
}

/** Lines as a program wrote them. */
export function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <pre className="codeBox selectable scrolls asWritten maxHeight240 pad8x12" {...scrollable(label, "region")}>
      {lines.join("\n")}
    </pre>
  );
}
