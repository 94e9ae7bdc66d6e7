import { CornerUpLeft } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { ErrorCallout } from "../../components/Callout";
import { DetailPane, type DetailPaneProps } from "../../components/ListWithDetails";
import type { LogDetail, LogRow, ServerId } from "../../ipc/bindings";
import { operationActions } from "../../state/actions/operations";
import { useActions, useOperation } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import styles from "./wire.module.css";

export interface EntryProps extends Pick<DetailPaneProps, "onClose"> {
  readonly server: ServerId;
  readonly seq: number;
}

interface EntryPaneProps extends EntryProps, Pick<DetailPaneProps, "label" | "buttons" | "maximized"> {
  readonly title: (detail: LogDetail) => string;
  /** Changes whenever the details may have changed. */
  readonly version?: string;
  readonly children: (detail: LogDetail) => ReactNode;
}

/** Details of one entry of the log, once they are loaded. */
export function EntryPane({ server, seq, title, version = "", children, ...pane }: EntryPaneProps): ReactNode {
  const fetched = useFetched(`${server}\n${seq}`, version, (backend) => backend.call("log_detail", { server, seq }));
  const detail = fetched.value;
  return (
    <DetailPane
      {...pane}
      headClass={styles.detailHead}
      bodyClass={styles.detailBody}
      title={<h2 className="ellipsis heading stretch unbroken">{detail ? title(detail) : `Entry ${seq}`}</h2>}
    >
      {fetched.state === "failed" && <ErrorCallout error={fetched.error} level="warning" />}
      {detail && children(detail)}
    </DetailPane>
  );
}

/** Button to the run of an entry, if it has one. */
export function GoToRun({ row: { operation } }: { readonly row: LogRow }): ReactNode {
  const actions = useActions().get(operationActions);
  const run = useOperation(operation);
  if (operation === null) return null;
  return (
    <Button
      small
      icon={CornerUpLeft}
      disabled={!run}
      title={run ? undefined : "The run was deleted"}
      onClick={() => actions.showOperation(operation)}
    >
      Go to run
    </Button>
  );
}
