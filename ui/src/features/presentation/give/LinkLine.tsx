import type { ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { Spinner } from "../../../components/Spinner";
import type { PresentationStep } from "../../../ipc/bindings";
import { once } from "../../../lib/once";
import { visibleText } from "../../../lib/visible";
import { useServer } from "../../../state/hooks";
import type { Link } from "../../../state/stepLink";
import { linkWords, lostWords } from "./linkWords";
import { useConnect } from "./useConnect";

export interface LinkLineProps {
  readonly link: Link;
  readonly step: PresentationStep;
  /** Last step of the presentation. */
  readonly last: boolean;
  /** The connection was lost during a run of the step. */
  readonly lost: boolean;
}

/** State of the connection unless it is ready: one sentence and one button. */
export function LinkLine({ link, step, last, lost }: LinkLineProps): ReactNode {
  const server = useServer(step.server);
  const act = useConnect(step.server, link);
  if (link === "ready") return null;
  const name = `“${visibleText(server?.config.name ?? step.server_name)}”`;
  if (lost) {
    const { title, advice } = lostWords(link, name, last);
    return (
      <Callout level="error" role="status" title={title}>
        <p>{advice}</p>
      </Callout>
    );
  }
  const words = linkWords(link, name, last);
  if (link === "connecting") return <Spinner label={words.title} />;
  return (
    <Callout
      level={link === "off" || link === "confirm" ? "info" : "warning"}
      role="status"
      title={words.title}
      actions={
        words.button !== null && (
          <Button kind="primary" large data-next onClick={once(act)}>
            {words.button}
          </Button>
        )
      }
    >
      {words.advice !== null && <p>{words.advice}</p>}
    </Callout>
  );
}
