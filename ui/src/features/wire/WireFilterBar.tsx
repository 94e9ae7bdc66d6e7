import { X } from "lucide-react";
import type { ReactNode } from "react";

import { IconButton } from "../../components/Button";
import { FilterChips } from "../../components/FilterChips";
import { FilterSelect } from "../../components/FilterSelect";
import { Checkbox } from "../../components/Field";
import { FilterBar } from "../../components/ListWithDetails";
import { Segmented } from "../../components/Segmented";
import type { OperationNumber, LogFilter, ServerId, LogViewState } from "../../ipc/bindings";
import { number } from "../../lib/format";
import { useOperation, useSlice } from "../../state/hooks";
import { operationName } from "../../state/operationName";
import { wireSlice } from "../../state/slices/wire";
import styles from "./wire.module.css";
import { groupIsOn, KIND_GROUPS, toggleGroup, isNarrowed } from "./wireWords";

interface WireFilterBarProps {
  readonly server: ServerId;
  /** State of the log; `undefined` until it is open. */
  readonly log: LogViewState | undefined;
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

type Direction = "both" | "out" | "in";

export function WireFilterBar({ server, log, filter, onFilter }: WireFilterBarProps): ReactNode {
  const [{ text, operation }, set] = useSlice(server, wireSlice);
  const methods = log?.methods ?? [];
  const narrowed = operation !== null || isNarrowed({ ...filter, text });
  const hits = narrowed && log ? `${number(log.rows)} of ${number(log.total)}` : undefined;
  const direction: Direction = filter.out === null ? "both" : filter.out ? "out" : "in";
  const method = filter.methods[0] ?? "";
  return (
    <FilterBar
      of="wire log"
      className={styles.bar}
      value={text}
      onChange={(typed) => set({ text: typed })}
      hits={log?.searching === true ? "Searching…" : hits}
    >
      <Segmented<Direction>
        label="Direction"
        value={direction}
        onChange={(value) => onFilter({ ...filter, out: value === "both" ? null : value === "out" })}
        items={{ both: "Both", out: "Sent", in: "Received" }}
      />
      <FilterSelect
        className={styles.methods}
        label="Method"
        value={method}
        none="All methods"
        items={[...new Set(method === "" ? methods : [...methods, method])].map((name) => [name, name])}
        onChange={(name) => onFilter({ ...filter, methods: name === "" ? [] : [name] })}
      />
      <FilterChips
        label="Entry kinds"
        chips={KIND_GROUPS.map((group) => ({
          name: group.name,
          on: groupIsOn(filter, group),
          tip: group.tip,
          onToggle: () => onFilter(toggleGroup(filter, group)),
        }))}
      />
      <Checkbox
        label="Only with issues"
        checked={filter.findings_only}
        onChange={(findings_only) => onFilter({ ...filter, findings_only, rule: null })}
      />
      {filter.rule !== null && (
        <span className={styles.operationChip}>
          Only <code>{filter.rule}</code>
          <IconButton
            small
            label="Show entries of all rules"
            icon={X}
            onClick={() => onFilter({ ...filter, rule: null })}
          />
        </span>
      )}
      {operation !== null && <OperationChip operation={operation} onRemove={() => set({ operation: null })} />}
    </FilterBar>
  );
}

function OperationChip({
  operation,
  onRemove,
}: {
  readonly operation: OperationNumber;
  readonly onRemove: () => void;
}): ReactNode {
  const view = useOperation(operation);
  return (
    <span className={styles.operationChip}>
      Only run {operation}
      {view && ` of ${operationName(view)}`}
      <IconButton small label="Show entries of all runs" icon={X} onClick={onRemove} />
    </span>
  );
}
